// Weights in the form that kernels read: once in the process, however many plans, streams and models use them.
//
// Packing is named by its form and by the content of the source: who asks for the same again gets what there is, and
// the last one who lets go gives the memory back. Use it for constants that a primitive keeps; not for what is packed
// at run time. Thread-safe; packed weights never change once they are handed out.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_PACKED_WEIGHTS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_PACKED_WEIGHTS_H_

#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/hash.h"
#include "ir/tensor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Says how weights come into their form.
struct WeightPacking {
  // Packs what belongs to the items from `begin` up to `end`; different items may be packed at once, each call with
  // scratch memory of its own.
  using Run = absl::FunctionRef<void(const void* source, void* packed, void* scratch, int64_t begin, int64_t end)>;

  // Names the form and how the source is read: with equal forms, of equal bytes come equal bytes. The fingerprint of a
  // kernel's family, its sizes, strides and blocks.
  Hash128 form;
  int64_t packed_bytes = 0;
  // Of one call, aligned to 64.
  int64_t scratch_bytes = 0;
  int64_t work_items = 0;
  // Whether items read the source from front to back: what has been read is read no more, but for what a few items
  // share. The pages of a large source that lies in a file are then given back meanwhile.
  bool reads_in_order = false;
};

class PackedWeightsStore {
 public:
  // Returns the one of the process, which is never destroyed.
  static PackedWeightsStore& Process();

  PackedWeightsStore();
  // Weights that are still used stay.
  ~PackedWeightsStore();

  // Returns the dense row-major elements of `source` as `run` packs them, for a NUMA node, or -1 for any: those that
  // there are, or new ones, packed by `team` unless it is null. Of several threads that ask at a time one packs, the
  // others wait for it. ResourceExhausted where memory is denied.
  absl::StatusOr<std::shared_ptr<const AlignedBuffer>> Get(const ir::Tensor& source, const WeightPacking& packing,
                                                           WeightPacking::Run run, int numa_node, executor::Team* team);

  // Return the bytes and the number of the weights that are used.
  int64_t bytes() const;
  int64_t count() const;

 private:
  class State;
  // The weights know it too.
  const std::shared_ptr<State> state_;
};

// Packs as PackedWeightsStore::Get() of the store of `context`, for its NUMA node, with its team.
absl::StatusOr<std::shared_ptr<const AlignedBuffer>> PackWeights(const ir::Tensor& source, const WeightPacking& packing,
                                                                 WeightPacking::Run run, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_PACKED_WEIGHTS_H_
