#include "transformations/fuzz/growing_graph.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/dimension.h"
#include "ir/evaluator.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "transformations/fuzz/node_evaluation.h"
#include "transformations/random_inputs_testlib.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Tensor;
using ir::Value;

// What flows stays small: the reference is slow, and a long tensor finds no more than a short one.
constexpr int64_t kMaxElements = 400;
constexpr int64_t kMaxFuzzRank = 6;

Tensor NewTensor(ElementType type, const Shape& shape) {
  absl::StatusOr<Tensor> tensor = Tensor::CreateZeroed(type, shape);
  BURIN_CHECK_OK(tensor);
  return *std::move(tensor);
}

bool Matches(ElementType type, Types types) {
  switch (types) {
    case Types::kAny:
      return true;
    case Types::kNumeric:
      return type != ElementType::kBoolean;
    case Types::kFloat:
      return IsFloat(type);
    case Types::kInteger:
      return IsInteger(type);
    case Types::kBoolean:
      return type == ElementType::kBoolean;
    case Types::kIndex:
      return type == ElementType::kI32 || type == ElementType::kI64;
  }
  return false;
}

}  // namespace

GrowingGraph::GrowingGraph(std::mt19937_64& random, absl::Span<const Grower> growers, const GraphStyle& style,
                           int depth)
    : random_(random), growers_(growers), style_(style), depth_(depth), model_(std::make_unique<ir::Model>("fuzz")) {
  for (int i = 0; i < 3; ++i) sizes_.push_back(Between(1, 5));
  sizes_.push_back(1);
  nothing_ = NewTensor(ElementType::kF32, {});
}

int64_t GrowingGraph::Below(int64_t limit) {
  return limit <= 1 ? 0 : static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
}

ElementType GrowingGraph::AnyType(Types types) {
  if (types == Types::kBoolean) return ElementType::kBoolean;
  if (types == Types::kIndex) return AnyOf({ElementType::kI64, ElementType::kI64, ElementType::kI32});
  const bool narrow = style_.float_type != ElementType::kUndefined;
  if (types == Types::kFloat && narrow) return style_.float_type;
  for (;;) {
    ElementType type = AnyOf({ElementType::kF32, ElementType::kF32, ElementType::kF16, ElementType::kBf16,
                              ElementType::kF64, ElementType::kI32, ElementType::kI64, ElementType::kBoolean});
    if (OneIn(3)) type = kAllElementTypes[Below(std::size(kAllElementTypes))];
    if (type == ElementType::kString) continue;
    if (narrow && IsFloat(type)) type = style_.float_type;
    if (Matches(type, types)) return type;
  }
}

int64_t GrowingGraph::AnySize() {
  if (OneIn(60)) return 0;
  return sizes_[static_cast<size_t>(Below(static_cast<int64_t>(sizes_.size())))];
}

Shape GrowingGraph::AnyShape(int64_t min_rank, int64_t max_rank) {
  Shape shape(static_cast<size_t>(Between(min_rank, max_rank)));
  for (int64_t& size : shape) size = AnySize();
  return shape;
}

int64_t GrowingGraph::AnyAxis(int64_t rank) {
  const int64_t axis = Below(rank);
  return OneIn(3) ? axis - rank : axis;
}

std::vector<int64_t> GrowingGraph::AnyAxes(int64_t rank, int64_t least) {
  std::vector<int64_t> axes = AnyOrder(rank);
  axes.resize(static_cast<size_t>(std::min(rank, Between(least, std::max(rank, least)))));
  if (OneIn(2)) std::sort(axes.begin(), axes.end());
  return axes;
}

std::vector<int64_t> GrowingGraph::AnyOrder(int64_t rank) {
  std::vector<int64_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  return order;
}

// ---- Sources ----

