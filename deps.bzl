"""External dependencies of Burin, all taken from Debian packages, and the libraries that its kernels are compared with.

The WORKSPACE of Burin, or of a workspace that depends on it, calls
burin_dependencies() once. A repository that the caller has already declared
under the same name is left alone, so every dependency can be replaced.
"""

load("//third_party/bazel:native_rules.bzl", "native_rules")
load("//third_party/debian:absl_labels.bzl", "ABSL_LABELS")
load("//third_party/debian:debian_library.bzl", "debian_library")
load("//third_party/peers:peers.bzl", "peers_repository")
load("//tools/coverage:coverage_tools.bzl", "coverage_tools")

_LIBRARIES = {
    "com_github_google_benchmark": dict(
        apt_package = "libbenchmark-dev",
        build_file = Label("//third_party/debian:benchmark.BUILD"),
        headers = ["benchmark"],
        libs = ["libbenchmark.so", "libbenchmark_main.a"],
        min_version = "1.7",
    ),
    "com_google_absl": dict(
        aliases = ABSL_LABELS,
        apt_package = "libabsl-dev",
        build_file = Label("//third_party/debian:absl.BUILD"),
        headers = ["absl"],
        min_version = "20220623",
        pkg_config_prefix = "absl_",
    ),
    "com_google_googletest": dict(
        apt_package = "libgmock-dev",  # depends on libgtest-dev
        build_file = Label("//third_party/debian:googletest.BUILD"),
        headers = ["gtest", "gmock"],
        libs = ["libgtest.a", "libgmock.a", "libgmock_main.a"],
        min_version = "1.12",
    ),
    "com_google_protobuf": dict(
        apt_package = "libprotobuf-dev",
        build_file = Label("//third_party/debian:protobuf.BUILD"),
        headers = ["google/protobuf"],
        libs = ["libprotobuf.so", "libprotobuf-lite.so"],
        min_version = "3.21",
        programs = {"protoc": "protobuf-compiler"},
    ),
    "com_googlesource_code_re2": dict(
        apt_package = "libre2-dev",
        build_file = Label("//third_party/debian:re2.BUILD"),
        headers = ["re2"],
        libs = ["libre2.so"],
        min_version = "20220601",
    ),
    "nlohmann_json": dict(
        apt_package = "nlohmann-json3-dev",
        build_file = Label("//third_party/debian:nlohmann_json.BUILD"),
        headers = ["nlohmann"],
        min_version = "3.11",
    ),
    "oneTBB": dict(
        apt_package = "libtbb-dev",
        build_file = Label("//third_party/debian:tbb.BUILD"),
        headers = ["tbb", "oneapi"],
        libs = ["libtbb.so", "libtbbmalloc.so"],
        min_version = "2021.8",
        source_package = "onetbb",
    ),
    "onnx": dict(
        apt_package = "libonnx-dev",
        build_file = Label("//third_party/debian:onnx.BUILD"),
        headers = ["onnx/onnx.proto"],
        min_version = "1.12",
    ),
    "pugixml": dict(
        apt_package = "libpugixml-dev",
        build_file = Label("//third_party/debian:pugixml.BUILD"),
        headers = ["pugixml.hpp", "pugiconfig.hpp"],
        libs = ["libpugixml.so"],
        min_version = "1.13",
    ),
    "stb": dict(
        apt_package = "libstb-dev",
        build_file = Label("//third_party/debian:stb.BUILD"),
        headers = ["stb"],
        min_version = "0.0~git20220908",
    ),
    "xbyak": dict(
        apt_package = "libxbyak-dev",
        build_file = Label("//third_party/debian:xbyak.BUILD"),
        headers = ["xbyak"],
        min_version = "6.68",
    ),
    "xxhash": dict(
        apt_package = "libxxhash-dev",
        build_file = Label("//third_party/debian:xxhash.BUILD"),
        headers = ["xxhash.h", "xxh3.h"],
        min_version = "0.8.1",
    ),
}

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def burin_dependencies():
    """Declares every repository that Burin needs and the caller has not declared."""
    for language in ["cc", "java", "proto"]:
        _maybe(native_rules, "rules_" + language, language = language)
    _maybe(coverage_tools, "remote_coverage_tools")
    _maybe(peers_repository, "burin_peers")
    for name, arguments in _LIBRARIES.items():
        _maybe(debian_library, name, **arguments)
