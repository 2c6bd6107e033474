"""@remote_coverage_tools without a download: Bazel adds it to every test target."""

_BUILD = """
[
    sh_binary(
        name = name,
        srcs = ["lcov_merger.py"],
        visibility = ["//visibility:public"],
    )
    for name in ["coverage_report_generator", "lcov_merger"]
]
"""

def _coverage_tools_impl(repository_ctx):
    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name, executable = False)
    repository_ctx.file("BUILD.bazel", _BUILD, executable = False)
    repository_ctx.symlink(repository_ctx.attr.merger, "lcov_merger.py")

coverage_tools = repository_rule(
    implementation = _coverage_tools_impl,
    attrs = {"merger": attr.label(default = Label("//tools/coverage:lcov_merger.py"))},
)