ir::Dimension GrowingGraph::AnyDimensionFor(int64_t size) {
  switch (Below(8)) {
    case 0:
      return ir::Dimension();
    case 1:
      return ir::Dimension::Symbol(absl::StrCat("size", size));
    case 2:
      return ir::Dimension(std::max(int64_t{0}, size - Below(2)), size + Below(3));
    default:
      return ir::Dimension(size);
  }
}

Value GrowingGraph::Parameter(ElementType type, const Shape& shape) {
  ir::PartialShape declared = shape;
  if (OneIn(2)) {
    for (int64_t i = 0; i < declared.rank(); ++i) declared[i] = AnyDimensionFor(declared[i].value());
  }
  if (OneIn(16)) declared = ir::PartialShape::DynamicRank();
  return Parameter(std::move(declared), AnyTensor(type, shape));
}

Value GrowingGraph::Parameter(ir::PartialShape declared, Tensor witness) {
  const absl::StatusOr<Value> value = model_->AddParameter("input", witness.element_type(), std::move(declared));
  BURIN_CHECK_OK(value);
  Keep(*value, std::move(witness));
  return *value;
}

Value GrowingGraph::Constant(Tensor tensor) {
  const absl::StatusOr<Value> value = model_->AddConstant(tensor);
  BURIN_CHECK_OK(value);
  Keep(*value, std::move(tensor));
  return *value;
}

Value GrowingGraph::Constant(ElementType type, const Shape& shape) { return Constant(AnyTensor(type, shape)); }

Value GrowingGraph::Filled(ElementType type, const Shape& shape, double value) {
  const Tensor tensor = NewTensor(type, shape);
  for (int64_t i = 0; i < tensor.element_count(); ++i) StoreFromDouble(type, tensor.mutable_data(), i, value);
  return Constant(tensor);
}

Value GrowingGraph::PlainInts(const std::vector<int64_t>& values, ElementType type) {
  const Tensor tensor = NewTensor(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) {
    StoreFromInt64(type, tensor.mutable_data(), static_cast<int64_t>(i), values[i]);
  }
  return Constant(tensor);
}

Value GrowingGraph::PlainInt(int64_t value, ElementType type) {
  const Tensor tensor = NewTensor(type, {});
  StoreFromInt64(type, tensor.mutable_data(), 0, value);
  return Constant(tensor);
}

Value GrowingGraph::Ints(const std::vector<int64_t>& values) {
  const ElementType type = AnyType(Types::kIndex);
  const ElementType other = type == ElementType::kI64 ? ElementType::kI32 : ElementType::kI64;
  switch (Below(16)) {
    case 0:
      return Add("Convert", {PlainInts(values, other)}, {{"destination_type", type}});
    case 1:
      return Add("Subtract", {PlainInts(values, type), PlainInt(0, type)});
    case 2: {
      const int64_t middle = Below(static_cast<int64_t>(values.size()) + 1);
      return Add("Concat", {PlainInts({values.begin(), values.begin() + middle}, type),
                            PlainInts({values.begin() + middle, values.end()}, type)});
    }
    case 3: {
      // An input that decides on shapes or places.
      const Value plain = PlainInts(values, type);
      const Value parameter = Parameter(ShapeOf(plain), Witness(plain));
      fixed_.insert(parameter.node);
      return parameter;
    }
    default:
      return PlainInts(values, type);
  }
}

Value GrowingGraph::Int(int64_t value) {
  if (OneIn(8)) {
    const Value list = Ints({value});
    return OneIn(2) ? Add("Squeeze", {list}) : list;
  }
  return PlainInt(value, AnyType(Types::kIndex));
}

// ---- Values that are there, or made where there is none ----

Value GrowingGraph::Pick(Types types, int64_t min_rank, int64_t max_rank) {
  const int64_t count = static_cast<int64_t>(values_.size());
  for (int attempt = 0; count > 0 && attempt < 24; ++attempt) {
    const int64_t recent = std::min<int64_t>(count, 12);
    const int64_t place = OneIn(2) ? Below(count) : count - 1 - Below(recent);
    const Value value = values_[static_cast<size_t>(place)];
    const int64_t rank = RankOf(value);
    if (rank >= min_rank && rank <= max_rank && Matches(TypeOf(value), types)) return value;
  }
  const ElementType type = AnyType(types);
  const Shape shape = AnyShape(min_rank, std::min<int64_t>(max_rank, std::max<int64_t>(min_rank, 4)));
  return OneIn(4) ? Constant(type, shape) : Parameter(type, shape);
}

