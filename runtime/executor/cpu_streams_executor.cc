#include "runtime/executor/cpu_streams_executor.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/fork_watch.h"
#include "runtime/executor/stream_arena.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/stream_queue.h"
#include "runtime/executor/streams_table.h"
#include "runtime/executor/thread_affinity.h"
#include "runtime/executor/thread_pinning.h"

namespace burin::executor {
namespace {

std::vector<std::optional<int>> NodesOf(const std::vector<CpuStream>& streams) {
  std::vector<std::optional<int>> nodes;
  for (const CpuStream& stream : streams) nodes.push_back(stream.node);
  return nodes;
}

// Returns by CPU the package that it is on, -1 where no stream has it; nothing where all streams are on one package.
std::vector<int> PackagesOf(const std::vector<CpuStream>& streams) {
  std::vector<int> packages;
  bool differ = false;
  for (const CpuStream& stream : streams) {
    differ = differ || stream.package != streams[0].package;
    for (const int cpu : stream.cpus) {
      const auto index = static_cast<size_t>(cpu);
      if (packages.size() <= index) packages.resize(index + 1, -1);
      packages[index] = stream.package.value_or(-1);
    }
  }
  return differ ? packages : std::vector<int>();
}

int64_t NextExecutor() {
  static std::atomic<int64_t> count{0};
  return ++count;
}

}  // namespace

// Shared with the threads, which outlive the executor where a task of its own destroys it.
struct CpuStreamsExecutor::State {
  // A task and the stream that it was given.
  struct Assignment {
    ITaskExecutor::Task task;
    int stream = StreamQueue::kNone;
  };

  State(std::vector<CpuStream> places, bool pin, ThreadAffinity* thread_affinity)
      : id(NextExecutor()),
        forks(ForkCount()),
        affinity(thread_affinity),
        streams(std::move(places)),
        package_of_cpu(PackagesOf(streams)),
        queue(NodesOf(streams)) {
    for (size_t i = 0; i < streams.size(); ++i) {
      arenas.push_back(std::make_unique<StreamArena>(streams[i], StreamName{id, static_cast<int>(i)}, pin, affinity));
    }
    assigned.reserve(streams.size());
  }

  StreamArena& arena(int stream) { return *arenas[static_cast<size_t>(stream)]; }

  // Takes a stream for the calling thread, on its package where one is free there. Requires the mutex.
  int TakeForCaller() {
    const int cpu = package_of_cpu.empty() ? -1 : affinity->CurrentCpu();
    if (cpu < 0 || static_cast<size_t>(cpu) >= package_of_cpu.size()) return queue.Take(std::nullopt);
    const int package = package_of_cpu[static_cast<size_t>(cpu)];
    return queue.TakePreferred(
        [&](int stream) { return streams[static_cast<size_t>(stream)].package.value_or(-1) == package; });
  }

  // Gives `task` to a thread, with `stream`, which is taken. Requires the mutex.
  static void Assign(const std::shared_ptr<State>& state, ITaskExecutor::Task task, int stream) {
    state->assigned.push_back({std::move(task), stream});
    // Threads that were woken and do not run yet count as idle, and the tasks that they will take as assigned.
    if (state->assigned.size() <= state->idle) {
      state->wake.notify_one();
      return;
    }
    // The task that makes a thread may be bound to a CPU, which is not the thread's.
    std::thread thread([state, mask = MaskBeforeBinding(state->affinity)] {
      if (mask.has_value()) state->affinity->Write(0, *mask);
      Loop(state);
    });
    if (state->is_detached) {
      thread.detach();
    } else {
      state->threads.push_back(std::move(thread));
    }
  }

  // Hands `stream` on to the next in line, or frees it. Requires the mutex.
  static void Release(const std::shared_ptr<State>& state, int stream) {
    if (state->queue.Next(stream) == nullptr) return state->queue.Free(stream);
    StreamQueue::Entry next = state->queue.Pop(stream);
    if (next.caller == nullptr) return Assign(state, std::move(next.task), stream);
    next.caller->stream = stream;
    next.caller->given.notify_one();
  }

  // Runs a task, and those that come after it in line for its stream: leaving and entering again would cost more, with
  // pinning above all. Requires that the caller holds no lock.
  void Serve(Assignment assignment) {
    arena(assignment.stream).Execute([&] {
      while (assignment.task != nullptr) {
        assignment.task();
        // What the task holds may be the last reference to anything, the executor included: it goes without the lock.
        assignment.task = nullptr;
        std::lock_guard<std::mutex> lock(mutex);
        const StreamQueue::Entry* next = queue.Next(assignment.stream);
        if (next != nullptr && next->caller == nullptr) assignment.task = queue.Pop(assignment.stream).task;
      }
    });
  }

  // What each thread does.
  static void Loop(const std::shared_ptr<State>& state) {
    std::unique_lock<std::mutex> lock(state->mutex);
    while (true) {
      ++state->idle;
      state->wake.wait(lock, [&] { return !state->assigned.empty() || state->IsOver(); });
      --state->idle;
      if (state->assigned.empty()) break;
      Assignment assignment = std::move(state->assigned.back());
      state->assigned.pop_back();
      const int stream = assignment.stream;
      lock.unlock();
      state->Serve(std::move(assignment));
      lock.lock();
      Release(state, stream);
      if (state->IsOver()) state->wake.notify_all();
    }
  }

  // Returns whether no task is left to be run, nor will be.
  bool IsOver() const { return is_stopping && assigned.empty() && queue.tasks() == 0; }

