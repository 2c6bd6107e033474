// Is what a kernel is generated from, and what is tried.
//
// Use it between the parts of code generation. Plain data.
#ifndef BURIN_SNIPPETS_CODEGEN_KERNEL_SOURCE_H_
#define BURIN_SNIPPETS_CODEGEN_KERNEL_SOURCE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "snippets/codegen/expr_emitters.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {

// Is what is tried: how many vectors of a row an operation is emitted for at a time, how many iterations of the loop
// around reductions run side by side, and which values live on the stack.
struct Attempt {
  int vectors = 1;
  int rows = 1;
  std::set<ValueId> on_stack;
};

// Is what all attempts at a kernel share.
struct KernelSource {
  const LinearIr& ir;
  const ExprEmitters& emitters;
  const Liveness& liveness;
  // Of each expression, for dumps and for whoever finds out where a kernel failed.
  const std::vector<std::string>& texts;
  // The vector registers that emitters take beyond their operands, by expression and number of vectors.
  std::map<std::pair<int32_t, int>, int>& temporaries;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_KERNEL_SOURCE_H_
