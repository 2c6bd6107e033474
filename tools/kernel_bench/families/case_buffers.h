// Owns the buffers of a case: some inputs and one output, in as many copies as the mode needs.
//
// Use it so that all entrants of a case work on the same bytes. Hot, there is one copy, which stays in whatever cache
// it fits; cold, there are so many that the caches have forgotten each when its turn comes again. Filled and read by
// one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_CASE_BUFFERS_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_CASE_BUFFERS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "jit/isa/cache_info.h"

namespace burin::kernel_bench {

// Holds the buffers, each aligned to 64 bytes; no two of a copy begin at the same place in their pages, so that stores
// into one do not hold up loads from another.
class CaseBuffers {
 public:
  // Makes `inputs` buffers of `in_bytes` and one of `out_bytes`, zeroed. Of copies one, or as many as `caches` need for
  // the cold mode. ResourceExhausted where there is not the memory.
  static absl::StatusOr<std::shared_ptr<CaseBuffers>> Create(int inputs, int64_t in_bytes, int64_t out_bytes, bool cold,
                                                             const jit::CacheSizes& caches);

  // Returns how many copies there are.
  int copies() const { return copies_; }

  // Return a buffer of a copy.
  template <class T>
  T* In(int copy, int input) {
    return static_cast<T*>(At(copy, input));
  }
  template <class T>
  T* Out(int copy) {
    return static_cast<T*>(At(copy, inputs_));
  }

  // Copies the inputs of copy 0 into the others: called when those are filled.
  void Replicate();

  // Sets every byte of the output of copy 0 to one that no right result is made of.
  void Spoil();

  // Returns a phrase for reports.
  std::string Describe() const;

 private:
  CaseBuffers(int inputs, int64_t in_bytes, int64_t out_bytes, int copies, int64_t stride, int64_t copy_stride,
              AlignedBuffer memory)
      : inputs_(inputs),
        in_bytes_(in_bytes),
        out_bytes_(out_bytes),
        copies_(copies),
        stride_(stride),
        copy_stride_(copy_stride),
        memory_(std::move(memory)) {}

  void* At(int copy, int buffer) { return static_cast<char*>(memory_.data()) + copy * copy_stride_ + buffer * stride_; }

  const int inputs_;
  const int64_t in_bytes_;
  const int64_t out_bytes_;
  const int copies_;
  // From one buffer of a copy to the next, and from one copy to the next.
  const int64_t stride_;
  const int64_t copy_stride_;
  AlignedBuffer memory_;
};

// Returns a function that calls `call(copy)` once a repeat, with the copies in turn.
template <class Call>
std::function<void(int64_t)> Rotating(int copies, Call call) {
  return [copies, call = std::move(call), next = 0](int64_t repeats) mutable {
    for (int64_t repeat = 0; repeat < repeats; ++repeat) {
      call(next);
      if (++next == copies) next = 0;
    }
  };
}

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_CASE_BUFFERS_H_
