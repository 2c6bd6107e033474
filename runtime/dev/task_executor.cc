#include "runtime/dev/task_executor.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace burin {

// Shared with the thread, which outlives the executor when one of its own tasks destroys that.
struct QueueExecutor::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Task> tasks;  // Guarded by mutex.
  bool stopping = false;   // Guarded by mutex.
  std::thread thread;      // Guarded by mutex; joined or detached by the executor's destructor.

  void Loop() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      wake.wait(lock, [this] { return stopping || !tasks.empty(); });
      if (tasks.empty()) return;
      Task task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
      // What the task holds may be the last reference to anything, this executor included: it goes without the lock.
      task = nullptr;
      lock.lock();
    }
  }
};

QueueExecutor::QueueExecutor() : state_(std::make_shared<State>()) {}

QueueExecutor::~QueueExecutor() {
  std::thread thread;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping = true;
    thread = std::move(state_->thread);
  }
  state_->wake.notify_all();
  if (!thread.joinable()) return;
  if (thread.get_id() == std::this_thread::get_id()) {
    thread.detach();
  } else {
    thread.join();
  }
}

void QueueExecutor::Run(Task task) {
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->tasks.push_back(std::move(task));
    if (!state_->thread.joinable()) {
      state_->thread = std::thread([state = state_] { state->Loop(); });
    }
  }
  state_->wake.notify_one();
}

}  // namespace burin
