#include "tools/models/ir_builder.h"

#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "ir/ops/broadcast.h"
#include "ir/ops/clamp.h"
#include "ir/ops/concat.h"
#include "ir/ops/convert.h"
#include "ir/ops/convolution.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/family/window.h"
#include "ir/ops/group_convolution.h"
#include "ir/ops/max_pool.h"
#include "ir/ops/mvn.h"
#include "ir/ops/ops.h"
#include "ir/ops/reshape.h"
#include "ir/ops/softmax.h"

namespace burin::models {

namespace {

const ir::OpDef& OpOf(UnaryOp op) {
  switch (op) {
    case UnaryOp::kCos:
      return ir::CosOp();
    case UnaryOp::kErf:
      return ir::ErfOp();
    case UnaryOp::kNegative:
      return ir::NegativeOp();
    case UnaryOp::kRelu:
      return ir::ReluOp();
    case UnaryOp::kSigmoid:
      return ir::SigmoidOp();
    case UnaryOp::kSin:
      return ir::SinOp();
    case UnaryOp::kSqrt:
      return ir::SqrtOp();
    case UnaryOp::kTanh:
      break;
  }
  return ir::TanhOp();
}

const ir::OpDef& OpOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return ir::AddOp();
    case BinaryOp::kAnd:
      return ir::LogicalAndOp();
    case BinaryOp::kDivide:
      return ir::DivideOp();
    case BinaryOp::kLessOrEqual:
      return ir::LessEqualOp();
    case BinaryOp::kMultiply:
      return ir::MultiplyOp();
    case BinaryOp::kSubtract:
      break;
  }
  return ir::SubtractOp();
}

void SetWindow(const Window& window, ir::WindowParameters* parameters) {
  parameters->strides = {window.stride, window.stride};
  parameters->pads_begin = {window.padding, window.padding};
  parameters->pads_end = {window.padding, window.padding};
}

}  // namespace

Value IrBuilder::Keep(ir::Value value) {
  values_.push_back(value);
  return Value{static_cast<int32_t>(values_.size()) - 1};
}

Value IrBuilder::Add(const ir::OpDef& op, std::vector<Value> inputs, std::unique_ptr<ir::Attributes> attributes) {
  if (!ok()) return Value();
  ir::NodeSpec spec;
  spec.op = &op;
  spec.attributes = std::move(attributes);
  for (Value input : inputs) spec.inputs.push_back(At(input));
  spec.name = Scoped(Numbered(op.name));
  absl::StatusOr<ir::NodeId> node = model_->AddNode(std::move(spec));
  if (!node.ok()) {
    Fail(node.status());
    return Value();
  }
  return Keep(ir::Value{*node, 0});
}

Value IrBuilder::Input(const std::string& name, ElementType type, const ir::Shape& shape) {
  if (!ok()) return Value();
  absl::StatusOr<ir::Value> value = model_->AddParameter(name, type, shape);
  if (!value.ok()) {
    Fail(value.status());
    return Value();
  }
  return Keep(*value);
}

void IrBuilder::Output(Value x, const std::string& name, ElementType type, const ir::Shape& shape) {
  if (!ok()) return;
  const ir::ValueInfo& info = model_->info(At(x));
  BURIN_CHECK(info.type == type && info.shape.Accepts(shape))
      << "output " << name << " is " << info.shape.ToString() << ", declared as " << ir::ToString(shape);
  Fail(model_->AddResult(At(x), name).status());
}

Value IrBuilder::Constant(absl::StatusOr<ir::Tensor> tensor, absl::string_view name) {
  if (!tensor.ok()) Fail(tensor.status());
  if (!ok()) return Value();
  absl::StatusOr<ir::Value> value = model_->AddConstant(*std::move(tensor), Scoped(name));
  if (!value.ok()) {
    Fail(value.status());
    return Value();
  }
  return Keep(*value);
}

Value IrBuilder::Unary(UnaryOp op, Value x) { return Add(OpOf(op), {x}); }

Value IrBuilder::Binary(BinaryOp op, Value a, Value b) { return Add(OpOf(op), {a, b}); }

Value IrBuilder::Clip(Value x, float low, float high) {
  auto attributes = std::make_unique<ir::ClampAttributes>();
  attributes->min = low;
  attributes->max = high;
  return Add(ir::ClampOp(), {x}, std::move(attributes));
}

Value IrBuilder::Select(Value condition, Value a, Value b) { return Add(ir::SelectOp(), {condition, a, b}); }

Value IrBuilder::Convert(Value x, ElementType type) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return Add(ir::ConvertOp(), {x}, std::move(attributes));
}

