#include "snippets/decompose/formula.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/ops/convert.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::snippets {
namespace {

using ir::Value;

ElementType ComputingType(ElementType type) {
  return IsFloat(type) && type != ElementType::kF64 ? ElementType::kF32 : type;
}

// Returns a tensor of a few elements.
ir::Tensor SmallTensor(ElementType type, const ir::Shape& shape) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(type, shape);
  BURIN_CHECK(tensor.ok()) << "no memory for a few numbers";
  return *std::move(tensor);
}

}  // namespace

Formula::Formula(const ir::Model& model, const ir::Node& node)
    : node_(node), node_type_(model.info(node.input(0)).type), type_(ComputingType(node_type_)), patch_(model) {}

Value Formula::Input(int64_t i) { return Widen(node_.input(i)); }

Value Formula::Widen(Value value) { return Convert(value, node_type_, type_); }

Value Formula::Convert(Value value, ElementType from, ElementType to) {
  if (from == to) return value;
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = to;
  return Apply(ir::ConvertOp(), {value}, std::move(attributes));
}

Value Formula::Number(double value) {
  for (const auto& [number, constant] : numbers_) {
    if (number == value && std::signbit(number) == std::signbit(value)) return constant;
  }
  ir::Tensor tensor = SmallTensor(type_, {});
  StoreFromDouble(type_, tensor.mutable_data(), 0, value);
  numbers_.emplace_back(value, patch_.AddConstant(std::move(tensor)));
  return numbers_.back().second;
}

Value Formula::Epsilon(double epsilon) {
  const bool vanishes = type_ == ElementType::kF32 && epsilon > 0;
  return Number(vanishes ? std::max<double>(epsilon, std::numeric_limits<float>::min()) : epsilon);
}

Value Formula::Integers(absl::Span<const int64_t> values) {
  for (const auto& [list, constant] : lists_) {
    if (absl::MakeConstSpan(list) == values) return constant;
  }
  ir::Tensor tensor = SmallTensor(ElementType::kI64, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) {
    StoreFromInt64(ElementType::kI64, tensor.mutable_data(), static_cast<int64_t>(i), values[i]);
  }
  lists_.emplace_back(std::vector<int64_t>(values.begin(), values.end()), patch_.AddConstant(std::move(tensor)));
  return lists_.back().second;
}

Value Formula::Apply(const ir::OpDef& op, std::vector<Value> inputs, std::unique_ptr<ir::Attributes> attributes) {
  return patch_.Add(op, std::move(inputs), std::move(attributes));
}

Value Formula::Reduce(const ir::OpDef& op, Value value, absl::Span<const int64_t> axes) {
  if (axes.empty()) return value;
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return Apply(op, {value, Integers(axes)}, std::move(attributes));
}

Value Formula::Squeeze(Value value, absl::Span<const int64_t> axes) {
  return axes.empty() ? value : Apply(ir::SqueezeOp(), {value, Integers(axes)});
}

Value Formula::Unsqueeze(Value value, absl::Span<const int64_t> axes) {
  return axes.empty() ? value : Apply(ir::UnsqueezeOp(), {value, Integers(axes)});
}

ir::Patch Formula::ReplaceWith(Value value) && { return std::move(*this).ReplaceWithFinished(Narrow(value)); }

ir::Patch Formula::ReplaceWithFinished(Value value) && {
  patch_.Replace(Value{node_.id(), 0}, value);
  return std::move(patch_);
}

ir::Patch Formula::RewireTo(absl::Span<const ir::Use> uses, Value value) && {
  for (const ir::Use& use : uses) patch_.SetInput(use, value);
  return std::move(patch_);
}

}  // namespace burin::snippets
