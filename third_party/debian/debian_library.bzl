"""Repository rule for a C++ library that a Debian package installs.

The repository has include/ (a symlink for each entry of `headers`), lib/ (one
for each entry of `libs`, or for each library of the pkg-config modules whose
names start with `pkg_config_prefix`), bin/ (`programs`), the given build file
and debian.bzl with VERSION and, for pkg-config modules, MODULES. The package
must be installed at `min_version` or later; the error says what to install.
"""

def _fail(repository_ctx, what, package):
    fail("""

@{name}: {what}
Install the Debian package {package}:

    apt-get install {package}

or use another copy: --override_repository={name}=/path/to/it
""".format(name = repository_ctx.name, what = what, package = package))

def _output(repository_ctx, command):
    """The trimmed standard output of a command, or None where it fails."""
    result = repository_ctx.execute(command)
    return result.stdout.strip() if result.return_code == 0 else None

def _checked_version(repository_ctx, package, min_version):
    status = _output(repository_ctx, ["dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", package])
    if not status or not status.startswith("installed "):
        _fail(repository_ctx, "the Debian package %s is not installed." % package, package)
    version = status[len("installed "):]

    # dpkg's own order knows epochs, tildes and letters.
    if repository_ctx.execute(["dpkg", "--compare-versions", version, "ge", min_version]).return_code != 0:
        _fail(repository_ctx, "%s is at version %s, but at least %s is needed." % (package, version, min_version), package)
    return version

def _multiarch(repository_ctx):
    triplet = _output(repository_ctx, ["gcc", "-print-multiarch"])
    if not triplet:
        _fail(repository_ctx, "gcc -print-multiarch prints no triplet.", "g++")
    return triplet

def _lookup(repository_ctx, roots, name):
    for root in roots:
        path = repository_ctx.path(root + "/" + name)
        if path.exists:
            return path
    return None

def _link(repository_ctx, roots, name, folder):
    path = _lookup(repository_ctx, roots, name)
    if path == None:
        _fail(repository_ctx, "there is no %s under %s." % (name, " or ".join(roots)), repository_ctx.attr.apt_package)
    repository_ctx.symlink(path, folder + "/" + name)

def _pc_fields(text):
    """The `Key: value` lines of a .pc file; variables stay as they are."""
    fields = {}
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if colon and " " not in key and "=" not in key:
            fields[key] = value.strip()
    return fields

def _pc_module(name, prefix, text):
    fields = _pc_fields(text)
    words = fields.get("Libs", "").split(" ")
    required = [item.strip().split(" ")[0] for item in fields.get("Requires", "").split(",")]
    return struct(
        libs = [word[2:] for word in words if word.startswith("-l" + prefix)],
        requires = [item for item in required if item and item != name],
    )

def _pc_modules(repository_ctx, prefix, lib_roots):
    """{name: struct(libs, requires)} of the installed modules with the prefix."""
    modules = {}
    for root in lib_roots:
        folder = repository_ctx.path(root + "/pkgconfig")
        for entry in folder.readdir() if folder.exists else []:
            name = entry.basename[:-len(".pc")]
            if not entry.basename.endswith(".pc") or not name.startswith(prefix) or name in modules:
                continue
            module = _pc_module(name, prefix, repository_ctx.read(entry))

            # Abseil describes libraries for its own tests that no package contains.
            if all([_lookup(repository_ctx, lib_roots, "lib%s.so" % lib) != None for lib in module.libs]):
                modules[name] = module
    return modules

def _modules_source(modules):
    lines = ["    %r: struct(libs = %r, requires = %r)," % (name, modules[name].libs, modules[name].requires) for name in sorted(modules)]
    return "\n".join(["MODULES = {"] + lines + ["}"])

