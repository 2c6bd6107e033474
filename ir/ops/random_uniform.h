// The attributes of RandomUniform. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_RANDOM_UNIFORM_H_
#define BURIN_IR_OPS_RANDOM_UNIFORM_H_

#include <cstdint>

#include "base/element_type.h"
#include "ir/attributes.h"

namespace burin::ir {

struct RandomUniformAttributes final : AttributesOf<RandomUniformAttributes> {
  using AttributesOf::VisitAttributes;
  ElementType output_type = ElementType::kF32;  // f16, bf16, f32 or f64.
  int64_t seed = 0;                             // Names the stream of numbers; streams are independent of each other.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("output_type", output_type);
    visitor.Visit("seed", seed);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_RANDOM_UNIFORM_H_
