// Brings inputs that a kernel would read across memory into the order in which it reads them.
//
// Use it inside FusedKernel for inputs whose elements lie far apart along the vector axis, but side by side along
// another one, as those of a transpose do. Read a row at a time, each line of memory would be fetched again for each of
// its elements. For a chunk of the other axis they are copied (jit/kernels/copy.h) into scratch memory, where the
// elements of a vector lie side by side, and the kernel computes the chunk from there. Immutable once planned:
// thread-safe.
#ifndef BURIN_SNIPPETS_KERNEL_PACKED_INPUTS_H_
#define BURIN_SNIPPETS_KERNEL_PACKED_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"

namespace burin::snippets {

class PackedInputs {
 public:
  // Has none.
  PackedInputs() = default;

  // Chooses the inputs of `kernel`, which was lowered from `graph`, and makes them contiguous in its loops. Only sizes
  // that are declared count, so that dynamic shapes have one code. Those are chosen that lie side by side along one
  // axis, the same for all of them, and vary along no others, but the vectors', than what every output varies along and
  // no reduction runs along.
  static PackedInputs Choose(const BodyGraph& graph, LoweredKernel& kernel);

  // Returns the axis that is taken in chunks; -1 where no input was chosen.
  int axis() const { return axis_; }

  // Returns whether an operand was chosen.
  bool Has(size_t operand) const;

  // Returns how many indices of axis() a chunk has, so that what is packed stays in the second-level cache.
  int64_t ChunkOf(const LoweredKernel& kernel, const jit::Target& target) const;

  // Plans the copies for chunks of so many indices, where a run has one index of every other axis that inputs vary
  // along but the vectors'. Changes the operands' strides in `strides`, which has one along each axis of each operand,
  // to those in scratch memory. Returns its bytes. Fails as CopyPlan::Create() does.
  absl::StatusOr<size_t> Plan(const LoweredKernel& kernel, int64_t chunk, const jit::Target& target,
                              jit::CodeCache& cache, absl::Span<int64_t> strides);

  // Copies the chunk number `index` into `scratch`, and replaces the pointers of what was chosen in `operands`, to its
  // first elements for the present index of the other axes, by those to the copies.
  void Pack(int64_t index, char* scratch, absl::Span<void*> operands) const;

  // Returns the stride of an operand that was chosen, in memory.
  int64_t SourceStride(size_t operand, int axis) const;

 private:
  // Is one of them.
  struct Input {
    size_t operand = 0;
    // In memory, along each axis.
    std::vector<int64_t> strides;
    // In scratch memory.
    size_t place = 0;
    // Copy a whole chunk, and the last one where that has less.
    std::optional<jit::CopyPlan> whole;
    std::optional<jit::CopyPlan> last;
  };

  const Input& input(size_t operand) const;

  int axis_ = -1;
  // Of the axis: all indices, and those of a chunk.
  int64_t extent_ = 0;
  int64_t chunk_ = 0;
  std::vector<Input> inputs_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_KERNEL_PACKED_INPUTS_H_
