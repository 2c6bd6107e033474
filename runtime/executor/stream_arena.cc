#include "runtime/executor/stream_arena.h"

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/functional/function_ref.h"
#include "oneapi/tbb/task_arena.h"
#include "oneapi/tbb/task_scheduler_observer.h"
#include "oneapi/tbb/version.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/fork_watch.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/thread_affinity.h"
#include "runtime/executor/thread_pinning.h"

namespace burin::executor {
namespace {

// Threads of oneTBB leave an arena without work in well under a millisecond, unless they wait for a CPU.
constexpr std::chrono::seconds kMostWaitForLeaving{1};

// Where a thread is. Of a helper `outer` is null; of a thread in Execute() it is where it was before, on its stack.
// Without a destructor, so that a thread may end after this library was unloaded.
struct Mark {
  StreamName name;
  const Mark* outer = nullptr;
};

thread_local Mark current_mark;

bool IsSame(const StreamName& a, const StreamName& b) { return a.executor == b.executor && a.stream == b.stream; }

// Keeps oneTBB's library loaded until the process ends: its threads sleep there. Otherwise it would go with the last
// library that uses it, such as a plugin with this code.
void KeepOneTbbLoaded() {
  static const bool kept = [] {
    Dl_info info;
    if (dladdr(reinterpret_cast<const void*>(&TBB_runtime_version), &info) == 0) return false;
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
  }();
  static_cast<void>(kept);
}

// Marks the helpers, and counts them.
class Marker final : public oneapi::tbb::task_scheduler_observer {
 public:
  Marker(oneapi::tbb::task_arena& arena, StreamName name) : task_scheduler_observer(arena), name_(name) {
    observe(true);
  }

  ~Marker() override {
    const auto end = std::chrono::steady_clock::now() + kMostWaitForLeaving;
    while (helpers_ > 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    observe(false);
  }

 private:
  void on_scheduler_entry(bool) override {
    if (IsSame(current_mark.name, name_) && current_mark.outer != nullptr) return;
    // What a helper was marked with before, if anything, is of an arena that it has left.
    current_mark = Mark{name_, nullptr};
    ++helpers_;
  }

  void on_scheduler_exit(bool) override {
    if (!IsSame(current_mark.name, name_) || current_mark.outer != nullptr) return;
    current_mark = Mark();
    --helpers_;
  }

  const StreamName name_;
  std::atomic<int> helpers_{0};
};

// Runs tasks in an arena.
class ArenaTasks final : public ITaskExecutor {
 public:
  explicit ArenaTasks(oneapi::tbb::task_arena* arena) : arena_(arena), forks_(ForkCount()) {}

  ~ArenaTasks() override {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return count_ == 0; });
  }

  void Run(Task task) override {
    if (forks_ != ForkCount()) {
      // The threads that it waits for, and maybe the arena's locks, stayed in the parent.
      std::thread(std::move(task)).detach();
      return;
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++count_;
    }
    arena_->enqueue(Once{this, std::move(task)});
  }

 private:
  // oneTBB calls what it is given as const.
  struct Once {
    void operator()() const {
      task();
      task = nullptr;
      std::lock_guard<std::mutex> lock(tasks->mutex_);
      if (--tasks->count_ == 0) tasks->changed_.notify_all();
    }

    ArenaTasks* tasks;
    mutable Task task;
  };

  oneapi::tbb::task_arena* const arena_;
  const int64_t forks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t count_ = 0;  // Guarded by mutex_.
};

}  // namespace

// What a stream has whose threads are its own. Members go in reverse order.
struct StreamArena::Inside {
  Inside(const CpuStream& place, StreamName name, bool pin, ThreadAffinity* affinity)
      : arena(oneapi::tbb::task_arena::constraints{}.set_max_concurrency(place.threads)) {
    arena.initialize();
    if (pin && place.cpus.size() >= static_cast<size_t>(place.threads)) pinning.emplace(arena, place.cpus, affinity);
    if (place.threads > 1) {
      marker.emplace(arena, name);
      helpers.emplace(&arena);
    }
  }

  oneapi::tbb::task_arena arena;
  std::optional<ThreadPinning> pinning;
  std::optional<Marker> marker;
  std::optional<ArenaTasks> helpers;
};

StreamArena::StreamArena(const CpuStream& place, StreamName name, bool pin, ThreadAffinity* affinity)
    : name_(name), threads_(place.threads > 1 && ArenasLostByFork() ? 1 : place.threads) {
  if (place.threads < 1 || ArenasLostByFork()) return;
  NoteArenas();
  KeepOneTbbLoaded();
  inside_ = std::make_unique<Inside>(place, name, pin, affinity);
}

StreamArena::~StreamArena() = default;

void StreamArena::Execute(absl::FunctionRef<void()> body) {
  const Mark outer = current_mark;
  current_mark = Mark{name_, &outer};
  if (inside_ == nullptr) {
    body();
  } else {
    // One slot of an arena is kept for a thread from outside, so that this one enters at once.
    inside_->arena.execute([body] { body(); });
  }
  current_mark = outer;
}

ITaskExecutor* StreamArena::helpers() {
  return inside_ != nullptr && inside_->helpers.has_value() ? &*inside_->helpers : nullptr;
}

int StreamArena::threads() const { return threads_; }

int64_t StreamArena::set_affinity_calls() const {
  return inside_ != nullptr && inside_->pinning.has_value() ? inside_->pinning->set_calls() : 0;
}

std::optional<int> CurrentStream(int64_t executor) {
  for (const Mark* mark = &current_mark; mark != nullptr; mark = mark->outer) {
    if (mark->name.executor == executor) return mark->name.stream;
  }
  return std::nullopt;
}

}  // namespace burin::executor
