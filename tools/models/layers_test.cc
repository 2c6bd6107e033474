#include "tools/models/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/ir_builder.h"
#include "tools/models/weights.h"

namespace burin::models {
namespace {

// Returns what `layer` makes of f32[1, width] `values`; the output has `out` elements.
std::vector<float> Apply(const std::vector<float>& values, int64_t out,
                         const std::function<Value(Layers&, Value)>& layer) {
  const int64_t width = static_cast<int64_t>(values.size());
  IrBuilder builder("layer");
  Layers layers(&builder, 1);
  const Value x = builder.Input("x", ElementType::kF32, {1, width});
  builder.Output(layer(layers, x), "y", ElementType::kF32, {1, out});
  absl::StatusOr<std::unique_ptr<ir::Model>> model = builder.Finish();
  absl::StatusOr<ir::Tensor> input = ir::Tensor::Create(ElementType::kF32, {1, width});
  EXPECT_OK(model);
  EXPECT_OK(input);
  if (!model.ok() || !input.ok()) return {};
  std::copy(values.begin(), values.end(), input->mutable_data_as<float>());
  absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(**model);
  EXPECT_OK(evaluator);
  absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run({*input});
  EXPECT_OK(outputs);
  const float* data = outputs->front().data_as<float>();
  return std::vector<float>(data, data + out);
}

// The tensors that the layers above took from seed 1, in order.
ir::Tensor Weight(WeightSource& source, const ir::Shape& shape, double mean, double spread) {
  absl::StatusOr<ir::Tensor> tensor = source.Uniform(shape, mean, spread);
  EXPECT_OK(tensor);
  return *std::move(tensor);
}

TEST(LayersTest, LinearMultipliesAndAddsItsBias) {
  WeightSource source(1);
  const ir::Tensor weight = Weight(source, {2, 3}, 0, std::sqrt(1.5));
  const ir::Tensor bias = Weight(source, {3}, 0, 0.1);
  const std::vector<float> y = Apply({2, -1}, 3, [](Layers& layers, Value x) { return layers.Linear("fc", x, 2, 3); });
  for (int64_t i = 0; i < 3; ++i) {
    const double product = 2.0 * weight.data_as<float>()[i] - weight.data_as<float>()[3 + i];
    EXPECT_NEAR(y[static_cast<size_t>(i)], product + bias.data_as<float>()[i], 1e-6);
  }
}

TEST(LayersTest, RmsNormDividesByTheRootMeanSquare) {
  WeightSource source(1);
  const ir::Tensor scale = Weight(source, {2}, 1, 0.1);
  const std::vector<float> y =
      Apply({3, 4}, 2, [](Layers& layers, Value x) { return layers.RmsNorm("norm", x, 2, 0.5F); });
  EXPECT_NEAR(y[0], 3 / std::sqrt(13.0) * scale.data_as<float>()[0], 1e-6);
  EXPECT_NEAR(y[1], 4 / std::sqrt(13.0) * scale.data_as<float>()[1], 1e-6);
}

TEST(LayersTest, LayerNormHasScaleAndBias) {
  WeightSource source(1);
  const ir::Tensor scale = Weight(source, {2}, 1, 0.1);
  const ir::Tensor bias = Weight(source, {2}, 0, 0.1);
  const std::vector<float> y =
      Apply({1, 3}, 2, [](Layers& layers, Value x) { return layers.LayerNorm("norm", x, 2, 0); });
  EXPECT_NEAR(y[0], -scale.data_as<float>()[0] + bias.data_as<float>()[0], 1e-6);
  EXPECT_NEAR(y[1], scale.data_as<float>()[1] + bias.data_as<float>()[1], 1e-6);
}

TEST(LayersTest, GeluIsXTimesPhi) {
  const std::vector<float> y = Apply({-2, 0, 0.5F, 3}, 4, [](Layers& layers, Value x) { return layers.Gelu(x); });
  EXPECT_NEAR(y[0], -0.0455003, 1e-6);
  EXPECT_EQ(y[1], 0);
  EXPECT_NEAR(y[2], 0.3457312, 1e-6);
  EXPECT_NEAR(y[3], 2.9959503, 1e-6);
}

}  // namespace
}  // namespace burin::models
