#include "tools/models/layers.h"

#include <utility>

#include "absl/status/statusor.h"
#include "ir/tensor.h"

namespace burin::models {

namespace {

// How far scales lie from 1 and biases from 0: enough that one that is left out or swapped is noticed.
constexpr double kSpread = 0.1;

}  // namespace

Value Layers::Convolution(const std::string& name, Value x, int64_t in, int64_t out, const Window& window,
                          int64_t groups, double gain) {
  NetworkBuilder::Scope scope(&builder_, name);
  const int64_t fan_in = in / groups * window.kernel * window.kernel;
  absl::StatusOr<ir::Tensor> weight = weights_.Scaled({out, in / groups, window.kernel, window.kernel}, fan_in, gain);
  return builder_.Convolution(x, std::move(weight), weights_.Uniform({out}, 0, kSpread), window, groups);
}

Value Layers::LinearWithoutBias(const std::string& name, Value x, int64_t in, int64_t out, double gain) {
  NetworkBuilder::Scope scope(&builder_, name);
  return builder_.MatMul(x, builder_.Constant(weights_.Scaled({in, out}, in, gain), "weight"));
}

Value Layers::Linear(const std::string& name, Value x, int64_t in, int64_t out, double gain) {
  const Value product = LinearWithoutBias(name, x, in, out, gain);
  NetworkBuilder::Scope scope(&builder_, name);
  return builder_.Binary(BinaryOp::kAdd, product, Bias(out));
}

Value Layers::Scale(int64_t width) { return builder_.Constant(weights_.Uniform({width}, 1, kSpread), "scale"); }

Value Layers::Bias(int64_t width) { return builder_.Constant(weights_.Uniform({width}, 0, kSpread), "bias"); }

Value Layers::LayerNorm(const std::string& name, Value x, int64_t width, float epsilon) {
  NetworkBuilder::Scope scope(&builder_, name);
  const Value scale = Scale(width);
  return builder_.LayerNorm(x, scale, Bias(width), epsilon);
}

Value Layers::RmsNorm(const std::string& name, Value x, int64_t width, float epsilon) {
  NetworkBuilder::Scope scope(&builder_, name);
  const Value mean_square = builder_.Mean(builder_.Binary(BinaryOp::kMultiply, x, x), -1);
  const Value epsilon_value = builder_.Scalar(epsilon);
  const Value root = builder_.Unary(UnaryOp::kSqrt, builder_.Binary(BinaryOp::kAdd, mean_square, epsilon_value));
  const Value normalized = builder_.Binary(BinaryOp::kDivide, x, root);
  return builder_.Binary(BinaryOp::kMultiply, normalized, Scale(width));
}

Value Layers::Gelu(Value x) {
  constexpr float kRootOfTwo = 1.41421356F;
  const Value scaled = builder_.Binary(BinaryOp::kDivide, x, builder_.Scalar(kRootOfTwo));
  const Value erf = builder_.Unary(UnaryOp::kErf, scaled);
  const Value twice_phi = builder_.Binary(BinaryOp::kAdd, erf, builder_.Scalar(1));
  const Value product = builder_.Binary(BinaryOp::kMultiply, x, twice_phi);
  return builder_.Binary(BinaryOp::kMultiply, product, builder_.Scalar(0.5F));
}

Value Layers::Table(const std::string& name, const ir::Shape& shape) {
  return builder_.Constant(weights_.Scaled(shape, 1, 1), name);
}

}  // namespace burin::models
