#include "snippets/testing/body_draft.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/ops/clamp.h"
#include "ir/ops/convert.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::snippets {
namespace {

// A body has about so many parameters at most; more than there are registers for pointers.
constexpr size_t kManyParameters = 14;
// Of all results together: a kernel has 32 at most.
constexpr size_t kMostAxes = 28;
// Larger constants make texts long.
constexpr int64_t kLargestConstant = 128;

int64_t CountOf(const ir::Shape& shape) { return ir::ElementCount(shape).value(); }

}  // namespace

InputRange TypeRange(ElementType type) {
  switch (type) {
    case ElementType::kI8:
      return {-128, 127};
    case ElementType::kU8:
      return {0, 255};
    case ElementType::kI16:
      return {-32768, 32767};
    case ElementType::kU16:
      return {0, 65535};
    case ElementType::kI32:
      return {-2147483648.0, 2147483647.0};
    case ElementType::kI64:
      return {-0x1p63, 0x1p63};
    case ElementType::kBoolean:
      return {0, 1};
    default:
      return {-4, 4};
  }
}

BodyDraft::BodyDraft(ir::Shape space, Style style, uint64_t seed)
    : random_(seed),
      space_(std::move(space)),
      style_(style),
      fixed_(space_.size(), false),
      body_(std::make_unique<ir::Model>(absl::StrCat("seed_", seed))) {}

ir::Shape BodyDraft::RandomShape() {
  if (Chance(10)) return {};
  ir::Shape shape = space_;
  if (Chance(45)) return shape;
  const int ones = Chance(50) ? 30 : 60;
  for (int64_t& dim : shape) {
    if (Chance(ones)) dim = 1;
  }
  // Leading dimensions of extent 1 may be left out.
  while (!shape.empty() && shape.front() == 1 && Chance(60)) shape.erase(shape.begin());
  if (!shape.empty() && Chance(15))
    shape.erase(shape.begin(), shape.begin() + static_cast<int64_t>(Below(shape.size())));
  return shape;
}

DraftId BodyDraft::Operand(ElementType type) {
  std::vector<DraftId> unread;
  std::vector<DraftId> any;
  for (DraftId id = 0; id < values_.size(); ++id) {
    if (values_[id].type != type || values_[id].at_edge) continue;
    any.push_back(id);
    if (!values_[id].read) unread.push_back(id);
  }
  if (!unread.empty() && Chance(65)) return Pick<DraftId>(unread);
  if (!any.empty() && (Chance(50) || ranges_.size() >= kManyParameters)) return Pick<DraftId>(any);
  const InputRange range = TypeRange(type);
  return NewOperand(type, RandomShape(), range.low, range.high);
}

DraftId BodyDraft::WholeOperand(ElementType type) {
  std::vector<DraftId> whole;
  for (DraftId id = 0; id < values_.size(); ++id) {
    if (values_[id].type == type && values_[id].shape == space_ && !values_[id].at_edge) whole.push_back(id);
  }
  if (!whole.empty() && Chance(80)) return Pick<DraftId>(whole);
  const InputRange range = TypeRange(type);
  return Parameter(type, space_, range.low, range.high);
}

DraftId BodyDraft::NewOperand(ElementType type, const ir::Shape& shape, double low, double high, int fixed_axis) {
  if (Chance(20)) return Constant(type, Chance(60) ? ir::Shape{} : shape, low, high);
  if (fixed_axis >= 0) {
    fixed_[static_cast<size_t>(fixed_axis)] = true;
    return Add(PlainParameter(type, shape, low, high, std::vector<int>(shape.size(), -1)), low, high);
  }
  return Parameter(type, shape, low, high);
}

DraftId BodyDraft::NewParameter(ElementType type, double low, double high) {
  return Add(PlainParameter(type, space_, low, high, AxesOf(space_)), low, high);
}

