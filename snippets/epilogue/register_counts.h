// Remembers how many registers epilogues take, by content: to count them is to emit a body several times over, every
// kernel asks, and most convolutions of a model are followed by the same operations.
//
// Use it for what follows from an epilogue and the instruction set alone. Thread-safe.
#ifndef BURIN_SNIPPETS_EPILOGUE_REGISTER_COUNTS_H_
#define BURIN_SNIPPETS_EPILOGUE_REGISTER_COUNTS_H_

#include <cstddef>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "base/hash.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::snippets {

class RegisterCounts {
 public:
  // What is kept at most; then all is forgotten, so that a process that goes on compiling does not grow.
  static constexpr size_t kMaxEntries = 1024;

  // Returns the one of the process, which is never destroyed.
  static RegisterCounts& Process();

  // Returns what `count` gave for that content and set before, or gives now. Different threads may count at once.
  jit::EpilogueRegisters Get(const Hash128& content, const jit::IsaSet& isa,
                             absl::FunctionRef<jit::EpilogueRegisters()> count);

 private:
  absl::Mutex mutex_;
  absl::flat_hash_map<std::pair<Hash128, jit::IsaSet>, jit::EpilogueRegisters> counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_EPILOGUE_REGISTER_COUNTS_H_
