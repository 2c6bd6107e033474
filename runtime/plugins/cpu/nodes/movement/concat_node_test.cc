#include "runtime/plugins/cpu/nodes/movement/concat_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Concat(const std::string& type, const std::string& a, const std::string& b, int axis) {
  return absl::StrCat("model \"\" {\n  %0 \"a\" = Parameter() {element_type = ", type, ", shape = ", a,
                      "}\n  %1 \"b\" = Parameter() {element_type = ", type, ", shape = ", b,
                      "}\n  %2 \"c\" = Concat(%0, %1, %0) {axis = ", axis, "}\n  %3 \"y\" = Result(%2)\n}");
}

TEST(ConcatNodeTest, JoinsAlongEachAxis) {
  ExpectNode(Concat("f32", "[2, 3, 5]", "[7, 3, 5]", 0), "Concat");
  ExpectNode(Concat("f32", "[2, 3, 5]", "[2, 1, 5]", 1), "Concat");
  ExpectNode(Concat("f32", "[2, 3, 5]", "[2, 3, 17]", -1), "Concat");
}

TEST(ConcatNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "bf16", "i32", "i64"}) ExpectNode(Concat(type, "[5, 33]", "[5, 2]", 1), "Concat");
}

TEST(ConcatNodeTest, EmptyInputs) {
  ExpectNode(Concat("f32", "[2, 0]", "[2, 3]", 1), "Concat");
  ExpectNode(Concat("f32", "[0, 2]", "[0, 2]", -2), "Concat");
}

}  // namespace
}  // namespace burin::cpu
