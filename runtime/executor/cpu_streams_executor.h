// Runs inferences on the streams of a compiled model: CpuStreamsExecutor.
//
// A stream is a part of the CPUs with threads of its own; one task at a time has it. Tasks from the queue run on
// threads of the executor, those of callers on the callers' own threads: with a free stream no thread waits for
// another. For work that waits for files or people, or lasts, use ThreadPoolExecutor (runtime/dev/task_executor.h).
#ifndef BURIN_RUNTIME_EXECUTOR_CPU_STREAMS_EXECUTOR_H_
#define BURIN_RUNTIME_EXECUTOR_CPU_STREAMS_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/streams_table.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {

// Thread-safe. Tasks must not throw, and must not wait for other tasks of the same executor.
//
// Contract:
//   E1  Each task runs once, in a stream that no other task has at that time. Tasks and callers get streams in the
//       order in which they come; who wants a NUMA node waits for a stream on it, and may be overtaken by others. A
//       caller takes one on the socket that it runs on before other free ones.
//   E2  A thread in a stream that calls Execute() is not given another one: the task runs at once.
//   E3  With pinning each thread in a stream is bound to a CPU of it; on leaving it has the mask that it came with.
//   E4  The destructor returns when all tasks are done that were given before. No thread may be in another method
//       then, or begin one, but for tasks of this executor. It may be called by one of these, on the thread that the
//       task began on: then it does not wait, and what is left still runs, on threads that end by themselves.
//   E5  In a forked child, an executor of the parent runs each task at once on the calling thread, and its destructor
//       leaks: the child has none of the threads, and nothing tells what they held. Tasks that waited at the fork run
//       in the parent alone. An executor made in the child of a process that had one works, with one thread a stream.
class CpuStreamsExecutor final : public ITaskExecutor {
 public:
  // Makes `streams`, at least one. Where `pin` says so, streams with a CPU for each thread bind these. `affinity` is
  // what sets masks; it outlives all threads.
  explicit CpuStreamsExecutor(std::vector<CpuStream> streams, bool pin = false,
                              ThreadAffinity* affinity = SystemThreadAffinity());

  // Makes the streams of `table` on the CPUs of `usable`, for which it was calculated; errors as AssignCpus.
  static absl::StatusOr<std::unique_ptr<CpuStreamsExecutor>> Create(const StreamsTable& table,
                                                                    const CpuTopology& usable,
                                                                    ThreadAffinity* affinity = SystemThreadAffinity());

  // Makes the kind that callbacks run on: one stream that is nowhere in particular, on one thread. What users do in
  // callbacks does not hold up a stream that computes, nor is it limited to one.
  static std::unique_ptr<CpuStreamsExecutor> ForCallbacks();

  ~CpuStreamsExecutor() override;

  // Runs `task` on a thread of the executor, in a stream; returns at once. Allocates nothing in steady use.
  void Run(Task task) override;

  // Runs `task` as Run() does, in a stream all of whose CPUs are on `node`: such as to write first, and so to place,
  // what only that stream will read. NotFound where there is no such stream.
  absl::Status RunOnNumaNode(int node, Task task);

  // Runs `function` on the calling thread, in a stream, for which it waits where none is free; returns what it returns:
  // a Status, so that failing tasks tell their caller, or anything else that can be moved, or nothing.
  template <class Function>
  std::invoke_result_t<Function&> Execute(Function&& function) {
    using Result = std::invoke_result_t<Function&>;
    if constexpr (std::is_void_v<Result>) {
      ExecuteBody(function);
    } else {
      std::optional<Result> result;
      ExecuteBody([&] { result.emplace(function()); });
      return *std::move(result);
    }
  }

  // Returns which stream the calling thread is in, in [0, streams().size()), as the thread of a task or one that helps
  // it; nullopt for others.
  std::optional<int> GetStreamId() const;

  // Return the NUMA node, and the socket by the kernel's number of the package, on which all CPUs of the calling
  // thread's stream are; nullopt in none, or where they are on several.
  std::optional<int> GetNumaNodeId() const;
  std::optional<int> GetSocketId() const;

  // Returns the streams, by id.
  const std::vector<CpuStream>& streams() const;

  // Returns how many threads may work in `stream` at once: those of its place, or one in the child of a process that
  // had an executor.
  int threads(int stream) const;

  // Returns what runs tasks on the threads of `stream` beside the one that has it, as the members of a Team
  // (runtime/executor/team.h) are; null where it has but one. They may last. As many run at once as oneTBB has threads
  // to spare, perhaps none, and the others wait for these. The executor's destructor waits until they are done.
  ITaskExecutor* helpers(int stream) const;

  // Returns how often masks of threads were set, for E3.
  int64_t set_affinity_calls() const;

 private:
  struct State;

  void Start(Task task, std::optional<int> node);
  void ExecuteBody(absl::FunctionRef<void()> body);
  // Returns whether this process is a fork of the one that made the executor.
  bool IsInherited() const;

  std::shared_ptr<State> state_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_CPU_STREAMS_EXECUTOR_H_
