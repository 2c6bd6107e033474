#include "runtime/readers/onnx/graph_builder.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/status_context.h"
#include "ir/infer_context.h"
#include "ir/ops/broadcast.h"
#include "ir/ops/concat.h"
#include "ir/ops/constant.h"
#include "ir/ops/convert.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/matmul.h"
#include "ir/ops/ops.h"
#include "ir/ops/range.h"
#include "ir/ops/reshape.h"
#include "ir/ops/shape_of.h"

namespace burin::onnx {
namespace {

// What a node takes in memory besides its outputs' shapes: itself, its names, its attributes.
constexpr uint64_t kNodeBytes = 1024;
constexpr uint64_t kDimensionBytes = 64;

uint64_t BytesOf(const ir::ValueInfo& info) {
  uint64_t dims = static_cast<uint64_t>(info.shape.has_rank() ? info.shape.rank() : 0);
  if (info.content.has_value()) dims += info.content->size();
  return dims * kDimensionBytes;
}

// Replaces the -1 among sizes by what is left of the elements.
absl::StatusOr<ir::Shape> ResolveSizes(absl::Span<const int64_t> sizes, int64_t elements) {
  ir::Shape shape(sizes.begin(), sizes.end());
  int64_t* rest = nullptr;
  for (int64_t& size : shape) {
    if (size != -1) continue;
    rest = &size;
    size = 1;
  }
  absl::StatusOr<int64_t> count = ir::ElementCount(shape);
  if (!count.ok()) return count.status();
  if (rest != nullptr && *count != 0) *rest = elements / *count;
  count = ir::ElementCount(shape);
  if (!count.ok()) return count.status();
  if (*count == elements) return shape;
  return absl::InvalidArgumentError(
      absl::StrCat("A constant of another number of elements is needed: ", ir::ToString(shape), ", got ", elements));
}

const ir::ValueInfo& Unknown() {
  static const ir::ValueInfo* const info = new ir::ValueInfo();
  return *info;
}

}  // namespace

GraphBuilder::GraphBuilder(ir::Model* model, ReadBudget* budget, std::string name, std::string original_name)
    : model_(model), budget_(budget), name_(std::move(name)), original_name_(std::move(original_name)) {}

void GraphBuilder::Fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

const ir::ValueInfo& GraphBuilder::Info(ir::Value value) const {
  return value.exists() ? model_->info(value) : Unknown();
}

std::optional<int64_t> GraphBuilder::RankOf(ir::Value value) const {
  const ir::PartialShape& shape = ShapeOf(value);
  if (!shape.has_rank()) return std::nullopt;
  return shape.rank();
}

int64_t GraphBuilder::KnownRank(ir::Value value) {
  const std::optional<int64_t> rank = RankOf(value);
  if (rank.has_value()) return *rank;
  Fail(absl::UnimplementedError("The rank of an input must be known"));
  return 0;
}

int64_t GraphBuilder::NormalizeAxis(int64_t axis, int64_t rank) {
  const absl::StatusOr<int64_t> normalized = ir::NormalizeAxis(axis, rank);
  if (normalized.ok()) return *normalized;
  Fail(normalized.status());
  return 0;
}

const ir::Tensor* GraphBuilder::ConstantOf(ir::Value value) const {
  const ir::ValueInfo& info = Info(value);
  return info.constant.has_value() ? &info.constant : nullptr;
}

std::optional<std::vector<int64_t>> GraphBuilder::IntsOf(ir::Value value) const {
  const ir::Tensor* const tensor = ConstantOf(value);
  if (tensor == nullptr || !IsInteger(tensor->element_type())) return std::nullopt;
  std::vector<int64_t> result(static_cast<size_t>(tensor->element_count()));
  LoadRangeAsInt64(tensor->element_type(), tensor->data(), 0, tensor->element_count(), result.data());
  return result;
}

std::optional<double> GraphBuilder::NumberOf(ir::Value value) const {
  const ir::Tensor* const tensor = ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1 || tensor->element_type() == ElementType::kString) {
    return std::nullopt;
  }
  return LoadAsDouble(tensor->element_type(), tensor->data(), 0);
}

