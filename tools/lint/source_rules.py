"""The rules about single source files: includes, lengths, names, words, guards and tables."""
import os
import re

from tools.lint import cpp
from tools.lint import third_party
from tools.lint.tree import Finding

_CPP = (".h", ".cc", ".inc")
_HARD_LINES = {".cc": 800, ".h": 500, ".py": 800, ".bzl": 400, "BUILD.bazel": 400}
_FUNCTION_LINES = 100
_COLUMNS = 120

_BANNED_NAME = re.compile(r"(^|_)(utils?|helpers?|common)$")
_BANNED_CODE = [
    (re.compile(r"\bthrow\b(?!\s*\(\s*\)\s*;)"), "throw: return a Status"),
    (re.compile(r"\b(try|catch)\b\s*[({]"), "try and catch: nothing of ours throws"),
    (re.compile(r"\bdynamic_cast\b"), "dynamic_cast: ask the object for its kind"),
    (re.compile(r"\bstd::string_view\b"), "std::string_view: absl::string_view is another type here"),
    (re.compile(r"\b(class|struct)\s+\w*(Utils?|Helpers?|Common)\b"), "a type is named after its concept"),
]
_BANNED_IN_HEADERS = [
    (re.compile(r"\busing\s+namespace\b"), "using namespace in a header"),
    (re.compile(r"#\s*pragma\s+once"), "#pragma once: use a guard"),
]
# Spelled in two parts, so that this line is no match.
_BANNED_WORDS = re.compile(r"\b(FIX" r"ME|XX" r"X|HA" r"CK|TO" r"DO(?!\(#\d+\)))\b")


def _extension(path):
    return "BUILD.bazel" if path.endswith("BUILD.bazel") else os.path.splitext(path)[1]


def _stem(path):
    return os.path.splitext(path)[0]


def check(tree):
    """Yields the findings about each file by itself."""
    for path in tree.with_suffix(".h", ".cc", ".inc", ".py", ".bzl", "BUILD.bazel"):
        yield from _lengths(tree, path)
        yield from _words(tree, path)
    for path in tree.with_suffix(*_CPP):
        yield from _names(path)
        yield from _banned_code(tree, path)
        yield from _includes(tree, path)
    for path in tree.with_suffix(".h"):
        yield from _guard(tree, path)
    for path in tree.with_suffix(".inc"):
        yield from _sorted_table(tree, path)


def _lengths(tree, path):
    lines = tree.text(path).splitlines()
    hard = _HARD_LINES.get(_extension(path))
    if hard and len(lines) > hard:
        yield Finding("length", path, 0, "%d lines; at most %d" % (len(lines), hard))
    for number, line in enumerate(lines, 1):
        if len(line) > _COLUMNS and path.endswith(_CPP):
            yield Finding("columns", path, number, "%d columns; at most %d" % (len(line), _COLUMNS))
        if line != line.rstrip():
            yield Finding("columns", path, number, "white space at the end of the line")
    if path.endswith((".h", ".cc")):
        for function in cpp.functions(tree.text(path)):
            length = function.last_line - function.first_line + 1
            if length > _FUNCTION_LINES:
                message = "a function of %d lines; at most %d" % (length, _FUNCTION_LINES)
                yield Finding("function_length", path, function.first_line, message)


def _words(tree, path):
    for number, line in enumerate(tree.text(path).splitlines(), 1):
        match = _BANNED_WORDS.search(line)
        if match:
            yield Finding("words", path, number, "%s: debt has the number of an issue" % match.group(1))


def _names(path):
    stem = re.sub(r"_(test|testlib|benchmark|fuzz)$", "", os.path.basename(_stem(path)))
    if _BANNED_NAME.search(stem):
        yield Finding("names", path, 0, "a file is named after the concept in it")


def _banned_code(tree, path):
    text = cpp.code(tree.text(path))
    rules = _BANNED_CODE + (_BANNED_IN_HEADERS if path.endswith(".h") else [])
    for pattern, message in rules:
        for match in pattern.finditer(text):
            yield Finding("code", path, cpp.line_at(text, match.start()), message)


def _includes(tree, path):
    included = cpp.includes(tree.text(path))
    for include in included:
        reason = third_party.refusal(path, include.header, include.angled)
        if reason:
            yield Finding("third_party", path, include.line, reason)
        flat = not include.angled and "/" not in include.header and not third_party.labels_of(include.header)
        if flat or include.header.startswith((".", "/")):
            yield Finding("includes", path, include.line, "not the path from the root: %s" % include.header)
    own = re.sub(r"_(test|benchmark)$", "", _stem(path)) + ".h"
    if path.endswith(".cc") and tree.has(own) and (not included or included[0].header not in _spellings(own)):
        yield Finding("includes", path, 0, "the first include must be %s" % own)


def _spellings(header):
    """How a header may be included: the facade's are exported as burin/."""
    return (header, re.sub(r"^runtime/api/", "burin/", header))


def _guard(tree, path):
    guard = "BURIN_%s_" % re.sub(r"\W", "_", path).upper()
    text = tree.text(path)
    if "#ifndef %s\n#define %s\n" % (guard, guard) not in text or not text.rstrip().endswith("#endif  // " + guard):
        yield Finding("guard", path, 0, "the include guard must be %s" % guard)


def _sorted_table(tree, path):
    """The lines of one macro are sorted by their first argument, so that each has one place and none comes twice."""
    previous = (None, None)
    for match in re.finditer(r"^([A-Z]\w*)\(([^,)]*(?:,\s*[^,)]*)?)", cpp.without_comments(tree.text(path)), re.MULTILINE):
        key = (match.group(1), [part.strip() for part in match.group(2).split(",")])
        if key[0] == previous[0] and key[1] <= previous[1]:
            line = cpp.line_at(tree.text(path), match.start())
            yield Finding("tables", path, line, "not sorted: %s after %s" % (", ".join(key[1]), ", ".join(previous[1])))
        previous = key
