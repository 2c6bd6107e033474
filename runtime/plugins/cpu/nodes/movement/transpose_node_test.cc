#include "runtime/plugins/cpu/nodes/movement/transpose_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Transpose(const std::string& type, const std::string& shape, const std::string& order) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"order\" = Constant() {value = i64", order,
                      "}\n  %2 \"t\" = Transpose(%0, %1)\n  %3 \"y\" = Result(%2)\n}");
}

TEST(TransposeNodeTest, Permutes) {
  ExpectNode(Transpose("f32", "[5, 7]", "[2]{1, 0}"), "Transpose");
  ExpectNode(Transpose("f32", "[2, 3, 17, 19]", "[4]{0, 2, 3, 1}"), "Transpose");
  ExpectNode(Transpose("f32", "[2, 17, 19, 3]", "[4]{0, 3, 1, 2}"), "Transpose");
  ExpectNode(Transpose("f32", "[2, 8, 4, 16]", "[4]{0, 2, 1, 3}"), "Transpose");
  ExpectNode(Transpose("f32", "[2, 3, 4]", "[3]{0, 1, 2}"), "Transpose");
}

TEST(TransposeNodeTest, AnEmptyOrderReverses) { ExpectNode(Transpose("f32", "[3, 5, 7]", "[0]{}"), "Transpose"); }

TEST(TransposeNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "boolean", "f16", "i32", "i64"}) {
    ExpectNode(Transpose(type, "[33, 2, 65]", "[3]{2, 0, 1}"), "Transpose");
  }
}

TEST(TransposeNodeTest, OtherTypesRunByReference) { ExpectNode(Transpose("i4", "[3, 5]", "[2]{1, 0}"), "Reference"); }

TEST(TransposeNodeTest, NothingToMove) { ExpectNode(Transpose("f32", "[3, 0, 5]", "[3]{2, 0, 1}"), "Transpose"); }

}  // namespace
}  // namespace burin::cpu
