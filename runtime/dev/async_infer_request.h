// Runs a synchronous request as a chain of stages on executors, and keeps its state.
//
// A stage is an executor and a task. The default chain has two: infer on the task executor, call back on the callback
// executor. Where a stage fails, those behind it but the callback are left out. The inference settles just before the
// callback goes to its executor, not on it: a callback may start the next inference, wait for another request of the
// same model, or drop the last reference, however few threads there are. Thread-safe.
//
// States: idle -> busy (StartAsync or Infer) -> idle. While busy, everything but Wait, WaitFor and Cancel is
// FailedPrecondition "Busy: ...".
#ifndef BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_
#define BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"

namespace burin {

class AsyncInferRequest {
 public:
  using Callback = std::function<void(absl::Status)>;
  struct Stage {
    std::shared_ptr<ITaskExecutor> executor;
    std::function<absl::Status()> task;
  };

  // `keep_alive` (the compiled model) lives as long as the request and any inference it runs.
  AsyncInferRequest(std::unique_ptr<ISyncInferRequest> request, std::shared_ptr<ITaskExecutor> task_executor,
                    std::shared_ptr<ITaskExecutor> callback_executor, std::shared_ptr<const void> keep_alive);
  // Cancels a running inference, waits for it, and does not call back for it; waits for the callbacks of earlier ones.
  // It does not wait for what may need the very thread that it is called on: called by a task or callback of an
  // executor, what is left for that executor goes on by itself, and callbacks that have not begun are not called.
  virtual ~AsyncInferRequest();
  AsyncInferRequest(const AsyncInferRequest&) = delete;
  AsyncInferRequest& operator=(const AsyncInferRequest&) = delete;

  // Runs and returns when done: the default chain on the calling thread, another one through its executors. Does not
  // call back.
  absl::Status Infer();
  // Starts and returns at once.
  absl::Status StartAsync();
  // Waits for the inference that runs now, if any; returns the last settled one's Status. FailedPrecondition where none
  // was ever started.
  absl::Status Wait();
  // Waits at most `timeout`; returns whether it is done, or its error.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // Asks the running inference to end soon; its Status becomes Cancelled unless it finishes first.
  void Cancel();
  // Called with the Status after each asynchronous inference, once each, one copy of it; null for none.
  absl::Status SetCallback(Callback callback);

  // As ISyncInferRequest has them.
  absl::Status SetTensor(Slot slot, const ir::Tensor& tensor);
  absl::Status SetTensors(Slot slot, absl::Span<const ir::Tensor> tensors);
  absl::StatusOr<ir::Tensor> GetTensor(Slot slot);
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const;

  // Returns the variables' states. They may outlive the request and be used by any thread: each of their calls is
  // FailedPrecondition "Busy: ..." while an inference runs.
  absl::StatusOr<std::vector<std::shared_ptr<IVariableState>>> QueryState();
  // Resets all of them.
  absl::Status ResetState();

  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;

 protected:
  // Replaces the stages in front of the callback; before the first inference. At least one.
  void SetPipeline(std::vector<Stage> stages);

  // Ends what runs as the destructor does, which calls it too. A derived class whose stages use its own members calls
  // it at the start of its destructor; nothing can be started afterwards.
  void Stop();

  // Returns the task that runs stage `index` of the inference that was begun last and gives the next one to its
  // executor. Each stage's task runs once per inference.
  ITaskExecutor::Task MakeNextStageTask(size_t index) const;

 private:
  struct State;
  class GuardedState;
  std::shared_ptr<State> state_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_
