#!/usr/bin/python3
"""Checks what Bazel and the compilers cannot: ./bazelw run //tools/lint, or ./bazelw test //tools/lint/...

Rules, by the names that exemptions.txt uses:
  build           BUILD files: no glob, no alwayslink
  code            no throw, dynamic_cast, std::string_view; no `using namespace` in a header; type names
  columns         at most 120 columns, no white space at the end
  deps            every include has its dependency, every dependency is included
  documents       a test that a document names exists
  function_length at most 100 lines
  guard           include guards
  includes        own header first; full paths
  layers          docs/architecture/layers.md, package groups and visibilities agree
  length          at most 800 lines in a .cc, 500 in a .h, 400 in a BUILD file
  names           no *_utils, *_helpers, *_common
  tables          .inc tables are sorted and agree with their BUILD list
  tests           foo.cc has foo_test.cc
  third_party     which folders may include which library
  unlisted        every C++ file belongs to a target
  words           debt names an issue
"""
import os
import sys

from tools.lint import build_files
from tools.lint import doc_rules
from tools.lint import layers
from tools.lint import source_rules
from tools.lint import target_rules
from tools.lint.tree import Finding
from tools.lint.tree import Tree

_EXEMPTIONS = "tools/lint/exemptions.txt"


def exemptions(tree):
    """{(rule, path): line} of the exemptions: `rule path reason`, newest first."""
    found = {}
    for number, line in enumerate(tree.text(_EXEMPTIONS).splitlines() if tree.has(_EXEMPTIONS) else (), 1):
        words = line.split(None, 2)
        if words and not line.startswith("#"):
            found[tuple(words[:2])] = (number, words[2] if len(words) == 3 else "")
    return found


def run(root):
    """All findings of the tree below root, less those that are exempt."""
    tree = Tree(root)
    packages = build_files.packages(tree)
    findings = list(source_rules.check(tree))
    findings += target_rules.check(tree, packages)
    findings += layers.check(tree, packages)
    findings += doc_rules.check(tree)
    allowed = exemptions(tree)
    kept = [finding for finding in findings if (finding.rule, finding.path) not in allowed]
    hit = {(finding.rule, finding.path) for finding in findings}
    for key, (number, reason) in allowed.items():
        if not reason:
            kept.append(Finding("exemptions", _EXEMPTIONS, number, "no reason"))
        if key not in hit:
            kept.append(Finding("exemptions", _EXEMPTIONS, number, "needless: %s %s" % key))
    return sorted(kept)


def main():
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY") or os.getcwd()
    findings = run(root)
    for finding in findings:
        print("%s:%d: %s: %s" % (finding.path, finding.line, finding.rule, finding.message))
    print("lint: %d findings" % len(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
