"""What every pass and every test of a pass may include, for op_library in the folders of passes."""

PASS_DEPS = [
    "//base:check",
    "//base:element_access",
    "//base:element_type",
    "//base:hash",
    "//base:status_macros",
    "//ir:attributes",
    "//ir:dimension",
    "//ir:infer_context",
    "//ir:model",
    "//ir:op_def",
    "//ir:partial_shape",
    "//ir:rewrite",
    "//ir:runtime_info",
    "//ir:shape",
    "//ir:structural",
    "//ir:tensor",
    "//ir/ops",
    "//transformations:pass",
    "//transformations:passes",
    "//transformations/matcher:explain",
    "//transformations/matcher:facts",
    "//transformations/matcher:match",
    "//transformations/matcher:matcher",
    "//transformations/matcher:pattern",
    "@com_google_absl//absl/container:flat_hash_map",
    "@com_google_absl//absl/container:flat_hash_set",
    "@com_google_absl//absl/status",
    "@com_google_absl//absl/status:statusor",
    "@com_google_absl//absl/strings",
    "@com_google_absl//absl/types:span",
]

# Besides PASS_DEPS.
PASS_TEST_DEPS = [
    "//ir:text",
    "//ir/ops:op_testlib",
    "//testing/gtest:status_matchers",
    "//transformations:driver",
    "//transformations:report",
    "//transformations:rewrite_testlib",
]
