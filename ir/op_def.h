// What an operation is: schema, traits, shape and type inference, reference evaluation, cost and tolerance.
//
// Each operation is one `OpDef`, defined in one file under ir/ops and listed in ir/ops/ops.inc; nothing else in the
// system says what an operation means. Semantics are those of OpenVINO's operation sets (`opset` names the one whose
// specification is followed). OpDefs are immutable and live as long as the process.
#ifndef BURIN_IR_OP_DEF_H_
#define BURIN_IR_OP_DEF_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {

// Traits are facts about an operation that passes may rely on; a bit mask.
enum OpTraits : uint32_t {
  kNoTraits = 0,
  // Output element i depends on element i of each (broadcast) input alone.
  kElementwise = 1u << 0,
  // Swapping inputs 0 and 1 changes nothing.
  kCommutative = 1u << 1,
  // The output depends on the inputs' shapes and types alone.
  kShapeOnly = 1u << 2,
  // Has an effect or a source of values beyond its inputs (variables): never folded, merged or dropped.
  kImpure = 1u << 3,
  // Elements move but do not change: every output element is one of input 0's.
  kMovesData = 1u << 4,
  // The output's shape depends on the inputs' values even where all shapes are static.
  kDataDependentShape = 1u << 5,
};

// For OpDef::make_attributes.
template <class T>
std::unique_ptr<Attributes> MakeAttributes() {
  return std::make_unique<T>();
}

// Arithmetic work and memory traffic of one execution.
struct Cost {
  double flops = 0;  // Additions, multiplications and function evaluations, each counted as one.
  double bytes_read = 0;
  double bytes_written = 0;
};

enum class OpCode : uint16_t;  // ir/ops/op_code.h; generated from ops.inc.

// An op's file fills one in and returns it:
//
//   const OpDef& SoftmaxOp() {
//     static const OpDef op = [] {
//       OpDef d(OpCode::kSoftmax, "Softmax", "opset8");
//       d.make_attributes = &MakeAttributes<SoftmaxAttributes>;
//       d.infer = &InferSoftmax;
//       d.reference = &ReferenceSoftmax;
//       d.tolerance = ToleranceClass::kTranscendental;
//       return d;
//     }();
//     return op;
//   }
struct OpDef {
  OpDef(OpCode op_code, const char* op_name, const char* op_opset) : code(op_code), name(op_name), opset(op_opset) {}

  OpCode code;
  const char* name;   // "Softmax": unique, and the word in texts and files.
  const char* opset;  // "opset8": whose specification is followed; "internal" for Burin's own.

  // Inputs come in order; those from min_inputs on may be left out at the end. max_inputs < 0 means any number.
  int32_t min_inputs = 1;
  int32_t max_inputs = 1;
  // Outputs; negative: as many as the node has bodies' results or attributes ask for (set by `infer`).
  int32_t outputs = 1;
  // Bit i says that input i may be absent (`Value::None()`) although later inputs are present.
  uint64_t absent_inputs = 0;
  // Body graphs that a node of this op owns (If: 2, Loop: 1); negative: any number.
  int32_t bodies = 0;

  uint32_t traits = kNoTraits;

  // Creates default attributes; the concrete type is the op's own.
  std::unique_ptr<Attributes> (*make_attributes)() = &MakeAttributes<NoAttributes>;

  // Sets each output's type and shape, and its value where cheaply known, from what is known of the inputs.
  // InvalidArgument with the constraint's label where the inputs or attributes break the specification.
  // Must accept every degree of knowledge (dynamic rank included) and never guess.
  absl::Status (*infer)(InferContext& context) = nullptr;

  // Computes the outputs by the definition. Slow and obviously right.
  absl::Status (*reference)(ReferenceContext& context) = nullptr;

  // Returns the cost for the given inputs and outputs, whose shapes are static. Null: one flop per output element,
  // every input read once and every output written once.
  Cost (*cost)(const CostContext& context) = nullptr;

  // How far a faster implementation may be from the reference.
  ToleranceClass tolerance = ToleranceClass::kExact;

  bool Has(OpTraits trait) const { return (traits & trait) != 0; }
};

// Returns the default cost described at OpDef::cost.
Cost ElementwiseCost(const CostContext& context);

// Returns op.cost's answer, or the default where it has none.
Cost CostOf(const OpDef& op, const CostContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_OP_DEF_H_