  const int64_t id;
  const int64_t forks;
  ThreadAffinity* const affinity;
  const std::vector<CpuStream> streams;
  const std::vector<int> package_of_cpu;
  std::vector<std::unique_ptr<StreamArena>> arenas;

  std::mutex mutex;
  std::condition_variable wake;
  // All below are guarded by mutex.
  StreamQueue queue;
  std::vector<Assignment> assigned;
  size_t idle = 0;
  bool is_stopping = false;
  bool is_detached = false;
  std::vector<std::thread> threads;
};

CpuStreamsExecutor::CpuStreamsExecutor(std::vector<CpuStream> streams, bool pin, ThreadAffinity* affinity) {
  BURIN_CHECK(!streams.empty()) << "an executor needs a stream";
  state_ = std::make_shared<State>(std::move(streams), pin, affinity);
}

absl::StatusOr<std::unique_ptr<CpuStreamsExecutor>> CpuStreamsExecutor::Create(const StreamsTable& table,
                                                                               const CpuTopology& usable,
                                                                               ThreadAffinity* affinity) {
  BURIN_ASSIGN_OR_RETURN(std::vector<CpuStream> streams, AssignCpus(table.rows, usable));
  return std::make_unique<CpuStreamsExecutor>(std::move(streams), table.cpu_pinning, affinity);
}

std::unique_ptr<CpuStreamsExecutor> CpuStreamsExecutor::ForCallbacks() {
  CpuStream stream;
  stream.threads = 0;
  return std::make_unique<CpuStreamsExecutor>(std::vector<CpuStream>{stream});
}

CpuStreamsExecutor::~CpuStreamsExecutor() {
  if (IsInherited()) {
    new std::shared_ptr<State>(std::move(state_));
    return;
  }
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->is_stopping = true;
  if (CurrentStream(state_->id).has_value()) {
    // A task of its own has this stream, and what is left may need it: nobody can be waited for.
    state_->is_detached = true;
    for (std::thread& thread : state_->threads) thread.detach();
    state_->threads.clear();
  }
  state_->wake.notify_all();
  // The last tasks may give others, and so make threads.
  while (!state_->threads.empty()) {
    std::vector<std::thread> threads = std::move(state_->threads);
    state_->threads.clear();
    lock.unlock();
    for (std::thread& thread : threads) thread.join();
    lock.lock();
  }
}

bool CpuStreamsExecutor::IsInherited() const { return state_->forks != ForkCount(); }

void CpuStreamsExecutor::Run(Task task) { Start(std::move(task), std::nullopt); }

absl::Status CpuStreamsExecutor::RunOnNumaNode(int node, Task task) {
  if (!state_->queue.HasNode(node)) {
    return absl::NotFoundError(absl::StrCat("No stream is on the NUMA node ", node,
                                            "; those with streams: ", absl::StrJoin(state_->queue.nodes(), " ")));
  }
  Start(std::move(task), node);
  return absl::OkStatus();
}

void CpuStreamsExecutor::Start(Task task, std::optional<int> node) {
  if (IsInherited()) return task();
  const std::shared_ptr<State> state = state_;  // The task may be done, and have destroyed this, before this ends.
  std::lock_guard<std::mutex> lock(state->mutex);
  const int stream = state->queue.Take(node);
  if (stream == StreamQueue::kNone) {
    state->queue.Push({std::move(task), nullptr}, node);
  } else {
    State::Assign(state, std::move(task), stream);
  }
}

void CpuStreamsExecutor::ExecuteBody(absl::FunctionRef<void()> body) {
  if (IsInherited() || CurrentStream(state_->id).has_value()) return body();
  const std::shared_ptr<State> state = state_;  // The body may destroy this.
  int stream = StreamQueue::kNone;
  {
    std::unique_lock<std::mutex> lock(state->mutex);
    stream = state->TakeForCaller();
    if (stream == StreamQueue::kNone) {
      StreamQueue::Caller caller;
      state->queue.Push({nullptr, &caller}, std::nullopt);
      caller.given.wait(lock, [&] { return caller.stream != StreamQueue::kNone; });
      stream = caller.stream;
    }
  }
  state->arena(stream).Execute(body);
  std::lock_guard<std::mutex> lock(state->mutex);
  State::Release(state, stream);
}

std::optional<int> CpuStreamsExecutor::GetStreamId() const { return CurrentStream(state_->id); }

std::optional<int> CpuStreamsExecutor::GetNumaNodeId() const {
  const std::optional<int> stream = GetStreamId();
  return stream.has_value() ? state_->streams[static_cast<size_t>(*stream)].node : std::nullopt;
}

std::optional<int> CpuStreamsExecutor::GetSocketId() const {
  const std::optional<int> stream = GetStreamId();
  return stream.has_value() ? state_->streams[static_cast<size_t>(*stream)].package : std::nullopt;
}

const std::vector<CpuStream>& CpuStreamsExecutor::streams() const { return state_->streams; }

int CpuStreamsExecutor::threads(int stream) const { return state_->arena(stream).threads(); }

ITaskExecutor* CpuStreamsExecutor::helpers(int stream) const { return state_->arena(stream).helpers(); }

int64_t CpuStreamsExecutor::set_affinity_calls() const {
  int64_t calls = 0;
  for (const std::unique_ptr<StreamArena>& arena : state_->arenas) calls += arena->set_affinity_calls();
  return calls;
}

}  // namespace burin::executor
