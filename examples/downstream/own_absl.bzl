"""An Abseil of this workspace's own: one prebuilt library behind all of upstream's labels.

A workspace that builds Abseil from source, say, declares that instead.
"""

load("@burin//third_party/debian:absl_labels.bzl", "ABSL_LABELS")

_LIBRARY = """
cc_library(
    name = "absl",
    defines = ["DOWNSTREAM_ABSEIL"],
    linkopts = %r,
    visibility = ["//visibility:public"],
)
"""

_ALIAS = """
alias(
    name = %r,
    actual = "//:absl",
    visibility = ["//visibility:public"],
)
"""

def _own_absl_impl(repository_ctx):
    libraries = repository_ctx.execute(["sh", "-c", "ls /usr/lib/*/libabsl_*.so"]).stdout.split("\n")
    if len(libraries) < 2:
        fail("\n\n@%s: no Abseil is installed: apt-get install libabsl-dev\n" % repository_ctx.name)
    names = [library.rpartition("/lib")[2][:-len(".so")] for library in libraries if library]
    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name)
    repository_ctx.file("BUILD.bazel", _LIBRARY % ["-l" + name for name in names])
    packages = {}
    for label in ABSL_LABELS:
        package, _, name = label.partition(":")
        packages[package] = packages.get(package, "") + _ALIAS % name
    for package, build in packages.items():
        repository_ctx.file(package + "/BUILD.bazel", build)

own_absl = repository_rule(
    implementation = _own_absl_impl,
    local = True,
)
