// Compiles the body of a Subgraph for given shapes into one kernel, and runs it.
//
// Use it for every Subgraph without a dense anchor. The code comes from the process's code cache and serves all shapes
// that broadcast alike; what is particular to one shape is a few numbers, so that a kernel for another shape costs no
// code generation. Inputs and outputs are dense.
//
// The work is cut into items, boxes of the output's domain, in any partition of which the results are the same to the
// bit: no reduction is cut. Kernels start no threads. A kernel may be run by any number of threads at once, each with
// scratch memory of its own.
#ifndef BURIN_SNIPPETS_KERNEL_FUSED_KERNEL_H_
#define BURIN_SNIPPETS_KERNEL_FUSED_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/debug/cycle_counters.h"
#include "jit/isa/target.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/kernel/packed_inputs.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {

// Is a compiled body.
class FusedKernel {
 public:
  // Says how a kernel is compiled.
  struct Options {
    // Outlives the kernel.
    jit::CodeCache* code_cache = &jit::CodeCache::Process();
    RegisterLimits limits;
    // Whether the code counts the ticks that each expression takes, into jit::CycleCounters::Process() under the
    // kernel's name.
    bool counts_cycles = jit::CountCyclesAsked();
  };

  // Compiles `body`, of primitive operations (snippets/decompose) and static shapes. The body is not needed afterwards.
  // Errors as of BodyGraph::Create(), Lower() and GenerateKernel(): Unimplemented, with the reason, for what cannot be
  // part of a kernel.
  static absl::StatusOr<FusedKernel> Create(const ir::Model& body, const jit::Target& target, const Options& options) {
    return Create(SizedBody{body, body}, target, options);
  }

  // Compiles a body of dynamic shapes for certain sizes. For other sizes it has the same code, unless other dimensions
  // are broadcast, or more is fetched ahead (snippets/lowering/fetch_ahead.h).
  static absl::StatusOr<FusedKernel> Create(const SizedBody& body, const jit::Target& target, const Options& options);

  // Returns the number of items of work, at least 1.
  int64_t items() const { return items_; }

  // Returns the bytes of scratch memory of one run, aligned to 64.
  size_t scratch_bytes() const { return scratch_bytes_; }

  // Runs the items from `begin` to `end`, 0 <= begin <= end <= items(). The pointers are those of the body's parameters
  // and results, in their order, to dense memory of their shapes; an output overlaps no input, unless it is the same
  // memory and MayRunInPlace().
  void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch, int64_t begin,
           int64_t end) const;

  // Returns whether an output may be written over an input of the same shape: see Run().
  bool MayRunInPlace(int32_t input, int32_t output) const;

  // Returns the kernel as loops.
  const LinearIr& linear_ir() const { return ir_; }

  // Returns the extent of each of its axes; of an operand, the first element and the stride along each axis, in bytes:
  // of one that is copied into scratch memory, there.
  absl::Span<const int64_t> extents() const { return extents_; }
  int64_t offset(size_t operand) const { return offsets_[operand]; }
  absl::Span<const int64_t> strides(size_t operand) const {
    return absl::MakeConstSpan(strides_).subspan(operand * extents_.size(), extents_.size());
  }

  // Returns its code.
  const jit::CachedCode& code() const { return code_; }

 private:
  FusedKernel(LinearIr ir, jit::CachedCode code) : ir_(std::move(ir)), code_(std::move(code)) {}

  void PlaceBuffers();
  void PlanItems(int64_t packed_chunk);
  // Returns the stride of an operand in memory, of one that is packed in the caller's.
  int64_t SourceStride(size_t operand, int axis) const;
  void RunBox(absl::Span<void* const> operands, absl::Span<int64_t> extents, int64_t outer_index, int64_t begin,
              int64_t end, char* packed) const;

  LinearIr ir_;
  jit::CachedCode code_;
  std::vector<ir::Tensor> constants_;
  size_t parameter_count_ = 0;
  std::vector<int64_t> extents_;
  // Of each operand: its first element; its stride along each axis; in bytes.
  std::vector<int64_t> offsets_;
  std::vector<int64_t> strides_;
  // Inputs that are read from scratch memory, where they are copied to, a chunk of items at a time.
  PackedInputs packed_;
  size_t packed_offset_ = 0;
  // Of each buffer, in the scratch memory.
  std::vector<size_t> buffer_offsets_;
  size_t scratch_bytes_ = 0;
  // Of each expression, where the code counts.
  jit::CycleCount* counts_ = nullptr;
  // The axes that items are cut along, outermost first: all indices of all but the last, times chunks of the last.
  std::vector<int> cut_axes_;
  int64_t chunk_ = 1;
  int64_t chunks_ = 1;
  int64_t items_ = 0;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_KERNEL_FUSED_KERNEL_H_
