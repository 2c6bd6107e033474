"""The rules about targets: missing and unused dependencies, unlisted files, tests, tables and their lists."""
import os
import re

from tools.lint import cpp
from tools.lint import third_party
from tools.lint.tree import Finding

_CC = ("cc_library", "cc_binary", "cc_test")
_NO_TEST = re.compile(r"_(test|testlib|benchmark|fuzz)\.cc$")


def check(tree, packages):
    """Yields the findings about the targets of all packages."""
    headers = _headers(packages)
    for package in packages:
        if package.error:
            yield Finding("build", package.path, 0, "the lint cannot evaluate it: %s" % package.error)
            continue
        if package.globs:
            yield Finding("build", package.path, 0, "glob: list the files")
        for target in package.targets:
            # Headers that are exported again under another name belong to a target that is checked.
            if target.kind in _CC and "include_prefix" not in target.attrs:
                yield from _dependencies(tree, package, target, headers)
            if target.attrs.get("alwayslink") and package.folder != "tools/sanitizers":
                yield Finding("build", package.path, 0, "%s: alwayslink: use a table" % target.name)
        yield from _tables(tree, package)
    yield from _unlisted(tree, packages)
    yield from _untested(tree, packages)


def _files(package, target, *attributes):
    """The paths of those files of a target that lie in its package."""
    for attribute in attributes:
        for entry in target.attrs.get(attribute) or []:
            name = entry[1:] if entry.startswith(":") else entry
            if not name.startswith(("//", "@")):
                yield os.path.join(package.folder, name)


def _headers(packages):
    """{header: [labels of the targets that export it under its own path]}."""
    exported = {}
    for package in packages:
        for target in package.targets:
            if target.kind in _CC and "include_prefix" not in target.attrs:
                for path in _files(package, target, "hdrs", "textual_hdrs"):
                    exported.setdefault(path, []).append(package.label(target.name))
    return exported


def _dependencies(tree, package, target, headers):
    deps = {package.label(dep) for dep in target.attrs.get("deps") or []}
    used = {package.label(op) for op in package.ops}  # linked by a table that names them
    paths = [p for p in _files(package, target, "srcs", "hdrs", "textual_hdrs") if p.endswith((".h", ".cc", ".inc"))]
    for path in paths:
        if not tree.has(path):
            yield Finding("build", package.path, 0, "%s: there is no %s" % (target.name, path))
            return
        for include in cpp.includes(tree.text(path)):
            labels = third_party.labels_of(include.header)
            owners = headers.get(include.header, [])
            used.update(labels)
            used.update(owners)
            if owners and include.header not in paths and not deps.intersection(owners):
                message = "%s: %s includes %s; add %s to deps" % (target.name, path, include.header, owners[0])
                yield Finding("deps", package.path, 0, message)
            if labels and not deps.intersection(labels):
                message = "%s: %s includes <%s>; add %s to deps" % (target.name, path, include.header, labels[0])
                yield Finding("deps", package.path, 0, message)
    for dep in sorted(deps - used) if not target.many else ():
        if paths and _exports_headers(dep, headers):
            yield Finding("deps", package.path, 0, "%s: nothing of %s is included" % (target.name, dep))


def _exports_headers(label, headers):
    """Whether the label is known to be there for its headers: not for main(), data or what it links."""
    if label.endswith(("_main", ":main")):
        return False
    if label.startswith("@"):
        return True
    return any(label in labels for labels in headers.values())


def _unlisted(tree, packages):
    """C++ files that no target names are compiled by nobody."""
    listed = set()
    for package in packages:
        for target in package.targets:
            listed.update(_files(package, target, "srcs", "hdrs", "textual_hdrs", "data", "linkstamp"))
            if isinstance(target.attrs.get("linkstamp"), str):
                listed.add(os.path.join(package.folder, target.attrs["linkstamp"]))
    folders = {package.folder for package in packages}
    for path in tree.with_suffix(".h", ".cc", ".inc"):
        if path.startswith("examples/downstream/"):
            continue
        if path not in listed:
            where = "no target lists it" if os.path.dirname(path) in folders else "its folder has no BUILD.bazel"
            yield Finding("unlisted", path, 0, where)


def _untested(tree, packages):
    """foo.cc has foo_test.cc; the main file of an executable is tested by running that."""
    mains = set()
    for package in packages:
        for target in package.targets:
            if target.kind == "cc_binary":
                mains.update(_files(package, target, "srcs"))
    for path in tree.with_suffix(".cc"):
        if _NO_TEST.search(path) or path in mains or path.startswith("examples/"):
            continue
        test = path[:-len(".cc")] + "_test.cc"
        if not tree.has(test):
            yield Finding("tests", path, 0, "there is no %s" % test)


def _tables(tree, package):
    """ops.inc lists the same ops as the op_library of its package."""
    table = os.path.join(package.folder, "ops.inc")
    if not tree.has(table):
        return
    rows = re.findall(r"^BURIN_\w+\(([A-Za-z]\w*)", cpp.without_comments(tree.text(table)), re.MULTILINE)
    for difference in sorted({row.lower() for row in rows} ^ {word.replace("_", "") for word in package.ops}):
        yield Finding("tables", table, 0, "%s is here or in the op_library of %s only" % (difference, package.path))
