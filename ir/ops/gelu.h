// The attributes of Gelu; the operation itself is GeluOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_GELU_H_
#define BURIN_IR_OPS_GELU_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

enum class GeluApproximation : uint8_t { kErf, kTanh };

struct GeluAttributes final : AttributesOf<GeluAttributes> {
  GeluApproximation approximation_mode = GeluApproximation::kErf;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("approximation_mode", approximation_mode); }
};

}  // namespace ir

// OpenVINO's files spell the names in either case.
template <>
struct EnumNames<ir::GeluApproximation> {
  static constexpr EnumEntry<ir::GeluApproximation> kEntries[] = {
      {ir::GeluApproximation::kErf, "erf"},
      {ir::GeluApproximation::kErf, "ERF"},
      {ir::GeluApproximation::kTanh, "tanh"},
      {ir::GeluApproximation::kTanh, "TANH"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_GELU_H_
