"""Repository rule for the libraries that kernels are compared with.

They are no dependencies: the repository has the targets onednn, onnxruntime
and libxsmm, each of which is empty unless the folder that BURIN_PEERS names
has the library (include/ and lib/, as tools/peers/README.md says). A library
that was found defines BURIN_PEER_ONEDNN, BURIN_PEER_ONNXRUNTIME or
BURIN_PEER_LIBXSMM.
"""

_LIB_FOLDERS = ["lib", "lib/x86_64-linux-gnu"]

_EMPTY = """
cc_library(
    name = "{name}",
    visibility = ["//visibility:public"],
)
"""

_FOUND = """
cc_library(
    name = "{name}",
    srcs = {libs},
    hdrs = glob(["{name}/include/**"]),
    defines = ["{define}"],
    includes = ["{name}/include"],
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
"""

def _first(repository_ctx, folder, names):
    """The first of the names that exists below the folder, or None."""
    for name in names:
        path = repository_ctx.path(folder + "/" + name)
        if path.exists:
            return path
    return None

def _soname(repository_ctx, path):
    """The name under which a program looks for a shared library when it starts; None where path is none."""
    result = repository_ctx.execute(["objdump", "-p", path])
    for line in result.stdout.split("\n"):
        words = [word for word in line.split(" ") if word]
        if len(words) == 2 and words[0] == "SONAME":
            return words[1]
    return None

def _shared(repository_ctx, folder, stem):
    """{soname: path} of stem.so; {} where it is absent."""
    for lib_folder in _LIB_FOLDERS:
        path = repository_ctx.path(folder + "/" + lib_folder)
        for entry in path.readdir() if path.exists else []:
            if entry.basename.startswith(stem + ".so"):
                soname = _soname(repository_ctx, entry)
                if soname:
                    return {soname: entry}
    return {}

def _archives(repository_ctx, folder, names):
    """{name: path} of static libraries; {} where one is absent."""
    libs = {}
    for name in names:
        path = _first(repository_ctx, folder, [lib_folder + "/" + name for lib_folder in _LIB_FOLDERS])
        if path == None:
            return {}
        libs[name] = path
    return libs

def _library(repository_ctx, name, headers, libs, linkopts = []):
    """The target of a library: empty where a header or a library is missing."""
    if not libs or [path for path in headers.values() if path == None]:
        return _EMPTY.format(name = name)
    for header, path in headers.items():
        repository_ctx.symlink(path, "%s/include/%s" % (name, header))
    for lib, path in libs.items():
        repository_ctx.symlink(path.realpath, "%s/lib/%s" % (name, lib))
    return _FOUND.format(
        name = name,
        define = "BURIN_PEER_" + name.upper(),
        libs = repr(["%s/lib/%s" % (name, lib) for lib in libs]),
        linkopts = repr(linkopts),
    )

def _onnxruntime_headers(repository_ctx, folder):
    """{name: path}: the C interface includes further headers in some versions."""
    headers = {}
    for name in ["onnxruntime_c_api.h", "onnxruntime_ep_c_api.h"]:
        headers[name] = _first(repository_ctx, folder + "/include", [name, "onnxruntime/" + name])
    if headers["onnxruntime_c_api.h"] != None:
        return {name: path for name, path in headers.items() if path != None}
    return headers

def _libxsmm_headers(repository_ctx, folder):
    """{name: path} of everything that is called after it."""
    include = repository_ctx.path(folder + "/include")
    entries = include.readdir() if include.exists else []
    found = {entry.basename: entry for entry in entries if entry.basename.startswith("libxsmm")}
    return found or {"libxsmm.h": None}

def _peers_repository_impl(repository_ctx):
    folder = repository_ctx.os.environ.get("BURIN_PEERS", "")
    text = ['load("@rules_cc//cc:defs.bzl", "cc_library")\n']
    if not folder:
        text += [_EMPTY.format(name = name) for name in ["onednn", "onnxruntime", "libxsmm"]]
    elif not repository_ctx.path(folder).exists:
        fail("\n\nBURIN_PEERS names no folder: %s\ntools/peers/README.md says what is in it.\n" % folder)
    else:
        # A library of a newer system refers to symbols of its newer C library.
        newer = "-Wl,--allow-shlib-undefined"
        text += [
            _library(
                repository_ctx,
                "onednn",
                {"oneapi/dnnl": _first(repository_ctx, folder + "/include", ["oneapi/dnnl"])},
                _shared(repository_ctx, folder, "libdnnl"),
                [newer, "-l:libgomp.so.1"],
            ),
            _library(
                repository_ctx,
                "onnxruntime",
                _onnxruntime_headers(repository_ctx, folder),
                _shared(repository_ctx, folder, "libonnxruntime"),
                [newer],
            ),
            _library(
                repository_ctx,
                "libxsmm",
                _libxsmm_headers(repository_ctx, folder),
                _archives(repository_ctx, folder, ["libxsmm.a", "libxsmmnoblas.a"]),
                ["-ldl", "-lpthread"],
            ),
        ]
    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name, executable = False)
    repository_ctx.file("BUILD.bazel", "".join(text), executable = False)

peers_repository = repository_rule(
    implementation = _peers_repository_impl,
    environ = ["BURIN_PEERS"],
    # Evaluated anew by each Bazel server, so that what was installed since is seen.
    local = True,
)