std::vector<ir::Value> GraphBuilder::AddAll(const ir::OpDef& op, std::vector<ir::Value> inputs,
                                            std::unique_ptr<ir::Attributes> attributes,
                                            std::vector<std::unique_ptr<ir::Model>> bodies) {
  if (!ok()) return {};
  Fail(budget_->Charge(kNodeBytes + name_.size() + original_name_.size()));
  if (!ok()) return {};
  ir::NodeSpec spec;
  spec.op = &op;
  spec.attributes = std::move(attributes);
  spec.inputs = std::move(inputs);
  spec.name = absl::StrCat(name_, "/", op.name);
  if (!original_name_.empty()) spec.original_names.push_back(original_name_);
  spec.bodies = std::move(bodies);
  const absl::StatusOr<ir::NodeId> id = model_->AddNode(std::move(spec));
  if (!id.ok()) {
    Fail(id.status());
    return {};
  }
  std::vector<ir::Value> outputs;
  const ir::Node& node = model_->node(*id);
  for (int64_t i = 0; i < node.output_count(); ++i) {
    Fail(budget_->Charge(BytesOf(node.output(i))));
    outputs.push_back(ir::Value{*id, static_cast<int32_t>(i)});
  }
  return outputs;
}

ir::Value GraphBuilder::Add(const ir::OpDef& op, std::vector<ir::Value> inputs,
                            std::unique_ptr<ir::Attributes> attributes) {
  const std::vector<ir::Value> outputs = AddAll(op, std::move(inputs), std::move(attributes));
  return outputs.empty() ? ir::Value::None() : outputs[0];
}

ir::Value GraphBuilder::Constant(ir::Tensor value) {
  if (!ok()) return ir::Value::None();
  auto attributes = std::make_unique<ir::ConstantAttributes>();
  attributes->value = std::move(value);
  return Add(ir::ConstantOp(), {}, std::move(attributes));
}

ir::Value GraphBuilder::Ints(absl::Span<const int64_t> values) {
  const absl::StatusOr<ir::Tensor> tensor =
      ir::Tensor::Create(ElementType::kI64, {static_cast<int64_t>(values.size())});
  if (!tensor.ok()) {
    Fail(tensor.status());
    return ir::Value::None();
  }
  for (size_t i = 0; i < values.size(); ++i) tensor->mutable_data_as<int64_t>()[i] = values[i];
  return Constant(*tensor);
}

ir::Value GraphBuilder::Int(int64_t value) {
  const absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kI64, {});
  if (!tensor.ok()) {
    Fail(tensor.status());
    return ir::Value::None();
  }
  *tensor->mutable_data_as<int64_t>() = value;
  return Constant(*tensor);
}

ir::Value GraphBuilder::Scalar(ElementType type, double value) {
  if (!ok()) return ir::Value::None();
  const absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(type, {});
  if (!tensor.ok()) {
    Fail(tensor.status());
    return ir::Value::None();
  }
  StoreFromDouble(type, tensor->mutable_data(), 0, value);
  return Constant(*tensor);
}

ir::Value GraphBuilder::Plus(ir::Value a, ir::Value b) { return Add(ir::AddOp(), {a, b}); }
ir::Value GraphBuilder::Minus(ir::Value a, ir::Value b) { return Add(ir::SubtractOp(), {a, b}); }
ir::Value GraphBuilder::Times(ir::Value a, ir::Value b) { return Add(ir::MultiplyOp(), {a, b}); }
ir::Value GraphBuilder::Over(ir::Value a, ir::Value b) { return Add(ir::DivideOp(), {a, b}); }

ir::Value GraphBuilder::Convert(ir::Value value, ElementType type) {
  if (!ok() || TypeOf(value) == type) return value;
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return Add(ir::ConvertOp(), {value}, std::move(attributes));
}

ir::Value GraphBuilder::SizesOf(ir::Value value) { return Add(ir::ShapeOfOp(), {value}); }

ir::Value GraphBuilder::SizesOf(ir::Value value, int64_t begin, int64_t end) {
  return Slice(SizesOf(value), 0, begin, end);
}

