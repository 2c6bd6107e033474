// Convert: x in another type.
//
//   to a float type   rounds once, to nearest, halves to even. f16, bf16, f32 and f64 overflow to infinity; f4e2m1 goes
//                     to its largest number, the f8 types as `saturate` says; f8e8m0 rounds as `round_mode` says.
//   float to integer  truncates towards zero; saturates at the range of the type; NaN gives 0. The types of 2 and 4
//                     bits wrap instead, as integers do: so say the expected results of ONNX's backend tests.
//   integer to integer  wraps modulo 2^bits.
//   to boolean        true for all but zero.
//   boolean to any    1 or 0.
//
// Input 0: any shape. Output 0: the input's shape, type `destination_type`.
//   Convert_c1: neither type is string, and `destination_type` is set.
#include "ir/ops/convert.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns `value` as a double, rounded once.
struct Exact {
  template <class T>
  double operator()(T value) const {
    return static_cast<double>(value);
  }
};

// Returns a double that rounds to any narrower format as the 64-bit integer `value` itself does: what does not fit into
// 53 bits is cut off, and the last bit set in its stead, which keeps the double off the ties of the narrower format.
struct RoundedToOdd {
  double operator()(double value) const { return value; }
  double operator()(int64_t value) const {
    if (value >= 0) return (*this)(static_cast<uint64_t>(value));
    return -(*this)(uint64_t{0} - static_cast<uint64_t>(value));
  }
  double operator()(uint64_t value) const {
    if (value >> 53 == 0) return static_cast<double>(value);
    const uint64_t sticky = (value & 0x7FF) != 0 ? 1 : 0;
    return static_cast<double>((value >> 11) | sticky) * 2048;
  }
};

// Computes output = function(input) as doubles, whatever the type of the input.
template <class Function>
absl::Status MapToDouble(ReferenceContext& context, const Function& function) {
  switch (DomainOf(context.input(0).element_type())) {
    case Domain::kReal:
      return MapUnary<double, double>(context, function);
    case Domain::kSigned:
      return MapUnary<int64_t, double>(context, function);
    case Domain::kUnsigned:
      break;
  }
  return MapUnary<uint64_t, double>(context, function);
}

uint8_t EncodeF8(ElementType type, double value, Overflow overflow, PowerOfTwoRounding round_mode) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return EncodeF8E4M3FN(value, overflow);
    case ElementType::kF8E4M3FNUZ:
      return EncodeF8E4M3FNUZ(value, overflow);
    case ElementType::kF8E5M2:
      return EncodeF8E5M2(value, overflow);
    case ElementType::kF8E5M2FNUZ:
      return EncodeF8E5M2FNUZ(value, overflow);
    default:
      return EncodeF8E8M0(value, overflow, round_mode);
  }
}

// Writes the codes of an 8-bit float type, whose rounding depends on attributes.
absl::Status ConvertToF8(ReferenceContext& context, Overflow overflow, PowerOfTwoRounding round_mode) {
  const Tensor& output = context.output(0);
  uint8_t* codes = output.mutable_data_as<uint8_t>();
  // The blocks come in order, each element once; each is stored by the type's own rule before this overwrites it.
  std::vector<uint8_t> result;
  result.reserve(static_cast<size_t>(output.element_count()));
  BURIN_RETURN_IF_ERROR(MapToDouble(context, [&](auto x) {
    const double value = RoundedToOdd()(x);
    result.push_back(EncodeF8(output.element_type(), value, overflow, round_mode));
    return value;
  }));
  std::copy(result.begin(), result.end(), codes);
  return absl::OkStatus();
}

absl::Status InferConvert(InferContext& context) {
  return InferConversion(context, "Convert_c1", context.attributes<ConvertAttributes>().destination_type);
}

absl::Status ReferenceConvert(ReferenceContext& context) {
  const ConvertAttributes& attributes = context.attributes<ConvertAttributes>();
  return ConvertElements(context, attributes.saturate, attributes.round_mode);
}

}  // namespace

absl::Status InferConversion(InferContext& context, absl::string_view label, ElementType destination) {
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, label, 0, TypeClass::kAny));
  if (BitWidth(destination) == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(label, ": destination must be a type of numbers or boolean; got ", Name(destination)));
  }
  context.SetOutput(0, destination, context.input_shape(0));
  const ElementType source = context.input_type(0);
  if (!IsInteger(source) || !IsInteger(destination)) return absl::OkStatus();
  PartialValue values;
  if (ForEachContent(context, context.output(0).shape, {0}, [&](int64_t, absl::Span<const Dimension> elements) {
        values.push_back(FitContent(destination, FitContent(source, elements[0])));
      })) {
    context.SetContent(0, std::move(values));
  }
  return absl::OkStatus();
}

absl::Status ConvertElements(ReferenceContext& context, bool saturate, PowerOfTwoRounding round_mode) {
  const ElementType source = context.input(0).element_type();
  const ElementType destination = context.output_type(0);
  if (!IsFloat(destination)) {
    if (IsFloat(source) && IsPacked(destination)) {
      return MapUnary<double, int64_t>(context, [](double x) { return LoadAsInt64(ElementType::kF64, &x, 0); });
    }
    if (IsFloat(source)) return MapUnary<double, double>(context, Exact());
    // Signed or not makes no difference to bits, which wrap.
    return MapUnary<int64_t, int64_t>(context, [](int64_t x) { return x; });
  }
  if (BitWidth(destination) == 8 && (!saturate || destination == ElementType::kF8E8M0)) {
    return ConvertToF8(context, saturate ? Overflow::kSaturate : Overflow::kNonFinite, round_mode);
  }
  return destination == ElementType::kF64 ? MapToDouble(context, Exact()) : MapToDouble(context, RoundedToOdd());
}

const OpDef& ConvertOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kConvert, "Convert", "opset1");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<ConvertAttributes>;
    d.tolerance = ToleranceClass::kRounded;
    d.infer = &InferConvert;
    d.reference = &ReferenceConvert;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
