"""Tests each rule of the lint on a small tree that keeps it and on one that breaks it."""
import os
import tempfile
import unittest

from tools.lint import cpp
from tools.lint import lint

_GUARD = "#ifndef BURIN_BASE_A_H_\n#define BURIN_BASE_A_H_\n%s\n#endif  // BURIN_BASE_A_H_\n"
_CC_BZL = """
load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def burin_cc_library(name, **kwargs):
    cc_library(name = name, **kwargs)

def burin_cc_test(name, deps = [], **kwargs):
    cc_test(name = name, deps = deps + ["//testing/gtest:gtest_main"], **kwargs)
"""
_BASE_BUILD = """
load("//tools/bazel:cc.bzl", "burin_cc_library", "burin_cc_test")

package(default_visibility = ["//visibility:private"])

burin_cc_library(
    name = "a",
    srcs = ["a.cc"],
    hdrs = ["a.h"],
    visibility = ["//:base_clients"],
    deps = ["@com_google_absl//absl/strings"],
)

burin_cc_test(
    name = "a_test",
    srcs = ["a_test.cc"],
    deps = [":a"],
)
"""
_PRIVATE = 'package(default_visibility = ["//visibility:private"])\n'
_GOOD = {
    "BUILD.bazel": _PRIVATE + 'package_group(name = "base_clients", packages = ["//..."])\n',
    "base/BUILD.bazel": _BASE_BUILD,
    "base/a.cc": '#include "base/a.h"\n\n#include "absl/strings/str_cat.h"\n',
    "base/a.h": _GUARD % "",
    "base/a_test.cc": '#include "base/a.h"\n\n#include <gtest/gtest.h>\n',
    "docs/architecture/layers.md": "| Folder | Group | Users |\n| `//base` | `base_clients` | `//...` |\n",
    "tools/bazel/BUILD.bazel": _PRIVATE,
    "tools/bazel/cc.bzl": _CC_BZL,
    "tools/bazel/ops.bzl": """
def op_library(ops, deps):
    for op in ops:
        native.cc_library(name = op, srcs = [op + ".cc"], deps = deps)
""",
}


