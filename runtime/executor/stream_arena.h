// The threads of one stream: an arena of oneTBB that the thread of an inference enters, and others help in.
//
// Part of CpuStreamsExecutor (runtime/executor/cpu_streams_executor.h), which sees to it that one thread at a time is
// in Execute(). Thread-safe under that condition.
#ifndef BURIN_RUNTIME_EXECUTOR_STREAM_ARENA_H_
#define BURIN_RUNTIME_EXECUTOR_STREAM_ARENA_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {

// Who executes, and in which of its streams: what a thread can be asked.
struct StreamName {
  // Counts executors of the process from 1; no two have one number, also if one of them is gone.
  int64_t executor = 0;
  int stream = 0;
};

class StreamArena {
 public:
  // Makes the arena of `place`; one of 0 threads has none. Where `pin` says so, and there is a CPU for each thread,
  // those who are in the arena are bound to the CPUs of `place`. `affinity` is never destroyed before this.
  //
  // oneTBB is given the number of threads alone. It could choose by NUMA node and kind of core itself, but numbers
  // these in its own way, needs another library for it, and binds to nodes, not to CPUs.
  StreamArena(const CpuStream& place, StreamName name, bool pin, ThreadAffinity* affinity);

  // Waits until the helpers' tasks are done and, for a bounded time, until oneTBB's threads have left: they run code of
  // this library until then. Nobody is in Execute().
  ~StreamArena();

  StreamArena(const StreamArena&) = delete;
  StreamArena& operator=(const StreamArena&) = delete;

  // Runs `body` on the calling thread, inside.
  void Execute(absl::FunctionRef<void()> body);

  // Returns what runs tasks inside, on other threads than the one in Execute(); null where there is but one thread.
  // As many run at once as oneTBB has threads to spare.
  ITaskExecutor* helpers();

  // Returns how many threads may be inside: those of the place, or 1 in a process that oneTBB's threads were lost to.
  int threads() const;

  // Returns how often masks of threads were set.
  int64_t set_affinity_calls() const;

 private:
  struct Inside;
  const StreamName name_;
  const int threads_;
  std::unique_ptr<Inside> inside_;
};

// Returns in which stream of `executor` the calling thread is, as the one in Execute() or as a helper.
std::optional<int> CurrentStream(int64_t executor);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_STREAM_ARENA_H_
