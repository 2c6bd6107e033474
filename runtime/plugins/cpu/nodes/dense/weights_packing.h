// Brings the weights of dense operations into the order in which kernels read them.
//
// Whoever makes a kernel says how. Constants are packed into the store (runtime/plugins/cpu/constants/packed_weights.h)
// when a primitive is made, others at each execution. Implementations are immutable: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_WEIGHTS_PACKING_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_WEIGHTS_PACKING_H_

#include <cstdint>

#include "base/hash.h"

namespace burin::cpu {

class WeightsPacking {
 public:
  virtual ~WeightsPacking() = default;

  // Returns what tells packings apart: of equal keys, equal weights give equal bytes.
  virtual Hash128 key() const = 0;

  // Returns the bytes of packed weights, best aligned to 64.
  virtual int64_t packed_bytes() const = 0;

  // Returns the bytes of scratch memory that each concurrent call of Run() takes, aligned to 64.
  virtual int64_t scratch_bytes() const { return 0; }

  // Returns the number of work items; 0 where there is nothing to pack.
  virtual int64_t work_items() const = 0;

  // Returns whether items read the weights from front to back.
  virtual bool reads_in_order() const { return false; }

  // Packs what belongs to the items from `begin` up to `end`. Items write different bytes.
  virtual void Run(const void* weights, void* packed, void* scratch, int64_t begin, int64_t end) const = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_WEIGHTS_PACKING_H_
