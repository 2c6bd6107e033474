// The threads of a stream inside one inference: a caller, and members who come and go.
//
// A node's work is cut into chunks (runtime/executor/work_split.h); the caller shares them out and takes chunks itself
// until none is left. Members who are there take chunks beside it. Who is not there is not waited for: the caller alone
// finishes any work, and waits only for chunks that a member has begun. Each member begins with chunks of its own
// part, the same part of every node with as many chunks, and then takes what others have left.
//
// Between two nodes members spin, for a bounded time; then they leave, and their threads are free for others until
// Share() or Summon() invites them again. A caller that waits for a member's last chunk spins for a bounded time, then
// sleeps: on a core that others want nobody burns time that the member needs.
//
// One thread at a time may call Share() and Summon(). Fork-safe where no Share() runs: in a child the members are
// absent for good, and the caller does all.
#ifndef BURIN_RUNTIME_EXECUTOR_TEAM_H_
#define BURIN_RUNTIME_EXECUTOR_TEAM_H_

#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "runtime/dev/task_executor.h"

namespace burin::executor {

// How long threads spin.
struct TeamPatience {
  // A member for the next work. Some times what it costs to wake a thread, so that a member rather stays than sleeps
  // between two nodes; short enough that a process that is idle is idle.
  std::chrono::microseconds idle{50};
  // The caller for the last chunks of members.
  std::chrono::microseconds wait{100};
};

class Team {
 public:
  // Does one chunk; `member` is 0 for the caller, up to size() - 1: no two threads have one number at a time.
  using Body = absl::FunctionRef<void(int64_t chunk, int member)>;

  // The most chunks that can be shared at once.
  static constexpr int64_t kMaxChunks = int64_t{1} << 31;

  // Makes a team of `size` >= 1, the caller included. Members are tasks of `threads`, which outlives the team and whose
  // tasks may last as long as the team: it must not run them on the calling thread. It may be null where size is 1.
  // With `flush_denormals` members take denormal numbers for zeros; the caller sees to itself (flush_denormals.h).
  Team(int size, ITaskExecutor* threads, TeamPatience patience = {}, bool flush_denormals = false);

  // Sends the members away and waits until they are gone. Those invited who have not come find nobody, and are not
  // waited for.
  ~Team();

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Returns the number of threads that may work at once.
  int size() const;

  // Returns how many members are there at this moment, the caller not counted.
  int present() const;

  // Returns how many works were shared with members so far: of more than one chunk, in a team of more than one. For the
  // thread that calls Share().
  uint64_t shared_works() const;

  // Invites the members who are absent. To be called where an inference begins, so that they are there when its first
  // work is shared.
  void Summon();

  // Runs `body` once for each chunk, 0 to `chunks`, which is below kMaxChunks; returns when all are done. Whatever the
  // bodies wrote is visible to the caller then. Bodies must not throw; a body that calls Share() of its own team does
  // that work alone. Allocates nothing while members are there.
  void Share(int64_t chunks, Body body);

 private:
  class State;
  State* const state_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_TEAM_H_
