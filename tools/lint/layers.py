"""Rule `layers`: docs/architecture/layers.md, the package groups and every visibility say the same."""
import re

from tools.lint.tree import Finding

_DOCUMENT = "docs/architecture/layers.md"
_ROW = re.compile(r"^\| `([^`]+)` \| `(\w+)` \| (.+) \|$")


def rows(text):
    """{group: (where, [spec])} of the table: where is //folder or a target, a spec //folder/... or //folder."""
    table = {}
    for line in text.splitlines():
        match = _ROW.match(line)
        if match:
            table[match.group(2)] = (match.group(1), re.findall(r"`(//[^`]*)`", match.group(3)))
    return table


def groups_of(root_package):
    """{group: [spec]} of the package groups, with what they include."""
    own = {t.name: t.attrs for t in root_package.targets if t.kind == "package_group"}

    def specs(name):
        attrs = own[name]
        inherited = [spec for included in attrs.get("includes", []) for spec in specs(included.lstrip("/:"))]
        return sorted(set(attrs.get("packages", []) + inherited))

    return {name: specs(name) for name in own}


def covers(spec, folder):
    """Whether the packages of a spec include a folder (or all packages below it, where it ends in /...)."""
    if spec == "//...":
        return True
    if spec.endswith("/..."):
        base = spec[2:-len("/...")]
        return folder == base or folder.startswith(base + "/")
    return folder == spec[2:]


def _home(group, table):
    """The folder whose targets may be visible to the group."""
    return table[group][0][2:].partition(":")[0]


def _visibility_problem(package, entry, table, groups):
    """Why a target of the package may not have the visibility, or None."""
    label = package.label(entry)
    if label == "//visibility:private":
        return None
    folder, _, name = label[2:].partition(":")
    if folder == "" and name in groups:
        if name == "everything":
            return None if package.folder.startswith("tools/") else "//:everything is for tools/ only"
        if name not in table:
            return "//:%s is not in %s" % (name, _DOCUMENT)
        home = _home(name, table)
        if package.folder == home or package.folder.startswith(home + "/"):
            return None
        return "//:%s is for targets of //%s" % (name, home)
    if label == "//visibility:public":
        public = package.folder in ("runtime", "tools", "tools/sanitizers")
        return None if public else "only //runtime and the names in //tools are public"
    if package.folder == "":
        return None if folder.startswith("tools/") else "files of the root are for tools/ only"
    if name not in ("__pkg__", "__subpackages__"):
        return "unknown visibility: %s" % entry
    # Narrower than the group: some packages that the group has anyway.
    own = [group for group in table if _is_within(package.folder, _home(group, table))]
    top = package.folder.split("/")[0]
    if folder.split("/")[0] == top and top != "runtime":
        return None
    if any(covers(spec, folder) for group in own for spec in table[group][1]):
        return None
    return "%s stands above no group that %s is in" % ("//" + package.folder, "//" + folder)


def _is_within(folder, home):
    return folder == home or folder.startswith(home + "/")


def check(tree, packages):
    """Yields the differences between the document, the groups and the visibilities."""
    root = next((package for package in packages if package.folder == ""), None)
    if root is None or not tree.has(_DOCUMENT):
        yield Finding("layers", _DOCUMENT, 0, "the table of layers or the root BUILD.bazel is missing")
        return
    groups = groups_of(root)
    table = rows(tree.text(_DOCUMENT))
    for name in sorted(set(groups) - {"everything"} | set(table)):
        documented = sorted(table[name][1]) if name in table else None
        if documented != groups.get(name):
            message = "group %s: the document says %s, %s says %s" % (name, documented, root.path, groups.get(name))
            yield Finding("layers", _DOCUMENT, 0, message)
    for package in packages:
        if package.error:
            continue
        default = package.package_attrs.get("default_visibility")
        if default != ["//visibility:private"]:
            message = 'default_visibility must be ["//visibility:private"], not %s' % default
            yield Finding("layers", package.path, 0, message)
        for target in package.targets:
            for entry in target.attrs.get("visibility") or []:
                problem = _visibility_problem(package, entry, table, groups)
                if problem:
                    yield Finding("layers", package.path, 0, "%s: %s" % (target.name, problem))
