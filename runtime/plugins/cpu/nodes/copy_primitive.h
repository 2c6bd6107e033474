// Moves elements without changing them: what transposes, slices, concatenations, broadcasts and reorders run as.
//
// A move names an input, an output and a StridedCopySpec (jit/kernels/copy_layout.h) between them; a primitive has any
// number of moves. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_COPY_PRIMITIVE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_COPY_PRIMITIVE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/kernels/copy_layout.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

struct ElementMove {
  // In place of an input: an element of zero bits, which source strides of 0 repeat.
  static constexpr int kZero = -1;

  // Of the node, or kZero.
  int input = 0;
  int output = 0;
  // From and to bytes at these offsets of the two.
  int64_t input_offset = 0;
  int64_t output_offset = 0;
  jit::StridedCopySpec spec;
};

// Makes the primitive of `moves`, which write different bytes. Errors as of jit::CopyPlan::Create().
absl::StatusOr<std::unique_ptr<const Primitive>> MakeCopyPrimitive(const std::vector<ElementMove>& moves,
                                                                   const NodeContext& context);

// Returns the move of all elements of a value from one layout to another, the first input to the first output.
// Elements of less than a byte are moved as bytes, between equal layouts alone.
absl::StatusOr<ElementMove> MoveBetween(const ValueDesc& from, const ValueDesc& to);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_COPY_PRIMITIVE_H_