class LintUnitTest(unittest.TestCase):

    def findings(self, changes):
        """The findings of the good tree with some files replaced, added or (None) removed."""
        files = dict(_GOOD, **changes)
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                if text is not None:
                    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                    with open(os.path.join(root, path), "w", encoding="utf-8") as stream:
                        stream.write(text)
            return [(f.rule, f.path) for f in lint.run(root)]

    def expect(self, rule, path, changes):
        """The changes bring exactly this finding, once or more."""
        self.assertEqual(set(self.findings(changes)), {(rule, path)})

    def test_good_tree(self):
        self.assertEqual(self.findings({}), [])

    def test_third_party_folder(self):
        build = _BASE_BUILD.replace("absl/strings\"", "absl/strings\", \"@xbyak\"")
        source = _GOOD["base/a.cc"] + "#include <xbyak/xbyak.h>\n"
        self.expect("third_party", "base/a.cc", {"base/BUILD.bazel": build, "base/a.cc": source})
        self.expect("third_party", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + "#include <boost/any.hpp>\n"})

    def test_facade_headers_speak_std(self):
        build = _PRIVATE + 'cc_library(name = "c", hdrs = ["c.h"], deps = ["@com_google_absl//absl/types:span"])\n'
        guard = _GUARD.replace("BASE_A", "RUNTIME_API_C") % '#include "absl/types/span.h"'
        self.expect("third_party", "runtime/api/c.h", {"runtime/api/BUILD.bazel": build, "runtime/api/c.h": guard})

    def test_missing_dependency(self):
        source = _GOOD["base/a.cc"] + '#include "absl/time/clock.h"\n'
        self.expect("deps", "base/BUILD.bazel", {"base/a.cc": source})

    def test_missing_dependency_of_our_own(self):
        build = _BASE_BUILD + 'burin_cc_library(name = "d", hdrs = ["d.h"]%s)\n'
        changes = {"base/d.h": _GUARD.replace("_A_H_", "_D_H_") % '#include "base/a.h"'}
        self.expect("deps", "base/BUILD.bazel", dict(changes, **{"base/BUILD.bazel": build % ""}))
        self.assertEqual(self.findings(dict(changes, **{"base/BUILD.bazel": build % ', deps = [":a"]'})), [])

    def test_unused_dependency(self):
        self.expect("deps", "base/BUILD.bazel", {"base/a.cc": '#include "base/a.h"\n'})

    def test_own_header_first(self):
        source = '#include "absl/strings/str_cat.h"\n#include "base/a.h"\n'
        self.expect("includes", "base/a.cc", {"base/a.cc": source})
        test = '#include <gtest/gtest.h>\n#include "base/a.h"\n'
        self.expect("includes", "base/a_test.cc", {"base/a_test.cc": test})

    def test_full_paths(self):
        self.expect("includes", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + '#include "../base/a.h"\n'})

    def test_lengths(self):
        self.expect("length", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + "\n" * 800})
        self.expect("length", "base/a.h", {"base/a.h": _GUARD % ("\n" * 500)})
        self.expect("length", "base/BUILD.bazel", {"base/BUILD.bazel": _BASE_BUILD + "\n" * 400})
        self.expect("columns", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + "//" + "x" * 119 + "\n"})

    def test_function_length(self):
        body = "namespace burin {\nint F() {\n%s  return 0;\n}\n}\n"
        self.expect("function_length", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + body % ("\n" * 98)})
        self.assertEqual(self.findings({"base/a.cc": _GOOD["base/a.cc"] + body % ("\n" * 97)}), [])

    def test_banned_code(self):
        for line in ("void F() { throw 1; }", "auto* p = dynamic_cast<A*>(b);", "std::string_view v;",
                     "class StringUtils {};", "void F() { try { G(); } catch (...) { } }"):
            self.expect("code", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + line + "\n"})
        self.expect("code", "base/a.h", {"base/a.h": _GUARD % "using namespace std;"})
        harmless = '// We never throw.\nconst char* kText = "throw dynamic_cast";\n'
        self.assertEqual(self.findings({"base/a.cc": _GOOD["base/a.cc"] + harmless}), [])

    def test_banned_words(self):
        for word in ("FIX" "ME", "TO" "DO: later", "XX" "X"):
            self.expect("words", "base/a.cc", {"base/a.cc": _GOOD["base/a.cc"] + "// " + word + "\n"})
        self.assertEqual(self.findings({"base/a.cc": _GOOD["base/a.cc"] + "// TO" "DO(#12): more\n"}), [])

    def test_file_names(self):
        build = _BASE_BUILD.replace('hdrs = ["a.h"]', 'hdrs = ["a.h", "string_utils.h"]')
        guard = _GUARD.replace("BASE_A", "BASE_STRING_UTILS") % ""
        self.expect("names", "base/string_utils.h", {"base/BUILD.bazel": build, "base/string_utils.h": guard})

    def test_guard(self):
        self.expect("guard", "base/a.h", {"base/a.h": "#ifndef A_H\n#define A_H\n#endif\n"})

    def test_tables_are_sorted(self):
        build = _BASE_BUILD.replace('hdrs = ["a.h"]', 'hdrs = ["a.h"], textual_hdrs = ["t.inc"]')
        good = "BURIN_T(Add, 1)\nBURIN_T(Sub, 1)\n"
        self.assertEqual(self.findings({"base/BUILD.bazel": build, "base/t.inc": good}), [])
        for bad in ("BURIN_T(Sub, 1)\nBURIN_T(Add, 1)\n", "BURIN_T(Add, 1)\nBURIN_T(Add, 1)\n"):
            self.expect("tables", "base/t.inc", {"base/BUILD.bazel": build, "base/t.inc": bad})

    def test_table_agrees_with_its_list(self):
        build = _PRIVATE + """
load("//tools/bazel:ops.bzl", "op_library")
cc_library(name = "list", textual_hdrs = ["ops.inc"])
op_library(ops = ["is_nan"], deps = [])
"""
        files = {"ir/BUILD.bazel": build, "ir/is_nan.cc": "\n", "ir/is_nan_test.cc": "\n"}
        files["ir/BUILD.bazel"] += 'cc_test(name = "is_nan_test", srcs = ["is_nan_test.cc"])\n'
        self.assertEqual(self.findings(dict(files, **{"ir/ops.inc": "BURIN_OP(IsNaN)\n"})), [])
        self.expect("tables", "ir/ops.inc", dict(files, **{"ir/ops.inc": "BURIN_OP(IsInf)\n"}))
        self.expect("tables", "ir/ops.inc", dict(files, **{"ir/ops.inc": "BURIN_OP(IsInf)\nBURIN_OP(IsNaN)\n"}))

    def test_every_source_has_a_test(self):
        build = _BASE_BUILD.replace('srcs = ["a.cc"]', 'srcs = ["a.cc", "b.cc"]')
        self.expect("tests", "base/b.cc", {"base/BUILD.bazel": build, "base/b.cc": "\n"})
        main = _BASE_BUILD + 'cc_binary(name = "b", srcs = ["b.cc"])\n'
        self.assertEqual(self.findings({"base/BUILD.bazel": main, "base/b.cc": "\n"}), [])

    def test_every_source_has_a_target(self):
        self.expect("unlisted", "base/b.h", {"base/b.h": _GUARD.replace("BASE_A", "BASE_B") % ""})

    def test_build_files(self):
        glob = _BASE_BUILD.replace('srcs = ["a.cc"]', 'srcs = ["a.cc"] + glob(["*.cc"])')
        self.expect("build", "base/BUILD.bazel", {"base/BUILD.bazel": glob})
        always = _BASE_BUILD.replace('srcs = ["a.cc"]', 'srcs = ["a.cc"], alwayslink = True')
        self.expect("build", "base/BUILD.bazel", {"base/BUILD.bazel": always})
        self.expect("build", "tools/BUILD.bazel", {"tools/BUILD.bazel": _PRIVATE + "x = [\n"})

    def test_layers_document(self):
        path = "docs/architecture/layers.md"
        self.expect("layers", path, {path: "| `//base` | `base_clients` | `//ir/...` |\n"})
        group = _GOOD["BUILD.bazel"] + 'package_group(name = "ir_clients", packages = ["//ir"])\n'
        self.expect("layers", path, {"BUILD.bazel": group})

    def test_visibility(self):
        for visibility in ("//visibility:public", "//:everything", "//:no_clients"):
            build = _BASE_BUILD.replace("//:base_clients", visibility)
            self.expect("layers", "base/BUILD.bazel", {"base/BUILD.bazel": build})
        default = _BASE_BUILD.replace("visibility:private", "visibility:public")
        self.expect("layers", "base/BUILD.bazel", {"base/BUILD.bazel": default})

    def test_documents(self):
        test = {"base/a_test.cc": _GOOD["base/a_test.cc"] + "TEST(ATest, Holds) {}\n"}
        self.assertEqual(self.findings(dict(test, **{"docs/a.md": "Shown by `ATest.Holds`.\n"})), [])
        self.expect("documents", "docs/a.md", dict(test, **{"docs/a.md": "Shown by `ATest.HoldsNot`.\n"}))

    def test_exemptions(self):
        path = "tools/lint/exemptions.txt"
        bad = {"base/a.h": _GUARD % "using namespace std;"}
        self.assertEqual(self.findings(dict(bad, **{path: "code base/a.h it is a test\n"})), [])
        self.expect("exemptions", path, dict(bad, **{path: "code base/a.h\n"}))
        self.expect("exemptions", path, {path: "code base/a.h it is needless\n"})


class CppTest(unittest.TestCase):

    def test_functions(self):
        text = """namespace a {
struct S {
  int x{0};
  void F() const {
    if (x) {
    }
  }
};
S MakeS(
    int x) {
  auto g = [&] { return x; };
  return S{g()};
}
const int kTable[] = {
    Compute(1),
};
}
"""
        self.assertEqual([tuple(f) for f in cpp.functions(text)], [(4, 7), (9, 13)])

    def test_code_blanks_comments_and_literals(self):
        text = 'a; // throw\nb("throw"); /* throw\n throw */ c(\'"\', 1\'000, R"x(throw)x");'
        self.assertNotIn("throw", cpp.code(text))
        self.assertEqual(cpp.code(text).count("\n"), 2)

    def test_includes_skip_comments(self):
        text = '// #include "a/b.h"\n#include "c/d.h"\n#include <vector>\n'
        self.assertEqual([tuple(i) for i in cpp.includes(text)], [(2, "c/d.h", False), (3, "vector", True)])


if __name__ == "__main__":
    unittest.main()