def _write_aliases(repository_ctx, modules):
    """Upstream's labels, for the modules that the installed version has."""
    packages = {}
    for label, actual in repository_ctx.attr.aliases.items():
        if actual in modules:
            package, _, name = label.partition(":")
            line = 'alias(name = %r, actual = "//:%s", visibility = ["//visibility:public"])\n' % (name, actual)
            packages.setdefault(package, []).append(line)
    for package, lines in packages.items():
        repository_ctx.file(package + "/BUILD.bazel", "".join(lines), executable = False)

_DOWNLOAD_SOURCE = """
mkdir -p apt/lists/partial
cd apt
apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(CODENAME) main' \
    'Created-By: Packages' 'Origin: Debian' | sort -u > sources.list
options="-o Dir::Etc::sourcelist=$PWD/sources.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$PWD/lists -o APT::Sandbox::User=root"
apt-get $options update
apt-get $options source --download-only "$1"
tar xf "$1"_*.orig.tar.* -C .. --strip-components=1
cd ..
rm -rf apt
"""

def _build_from_source(repository_ctx, package):
    """Replaces the repository by the unpacked Debian source package, which has a build file of its own."""
    result = repository_ctx.execute(["sh", "-ec", _DOWNLOAD_SOURCE, "sh", package], timeout = 300)
    if result.return_code != 0:
        fail("\n\n@%s: apt-get does not find the Debian source package %s:\n%s" % (repository_ctx.name, package, result.stderr))

def _debian_library_impl(repository_ctx):
    attr = repository_ctx.attr
    if attr.source_package and attr.source_package in repository_ctx.os.environ.get("BURIN_FROM_SOURCE", "").split(","):
        _build_from_source(repository_ctx, attr.source_package)
        return
    debian_bzl = ["VERSION = %r" % _checked_version(repository_ctx, attr.apt_package, attr.min_version)]
    triplet = _multiarch(repository_ctx)
    lib_roots = ["/usr/lib/" + triplet, "/usr/lib"]

    for header in attr.headers:
        _link(repository_ctx, ["/usr/include", "/usr/include/" + triplet], header, "include")
    libs = {lib: True for lib in attr.libs}
    if attr.pkg_config_prefix:
        modules = _pc_modules(repository_ctx, attr.pkg_config_prefix, lib_roots)
        for module in modules.values():
            libs.update({"lib%s.so" % lib: True for lib in module.libs})
        debian_bzl.append(_modules_source(modules))
        _write_aliases(repository_ctx, modules)
    for lib in libs:
        _link(repository_ctx, lib_roots, lib, "lib")
    for program, package in attr.programs.items():
        path = repository_ctx.which(program)
        if path == None:
            _fail(repository_ctx, "there is no %s on PATH." % program, package)
        repository_ctx.symlink(path, "bin/" + program)

    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name, executable = False)
    repository_ctx.file("debian.bzl", "\n".join(debian_bzl) + "\n", executable = False)
    repository_ctx.symlink(attr.build_file, "BUILD.bazel")

debian_library = repository_rule(
    implementation = _debian_library_impl,
    attrs = {
        "aliases": attr.string_dict(doc = "{package:name in the repository: pkg-config module}"),
        "apt_package": attr.string(mandatory = True, doc = "Whose version is checked and which errors name."),
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "headers": attr.string_list(doc = "Files or folders below /usr/include or /usr/include/<triplet>."),
        "libs": attr.string_list(doc = "Files below /usr/lib/<triplet> or /usr/lib."),
        "min_version": attr.string(mandatory = True),
        "pkg_config_prefix": attr.string(),
        "programs": attr.string_dict(doc = "{program on PATH: Debian package that has it}"),
        "source_package": attr.string(
            doc = "The Debian source package, where it can be built by Bazel: used instead where BURIN_FROM_SOURCE names it.",
        ),
    },
    environ = [
        "BURIN_FROM_SOURCE",
        "PATH",
    ],
    # Evaluated anew by each Bazel server, so that upgrades of the package are seen.
    local = True,
)