Value GrowingGraph::Like(ElementType type, const Shape& shape) {
  const int64_t count = static_cast<int64_t>(values_.size());
  for (int attempt = 0; count > 0 && attempt < 24; ++attempt) {
    const Value value = values_[static_cast<size_t>(Below(count))];
    if (TypeOf(value) == type && ShapeOf(value) == shape) return value;
  }
  return OneIn(2) ? Constant(type, shape) : Parameter(type, shape);
}

Value GrowingGraph::Operand(Value value) {
  if (!value.exists()) return value;
  const ElementType type = TypeOf(value);
  Shape shape = ShapeOf(value);
  switch (Below(8)) {
    case 0:
      return Scalar(type, static_cast<double>(Between(-2, 4)));
    case 1:
      return Constant(type, {});
    case 2:
      return Like(type, shape);
    case 3:
      if (shape.size() < 4) shape.insert(shape.begin(), AnySize());
      break;
    default:
      break;
  }
  for (int64_t& size : shape) {
    if (OneIn(3)) size = 1;
  }
  while (!shape.empty() && OneIn(3)) shape.erase(shape.begin());
  return OneIn(3) ? Like(type, shape) : Constant(type, shape);
}

Value GrowingGraph::Weights(ElementType type, const Shape& shape) {
  if (style_.float_type != ElementType::kUndefined || !OneIn(4)) {
    return OneIn(10) ? Parameter(type, shape) : Constant(type, shape);
  }
  const ElementType stored =
      AnyOf({ElementType::kI8, ElementType::kU8, ElementType::kF16, ElementType::kI4, ElementType::kBf16});
  Value weights = Add("Convert", {Constant(stored, shape)}, {{"destination_type", type}});
  Shape scales = shape;
  for (size_t i = 1; i < scales.size(); ++i) scales[i] = 1;
  if (OneIn(2)) weights = Add("Subtract", {weights, Filled(type, OneIn(2) ? Shape{} : scales, 3)});
  if (OneIn(2)) weights = Add("Multiply", {weights, Constant(type, scales)});
  return weights;
}

// ---- Nodes ----

Value GrowingGraph::Add(absl::string_view op, const std::vector<Value>& inputs,
                        const std::vector<AttributeValue>& attributes) {
  const std::vector<Value> outputs = AddAll(op, inputs, attributes);
  return outputs.empty() ? Value::None() : outputs[0];
}

std::vector<Value> GrowingGraph::AddAll(absl::string_view op, const std::vector<Value>& inputs,
                                        const std::vector<AttributeValue>& attributes,
                                        std::vector<std::unique_ptr<ir::Model>> bodies) {
  ir::NodeSpec spec;
  spec.op = ir::FindOp(op);
  BURIN_CHECK(spec.op != nullptr) << "there is no op " << op;
  spec.attributes = MakeAttributesOf(*spec.op, attributes);
  std::vector<Tensor> witnesses;
  for (const Value input : inputs) {
    if (!input.exists()) return {};
    witnesses.push_back(Witness(input));
  }
  spec.inputs = inputs;
  spec.bodies = std::move(bodies);
  const absl::StatusOr<ir::NodeId> id = model_->AddNode(std::move(spec));
  if (!id.ok()) return {};
  ir::MapVariableStore variables;
  const absl::StatusOr<std::vector<Tensor>> outputs = EvaluateNode(model_->node(*id), witnesses, &variables);
  if (!outputs.ok() ||
      !std::all_of(outputs->begin(), outputs->end(), [this](const Tensor& output) { return IsTame(output); })) {
    model_->RemoveNode(*id);
    return {};
  }
  std::vector<Value> values;
  for (size_t i = 0; i < outputs->size(); ++i) {
    values.push_back(Value{*id, static_cast<int32_t>(i)});
    Keep(values.back(), (*outputs)[i]);
  }
  return values;
}

