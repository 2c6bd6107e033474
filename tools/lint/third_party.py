"""Which third-party header belongs to which label, and which folders may include it."""
import re

# Headers whose target is not named like the header.
_ABSL = {
    "absl/base/attributes.h": "base:core_headers",
    "absl/base/call_once.h": "base:base",
    "absl/base/casts.h": "base:base",
    "absl/base/const_init.h": "base:core_headers",
    "absl/base/macros.h": "base:core_headers",
    "absl/base/optimization.h": "base:core_headers",
    "absl/base/port.h": "base:core_headers",
    "absl/base/thread_annotations.h": "base:core_headers",
    "absl/container/btree_map.h": "container:btree",
    "absl/container/btree_set.h": "container:btree",
    "absl/flags/declare.h": "flags:flag",
    "absl/strings/cord.h": "strings:cord",
    "absl/strings/str_format.h": "strings:str_format",
}

# Packages of Abseil with one target for all the other headers.
_ABSL_WHOLE = {
    "absl/strings/": "strings:strings",
    "absl/synchronization/": "synchronization:synchronization",
    "absl/time/": "time:time",
}

_GTEST = ("@com_google_googletest//:gtest", "@com_google_googletest//:gtest_main", "//testing/gtest:gtest_main")
_BENCHMARK = ("@com_github_google_benchmark//:benchmark", "@com_github_google_benchmark//:benchmark_main")

# prefix of the header: (labels of which one must be a dependency, patterns of the files that may include it).
_OTHERS = {
    "benchmark/": (_BENCHMARK, [r"_benchmark\.cc$", "^third_party/smoke/"]),
    "gmock/": (_GTEST, [r"_test\.cc$", r"_testlib\.(h|cc)$", "^testing/", "^third_party/smoke/"]),
    "google/protobuf/": (
        ("@com_google_protobuf//:protobuf", "@com_google_protobuf//:protobuf_lite"),
        ["^runtime/readers/onnx/", "^tools/", "^testing/", "^third_party/smoke/"],
    ),
    "gtest/": (_GTEST, [r"_test\.cc$", r"_testlib\.(h|cc)$", "^testing/", "^third_party/smoke/"]),
    "libxsmm.h": (("@burin_peers//:libxsmm",), ["^tools/peers/"]),
    "nlohmann/": (
        ("@nlohmann_json//:json",),
        [r"^examples/.*_test\.cc$", "^runtime/core/", "^tools/", "^testing/", "^third_party/smoke/"],
    ),
    "oneapi/dnnl/": (("@burin_peers//:onednn",), ["^tools/peers/"]),
    "oneapi/tbb": (
        ("@oneTBB//:tbb", "@oneTBB//:tbbmalloc"),
        ["^runtime/executor/", "^runtime/plugins/", "^third_party/smoke/"],
    ),
    "onnx/": (
        ("@onnx//:schema_cc_proto",),
        ["^runtime/readers/onnx/", "^tools/", "^testing/", "^third_party/smoke/"],
    ),
    "onnxruntime_c_api.h": (("@burin_peers//:onnxruntime",), ["^tools/peers/"]),
    "pugixml.hpp": (
        ("@pugixml//:pugixml",),
        ["^runtime/readers/xml/", "^runtime/core/", "^tools/", "^third_party/smoke/"],
    ),
    "re2/": (
        ("@com_googlesource_code_re2//:re2",),
        ["^runtime/core/", "^runtime/plugins/", "^tools/", "^testing/", "^third_party/smoke/"],
    ),
    "stb/": (("@stb//:stb_image",), ["^tools/image/", "^third_party/smoke/"]),
    "xbyak/": (("@xbyak//:xbyak",), ["^jit/asm/", "^third_party/smoke/"]),
    "xxhash.h": (("@xxhash//:xxhash",), ["^base/", "^third_party/smoke/"]),
}

_SYSTEM = re.compile(r"^(sys|linux|asm|arpa|net|netinet|sanitizer|experimental)/")


def labels_of(header):
    """The labels one of which exports a third-party header; () for our own, the standard's and the system's."""
    if header.startswith("absl/"):
        return ("@com_google_absl//absl/" + _absl_target(header),)
    for prefix, (labels, _) in _OTHERS.items():
        if header.startswith(prefix):
            return labels
    return ()


def _absl_target(header):
    if header in _ABSL:
        return _ABSL[header]
    for prefix, target in _ABSL_WHOLE.items():
        if header.startswith(prefix):
            return target
    if header.startswith("absl/random/") and header.endswith("_distribution.h"):
        return "random:distributions"
    _, package, name = header.split("/", 2)
    return "%s:%s" % (package, name[:-len(".h")])


def refusal(path, header, angled):
    """Why a file may not include a header, or None."""
    if header.startswith("absl/"):
        facade = re.match(r"^runtime/api/.*\.h$", path)
        if facade and not header.startswith("absl/status/"):
            return "headers of the facade speak absl::Status and std types alone, not <%s>" % header
        return "internal header of Abseil: %s" % header if "/internal/" in header else None
    for prefix, (_, allowed) in _OTHERS.items():
        if header.startswith(prefix):
            if any(re.search(pattern, path) for pattern in allowed):
                return None
            return "%s may be included only where one of these matches: %s" % (header, ", ".join(allowed))
    if angled and "/" in header and not _SYSTEM.match(header):
        return "unknown third-party header: %s (tools/lint/third_party.py lists them)" % header
    return None
