// Describes a fused kernel between the body of a Subgraph and machine code: expressions in a tree of loops.
//
// Use it as what lowering makes (snippets/lowering), passes change and code generation reads (snippets/codegen). It
// knows memory by operands, each of which has its own strides along the axes of the loops; sizes and strides are
// run-time values, so that one linear IR serves every shape that has the same broadcasts. Not for dense kernels. Plain
// data: not thread-safe while it is changed.
//
// What an expression is, by LinearOp:
//   %v = Load(operand)          the element of the operand at the present place of the loops
//   Store(operand) %v
//   %v = Constant               an element
//   %v = Count(axes)            the product of the axes' extents, as a float
//   %v = Compute(op) %a, ...    an element-wise operation of ir, on lanes (snippets/linear/lane.h)
//   %acc = Begin(reduction)     the identity of a reduction
//   Step(reduction) %acc, %v    acc = acc OP v
//   Step(sum) %acc, %v, %w      acc = acc + v * w, of floats, with one rounding
//   %v = End(reduction) %acc    the result, once all loops over the reduced axes have run
// A value varies along some axes. Inside of a loop over an axis along which it varies it is an element (of the vector
// axis: a vector), else it is the same for every iteration. A short vector axis has no loop: its elements are in a few
// vectors all at once, and whatever is computed of them stays in registers.
#ifndef BURIN_SNIPPETS_LINEAR_LINEAR_IR_H_
#define BURIN_SNIPPETS_LINEAR_LINEAR_IR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/op_def.h"

namespace burin::snippets {

// Holds axes as bits, by their index.
using AxisSet = uint64_t;

// The most axes of a kernel.
inline constexpr int kMaxAxes = 64;

// Returns the set of one axis.
constexpr AxisSet AxisBit(int axis) { return AxisSet{1} << axis; }

// Names a value by its index in LinearIr::values.
using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

// Says where an operand is: given by the caller to read or to write, or scratch memory of the kernel's own.
enum class OperandKind : uint8_t { kInput, kOutput, kBuffer };

// Is a place in memory.
struct LinearOperand {
  OperandKind kind = OperandKind::kInput;
  // Which input or output of the kernel, or which buffer.
  int32_t port = 0;
  ElementType type = ElementType::kF32;
  // Along which its address changes. Along the others its stride is 0.
  AxisSet axes = 0;
  // Whether its elements lie side by side along the vector axis, if that is among the axes.
  bool contiguous = true;
  // Of a buffer: the output, by operand, whose memory it has until that is stored; -1 where it has its own.
  int32_t in_output = -1;
  // Of what is not contiguous, with elements of kStepBits bits: how many elements apart they lie along the vector axis,
  // 2 to kMostStep, where that is so in every run; else 0.
  int32_t step = 0;

  static constexpr int kStepBits = 32;
  static constexpr int32_t kMostStep = 4;
};

// Says what an expression does; see above.
enum class LinearOp : uint8_t { kLoad, kStore, kConstant, kCount, kCompute, kBegin, kStep, kEnd };

// Names a reduction.
enum class Reduction : uint8_t { kSum, kProduct, kMaximum, kMinimum };

// Is what a value is inside of the kernel.
struct LinearValue {
  // Of the element that it stands for: floats are f32 in registers, integers and booleans 32 bits wide, but f64 and i64
  // themselves.
  ElementType type = ElementType::kF32;
  // Along which it varies.
  AxisSet axes = 0;
};

// Is one expression.
struct LinearExpr {
  LinearOp op = LinearOp::kCompute;
  std::vector<ValueId> inputs;
  ValueId output = kNoValue;
  // Of kLoad and kStore.
  int32_t operand = -1;
  // Of kConstant: the bits of the lane.
  uint64_t bits = 0;
  // Of kCount, kBegin, kStep and kEnd.
  AxisSet axes = 0;
  // Of kBegin, kStep and kEnd.
  Reduction reduction = Reduction::kSum;
  // Of kCompute: the operation, its attributes and the element types of its inputs.
  const ir::OpDef* compute = nullptr;
  std::shared_ptr<const ir::Attributes> attributes;
};

// Is a loop, or the root (axis -1): items run in their order, once an iteration.
struct LinearBlock {
  // Is an expression, by index, or a loop inside of this one: one of the two.
  struct Item {
    int32_t expr = -1;
    std::unique_ptr<LinearBlock> block;
  };

