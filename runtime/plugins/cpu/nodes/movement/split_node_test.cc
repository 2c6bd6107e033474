#include "runtime/plugins/cpu/nodes/movement/split_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Split(const std::string& type, const std::string& shape, int axis, int parts) {
  std::string text = absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                                  "}\n  %1 \"axis\" = Constant() {value = i64[]{", axis,
                                  "}}\n  %2 \"s\" = Split(%0, %1) {num_splits = ", parts, "}\n");
  for (int i = 0; i < parts; ++i) absl::StrAppend(&text, "  %", 3 + i, " \"y", i, "\" = Result(%2.", i, ")\n");
  return absl::StrCat(text, "}");
}

std::string VariadicSplit(const std::string& shape, int axis, const std::string& lengths) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = f32, shape = ", shape,
                      "}\n  %1 \"axis\" = Constant() {value = i64[]{", axis,
                      "}}\n  %2 \"lengths\" = Constant() {value = i64[3]", lengths,
                      "}\n  %3 \"s\" = VariadicSplit(%0, %1, %2)\n  %4 \"a\" = Result(%3.0)\n"
                      "  %5 \"b\" = Result(%3.1)\n  %6 \"c\" = Result(%3.2)\n}");
}

TEST(SplitNodeTest, EqualParts) {
  ExpectNode(Split("f32", "[6, 5]", 0, 3), "Split");
  ExpectNode(Split("f32", "[2, 6, 5]", -2, 2), "Split");
  ExpectNode(Split("f32", "[3, 64]", -1, 4), "Split");
}

TEST(SplitNodeTest, GivenLengths) {
  ExpectNode(VariadicSplit("[2, 9, 3]", 1, "{2, 3, 4}"), "Split");
  ExpectNode(VariadicSplit("[2, 9]", -1, "{4, -1, 1}"), "Split");
  ExpectNode(VariadicSplit("[9]", 0, "{0, 9, 0}"), "Split");
}

TEST(SplitNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"i8", "f16", "i32", "i64"}) ExpectNode(Split(type, "[5, 6]", 1, 2), "Split");
}

TEST(SplitNodeTest, NothingToMove) {
  ExpectNode(Split("f32", "[0, 4]", 1, 2), "Split");
  ExpectNode(Split("f32", "[3, 0]", 1, 2), "Split");
}

}  // namespace
}  // namespace burin::cpu
