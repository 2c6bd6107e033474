// The attributes of Convert, and the conversion itself, for operations that convert: the operation is ConvertOp() of
// ir/ops/ops.h.
//
// For conversions of whole tensors by definition; kernels convert with vector instructions. Stateless but for the plain
// attribute struct; thread-safe.
#ifndef BURIN_IR_OPS_CONVERT_H_
#define BURIN_IR_OPS_CONVERT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/float_conversion.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/reference_context.h"

namespace burin {
namespace ir {

struct ConvertAttributes final : AttributesOf<ConvertAttributes> {
  ElementType destination_type = ElementType::kUndefined;  // Required.
  // For f8 destinations, as in ONNX's Cast: whether numbers too large become the largest one, or infinity or NaN.
  bool saturate = true;
  // For f8e8m0 destinations: where a number between two powers of two goes.
  PowerOfTwoRounding round_mode = PowerOfTwoRounding::kUp;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("destination_type", destination_type);
    visitor.Visit("saturate", saturate);
    visitor.Visit("round_mode", round_mode);
  }
};

// Sets output 0 to the shape of input 0 and type `destination`, with what is known of its elements. InvalidArgument,
// beginning with `label`, where either type is none that has numbers.
absl::Status InferConversion(InferContext& context, absl::string_view label, ElementType destination);

// Converts the elements of input 0 to the type of output 0. convert.cc states the rules.
absl::Status ConvertElements(ReferenceContext& context, bool saturate, PowerOfTwoRounding round_mode);

}  // namespace ir

template <>
struct EnumNames<PowerOfTwoRounding> {
  static constexpr EnumEntry<PowerOfTwoRounding> kEntries[] = {
      {PowerOfTwoRounding::kUp, "up"},
      {PowerOfTwoRounding::kDown, "down"},
      {PowerOfTwoRounding::kNearest, "nearest"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_CONVERT_H_
