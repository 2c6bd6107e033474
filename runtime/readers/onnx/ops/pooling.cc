// Pooling over windows and over all of space.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/avg_pool.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/family/window.h"
#include "ir/ops/max_pool.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/channels_last.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/ops/window.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Under ceil_mode a window that would begin in the padding at the end is left out.
ir::RoundingType Rounding(NodeContext& node) {
  return node.IntAttribute("ceil_mode", 0) != 0 ? ir::RoundingType::kCeilTorch : ir::RoundingType::kFloor;
}

std::vector<int64_t> Kernel(NodeContext& node) {
  std::vector<int64_t> kernel = node.IntsAttribute("kernel_shape");
  if (kernel.empty()) node.Fail(absl::InvalidArgumentError("Pooling needs kernel_shape"));
  return kernel;
}

ir::Value AveragePool(NodeContext& node, ir::Value x, bool exclude_pad) {
  auto attributes = std::make_unique<ir::AvgPoolAttributes>();
  attributes->kernel = Kernel(node);
  ReadWindow(node, static_cast<int64_t>(attributes->kernel.size()), attributes.get());
  attributes->exclude_pad = exclude_pad;
  attributes->rounding_type = Rounding(node);
  return node.Add(ir::AvgPoolOp(), {x}, std::move(attributes));
}

// Reduces over all axes but the first two, which stay with size 1.
ir::Value ReduceSpace(NodeContext& node, const ir::OpDef& op, ir::Value x) {
  const int64_t rank = node.KnownRank(x);
  std::vector<int64_t> axes;
  for (int64_t d = 2; d < rank; ++d) axes.push_back(d);
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return node.Add(op, {x, node.Ints(axes)}, std::move(attributes));
}

// |x|^p
ir::Value PowerOfMagnitude(NodeContext& node, ir::Value x, double p) {
  return node.Add(ir::PowerOp(), {node.Add(ir::AbsOp(), {x}), node.ScalarLike(x, p)});
}

// The exponent of an Lp norm: a floating-point number in the first schema, an integer later.
double NormExponent(NodeContext& node) {
  const double p = node.since() < 2 ? node.FloatAttribute("p", 2) : static_cast<double>(node.IntAttribute("p", 2));
  if (p <= 0) node.Fail(absl::InvalidArgumentError("The exponent of a norm must be positive"));
  return p;
}

// Turns places in row-major data into those where the axes of space of each channel are in column-major order.
ir::Value ColumnMajor(NodeContext& node, ir::Value places, ir::Value x) {
  const int64_t rank = node.KnownRank(x);
  std::vector<ir::Value> sizes;
  std::vector<ir::Value> coordinates;
  ir::Value result = places;
  for (int64_t axis = rank - 1; axis >= 2; --axis) {
    sizes.push_back(node.SizeOf(x, axis));
    coordinates.push_back(node.Add(ir::FloorModOp(), {result, sizes.back()}));
    result = node.Over(result, sizes.back());
  }
  // The channel's number is left.
  for (size_t i = 0; i < sizes.size(); ++i) result = node.Plus(node.Times(result, sizes[i]), coordinates[i]);
  return result;
}

}  // namespace

absl::Status TranslateAveragePool(NodeContext& node) {
  return node.Finish({AveragePool(node, node.Input(0), node.IntAttribute("count_include_pad", 0) == 0)});
}

absl::Status TranslateGlobalAveragePool(NodeContext& node) {
  return node.Finish({ReduceSpace(node, ir::ReduceMeanOp(), node.Input(0))});
}

absl::Status TranslateGlobalLpPool(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const double p = NormExponent(node);
  if (p == 1) return node.Finish({ReduceSpace(node, ir::ReduceL1Op(), x)});
  if (p == 2) return node.Finish({ReduceSpace(node, ir::ReduceL2Op(), x)});
  const ir::Value sum = ReduceSpace(node, ir::ReduceSumOp(), PowerOfMagnitude(node, x, p));
  return node.Finish({node.Add(ir::PowerOp(), {sum, node.ScalarLike(x, 1 / p)})});
}

absl::Status TranslateGlobalMaxPool(NodeContext& node) {
  return node.Finish({ReduceSpace(node, ir::ReduceMaxOp(), node.Input(0))});
}

// (sum |x|^p)^(1/p), the sum as the mean over a window times its size.
absl::Status TranslateLpPool(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const double p = NormExponent(node);
  if (node.IntAttribute("ceil_mode", 0) != 0) return node.Unsupported("ceil_mode");
  double size = 1;
  for (const int64_t length : Kernel(node)) size *= static_cast<double>(length);
  const ir::Value mean = AveragePool(node, PowerOfMagnitude(node, x, p), /*exclude_pad=*/false);
  const ir::Value sum = node.Times(mean, node.ScalarLike(x, size));
  return node.Finish({node.Add(ir::PowerOp(), {sum, node.ScalarLike(x, 1 / p)})});
}

// Averages what the numbers stand for; the channels may be the last axis.
absl::Status TranslateQLinearAveragePool(NodeContext& node) {
  const ir::Value x = Dequantize(node, node.Input(0), node.Input(1), node.OptionalInput(2));
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank < 3) return node.Invalid("QLinearAveragePool is of tensors with three axes or more");
  ir::Value y = AveragePool(node, ToChannelsFirst(node, x), node.IntAttribute("count_include_pad", 0) == 0);
  y = FromChannelsFirst(node, y);
  return node.Finish({Quantize(node, y, node.Input(3), node.OptionalInput(4), node.TypeOf(node.Input(0)))});
}

absl::Status TranslateMaxPool(NodeContext& node) {
  auto attributes = std::make_unique<ir::MaxPoolAttributes>();
  attributes->kernel = Kernel(node);
  ReadWindow(node, static_cast<int64_t>(attributes->kernel.size()), attributes.get());
  attributes->rounding_type = Rounding(node);
  attributes->axis = 0;
  const ir::Value x = node.Input(0);
  std::vector<ir::Value> outputs = node.AddAll(ir::MaxPoolOp(), {x}, std::move(attributes));
  if (node.ok() && node.WantsOutput(1) && node.IntAttribute("storage_order", 0) != 0) {
    outputs[1] = ColumnMajor(node, outputs[1], x);
  }
  return node.Finish(std::move(outputs));
}

}  // namespace burin::onnx
