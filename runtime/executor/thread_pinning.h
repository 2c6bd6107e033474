// Binds the threads of an arena of oneTBB to CPUs for as long as they are in it.
//
// Use it for streams whose table says so (StreamsTable::cpu_pinning) and for no others: a bound thread waits for its
// CPU while others are idle. Thread-safe. Not for a forked child of the process that made it.
#ifndef BURIN_RUNTIME_EXECUTOR_THREAD_PINNING_H_
#define BURIN_RUNTIME_EXECUTOR_THREAD_PINNING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oneapi/tbb/task_arena.h"
#include "oneapi/tbb/task_scheduler_observer.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {

// Each thread that enters the arena takes a CPU that no other thread in it has, and is bound to that; when it leaves,
// its mask is again what it was. Of the vacant CPUs it takes the one that it is bound to already, so that nothing has
// to be set, else the one that it runs on, else the first. A thread for which no CPU is left stays as it is, and so
// does one that the kernel does not let onto its CPU.
class ThreadPinning final : private oneapi::tbb::task_scheduler_observer {
 public:
  // Binds threads that enter `arena`, which is initialised and outlives this, to `cpus`. `affinity` outlives it too.
  ThreadPinning(oneapi::tbb::task_arena& arena, const std::vector<int>& cpus, ThreadAffinity* affinity);

  // Gives the threads of oneTBB that are still in the arena their masks back; no other thread may be in it.
  ~ThreadPinning() override;

  // Returns how often masks were set, restored ones included.
  int64_t set_calls() const { return set_calls_.load(std::memory_order_relaxed); }

 private:
  // A CPU and the thread that has it.
  struct Place {
    // The thread, 0 where the CPU is vacant.
    std::atomic<uintptr_t> owner{0};
    int cpu = 0;
    // Whether the thread was bound, by setting its mask; the members below are valid then.
    std::atomic<bool> bound{false};
    AffinityMask before;
    // Whether the thread was bound by another ThreadPinning, in whose arena it is too.
    bool nested = false;
    // The kernel's number of a thread of oneTBB, 0 for others, which do not outlive their visit.
    int worker = 0;
  };

  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

  // Takes a vacant place for the calling thread, whose mask is `before`; returns null where there is none.
  Place* TakePlace(const AffinityMask& before);
  bool Write(int thread, const AffinityMask& mask);

  ThreadAffinity* const affinity_;
  const size_t count_;
  const std::unique_ptr<Place[]> places_;
  std::atomic<int64_t> set_calls_{0};
};

// Returns the mask that the calling thread had before it was bound, in the outermost arena that it is in; nullopt where
// it is not. A thread that it makes inherits the binding, and is to set this mask for itself.
std::optional<AffinityMask> MaskBeforeBinding(ThreadAffinity* affinity);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_THREAD_PINNING_H_