DraftId BodyDraft::Fit(DraftId id, double low, double high) {
  const DraftValue& value = values_[id];
  if (value.low >= low && value.high <= high) return id;
  const ElementType type = value.type;
  if (IsFloat(type)) {
    auto clamp = std::make_unique<ir::ClampAttributes>();
    clamp->min = low;
    clamp->max = high;
    return Apply(ir::ClampOp(), {id}, std::max(low, value.low), std::min(high, value.high), std::move(clamp));
  }
  const double least = value.low;
  const DraftId below = Apply(ir::MinimumOp(), {id, Constant(type, {}, high, high)}, std::min(least, high), high);
  return Apply(ir::MaximumOp(), {below, Constant(type, {}, low, low)}, low, high);
}

DraftId BodyDraft::Constant(ElementType type, const ir::Shape& given, double low, double high) {
  const ir::Shape shape = CountOf(given) <= kLargestConstant && !style_.dynamic ? given : ir::Shape{};
  ir::Tensor tensor = ir::Tensor::Create(type, shape).value();
  std::uniform_real_distribution<double> uniform(low, high);
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double drawn = uniform(random_);
    StoreFromDouble(type, tensor.mutable_data(), i,
                    IsFloat(type) ? drawn : std::clamp(std::floor(drawn + 0.5), std::ceil(low), std::floor(high)));
  }
  // A float rounds to its type, which may lie outside.
  return Add(body_->AddConstant(std::move(tensor)).value(), low, high);
}

ir::Value BodyDraft::Integers(const std::vector<int64_t>& values) {
  const ElementType type = Chance(80) ? ElementType::kI64 : ElementType::kI32;
  ir::Tensor tensor = ir::Tensor::Create(type, {static_cast<int64_t>(values.size())}).value();
  StoreRangeFromInt64(type, tensor.mutable_data(), 0, static_cast<int64_t>(values.size()), values.data());
  return body_->AddConstant(std::move(tensor)).value();
}

std::vector<int> BodyDraft::AxesOf(const ir::Shape& shape) const {
  std::vector<int> axes(shape.size(), -1);
  const size_t offset = space_.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) axes[i] = static_cast<int>(offset + i);
  }
  return axes;
}

std::vector<std::vector<int>> BodyDraft::ParameterAxes() const {
  std::vector<std::vector<int>> all = axes_;
  for (std::vector<int>& axes : all) {
    for (int& axis : axes) {
      if (axis >= 0 && fixed_[static_cast<size_t>(axis)]) axis = -1;
    }
  }
  return all;
}

ir::Value BodyDraft::PlainParameter(ElementType type, const ir::Shape& shape, double low, double high,
                                    std::vector<int> axes) {
  ranges_.push_back({low, high, style_.special});
  axes_.push_back(std::move(axes));
  return body_->AddParameter(absl::StrCat("p", ranges_.size() - 1), type, ir::PartialShape(shape)).value();
}

DraftId BodyDraft::Parameter(ElementType type, const ir::Shape& shape, double low, double high) {
  if (shape.size() >= 2 && Chance(20)) {
    std::vector<int64_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    ir::Shape stored(shape.size());
    std::vector<int> axes(shape.size());
    for (size_t i = 0; i < shape.size(); ++i) {
      stored[static_cast<size_t>(order[i])] = shape[i];
      axes[static_cast<size_t>(order[i])] = AxesOf(shape)[i];
    }
    const ir::Value parameter = PlainParameter(type, stored, low, high, std::move(axes));
    return Add(AddNode(ir::TransposeOp(), {parameter, Integers(order)}), low, high);
  }
  if (!shape.empty() && !style_.dynamic && Chance(12)) {
    // Two neighbours merged, or dimensions of extent 1 elsewhere.
    ir::Shape stored = shape;
    const size_t at = Below(stored.size());
    if (at + 1 < stored.size()) {
      stored[at] *= stored[at + 1];
      stored.erase(stored.begin() + static_cast<int64_t>(at) + 1);
    } else {
      stored.insert(stored.begin() + static_cast<int64_t>(at), 1);
    }
    const ir::Value parameter = PlainParameter(type, stored, low, high, std::vector<int>(stored.size(), -1));
    return Add(AddNode(ir::ReshapeOp(), {parameter, Integers(shape)}), low, high);
  }
  return Add(PlainParameter(type, shape, low, high, AxesOf(shape)), low, high);
}

