#include "runtime/dev/task_executor.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"

namespace burin {

namespace {

// First in, first out; keeps its memory, so that a queue in steady use allocates nothing. Not thread-safe.
class TaskQueue {
 public:
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }

  void Push(ITaskExecutor::Task task) {
    if (count_ == ring_.size()) Grow();
    ring_[(first_ + count_) % ring_.size()] = std::move(task);
    ++count_;
  }

  // Requires a task.
  ITaskExecutor::Task Pop() {
    ITaskExecutor::Task task = std::move(ring_[first_]);
    ring_[first_] = nullptr;
    first_ = (first_ + 1) % ring_.size();
    --count_;
    return task;
  }

 private:
  void Grow() {
    constexpr size_t kFirstSize = 8;
    std::vector<ITaskExecutor::Task> larger(ring_.empty() ? kFirstSize : 2 * ring_.size());
    for (size_t i = 0; i < count_; ++i) larger[i] = std::move(ring_[(first_ + i) % ring_.size()]);
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<ITaskExecutor::Task> ring_;
  size_t first_ = 0;
  size_t count_ = 0;
};

}  // namespace

// Shared with the threads: one of them outlives the executor when its own task destroys that.
struct ThreadPoolExecutor::State {
  explicit State(size_t most_threads) : max_threads(most_threads) {}

  const size_t max_threads;
  std::mutex mutex;
  std::condition_variable wake;
  TaskQueue tasks;                   // Guarded by mutex.
  size_t idle = 0;                   // Guarded by mutex: threads that wait for a task.
  bool stopping = false;             // Guarded by mutex.
  std::vector<std::thread> threads;  // Guarded by mutex; joined or detached by the executor's destructor.

  void Loop() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      ++idle;
      wake.wait(lock, [this] { return stopping || !tasks.empty(); });
      --idle;
      if (tasks.empty()) return;
      Task task = tasks.Pop();
      lock.unlock();
      task();
      // What the task holds may be the last reference to anything, this executor included: it goes without the lock.
      task = nullptr;
      lock.lock();
    }
  }
};

ThreadPoolExecutor::ThreadPoolExecutor(size_t max_threads) : state_(std::make_shared<State>(max_threads)) {
  BURIN_CHECK(max_threads > 0) << "an executor needs a thread";
}

ThreadPoolExecutor::~ThreadPoolExecutor() {
  std::vector<std::thread> threads;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping = true;
    threads = std::move(state_->threads);
  }
  state_->wake.notify_all();
  for (std::thread& thread : threads) {
    if (thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

void ThreadPoolExecutor::Run(Task task) {
  const std::shared_ptr<State> state = state_;  // The task may be done, and have destroyed this, before Run() ends.
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->tasks.Push(std::move(task));
    // Idle threads that were woken and have not run yet still count, and so do the tasks that they will take. What a
    // task gives to the executor that is being destroyed waits for that task's own thread.
    if (!state->stopping && state->tasks.size() > state->idle && state->threads.size() < state->max_threads) {
      state->threads.emplace_back([state] { state->Loop(); });
    }
  }
  state->wake.notify_one();
}

}  // namespace burin
