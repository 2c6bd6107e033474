#include "ir/ops/einsum.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Tensor> Computed(const std::string& equation, const std::vector<Tensor>& inputs) {
  EinsumAttributes attributes;
  attributes.equation = equation;
  return Evaluate(EinsumOp(), attributes, inputs);
}

void ExpectResult(const std::string& equation, const std::vector<Tensor>& inputs, const Tensor& expected) {
  SCOPED_TRACE(equation);
  ASSERT_OK_AND_ASSIGN(const Tensor result, Computed(equation, inputs));
  ExpectTensorEq(result, expected);
}

// The examples of OpenVINO's specification.
TEST(EinsumTest, FollowsTheSpecification) {
  const Tensor square = F32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Tensor squares = F32({2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 4, 6, 8, 10, 12, 14, 16, 18});
  ExpectResult("i,i->", {F32({3}, {1, 2, 3}), F32({3}, {4, 5, 6})}, F32({}, {32}));
  ExpectResult("ij,j->i", {F32({2, 3}, {1, 2, 3, 1, 2, 3}), F32({3}, {4, 5, 6})}, F32({2}, {32, 32}));
  ExpectResult("kii->k", {squares}, F32({2}, {15, 30}));
  ExpectResult("kii->ki", {squares}, F32({2, 3}, {1, 5, 9, 2, 10, 18}));
  ExpectResult("ijk->kij", {F32({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})}, F32({3, 1, 3}, {1, 4, 7, 2, 5, 8, 3, 6, 9}));
  ExpectResult("a...->...", {square}, F32({3}, {12, 15, 18}));
  ExpectResult("a...,...->a...", {square, F32({1}, {0.5})}, F32({3, 3}, {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}));
  ExpectResult("AbC", {F32({1, 2, 3}, {1, 2, 3, 4, 5, 6})}, F32({1, 3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(EinsumTest, MultipliesMatricesInEveryKindOfType) {
  ExpectResult("ij, jk", {F16({2, 2}, {1, 2, 3, 4}), F16({2, 1}, {10, 1})}, F16({2, 1}, {12, 34}));
  ExpectResult("ij,jk->ki", {I32({2, 2}, {1, 2, 3, 4}), I32({2, 1}, {10, 1})}, I32({1, 2}, {12, 34}));
  ExpectResult("i,i->", {I8({2}, {100, 100}), I8({2}, {1, 1})}, I8({}, {-56}));
  // Three inputs: 1 * 2 * 5 + 3 * 4 * 6.
  ExpectResult("i,i,i->", {F32({2}, {1, 3}), F32({2}, {2, 4}), F32({2}, {5, 6})}, F32({}, {82}));
}

TEST(EinsumTest, HandlesScalarsAndEmptyTensors) {
  ExpectResult(",i->i", {F32({}, {2}), F32({2}, {1, 3})}, F32({2}, {2, 6}));
  ExpectResult("ij->i", {F32({2, 0}, {})}, F32({2}, {0, 0}));
  ExpectResult("ij->j", {F32({2, 0}, {})}, F32({0}, {}));
}

TEST(EinsumTest, InfersSymbolsAndBroadcastEllipses) {
  const auto infer = [](const std::string& equation, const PartialShape& a, const PartialShape& b) {
    EinsumAttributes attributes;
    attributes.equation = equation;
    const absl::StatusOr<ValueInfo> result =
        InferOne(EinsumOp(), attributes, {Known(ElementType::kF32, a), Known(ElementType::kF32, b)});
    EXPECT_OK(result);
    return result.ok() ? result->shape : PartialShape();
  };
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension length = Dimension::Symbol("length");
  EXPECT_EQ(infer("bqhd,bkhd->bhqk", {batch, length, 4, 8}, {batch, length, 4, 8}),
            PartialShape({batch, 4, length, length}));
  EXPECT_EQ(infer("a...b,b...->a...", {9, 1, 4, 3}, {3, 11, 7, 1}), PartialShape({9, 11, 7, 4}));
  EXPECT_FALSE(infer("i,i->", PartialShape::DynamicRank(), {3}).has_rank());
}

TEST(EinsumTest, RefusesWhatBreaksConstraints) {
  const Tensor two = F32({2}, {1, 2});
  const auto expect_error = [](const std::string& equation, const std::vector<Tensor>& inputs, const char* label) {
    EXPECT_THAT(Computed(equation, inputs).status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)))
        << equation;
  };
  expect_error("i,i->", {two, F16({2}, {1, 2})}, "Einsum_c1");
  expect_error("i->i", {Bool({1}, {1})}, "Einsum_c1");
  for (const char* equation : {"", "i,i", "i->j", "i->ii", "i->i->i", "1->", "..->", "......->", "i-", ">"}) {
    expect_error(equation, {F32({1, 1}, {1})}, "Einsum_c");
  }
  expect_error("i,i", {two}, "Einsum_c2");
  expect_error("i->ii", {two}, "Einsum_c2");
  expect_error("ij->", {two}, "Einsum_c3");
  expect_error("ij...->", {two}, "Einsum_c3");
  expect_error("->", {two}, "Einsum_c3");
  expect_error("i,i->", {two, F32({3}, {1, 2, 3})}, "Einsum_c4");
  expect_error("ii->i", {F32({1, 2}, {1, 2})}, "Einsum_c4");
}

}  // namespace
}  // namespace burin::ir