DraftId BodyDraft::Add(ir::Value value, double low, double high) {
  const ir::ValueInfo& info = body_->info(value);
  values_.push_back({value, info.type, info.shape.ToShape(), low, high});
  return values_.size() - 1;
}

ir::Value BodyDraft::AddNode(const ir::OpDef& op, std::vector<ir::Value> inputs,
                             std::unique_ptr<ir::Attributes> attributes) {
  const absl::StatusOr<ir::Value> value = body_->Add(op, std::move(inputs), std::move(attributes));
  BURIN_CHECK(value.ok()) << value.status().ToString();
  return *value;
}

DraftId BodyDraft::Apply(const ir::OpDef& op, absl::Span<const DraftId> inputs, double low, double high,
                         std::unique_ptr<ir::Attributes> attributes, absl::Span<const ir::Value> extra) {
  std::vector<ir::Value> values;
  for (const DraftId input : inputs) {
    values.push_back(values_[input].value);
    values_[input].read = true;
  }
  values.insert(values.end(), extra.begin(), extra.end());
  return Add(AddNode(op, std::move(values), std::move(attributes)), low, high);
}

void BodyDraft::Join(size_t most) {
  while (true) {
    std::vector<DraftId> loose;
    for (DraftId id = 0; id < values_.size(); ++id) {
      if (!values_[id].read && !values_[id].at_edge) loose.push_back(id);
    }
    if (loose.size() <= most) return;
    std::shuffle(loose.begin(), loose.end(), random_);
    DraftId a = loose[0];
    DraftId b = loose[1];
    if (values_[a].type != values_[b].type) {
      a = ToFloat(a);
      b = ToFloat(b);
    }
    const ElementType type = values_[a].type;
    if (type == ElementType::kBoolean) {
      Apply(ir::LogicalXorOp(), {a, b}, 0, 1);
    } else if (IsFloat(type)) {
      Apply(Chance(50) ? ir::AddOp() : ir::SubtractOp(), {Fit(a, -500, 500), Fit(b, -500, 500)}, -1000, 1000);
    } else {
      const InputRange range = TypeRange(type);
      Apply(ir::SubtractOp(), {a, b}, range.low, range.high);
    }
  }
}

DraftId BodyDraft::ToFloat(DraftId id) {
  if (values_[id].type == ElementType::kF32) return id;
  auto convert = std::make_unique<ir::ConvertAttributes>();
  convert->destination_type = ElementType::kF32;
  return Apply(ir::ConvertOp(), {id}, values_[id].low, values_[id].high, std::move(convert));
}

void BodyDraft::AddResult(DraftId id) {
  ir::Value value = values_[id].value;
  ir::Shape shape = values_[id].shape;
  if (shape.size() >= 2 && !values_[id].at_edge && Chance(15)) {
    std::vector<int64_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    value = AddNode(ir::TransposeOp(), {value, Integers(order)});
    shape = body_->info(value).shape.ToShape();
  }
  if (Chance(12)) value = AddNode(ir::ReshapeOp(), {value, Integers({CountOf(shape) == 0 ? 0 : -1})});
  BURIN_CHECK(body_->AddResult(value, absl::StrCat("r", id)).ok());
}

std::unique_ptr<ir::Model> BodyDraft::Finish(std::vector<InputRange>* ranges) {
  const size_t count = values_.size();
  // Results that have nothing to do with each other have axes of their own; the rest of them is dead.
  const size_t most = kMostAxes / std::max<size_t>(space_.size(), 1);
  for (DraftId id = count; id-- > 0 && body_->results().size() < most;) {
    if (!values_[id].read || (!values_[id].at_edge && Chance(8))) AddResult(id);
  }
  *ranges = std::move(ranges_);
  return std::move(body_);
}

}  // namespace burin::snippets
