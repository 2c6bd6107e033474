"""Rules about documentation."""
import re

from tools.lint.tree import Finding

_NAMED = re.compile(r"`([A-Z]\w*Test\.[A-Z]\w*)`")
_DECLARED = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.M)


def check(tree):
    """Findings: documents that name a test `SuiteTest.Case` which no file declares."""
    documents = [path for path in tree.with_suffix(".md") if _NAMED.search(tree.text(path))]
    if not documents:
        return
    declared = set()
    for path in tree.with_suffix("_test.cc"):
        declared.update("%s.%s" % match for match in _DECLARED.findall(tree.text(path)))
    for path in documents:
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            for name in _NAMED.findall(line):
                if name not in declared:
                    yield Finding("documents", path, number, "no test is called %s" % name)
