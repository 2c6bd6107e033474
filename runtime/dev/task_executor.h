// Where a task runs: the interface that executors implement, and the simplest ones.
//
// Thread-safe. Tasks must not throw and must not wait for other tasks of the same executor.
#ifndef BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_
#define BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_

#include <cstddef>
#include <functional>
#include <memory>

namespace burin {

class ITaskExecutor {
 public:
  using Task = std::function<void()>;

  virtual ~ITaskExecutor() = default;
  // Runs the task now or later, on some thread, exactly once. Tasks given before the destructor begins all run; the
  // destructor returns when they are done.
  virtual void Run(Task task) = 0;
};

// Runs each task on the calling thread before Run() returns.
class ImmediateExecutor final : public ITaskExecutor {
 public:
  void Run(Task task) override { task(); }
};

// Runs tasks on threads of its own, in the order in which they were given, as many at once as it may have threads. A
// thread starts when a task finds none idle, and then stays. May be destroyed by one of its own tasks: what is left of
// the queue then still runs. For tasks that last: nothing is pinned and nothing spins.
class ThreadPoolExecutor : public ITaskExecutor {
 public:
  // Requires at least one thread.
  explicit ThreadPoolExecutor(size_t max_threads);
  ~ThreadPoolExecutor() override;
  void Run(Task task) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Runs tasks one after another on one thread of its own.
class QueueExecutor final : public ThreadPoolExecutor {
 public:
  QueueExecutor() : ThreadPoolExecutor(1) {}
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_
