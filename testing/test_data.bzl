"""Repository rule for test data that is too large for the tree.

Each folder is a filegroup of one source folder below data/, or of nothing where
its environment variable is unset or its Debian package is not installed.
testing/test_data.h finds them at run time; tests skip what is absent.
"""

def _folder_of_variable(repository_ctx, variable):
    """The folder that an environment variable names, or None where it is unset."""
    value = repository_ctx.os.environ.get(variable, "")
    if not value:
        return None
    if not value.startswith("/"):
        fail("\n\n@%s: %s must be an absolute path, not %r.\n" % (repository_ctx.name, variable, value))
    if not repository_ctx.path(value).exists:
        fail("\n\n@%s: %s names %s, which does not exist.\n" % (repository_ctx.name, variable, value))
    return value

def _test_data_impl(repository_ctx):
    folders = dict(repository_ctx.attr.folders)
    for name, variable in repository_ctx.attr.variables.items():
        folders[name] = _folder_of_variable(repository_ctx, variable)
    build = ['package(default_visibility = ["//visibility:public"])\n']
    for name, folder in sorted(folders.items()):
        srcs = []
        if folder and repository_ctx.path(folder).exists:
            srcs.append("data/" + name)
            repository_ctx.symlink(folder, srcs[0])
        build.append("filegroup(name = %r, srcs = %r)\n" % (name, srcs))
    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name, executable = False)
    repository_ctx.file("BUILD.bazel", "\n".join(build), executable = False)

_test_data = repository_rule(
    implementation = _test_data_impl,
    attrs = {
        "folders": attr.string_dict(doc = "{target: absolute path, which need not exist}"),
        "variables": attr.string_dict(doc = "{target: environment variable with an absolute path}"),
    },
    environ = [
        "BURIN_AMX_VECTORS",
        "BURIN_CONFORMANCE",
        "BURIN_TEST_MODELS",
    ],
    local = True,
)

def burin_test_data(name):
    """Declares the repository with :amx_vectors, :conformance, :models and :onnx_testdata.

    Args:
      name: of the repository.
    """
    _test_data(
        name = name,
        # Of the Debian package libonnx-testdata.
        folders = {"onnx_testdata": "/usr/share/libonnx-testdata/data"},
        variables = {
            "amx_vectors": "BURIN_AMX_VECTORS",
            "conformance": "BURIN_CONFORMANCE",
            "models": "BURIN_TEST_MODELS",
        },
    )
