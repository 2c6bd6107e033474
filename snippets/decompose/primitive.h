// Says which operations the body of a Subgraph consists of once it is decomposed: those that lowering knows.
//
// Use it for what must hold between decomposition and lowering; whether an element-wise operation has an emitter is
// known to code generation. Stateless, thread-safe.
//
// Primitive are:
//   - Parameter, Constant, Result;
//   - every element-wise operation, under NumPy's broadcasting or none;
//   - ReduceSum, ReduceMean, ReduceMax, ReduceMin and ReduceProd over constant axes that stay with extent 1;
//   - Transpose in a constant order;
//   - Reshape, Squeeze and Unsqueeze that insert or drop dimensions of extent 1;
//   - any other of these three that is a view of memory: between it and a Parameter, or it and Results, there are none
//     but such operations;
//   - Slice, Split and VariadicSplit at constant places, of a view of a Parameter or Constant;
//   - Concat, where it is a Result or a piece of one.
#ifndef BURIN_SNIPPETS_DECOMPOSE_PRIMITIVE_H_
#define BURIN_SNIPPETS_DECOMPOSE_PRIMITIVE_H_

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"

namespace burin::snippets {

// Returns whether the operation is a reduction that is primitive.
bool IsPrimitiveReduction(ir::OpCode code);

// Returns whether the operation is Reshape, Squeeze or Unsqueeze.
bool IsReshape(ir::OpCode code);

// Returns whether the shapes of the node's input 0 and output are the same but for dimensions of extent 1, in every
// run. Requires IsReshape().
bool MovesOnlyOnes(const ir::Model& body, const ir::Node& node);

// Returns whether the value is a Parameter, or a view of one: it reads it through reshapes alone.
bool ViewsParameter(const ir::Model& body, ir::Value value);

// Returns whether kernels compute with elements of that type: it has lanes (snippets/linear/lane.h).
bool HasPrimitiveType(ElementType type);

// Returns OK where the body is primitive, and all its values have a known rank and such a type. Else Unimplemented,
// naming the node and what is not primitive about it.
absl::Status CheckPrimitive(const ir::Model& body);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_PRIMITIVE_H_