void GrowingGraph::AddVariable(const std::string& id) {
  BURIN_CHECK_OK(model_->AddVariable(ir::Variable{id, ElementType::kUndefined, ir::PartialShape::DynamicRank()}));
}

void GrowingGraph::Grow(int count) {
  int64_t total = 0;
  for (const Grower& grower : growers_) total += grower.weight;
  for (; count > 0; --count) {
    int64_t place = Below(total);
    for (const Grower& grower : growers_) {
      place -= grower.weight;
      if (place >= 0) continue;
      grower.grow(*this);
      break;
    }
  }
}

bool GrowingGraph::IsTame(const Tensor& tensor) const {
  if (tensor.element_count() > kMaxElements || tensor.shape().size() > kMaxFuzzRank) return false;
  if (style_.largest_magnitude <= 0 || !IsFloat(tensor.element_type())) return true;
  const absl::StatusOr<Tensor> dense = tensor.ToDense();
  if (!dense.ok()) return false;
  for (int64_t i = 0; i < dense->element_count(); ++i) {
    if (!(std::fabs(LoadAsDouble(dense->element_type(), dense->data(), i)) <= style_.largest_magnitude)) return false;
  }
  return true;
}

void GrowingGraph::Keep(Value value, Tensor witness) {
  witnesses_[value] = std::move(witness);
  values_.push_back(value);
}

// ---- What is known of a value ----

Tensor GrowingGraph::Witness(Value value) const {
  const auto it = witnesses_.find(value);
  return it != witnesses_.end() ? it->second : nothing_;
}

int64_t GrowingGraph::SizeOf(Value value, int64_t axis) const {
  const int64_t rank = RankOf(value);
  if (axis < 0) axis += rank;
  return axis >= 0 && axis < rank ? ShapeOf(value)[static_cast<size_t>(axis)] : 1;
}

// ---- The end ----

void GrowingGraph::AddResult(Value value) {
  if (value.exists()) BURIN_CHECK_OK(model_->AddResult(value, "result"));
}

void GrowingGraph::AddResults() {
  const std::vector<Value> values = values_;
  for (const Value value : values) {
    const ir::OpCode code = model_->node(value.node).code();
    if (code == ir::OpCode::kAssign) continue;
    const bool source = code == ir::OpCode::kParameter || code == ir::OpCode::kConstant;
    if (source ? OneIn(60) : OneIn(model_->UsesOf(value).empty() ? 2 : 12)) AddResult(value);
  }
  if (model_->results().empty()) AddResult(values.empty() ? Constant(ElementType::kF32, {}) : values.back());
}

std::vector<Tensor> GrowingGraph::ParameterWitnesses() const {
  std::vector<Tensor> witnesses;
  for (const ir::NodeId id : model_->parameters()) witnesses.push_back(Witness(Value{id, 0}));
  return witnesses;
}

std::vector<Tensor> GrowingGraph::OtherInputs(bool special_floats) const {
  RandomInputOptions options;
  options.special_floats = special_floats;
  std::vector<Tensor> inputs;
  for (const ir::NodeId id : model_->parameters()) {
    const Tensor witness = Witness(Value{id, 0});
    const bool fixed = fixed_.contains(id);
    inputs.push_back(fixed ? witness : RandomTensorOf(random_, witness.element_type(), witness.shape(), options));
  }
  return inputs;
}

Tensor GrowingGraph::AnyTensor(ElementType type, const Shape& shape) const {
  RandomInputOptions options;
  options.special_floats = style_.largest_magnitude <= 0 && random_() % 5 == 0;
  return RandomTensorOf(random_, type, shape, options);
}

}  // namespace burin::transformations
