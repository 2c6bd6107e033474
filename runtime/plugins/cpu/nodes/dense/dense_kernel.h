// A kernel of jit/kernels of any family, as primitives of dense operations run it: a convolution, a product of
// matrices, a pooling.
//
// Each family has an adapter beside the node that uses it. Immutable; any number of threads may run one at once.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_KERNEL_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_KERNEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"

namespace burin::cpu {

// Says where what a kernel reads and writes is.
struct DenseArgs {
  const void* input = nullptr;
  // As DenseKernel::packing() leaves them, where there is one.
  const void* weights = nullptr;
  // Of f32: the results; with an epilogue, sums, where the kernel has any to keep.
  void* output = nullptr;
  // A pooling's second output, or null.
  void* indices = nullptr;
  // DenseKernel::scratch_bytes() bytes of this call alone, aligned to 64.
  void* scratch = nullptr;
  // Of the epilogue's operands.
  const jit::EpiloguePlace* places = nullptr;
};

class DenseKernel {
 public:
  virtual ~DenseKernel() = default;

  // Returns how weights are packed; null where they are read as they lie, or there are none.
  virtual const WeightsPacking* packing() const { return nullptr; }

  // Returns the bytes of scratch memory that each concurrent call of Run() takes.
  virtual int64_t scratch_bytes() const { return 0; }

  // Returns whether, beside its epilogue's operands, it reads and writes DenseArgs::output: dense, rows of the result's
  // columns. It may be an output of the epilogue then, but nothing that the epilogue reads.
  virtual bool keeps_sums() const { return false; }

  // Returns the number of work items; 0 where nothing is computed.
  virtual int64_t work_items() const = 0;

  // Computes the items from `begin` up to `end`. However they are shared, the same bits are written.
  virtual void Run(const DenseArgs& args, int64_t begin, int64_t end) const = 0;

  // Returns the name of the family and of what was planned, for profiles.
  virtual std::string name() const = 0;
};

// Kernels that run one after another. The first reads the input and the weights, the last has the epilogue; what lies
// between them are sums.
using DensePasses = std::vector<std::unique_ptr<const DenseKernel>>;

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_KERNEL_H_
