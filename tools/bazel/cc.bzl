"""burin_cc_library, _test, _binary and _benchmark: C++ targets with the compiler options of this project.

Warnings are errors here and nowhere else: headers of dependencies are system
headers. layering_check makes clang refuse an #include of a header that no
direct dependency exports. Everything is linked statically, tests included,
so that a test runs what ships.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wnon-virtual-dtor",
    "-Woverloaded-virtual",
    "-Wvla",
    "-Werror",
]

# Of a test's own file, which is compiled as often as it runs: half of -O2 compiles in two thirds of the time. What it
# tests is compiled as it ships.
_TEST_COPTS = select({
    "//tools/bazel:optimised": ["-O1"],
    "//conditions:default": [],
})

_FEATURES = ["layering_check"]

def burin_cc_library(name, copts = [], features = [], **kwargs):
    """A cc_library.

    Args:
      name: of the target: the stem of its file.
      copts: besides those of the project.
      features: besides those of the project.
      **kwargs: as of cc_library.
    """
    cc_library(
        name = name,
        copts = _COPTS + copts,
        features = _FEATURES + features,
        linkstatic = True,
        **kwargs
    )

def burin_cc_binary(name, copts = [], features = [], **kwargs):
    """A cc_binary.

    Args:
      name: of the executable.
      copts: besides those of the project.
      features: besides those of the project.
      **kwargs: as of cc_binary.
    """
    cc_binary(
        name = name,
        copts = _COPTS + copts,
        features = _FEATURES + features,
        **kwargs
    )

def burin_cc_test(name, copts = [], deps = [], features = [], size = "small", **kwargs):
    """A cc_test that links GoogleTest and its main().

    Args:
      name: of the test: the stem of its file, which ends in _test.
      copts: besides those of the project.
      deps: besides GoogleTest.
      features: besides those of the project.
      size: as of cc_test.
      **kwargs: as of cc_test.
    """
    cc_test(
        name = name,
        size = size,
        copts = _COPTS + _TEST_COPTS + copts,
        features = _FEATURES + features,
        linkstatic = True,
        deps = deps + ["//testing/gtest:gtest_main"],
        **kwargs
    )

def burin_cc_benchmark(name, deps = [], size = "small", **kwargs):
    """An executable of Google Benchmark, and NAME_smoke_test, which runs each benchmark once so that it cannot rot.

    Args:
      name: of the executable: the stem of its file, which ends in _benchmark.
      deps: besides Google Benchmark and its main().
      size: of the test.
      **kwargs: as of cc_binary.
    """
    burin_cc_binary(
        name = name,
        testonly = True,
        deps = deps + ["@com_github_google_benchmark//:benchmark_main"],
        **kwargs
    )
    native.sh_test(
        name = name + "_smoke_test",
        size = size,
        srcs = ["//tools/bazel:run_once.sh"],
        args = [
            "$(location :%s)" % name,
            "--benchmark_min_time=0.001",
        ],
        data = [":" + name],
    )
