// The attributes of MVN. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_MVN_H_
#define BURIN_IR_OPS_MVN_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin::ir {

// Says where epsilon is added.
enum class MVNEpsMode : uint8_t {
  kInsideSqrt,   // sqrt(variance + eps)
  kOutsideSqrt,  // sqrt(variance) + eps
};

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::MVNEpsMode> {
  static constexpr EnumEntry<ir::MVNEpsMode> kEntries[] = {{ir::MVNEpsMode::kInsideSqrt, "inside_sqrt"},
                                                           {ir::MVNEpsMode::kOutsideSqrt, "outside_sqrt"}};
};

}  // namespace burin

namespace burin::ir {

struct MVNAttributes final : AttributesOf<MVNAttributes> {
  bool normalize_variance = true;
  double eps = 1e-9;  // Not negative.
  MVNEpsMode eps_mode = MVNEpsMode::kInsideSqrt;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("normalize_variance", normalize_variance);
    visitor.Visit("eps", eps);
    visitor.Visit("eps_mode", eps_mode);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_MVN_H_
