"""op_library: the targets of one op, or of one family of ops, from one word."""

load("//tools/bazel:cc.bzl", "burin_cc_library", "burin_cc_test")

def op_library(ops, deps, test_deps, with_header = [], extra_deps = {}, extra_test_deps = {}, visibility = None):
    """For each op a library OP (OP.cc) and its test OP_test (OP_test.cc).

    Args:
      ops: sorted stems of files.
      deps: of each library.
      test_deps: of each test, besides its library and what that depends on.
      with_header: the ops that have an OP.h too.
      extra_deps: {op: further deps of its library and test}.
      extra_test_deps: {op: further deps of its test alone}.
      visibility: of the libraries.
    """
    if ops != sorted(ops):
        fail("ops must be sorted: the order is %s" % sorted(ops))
    for op in with_header + list(extra_deps) + list(extra_test_deps):
        if op not in ops:
            fail("with_header, extra_deps and extra_test_deps may name ops of this list only, not %s" % op)
    for op in ops:
        burin_cc_library(
            name = op,
            srcs = [op + ".cc"],
            hdrs = [op + ".h"] if op in with_header else [],
            visibility = visibility,
            deps = deps + extra_deps.get(op, []),
        )
        burin_cc_test(
            name = op + "_test",
            srcs = [op + "_test.cc"],
            deps = [":" + op] + deps + test_deps + extra_deps.get(op, []) + extra_test_deps.get(op, []),
        )
