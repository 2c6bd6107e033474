#include "runtime/dev/async_infer_request.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin {

// Shared by the request and the inference it runs, so that the request may go while a stage is running.
struct AsyncInferRequest::State : std::enable_shared_from_this<AsyncInferRequest::State> {
  std::shared_ptr<const void> keep_alive;  // Declared first: outlives the request below.
  std::unique_ptr<ISyncInferRequest> request;
  std::vector<Stage> stages;
  std::shared_ptr<ITaskExecutor> callback_executor;

  mutable std::mutex mutex;
  std::condition_variable settled;
  bool busy = false;                // Guarded by mutex.
  bool ever_started = false;        // Guarded by mutex.
  absl::Status result;              // Guarded by mutex: of the last inference.
  Callback callback;                // Guarded by mutex.
  std::thread::id callback_thread;  // Guarded by mutex: the thread that is inside the callback.

  absl::Status BusyError(absl::string_view call) const {
    return absl::FailedPreconditionError(absl::StrCat("Busy: ", call, " while an inference runs"));
  }

  absl::Status Begin(absl::string_view call) {
    std::lock_guard<std::mutex> lock(mutex);
    if (busy) return BusyError(call);
    busy = true;
    ever_started = true;
    request->ClearCancel();
    return absl::OkStatus();
  }

  // Makes the result visible, then wakes waiters: a waiter may start the next inference at once.
  void Settle(absl::Status status) {
    std::lock_guard<std::mutex> lock(mutex);
    busy = false;
    result = std::move(status);
    settled.notify_all();
  }

  void RunStage(size_t index) {
    auto self = shared_from_this();
    stages[index].executor->Run([self, index] {
      absl::Status status = self->stages[index].task();
      if (status.ok() && index + 1 < self->stages.size()) {
        self->RunStage(index + 1);
      } else {
        self->Finish(std::move(status));
      }
    });
  }

  void Finish(absl::Status status) {
    Callback to_call;
    {
      std::lock_guard<std::mutex> lock(mutex);
      to_call = callback;
    }
    Settle(status);
    if (!to_call) return;
    auto self = shared_from_this();
    callback_executor->Run([self, to_call = std::move(to_call), status = std::move(status)] {
      {
        std::lock_guard<std::mutex> lock(self->mutex);
        self->callback_thread = std::this_thread::get_id();
      }
      to_call(status);
      std::lock_guard<std::mutex> lock(self->mutex);
      self->callback_thread = std::thread::id();
    });
  }

  template <class Function>
  auto WhenIdle(absl::string_view call, Function function) const -> decltype(function()) {
    std::lock_guard<std::mutex> lock(mutex);
    if (busy) return BusyError(call);
    return function();
  }
};

AsyncInferRequest::AsyncInferRequest(std::unique_ptr<ISyncInferRequest> request,
                                     std::shared_ptr<ITaskExecutor> task_executor,
                                     std::shared_ptr<ITaskExecutor> callback_executor,
                                     std::shared_ptr<const void> keep_alive)
    : state_(std::make_shared<State>()) {
  state_->keep_alive = std::move(keep_alive);
  state_->request = std::move(request);
  state_->callback_executor = std::move(callback_executor);
  ISyncInferRequest* sync_request = state_->request.get();
  state_->stages.push_back(Stage{std::move(task_executor), [sync_request] { return sync_request->Infer(); }});
}

AsyncInferRequest::~AsyncInferRequest() {
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->callback = nullptr;
  if (!state_->busy) return;
  state_->request->Cancel();
  // Inside its own callback the thread that waits would be the one that is to finish.
  if (state_->callback_thread == std::this_thread::get_id()) return;
  state_->settled.wait(lock, [this] { return !state_->busy; });
}

absl::Status AsyncInferRequest::Infer() {
  BURIN_RETURN_IF_ERROR(state_->Begin("Infer"));
  absl::Status status;
  for (const Stage& stage : state_->stages) {
    status = stage.task();
    if (!status.ok()) break;
  }
  state_->Settle(status);
  return status;
}

absl::Status AsyncInferRequest::StartAsync() {
  BURIN_RETURN_IF_ERROR(state_->Begin("StartAsync"));
  state_->RunStage(0);
  return absl::OkStatus();
}

absl::Status AsyncInferRequest::Wait() {
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (!state_->ever_started) return absl::FailedPreconditionError("Wait: no inference was started");
  state_->settled.wait(lock, [this] { return !state_->busy; });
  return state_->result;
}

absl::StatusOr<bool> AsyncInferRequest::WaitFor(std::chrono::milliseconds timeout) {
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (!state_->ever_started) return absl::FailedPreconditionError("WaitFor: no inference was started");
  if (!state_->settled.wait_for(lock, timeout, [this] { return !state_->busy; })) return false;
  if (!state_->result.ok()) return state_->result;
  return true;
}

void AsyncInferRequest::Cancel() {
  std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->busy) state_->request->Cancel();
}

absl::Status AsyncInferRequest::SetCallback(Callback callback) {
  return state_->WhenIdle("SetCallback", [&] {
    state_->callback = std::move(callback);
    return absl::OkStatus();
  });
}

absl::Status AsyncInferRequest::SetTensor(Slot slot, const ir::Tensor& tensor) {
  return state_->WhenIdle("SetTensor", [&] { return state_->request->SetTensor(slot, tensor); });
}

absl::StatusOr<ir::Tensor> AsyncInferRequest::GetTensor(Slot slot) {
  return state_->WhenIdle("GetTensor", [&] { return state_->request->GetTensor(slot); });
}

absl::StatusOr<std::vector<std::shared_ptr<IVariableState>>> AsyncInferRequest::QueryState() {
  return state_->WhenIdle("QueryState", [&]() -> absl::StatusOr<std::vector<std::shared_ptr<IVariableState>>> {
    return state_->request->QueryState();
  });
}

absl::StatusOr<std::vector<ProfilingInfo>> AsyncInferRequest::GetProfilingInfo() const {
  return state_->WhenIdle("GetProfilingInfo", [&] { return state_->request->GetProfilingInfo(); });
}

const std::vector<Port>& AsyncInferRequest::inputs() const { return state_->request->inputs(); }
const std::vector<Port>& AsyncInferRequest::outputs() const { return state_->request->outputs(); }

void AsyncInferRequest::SetPipeline(std::vector<Stage> stages) {
  BURIN_CHECK(!stages.empty()) << "a request needs at least one stage";
  std::lock_guard<std::mutex> lock(state_->mutex);
  BURIN_CHECK(!state_->ever_started) << "the stages are fixed once an inference has started";
  state_->stages = std::move(stages);
}

}  // namespace burin
