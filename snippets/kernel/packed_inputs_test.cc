#include "snippets/kernel/packed_inputs.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

struct Packed {
  LoweredKernel kernel;
  PackedInputs inputs;
};

absl::StatusOr<Packed> Choose(absl::string_view nodes) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body,
                         ir::ParseModel(absl::StrCat("model \"\" {\n", nodes, "\n}\n")));
  BURIN_ASSIGN_OR_RETURN(const BodyGraph graph, BodyGraph::Create(*body));
  Packed packed;
  BURIN_ASSIGN_OR_RETURN(packed.kernel, Lower(graph, *body, {16, 0}, "test"));
  packed.inputs = PackedInputs::Choose(graph, packed.kernel);
  BURIN_RETURN_IF_ERROR(packed.kernel.ir.Verify());
  return packed;
}

// Adds a transposed matrix of `rows` columns and `columns` rows to another.
std::string Sum(int64_t rows, int64_t columns) {
  return absl::StrCat("%0 \"x\" = Parameter() {element_type = f32, shape = [", rows, ",", columns,
                      "]}\n%1 \"y\" = Parameter() {element_type = f32, shape = [", columns, ",", rows, R"(]}
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 = Transpose(%1, %2)
    %4 = Add(%0, %3)
    %5 "out" = Result(%4))");
}

TEST(PackedInputsTest, TakesTransposedOnes) {
  ASSERT_OK_AND_ASSIGN(const Packed packed, Choose(Sum(100, 40)));
  EXPECT_EQ(packed.inputs.axis(), 0);
  EXPECT_FALSE(packed.inputs.Has(0));
  EXPECT_TRUE(packed.inputs.Has(1));
  EXPECT_TRUE(packed.kernel.ir.operands[1].contiguous);
}

TEST(PackedInputsTest, LeavesWhatIsShort) {
  for (const auto& [rows, columns] : {std::make_pair(100, 10), std::make_pair(10, 100)}) {
    ASSERT_OK_AND_ASSIGN(const Packed packed, Choose(Sum(rows, columns)));
    EXPECT_EQ(packed.inputs.axis(), -1);
    EXPECT_FALSE(packed.kernel.ir.operands[1].contiguous);
  }
}

TEST(PackedInputsTest, LeavesWhatIsEmptyAlongAnotherAxis) {
  ASSERT_OK_AND_ASSIGN(const Packed packed, Choose(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [0,100,40]}
    %1 "y" = Parameter() {element_type = f32, shape = [0,40,100]}
    %2 = Constant() {value = i64[3]{0, 2, 1}}
    %3 = Transpose(%1, %2)
    %4 = Add(%0, %3)
    %5 "out" = Result(%4))"));
  EXPECT_EQ(packed.inputs.axis(), -1);
}

TEST(PackedInputsTest, LeavesWhatIsReducedAlongItsLines) {
  ASSERT_OK_AND_ASSIGN(const Packed packed, Choose(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [100,40]}
    %1 "y" = Parameter() {element_type = f32, shape = [40,100]}
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 = Transpose(%1, %2)
    %4 = Add(%0, %3)
    %5 = Constant() {value = i64[1]{0}}
    %6 = ReduceSum(%4, %5) {keep_dims = true}
    %7 "out" = Result(%6))"));
  EXPECT_EQ(packed.inputs.axis(), -1);
}

TEST(PackedInputsTest, CopiesAChunkAtATime) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(Packed packed, Choose(Sum(100, 40)));
  const int64_t chunk = packed.inputs.ChunkOf(packed.kernel, target);
  EXPECT_GE(chunk, 16);
  std::vector<int64_t> strides;
  for (const std::vector<int64_t>& each : packed.kernel.strides)
    strides.insert(strides.end(), each.begin(), each.end());
  ASSERT_OK_AND_ASSIGN(const size_t bytes, packed.inputs.Plan(packed.kernel, 48, target, jit::CodeCache::Process(),
                                                              absl::MakeSpan(strides)));
  // Rows of 40 floats, padded to whole lines.
  EXPECT_EQ(bytes, size_t{48 * 192});
  EXPECT_EQ(strides[2], 192);
  EXPECT_EQ(strides[3], 4);
  EXPECT_EQ(packed.inputs.SourceStride(1, 0), 4);
  EXPECT_EQ(packed.inputs.SourceStride(1, 1), 400);
  std::vector<float> y(40 * 100);
  for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i);
  std::vector<char> scratch(bytes);
  for (const int64_t index : {0, 1, 2}) {
    std::vector<void*> operands = {nullptr, y.data(), nullptr};
    packed.inputs.Pack(index, scratch.data(), absl::MakeSpan(operands));
    EXPECT_EQ(operands[0], nullptr);
    ASSERT_EQ(operands[1], scratch.data());
    for (int64_t row = 0; row < (index < 2 ? 48 : 4); ++row) {
      for (int64_t column = 0; column < 40; ++column) {
        const float* const got = reinterpret_cast<const float*>(scratch.data() + row * 192) + column;
        ASSERT_EQ(*got, y[static_cast<size_t>(column * 100 + index * 48 + row)]) << index << ": " << row << column;
      }
    }
  }
}

}  // namespace
}  // namespace burin::snippets