  int axis = -1;
  LinearBlock* parent = nullptr;
  std::vector<Item> items;
  // Of a loop over the vector axis: operands that are brought closer to the core meanwhile, each where the next
  // iterations of the loop around have it. Changes no result.
  std::vector<int32_t> ahead;
};

// Is an axis of the loops.
struct LinearAxis {
  // For dumps.
  std::string name;
  // Whether its iterations may be shared among callers: no reduction runs along it.
  bool parallel = true;
};

// Is a kernel.
//
// Invariants (Verify() checks them; the labels appear in its errors):
//   L1  Every expression is in the tree exactly once, every value has one definition, and indices are in range.
//   L2  A value is defined before it is used: in an enclosing block, or this one, further up.
//   L3  A value varies only along axes of loops around its definition. An operand is accessed inside of loops over all
//       its axes. (A vector axis without loops counts as one around everything, in L3 and L5.)
//   L4  No loop lies within another over the same axis, nor over a vector axis that has none.
//   L5  A Begin lies outside of all loops over its axes, its Steps inside of all of them, its End beside the Begin.
//   L6  An output or a buffer is stored by one expression; a buffer is loaded only after the loop that stores it.
//       A buffer in an output has its type and axes. An operand's step is one that there may be.
//   L7  A reduced axis is not parallel, and no value that varies along it is stored into an operand that does not.
//   L8  What a loop brings closer are inputs and outputs that lie side by side along the vector axis, which the loop is
//       over, and vary along the axis of the loop right around it.
struct LinearIr {
  std::string name;
  std::vector<LinearAxis> axes;
  // The axis along which vectors lie.
  int vector_axis = 0;
  // 0: it has loops. Else there is no loop over it: a value that varies along it is in so many vectors at once, the
  // last of which is incomplete unless `whole_vectors`.
  int32_t block_vectors = 0;
  bool whole_vectors = false;
  std::vector<LinearOperand> operands;
  std::vector<LinearValue> values;
  std::vector<LinearExpr> exprs;
  std::unique_ptr<LinearBlock> root;

  // Returns OK, or Internal with the label of the invariant and the expression that breaks it.
  absl::Status Verify() const;

  // Returns the axes that are open at the root: the vector axis where it has no loops.
  AxisSet RootAxes() const { return block_vectors > 0 ? AxisBit(vector_axis) : 0; }

  // Returns the text of expression `index`, in a line, as ToString() has it.
  std::string ExprText(int32_t index) const;

  // Returns the text form, which is the same for equal kernels and different for different ones, whatever their names:
  // what the code depends on, and no more. ParseLinearIr() (snippets/linear/linear_ir_parser.h) reads it.
  std::string ToString() const;
};

}  // namespace burin::snippets

namespace burin {

template <>
struct EnumNames<snippets::OperandKind> {
  static constexpr EnumEntry<snippets::OperandKind> kEntries[] = {{snippets::OperandKind::kInput, "input"},
                                                                  {snippets::OperandKind::kOutput, "output"},
                                                                  {snippets::OperandKind::kBuffer, "buffer"}};
};

template <>
struct EnumNames<snippets::Reduction> {
  static constexpr EnumEntry<snippets::Reduction> kEntries[] = {{snippets::Reduction::kSum, "sum"},
                                                                {snippets::Reduction::kProduct, "product"},
                                                                {snippets::Reduction::kMaximum, "maximum"},
                                                                {snippets::Reduction::kMinimum, "minimum"}};
};

}  // namespace burin

#endif  // BURIN_SNIPPETS_LINEAR_LINEAR_IR_H_
