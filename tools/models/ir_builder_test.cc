#include "tools/models/ir_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/network_builder.h"

namespace burin::models {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<ir::Tensor> Floats(const ir::Shape& shape, const std::vector<float>& values) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kF32, shape);
  if (tensor.ok()) std::copy(values.begin(), values.end(), tensor->mutable_data_as<float>());
  return tensor;
}

// Returns the elements of `x`, which has `shape` and depends on constants alone.
std::vector<float> Evaluated(IrBuilder& builder, Value x, const ir::Shape& shape) {
  builder.Output(x, "out", ElementType::kF32, shape);
  absl::StatusOr<std::unique_ptr<ir::Model>> model = builder.Finish();
  EXPECT_OK(model);
  if (!model.ok()) return {};
  absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(**model);
  EXPECT_OK(evaluator);
  absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run({});
  EXPECT_OK(outputs);
  const float* values = outputs->front().data_as<float>();
  return std::vector<float>(values, values + outputs->front().element_count());
}

TEST(IrBuilderTest, ConvolutionHasGroupsAndBias) {
  IrBuilder builder("conv");
  const Value x = builder.Constant(Floats({1, 2, 1, 1}, {3, 5}), "x");
  const Value y = builder.Convolution(x, Floats({2, 1, 1, 1}, {10, 100}), Floats({2}, {1, 2}), {1, 1, 0}, 2);
  EXPECT_THAT(Evaluated(builder, y, {1, 2, 1, 1}), ElementsAre(31, 502));
}

TEST(IrBuilderTest, WindowsHaveStrideAndPadding) {
  IrBuilder builder("pool");
  const Value x = builder.Constant(Floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), "x");
  EXPECT_THAT(Evaluated(builder, builder.MaxPool(x, {3, 2, 1}), {1, 1, 2, 2}), ElementsAre(5, 6, 8, 9));
}

TEST(IrBuilderTest, LayerNormNormalizesTheLastAxis) {
  IrBuilder builder("norm");
  const Value x = builder.Constant(Floats({2, 2}, {1, 3, -5, 5}), "x");
  const Value scale = builder.Constant(Floats({2}, {1, 2}), "scale");
  const Value bias = builder.Constant(Floats({2}, {10, 20}), "bias");
  EXPECT_THAT(Evaluated(builder, builder.LayerNorm(x, scale, bias, 0), {2, 2}), ElementsAre(9, 22, 9, 22));
}

TEST(IrBuilderTest, ReshapeKeepsDimensionsAtZero) {
  IrBuilder builder("reshape");
  const Value x = builder.Constant(Floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}), "x");
  EXPECT_THAT(Evaluated(builder, builder.Reshape(x, {0, -1}), {2, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(IrBuilderTest, ExpandStretchesEitherSide) {
  IrBuilder builder("expand");
  const Value x = builder.Constant(Floats({2, 1}, {1, 2}), "x");
  EXPECT_THAT(Evaluated(builder, builder.Expand(x, builder.Integers({1, 2})), {2, 2}), ElementsAre(1, 1, 2, 2));
}

TEST(IrBuilderTest, SliceAndGatherTakeTheirAxis) {
  IrBuilder builder("slice");
  const Value x = builder.Constant(Floats({2, 3}, {1, 2, 3, 4, 5, 6}), "x");
  const Value right = builder.Slice(x, 1, 1, 3);
  EXPECT_THAT(Evaluated(builder, builder.Gather(right, builder.Scalar64(1), 1), {2}), ElementsAre(3, 6));
}

TEST(IrBuilderTest, ErrorsOfTheModelAreReported) {
  IrBuilder builder("errors");
  const Value x = builder.Constant(Floats({2}, {1, 2}), "x");
  const Value y = builder.Constant(Floats({3}, {1, 2, 3}), "y");
  EXPECT_EQ(builder.Binary(BinaryOp::kAdd, x, y).index, -1);
  EXPECT_THAT(builder.Finish(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Add")));
}

TEST(IrBuilderTest, ATensorThatCannotBeMadeIsReported) {
  IrBuilder builder("errors");
  builder.Constant(absl::ResourceExhaustedError("no memory"), "x");
  EXPECT_THAT(builder.Finish(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no memory")));
}

}  // namespace
}  // namespace burin::models
