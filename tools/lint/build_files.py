"""Evaluates BUILD files, macros included, without Bazel.

Starlark is close enough to Python that a BUILD file runs as one: load() binds
the names of our own .bzl files, which are run likewise, every native rule
records its call, and what a repository or rule definition needs is a stand-in.
"""
import os
import types

# kind, name, attrs; many is true where one call of op_library made several targets with the same deps.
Target = types.SimpleNamespace


class Package:
    """The targets of one BUILD file, in order, or the error that its evaluation ended with."""

    def __init__(self, folder, path):
        self.folder = folder  # "" for the root
        self.path = path
        self.targets = []
        self.package_attrs = {}
        self.globs = 0
        self.ops = []  # the words of its op_library calls
        self.making_many = False
        self.error = None

    def label(self, name):
        """The absolute label of a target of this package, or of any label written in its BUILD file."""
        if name.startswith(":"):
            name = name[1:]
        elif name.startswith(("//", "@")):
            return normalize(name)
        return normalize("//%s:%s" % (self.folder, name))


def normalize(label):
    """Spells a label with its target: //a/b is //a/b:b and @x is @x//:x."""
    if ":" in label:
        return label
    if label.startswith("@") and "//" not in label:
        return label + "//:" + label[1:]
    return label + ":" + label.rsplit("/", 1)[1]


class _Anything:
    """Stands for any object of Starlark that no target depends on."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


class _Native:
    """The native rules: each call of one is recorded."""

    def __init__(self, package):
        self._package = package

    def __getattr__(self, kind):
        return lambda **attrs: self.record(kind, attrs)

    def record(self, kind, attrs):
        self._package.targets.append(
            Target(kind=kind, name=attrs.get("name", ""), attrs=attrs, many=self._package.making_many))

    def glob(self, *_, **__):
        self._package.globs += 1
        return []

    def existing_rule(self, _):
        return None


class _Globals(dict):
    """The names of a file; one that nothing defines is a native rule."""

    def __init__(self, package, loader):
        native = _Native(package)
        super().__init__({
            "attr": _Anything(),
            "aspect": _Anything(),
            "depset": lambda items=(), **_: list(items),
            "exports_files": lambda srcs, **attrs: native.record("exports_files", dict(attrs, srcs=srcs)),
            "fail": _fail,
            "glob": native.glob,
            "Label": lambda label: label,
            "licenses": lambda _: None,
            "native": native,
            "package": package.package_attrs.update,
            "provider": _Anything(),
            "repository_rule": _Anything(),
            "rule": _Anything(),
            "select": lambda choices, **_: [item for value in choices.values() for item in value or []],
            "struct": types.SimpleNamespace,
            "workspace": lambda **_: None,
        })
        self["load"] = lambda label, *names, **aliases: loader(self, label, names, aliases)
        self._native = native

    def __missing__(self, name):
        if name.startswith("__") or hasattr(__builtins__, name) or name in vars(types.ModuleType("x")):
            raise KeyError(name)
        if isinstance(__builtins__, dict) and name in __builtins__:
            raise KeyError(name)
        return getattr(self._native, name)


def _fail(*messages):
    raise ValueError(" ".join(str(message) for message in messages))


def evaluate(tree, path):
    """The Package of a BUILD file of the tree."""
    package = Package(os.path.dirname(path), path)
    loaded = {}

    def load(into, label, names, aliases):
        if label.startswith("@"):
            symbols = {name: getattr(_Native(package), name) for name in list(names) + list(aliases.values())}
        else:
            folder, _, name = package.label(label)[2:].partition(":")
            bzl = os.path.join(folder, name)
            if bzl not in loaded:
                loaded[bzl] = _run(tree, bzl, package, load)
            symbols = loaded[bzl]
        into.update({name: symbols[name] for name in names})
        if "op_library" in names:
            into["op_library"] = lambda **attrs: _op_library(package, symbols["op_library"], attrs)
        into.update({alias: symbols[name] for alias, name in aliases.items()})

    try:
        _run(tree, path, package, load)
    except Exception as error:  # pylint: disable=broad-except: any error is the file's own
        package.error = "%s: %s" % (type(error).__name__, error)
    return package


def _op_library(package, macro, attrs):
    package.ops += attrs["ops"]
    package.making_many = True
    macro(**attrs)
    package.making_many = False


def _run(tree, path, package, loader):
    names = _Globals(package, loader)
    exec(compile(tree.text(path), path, "exec"), names)  # pylint: disable=exec-used
    return names


def packages(tree):
    """The Package of every BUILD file of the workspace itself."""
    ignored = tuple(line.strip() + "/" for line in _lines(tree, ".bazelignore") if line.strip())
    return [
        evaluate(tree, path)
        for path in tree.with_suffix("BUILD.bazel")
        if not (ignored and path.startswith(ignored))
    ]


def _lines(tree, path):
    return tree.text(path).splitlines() if tree.has(path) else []
