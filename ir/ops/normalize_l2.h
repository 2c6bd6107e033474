// The attributes of NormalizeL2. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_NORMALIZE_L2_H_
#define BURIN_IR_OPS_NORMALIZE_L2_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin::ir {

// Says how epsilon keeps the sum of squares away from zero.
enum class NormalizeL2EpsMode : uint8_t {
  kAdd,  // sum + eps
  kMax,  // max(sum, eps)
};

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::NormalizeL2EpsMode> {
  static constexpr EnumEntry<ir::NormalizeL2EpsMode> kEntries[] = {{ir::NormalizeL2EpsMode::kAdd, "add"},
                                                                   {ir::NormalizeL2EpsMode::kMax, "max"}};
};

}  // namespace burin

namespace burin::ir {

struct NormalizeL2Attributes final : AttributesOf<NormalizeL2Attributes> {
  double eps = 1e-9;  // Not negative.
  NormalizeL2EpsMode eps_mode = NormalizeL2EpsMode::kAdd;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("eps", eps);
    visitor.Visit("eps_mode", eps_mode);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_NORMALIZE_L2_H_