ir::Value GraphBuilder::SizeOf(ir::Value value, int64_t axis) {
  return Add(ir::GatherOp(), {SizesOf(value), Int(axis), Int(0)});
}

ir::Value GraphBuilder::Reshape(ir::Value value, ir::Value sizes) {
  auto attributes = std::make_unique<ir::ReshapeAttributes>();
  attributes->special_zero = false;
  return Add(ir::ReshapeOp(), {value, sizes}, std::move(attributes));
}

ir::Value GraphBuilder::Reshape(ir::Value value, absl::Span<const int64_t> sizes) {
  // A constant gets its shape at once: a handle on the same bytes.
  if (const ir::Tensor* const tensor = ConstantOf(value)) {
    const absl::StatusOr<ir::Shape> shape = ResolveSizes(sizes, tensor->element_count());
    if (!shape.ok()) {
      Fail(shape.status());
      return ir::Value::None();
    }
    if (*shape == tensor->shape()) return value;
    absl::StatusOr<ir::Tensor> reshaped = tensor->Reshaped(*shape);
    if (reshaped.ok()) return Constant(*std::move(reshaped));
  }
  return Reshape(value, Ints(sizes));
}

ir::Value GraphBuilder::ToScalar(ir::Value value) {
  return RankOf(value) == 0 ? value : Reshape(value, absl::Span<const int64_t>());
}

ir::Value GraphBuilder::Squeeze(ir::Value value, absl::Span<const int64_t> axes) {
  return Add(ir::SqueezeOp(), {value, Ints(axes)});
}

ir::Value GraphBuilder::Unsqueeze(ir::Value value, absl::Span<const int64_t> axes) {
  return Add(ir::UnsqueezeOp(), {value, Ints(axes)});
}

ir::Value GraphBuilder::Transpose(ir::Value value, absl::Span<const int64_t> order) {
  return Add(ir::TransposeOp(), {value, Ints(order)});
}

ir::Value GraphBuilder::Concat(std::vector<ir::Value> values, int64_t axis) {
  auto attributes = std::make_unique<ir::ConcatAttributes>();
  attributes->axis = axis;
  return Add(ir::ConcatOp(), std::move(values), std::move(attributes));
}

ir::Value GraphBuilder::Broadcast(ir::Value value, ir::Value sizes) {
  auto attributes = std::make_unique<ir::BroadcastOpAttributes>();
  attributes->mode = ir::BroadcastMode::kNumpy;
  return Add(ir::BroadcastOp(), {value, sizes}, std::move(attributes));
}

ir::Value GraphBuilder::Slice(ir::Value value, int64_t axis, int64_t begin, int64_t end) {
  return Slice(value, axis, Ints({begin}), Ints({end}));
}

ir::Value GraphBuilder::Slice(ir::Value value, int64_t axis, ir::Value begin, ir::Value end) {
  return Add(ir::SliceOp(), {value, begin, end, Ints({1}), Ints({axis})});
}

ir::Value GraphBuilder::Range(ir::Value begin, ir::Value end) {
  auto attributes = std::make_unique<ir::RangeAttributes>();
  attributes->output_type = ElementType::kI64;
  return Add(ir::RangeOp(), {begin, end, Int(1)}, std::move(attributes));
}

ir::Value GraphBuilder::MatMul(ir::Value a, ir::Value b, bool transpose_a, bool transpose_b) {
  auto attributes = std::make_unique<ir::MatMulAttributes>();
  attributes->transpose_a = transpose_a;
  attributes->transpose_b = transpose_b;
  return Add(ir::MatMulOp(), {a, b}, std::move(attributes));
}

ir::Value GraphBuilder::Mean(ir::Value value, absl::Span<const int64_t> axes) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return Add(ir::ReduceMeanOp(), {value, Ints(axes)}, std::move(attributes));
}

ir::Value GraphBuilder::Sum(ir::Value value, absl::Span<const int64_t> axes) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return Add(ir::ReduceSumOp(), {value, Ints(axes)}, std::move(attributes));
}

}  // namespace burin::onnx
