#include "ir/infer_context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

// Returns all values that an integer type holds.
Dimension RangeOf(ElementType type) {
  const int bits = BitWidth(type);
  if (bits == 64) return Dimension::AnyValue();  // u64 travels as the same bits in int64_t.
  if (IsUnsignedInteger(type)) return Dimension(0, (int64_t{1} << bits) - 1);
  return Dimension(-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
}

// Returns all elements; nullopt where there is no memory for a dense copy.
std::optional<std::vector<int64_t>> ElementsOf(const Tensor& tensor) {
  const absl::StatusOr<Tensor> dense = tensor.ToDense();
  if (!dense.ok()) return std::nullopt;
  std::vector<int64_t> elements(static_cast<size_t>(tensor.element_count()));
  LoadRangeAsInt64(dense->element_type(), dense->data(), 0, dense->element_count(), elements.data());
  return elements;
}

double Elements(const ValueInfo& info) {
  if (info.shape.is_dynamic()) return 0;
  double count = 1;
  for (const Dimension& dim : info.shape.dims()) count *= static_cast<double>(dim.value());
  return count;
}

double Bytes(const ValueInfo& info) { return Elements(info) * BitWidth(info.type) / 8; }

}  // namespace

bool operator==(const ValueInfo& a, const ValueInfo& b) {
  return a.type == b.type && a.shape == b.shape && a.content == b.content && BitwiseEqual(a.constant, b.constant);
}

InferContext::InferContext(const Attributes& attributes, absl::Span<const ValueInfo* const> inputs,
                           int32_t output_count, absl::Span<const std::unique_ptr<Model>> bodies)
    : attributes_(attributes),
      inputs_(inputs.begin(), inputs.end()),
      outputs_(static_cast<size_t>(std::max(output_count, 0))),
      bodies_(bodies) {}

std::optional<std::vector<int64_t>> InferContext::ConstantInts(int64_t i) const {
  if (!has_input(i) || !IsInteger(input_type(i))) return std::nullopt;
  if (const Tensor* tensor = constant(i)) return ElementsOf(*tensor);
  if (!input(i).content.has_value()) return std::nullopt;
  std::vector<int64_t> values;
  values.reserve(input(i).content->size());
  for (const Dimension& element : *input(i).content) {
    if (element.is_dynamic()) return std::nullopt;
    values.push_back(element.value());
  }
  return values;
}

std::optional<PartialValue> InferContext::Content(int64_t i) const {
  if (!has_input(i) || !IsInteger(input_type(i))) return std::nullopt;
  if (input(i).content.has_value()) return input(i).content;
  const PartialShape& shape = input_shape(i);
  if (shape.is_dynamic() || shape.rank() > 1) return std::nullopt;
  const int64_t count = shape.rank() == 0 ? 1 : shape[0].value();
  if (count > kMaxPropagatedElements) return std::nullopt;
  if (const Tensor* tensor = constant(i)) {
    const std::optional<std::vector<int64_t>> elements = ElementsOf(*tensor);
    if (elements.has_value()) return PartialValue(elements->begin(), elements->end());
  }
  return PartialValue(static_cast<size_t>(count), RangeOf(input_type(i)));
}

void InferContext::SetOutput(int64_t i, ElementType type, PartialShape shape) {
  BURIN_CHECK(0 <= i && i < output_count()) << "output " << i;
  output(i).type = type;
  output(i).shape = std::move(shape);
}

void InferContext::SetContent(int64_t i, PartialValue content) {
  BURIN_CHECK(0 <= i && i < output_count()) << "output " << i;
  const PartialShape& shape = output(i).shape;
  const int64_t count = static_cast<int64_t>(content.size());
  if (!IsInteger(output(i).type) || count > kMaxPropagatedElements || (shape.has_rank() && shape.rank() > 1)) return;
  BURIN_CHECK(shape.ElementCount().Contains(count)) << count << " elements for shape " << shape.ToString();
  output(i).content = std::move(content);
}

void InferContext::SetConstant(int64_t i, Tensor value) {
  BURIN_CHECK(0 <= i && i < output_count()) << "output " << i;
  BURIN_CHECK(value.has_value() && value.element_type() == output(i).type && output(i).shape.Accepts(value.shape()))
      << "constant " << value.ToString(0) << " for " << output(i).type << output(i).shape.ToString();
  output(i).constant = std::move(value);
}

absl::StatusOr<ElementType> InferContext::SameType(absl::string_view label, int64_t first, int64_t last) const {
  ElementType type = ElementType::kUndefined;
  for (int64_t i = first; i <= std::min(last, input_count() - 1); ++i) {
    if (!has_input(i) || input_type(i) == ElementType::kUndefined) continue;
    if (type == ElementType::kUndefined) type = input_type(i);
    if (type != input_type(i)) {
      return absl::InvalidArgumentError(absl::StrCat(label, ": inputs differ in element type; first: ", Name(type),
                                                     ", input ", i, ": ", Name(input_type(i))));
    }
  }
  return type;
}

absl::Status InferContext::RequireIntegerType(absl::string_view label, int64_t input) const {
  if (!has_input(input) || input_type(input) == ElementType::kUndefined || IsInteger(input_type(input))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(label, ": input ", input, " must be of an integer type; got: ", Name(input_type(input))));
}

absl::Status InferContext::RequireFloatType(absl::string_view label, int64_t input) const {
  if (!has_input(input) || input_type(input) == ElementType::kUndefined || IsFloat(input_type(input))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(label, ": input ", input, " must be of a floating-point type; got: ", Name(input_type(input))));
}

absl::Status InferContext::RequireType(absl::string_view label, int64_t input, ElementType type) const {
  if (!has_input(input) || input_type(input) == ElementType::kUndefined || input_type(input) == type) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(label, ": input ", input, " must be of type ", Name(type), "; got: ", Name(input_type(input))));
}

absl::Status InferContext::RequireRank(absl::string_view label, int64_t input, int64_t rank) const {
  if (!has_input(input) || !input_shape(input).has_rank() || input_shape(input).rank() == rank) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(label, ": input ", input, " must have rank ", rank, "; got: ", input_shape(input).ToString()));
}

absl::Status InferContext::RequireRankBetween(absl::string_view label, int64_t input, int64_t min, int64_t max) const {
  if (!has_input(input) || !input_shape(input).has_rank()) return absl::OkStatus();
  if (min <= input_shape(input).rank() && input_shape(input).rank() <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(label, ": input ", input, " must have a rank from ", min, " to ", max,
                                                 "; got: ", input_shape(input).ToString()));
}

double CostContext::InputElements(int64_t i) const { return has_input(i) ? Elements(input(i)) : 0; }

double CostContext::OutputElements(int64_t i) const { return Elements(output(i)); }

double CostContext::InputBytes() const {
  double bytes = 0;
  for (const ValueInfo* input : inputs_) bytes += input != nullptr ? Bytes(*input) : 0;
  return bytes;
}

double CostContext::OutputBytes() const {
  double bytes = 0;
  for (const ValueInfo& output : outputs_) bytes += Bytes(output);
  return bytes;
}

}  // namespace burin::ir
