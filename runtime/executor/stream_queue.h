// Who gets which stream: tasks and callers, first come, first served.
//
// The bookkeeping of CpuStreamsExecutor (runtime/executor/cpu_streams_executor.h) without its threads. Not thread-safe:
// the executor's mutex guards it.
#ifndef BURIN_RUNTIME_EXECUTOR_STREAM_QUEUE_H_
#define BURIN_RUNTIME_EXECUTOR_STREAM_QUEUE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "runtime/dev/task_executor.h"

namespace burin::executor {

// Streams, numbered from 0, each free or given to somebody, and those who wait for one.
//
// Invariant: nobody waits whom a free stream serves.
class StreamQueue {
 public:
  // A thread that waits for a stream, which whoever gives it one writes here.
  struct Caller {
    int stream = kNone;
    std::condition_variable given;
  };

  // Who waits: a task or, where it is not null, a caller.
  struct Entry {
    ITaskExecutor::Task task;
    Caller* caller = nullptr;
  };

  static constexpr int kNone = -1;

  // Makes free streams on `nodes`; a stream without a node serves those only who do not ask for one.
  explicit StreamQueue(const std::vector<std::optional<int>>& nodes);

  // Returns whether a stream is on `node`.
  bool HasNode(int node) const { return LineOf(node) != 0; }
  // Returns the nodes of streams, in the order of their first ones.
  const std::vector<int>& nodes() const { return nodes_; }

  // Takes a free stream, on `node` where that is given, the one that was freed last; returns kNone where there is none.
  int Take(std::optional<int> node);
  // Takes a free stream that `preferred` holds for, the one that was freed last, or else any; returns kNone where there
  // is none.
  int TakePreferred(absl::FunctionRef<bool(int stream)> preferred);
  // Adds someone who waits, after a Take() for the same node that found none; that node exists.
  void Push(Entry entry, std::optional<int> node);
  // Returns the first of those who wait for a stream such as `stream`, which is taken; null where nobody does.
  const Entry* Next(int stream) const;
  // Removes the entry that Next() returns, which is not null. The stream is theirs.
  Entry Pop(int stream);
  // Makes `stream` free; nobody waits for it.
  void Free(int stream);

  // Returns how many tasks wait.
  size_t tasks() const { return tasks_; }
  // Returns how many streams are free.
  size_t free() const { return free_.size(); }

 private:
  struct Ticket {
    Entry entry;
    int64_t number = 0;
  };
  using Line = std::list<Ticket>;

  // Returns which line is that of a node: 0 where no stream is on it.
  size_t LineOf(std::optional<int> node) const;
  // Returns the line of those whom `stream` serves next, null where there are none.
  const Line* NextLine(int stream) const;

  std::vector<int> nodes_;
  std::vector<size_t> line_of_stream_;
  // Line 0 is of those who take any stream, line i + 1 of those who want node nodes_[i].
  std::vector<Line> lines_;
  // Tickets to be used, so that a queue in steady use allocates nothing: one for each stream, and those that were used.
  Line spare_;
  std::vector<int> free_;
  int64_t next_number_ = 0;
  size_t tasks_ = 0;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_STREAM_QUEUE_H_
