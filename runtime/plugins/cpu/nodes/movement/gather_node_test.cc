#include "runtime/plugins/cpu/nodes/movement/gather_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "jit/kernels/gather/gather_plan.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Gather(const std::string& type, const std::string& data, const std::string& index_type,
                   const std::string& indices, int axis, int batch_dims = 0) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", data,
                      "}\n  %1 \"i\" = Parameter() {element_type = ", index_type, ", shape = ", indices,
                      "}\n  %2 \"axis\" = Constant() {value = i64[]{", axis,
                      "}}\n  %3 \"g\" = Gather(%0, %1, %2) {batch_dims = ", batch_dims,
                      "}\n  %4 \"y\" = Result(%3)\n}");
}

TEST(GatherNodeTest, AlongEachAxis) {
  ExpectNode(Gather("f32", "[4, 5, 7]", "i64", "[3]", 0), "Gather");
  ExpectNode(Gather("f32", "[4, 5, 7]", "i32", "[2, 3]", 1), "Gather");
  ExpectNode(Gather("f32", "[4, 5, 7]", "i64", "[6]", -1), "Gather");
  ExpectNode(Gather("f32", "[4, 5, 7]", "i64", "[]", -2), "Gather");
}

TEST(GatherNodeTest, WithBatches) {
  ExpectNode(Gather("f32", "[2, 4, 5]", "i64", "[2, 3]", 1, 1), "Gather");
  ExpectNode(Gather("f32", "[2, 3, 4, 5]", "i32", "[2, 7]", 2, -1), "Gather");
  ExpectNode(Gather("f32", "[2, 4, 5]", "i64", "[2]", 1, 1), "Gather");
}

TEST(GatherNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "f16", "i32", "i64"}) ExpectNode(Gather(type, "[3, 33]", "i64", "[40]", 0), "Gather");
}

TEST(GatherNodeTest, IndicesFromTheEndAndOutside) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3, 5]}
    %1 "i" = Constant() {value = i64[6]{-1, 0, -3, 3, -4, 2}}
    %2 "axis" = Constant() {value = i64[1]{0}}
    %3 "g" = Gather(%0, %1, %2)
    %4 "y" = Result(%3)
  })",
             "Gather");
}

TEST(GatherNodeTest, NothingToGather) {
  ExpectNode(Gather("f32", "[4, 5]", "i64", "[0]", 0), "Gather");
  ExpectNode(Gather("f32", "[4, 0]", "i64", "[3]", 0), "Gather");
}

TEST(GatherNodeTest, RowsOfAnEmptyAxisAreZeros) { ExpectNode(Gather("f32", "[0, 5]", "i64", "[3]", 0), "Gather"); }

TEST(GatherNodeTest, OtherTypesRunByReference) { ExpectNode(Gather("i4", "[4, 5]", "i64", "[3]", 0), "Reference"); }

TEST(GatherNodeTest, SpecFoldsTheOtherAxes) {
  const jit::GatherSpec spec = GatherSpecOf(ElementType::kF16, ElementType::kI32, {2, 3, 4, 5, 6}, {2, 7, 8}, 2, 1);
  EXPECT_EQ(spec.batch, 2);
  EXPECT_EQ(spec.outer, 3);
  EXPECT_EQ(spec.extent, 4);
  EXPECT_EQ(spec.count, 56);
  EXPECT_EQ(spec.row_bytes, 60);
}

}  // namespace
}  // namespace burin::cpu
