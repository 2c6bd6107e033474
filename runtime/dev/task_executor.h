// Where a task runs: the interface that executors implement, and the two simplest ones.
//
// Thread-safe. Tasks must not throw and must not wait for other tasks of the same executor.
#ifndef BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_
#define BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_

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

// Runs tasks in order on one thread of its own, which starts with the first task. May be destroyed by one of its own
// tasks: the rest of the queue then still runs on that thread.
class QueueExecutor final : public ITaskExecutor {
 public:
  QueueExecutor();
  ~QueueExecutor() override;
  void Run(Task task) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_TASK_EXECUTOR_H_
