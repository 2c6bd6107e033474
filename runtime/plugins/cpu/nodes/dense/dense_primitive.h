// Runs the kernels of a dense operation, and its epilogue, on the values of a step.
//
// Used by DenseNode. Executing resolves addresses into scratch memory and allocates nothing. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_PRIMITIVE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_PRIMITIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class DensePrimitive final : public Primitive {
 public:
  // What it is made of.
  struct Parts {
    // At least one.
    DensePasses passes;
    DenseStep step;
    // The first pass's weights, where they are constant and packed.
    std::shared_ptr<const AlignedBuffer> packed;
    // Inputs of the step that the epilogue reads, as they are to be read: constants in another order.
    std::vector<std::pair<int, ir::Tensor>> replaced;
    // Of the result.
    int64_t rows = 0;
    int64_t columns = 0;
    std::string isa;
  };

  explicit DensePrimitive(Parts parts);

  void Execute(const ExecutionArgs& args) const override;
  bool Reads(int input) const override;
  int64_t ScratchBytes(int members) const override;
  int64_t Bytes() const override;
  std::string kernel_name() const override;
  std::string isa_name() const override { return parts_.isa; }

 private:
  // Fills in the places at `places`.
  void ResolvePlaces(const ExecutionArgs& args, jit::EpiloguePlace* places) const;
  // Packs weights that are not constant.
  void PackWeights(const ExecutionArgs& args, const void* weights, void* packed, char* scratch) const;
  // Returns whether weights are packed at each execution.
  bool PacksWeights() const { return parts_.packed == nullptr && parts_.passes[0]->packing() != nullptr; }

  const Parts parts_;
  // Of the scratch memory: places first, then sums, packed weights, and what each member has.
  int64_t sums_offset_ = 0;
  int64_t packed_offset_ = 0;
  int64_t members_offset_ = 0;
  int64_t member_bytes_ = 0;
  // The output that holds sums, -1 for scratch memory.
  int sums_output_ = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_PRIMITIVE_H_
