// Runs a synchronous request as a chain of stages on executors, and keeps its state.
//
// A stage is an executor and a task; the default chain infers on the task executor. When the last stage is done (or one
// fails) the result is settled first, and the callback then runs on the callback executor: a callback may start the
// next inference or drop the last reference. Thread-safe.
//
// States: idle -> busy (StartAsync or Infer) -> idle. While busy, everything but Wait, WaitFor and Cancel is
// FailedPrecondition "Busy: ...".
#ifndef BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_
#define BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
  // Cancels a running inference and waits for it, unless called from its own callback.
  ~AsyncInferRequest();
  AsyncInferRequest(const AsyncInferRequest&) = delete;
  AsyncInferRequest& operator=(const AsyncInferRequest&) = delete;

  // Runs on the calling thread and returns when done.
  absl::Status Infer();
  // Starts and returns at once.
  absl::Status StartAsync();
  // Waits until no inference runs; returns the last one's Status. FailedPrecondition where none was ever started.
  absl::Status Wait();
  // Waits at most `timeout`; returns whether it is done, or its error.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // Asks the running inference to end soon; its Status becomes Cancelled unless it finishes first.
  void Cancel();
  // Called with the Status after each asynchronous inference; null for none.
  absl::Status SetCallback(Callback callback);

  absl::Status SetTensor(Slot slot, const ir::Tensor& tensor);
  absl::StatusOr<ir::Tensor> GetTensor(Slot slot);
  absl::StatusOr<std::vector<std::shared_ptr<IVariableState>>> QueryState();
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const;

  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;

 protected:
  // Replaces the default chain; before the first inference. At least one stage.
  void SetPipeline(std::vector<Stage> stages);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_H_