Value IrBuilder::Convolution(Value x, absl::StatusOr<ir::Tensor> weights, absl::StatusOr<ir::Tensor> bias,
                             const Window& window, int64_t groups) {
  Value convolved;
  if (groups == 1) {
    auto attributes = std::make_unique<ir::ConvolutionAttributes>();
    SetWindow(window, attributes.get());
    convolved = Add(ir::ConvolutionOp(), {x, Constant(std::move(weights), "weight")}, std::move(attributes));
  } else {
    if (weights.ok()) {
      ir::Shape shape = weights->shape();
      shape.front() /= groups;
      shape.insert(shape.begin(), groups);
      weights = weights->Reshaped(shape);
    }
    auto attributes = std::make_unique<ir::GroupConvolutionAttributes>();
    SetWindow(window, attributes.get());
    convolved = Add(ir::GroupConvolutionOp(), {x, Constant(std::move(weights), "weight")}, std::move(attributes));
  }
  if (bias.ok()) bias = bias->Reshaped({1, bias->element_count(), 1, 1});
  return Binary(BinaryOp::kAdd, convolved, Constant(std::move(bias), "bias"));
}

Value IrBuilder::MatMul(Value a, Value b) { return Add(ir::MatMulOp(), {a, b}); }

Value IrBuilder::MaxPool(Value x, const Window& window) {
  auto attributes = std::make_unique<ir::MaxPoolAttributes>();
  SetWindow(window, attributes.get());
  attributes->kernel = {window.kernel, window.kernel};
  return Add(ir::MaxPoolOp(), {x}, std::move(attributes));
}

Value IrBuilder::GlobalAveragePool(Value x) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return Add(ir::ReduceMeanOp(), {x, Integers({2, 3})}, std::move(attributes));
}

Value IrBuilder::Mean(Value x, int64_t axis) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return Add(ir::ReduceMeanOp(), {x, Integers({axis})}, std::move(attributes));
}

Value IrBuilder::Softmax(Value x, int64_t axis) {
  auto attributes = std::make_unique<ir::SoftmaxAttributes>();
  attributes->axis = axis;
  return Add(ir::SoftmaxOp(), {x}, std::move(attributes));
}

Value IrBuilder::LayerNorm(Value x, Value scale, Value bias, float epsilon) {
  auto attributes = std::make_unique<ir::MVNAttributes>();
  attributes->eps = epsilon;
  const Value normalized = Add(ir::MVNOp(), {x, Integers({-1})}, std::move(attributes));
  return Binary(BinaryOp::kAdd, Binary(BinaryOp::kMultiply, normalized, scale), bias);
}

Value IrBuilder::CumSum(Value x, int64_t axis) { return Add(ir::CumSumOp(), {x, Scalar64(axis)}); }

Value IrBuilder::Reshape(Value x, const std::vector<int64_t>& pattern) {
  auto attributes = std::make_unique<ir::ReshapeAttributes>();
  attributes->special_zero = true;
  return Add(ir::ReshapeOp(), {x, Integers(pattern)}, std::move(attributes));
}

Value IrBuilder::Transpose(Value x, const std::vector<int64_t>& order) {
  return Add(ir::TransposeOp(), {x, Integers(order)});
}

Value IrBuilder::Unsqueeze(Value x, const std::vector<int64_t>& axes) {
  return Add(ir::UnsqueezeOp(), {x, Integers(axes)});
}

Value IrBuilder::Concat(const std::vector<Value>& values, int64_t axis) {
  auto attributes = std::make_unique<ir::ConcatAttributes>();
  attributes->axis = axis;
  return Add(ir::ConcatOp(), values, std::move(attributes));
}

Value IrBuilder::Slice(Value x, int64_t axis, int64_t begin, int64_t end) {
  return Add(ir::SliceOp(), {x, Integers({begin}), Integers({end}), Integers({1}), Integers({axis})});
}

Value IrBuilder::Gather(Value table, Value indices, int64_t axis) {
  return Add(ir::GatherOp(), {table, indices, Scalar64(axis)});
}

Value IrBuilder::ShapeOf(Value x) { return Add(ir::ShapeOfOp(), {x}); }

Value IrBuilder::Expand(Value x, Value shape) {
  auto attributes = std::make_unique<ir::BroadcastOpAttributes>();
  attributes->mode = ir::BroadcastMode::kBidirectional;
  return Add(ir::BroadcastOp(), {x, shape}, std::move(attributes));
}

absl::StatusOr<std::unique_ptr<ir::Model>> IrBuilder::Finish() {
  BURIN_RETURN_IF_ERROR(status());
  return std::move(model_);
}

}  // namespace burin::models
