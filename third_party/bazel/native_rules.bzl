"""@rules_cc, @rules_java and @rules_proto without a download.

Bazel 4 has these rules built in, yet its own tools load them from the
repositories of the rule sets. Each stand-in forwards to the built-in rule of
the same name.
"""

_RULES = {
    "cc": [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "objc_library",
    ],
    "java": [
        "java_binary",
        "java_import",
        "java_library",
        "java_proto_library",
        "java_runtime",
        "java_test",
        "java_toolchain",
    ],
    "proto": [
        "proto_lang_toolchain",
        "proto_library",
    ],
}

_CC_TOOLCHAIN_TYPE = """
alias(
    name = "toolchain_type",
    actual = "@bazel_tools//tools/cpp:toolchain_type",
    visibility = ["//visibility:public"],
)
"""

def _native_rules_impl(repository_ctx):
    language = repository_ctx.attr.language
    build = 'exports_files(["defs.bzl"])\n'
    if language == "cc":
        build += _CC_TOOLCHAIN_TYPE
    rules = ["%s = native.%s\n" % (rule, rule) for rule in _RULES[language]]
    repository_ctx.file("WORKSPACE", "workspace(name = %r)\n" % repository_ctx.name, executable = False)
    repository_ctx.file(language + "/BUILD.bazel", build, executable = False)
    repository_ctx.file(language + "/defs.bzl", "".join(rules), executable = False)

native_rules = repository_rule(
    doc = "A repository rules_<language> whose <language>/defs.bzl forwards to Bazel's built-in rules.",
    implementation = _native_rules_impl,
    attrs = {"language": attr.string(mandatory = True, values = sorted(_RULES))},
)
