#include "runtime/dev/async_infer_request.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin {

namespace {

// Says on which executors' behalf this thread is running something: a request that is destroyed there must not wait for
// what may need this thread.
class ExecutorFrame {
 public:
  explicit ExecutorFrame(const ITaskExecutor* executor) : executor_(executor), outer_(innermost_) { innermost_ = this; }
  ~ExecutorFrame() { innermost_ = outer_; }
  ExecutorFrame(const ExecutorFrame&) = delete;
  ExecutorFrame& operator=(const ExecutorFrame&) = delete;

  static bool IsInside(const ITaskExecutor* executor) {
    for (const ExecutorFrame* frame = innermost_; frame != nullptr; frame = frame->outer_) {
      if (frame->executor_ == executor) return true;
    }
    return false;
  }

 private:
  static thread_local const ExecutorFrame* innermost_;
  const ITaskExecutor* const executor_;
  const ExecutorFrame* const outer_;
};

thread_local const ExecutorFrame* ExecutorFrame::innermost_ = nullptr;

}  // namespace

// Shared by the request and the inference it runs, so that the request may go while a stage is running.
struct AsyncInferRequest::State : std::enable_shared_from_this<AsyncInferRequest::State> {
  std::shared_ptr<const void> keep_alive;  // Declared first: outlives the request below.
  std::unique_ptr<ISyncInferRequest> request;
  std::vector<Stage> stages;
  bool is_default_chain = true;
  std::shared_ptr<ITaskExecutor> callback_executor;

  // Belong to the running inference, that is, to whoever has set busy and the stages that follow.
  std::shared_ptr<State> running;  // Itself: a stage's task holds a bare pointer, which fits into Task as it is.
  bool calls_back = false;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool busy = false;       // Guarded by mutex.
  bool destroyed = false;  // Guarded by mutex: the request has gone, or is going.
  uint64_t begun = 0;      // Guarded by mutex: inferences so far.
  uint64_t settled = 0;    // Guarded by mutex: those of them that are done.
  absl::Status result;     // Guarded by mutex: of the last settled one.
  // Guarded by mutex. Shared, so that what it captures exists once.
  std::shared_ptr<const Callback> callback;
  int64_t callbacks = 0;        // Guarded by mutex: those given to the executor and not yet done.
  bool drop_callbacks = false;  // Guarded by mutex: those that have not begun are not to be called.

  absl::Status BusyError(absl::string_view call) const {
    return absl::FailedPreconditionError(absl::StrCat("Busy: ", call, " while an inference runs"));
  }

  absl::Status Begin(absl::string_view call) {
    std::lock_guard<std::mutex> lock(mutex);
    if (busy) return BusyError(call);
    if (destroyed) return absl::FailedPreconditionError(absl::StrCat(call, " of a request that is being destroyed"));
    busy = true;
    ++begun;
    request->ClearCancel();
    return absl::OkStatus();
  }

  // Makes the result visible, then wakes waiters: a waiter may start the next inference at once.
  void SettleLocked(absl::Status status) {
    busy = false;
    ++settled;
    result = std::move(status);
    changed.notify_all();
  }

  absl::Status RunStage(size_t index) {
    if (request->is_cancelled()) return absl::CancelledError("The inference was cancelled");
    if (index == 0) BURIN_RETURN_IF_ERROR(request->PrepareInputs());
    return stages[index].task();
  }

  ITaskExecutor::Task NextStageTask(size_t index) {
    return [this, index] {
      const ExecutorFrame frame(stages[index].executor.get());
      absl::Status status = RunStage(index);
      if (status.ok() && index + 1 < stages.size()) {
        const std::shared_ptr<State> self = running;  // The rest may be done before Run() returns.
        stages[index + 1].executor->Run(NextStageTask(index + 1));
      } else {
        Finish(std::move(status));
      }
    };
  }

  // Starts the chain; the caller has begun an inference.
  void Start(bool with_callback) {
    const std::shared_ptr<State> self = shared_from_this();  // All may be done before Run() returns.
    running = self;
    calls_back = with_callback;
    stages[0].executor->Run(NextStageTask(0));
  }

  void Finish(absl::Status status) {
    // From here on another inference may begin: nothing of this one is read below.
    const std::shared_ptr<State> self = std::move(running);
    const bool with_callback = calls_back;
    std::shared_ptr<const Callback> to_call;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (with_callback && !destroyed && callback != nullptr) {
        to_call = callback;
        ++callbacks;
      }
      SettleLocked(status);
    }
    if (to_call == nullptr) return;
    callback_executor->Run([self, to_call = std::move(to_call), status = std::move(status)]() mutable {
      const ExecutorFrame frame(self->callback_executor.get());
      self->CallBack(std::move(to_call), std::move(status));
    });
  }

  void CallBack(std::shared_ptr<const Callback> to_call, absl::Status status) {
    bool dropped;
    {
      std::lock_guard<std::mutex> lock(mutex);
      dropped = drop_callbacks;
    }
    if (!dropped) (*to_call)(std::move(status));
    to_call.reset();  // May destroy the request.
    std::lock_guard<std::mutex> lock(mutex);
    --callbacks;
    changed.notify_all();
  }

  // Returns whether this thread may be one that the running inference needs.
  bool RunsOnThisThread() const {
    return std::any_of(stages.begin(), stages.end(),
                       [](const Stage& stage) { return ExecutorFrame::IsInside(stage.executor.get()); });
  }

  // Waits for the inference that runs now; `wait` waits for a predicate under a lock. Returns what that returns.
  template <class WaitFunction>
  bool WaitForRunning(std::unique_lock<std::mutex>& lock, WaitFunction wait) {
    // Not for idleness: a callback may start one inference after the other.
    const uint64_t last = begun;
    return wait(lock, [this, last] { return settled >= last; });
  }

  template <class Function>
  auto WhenIdle(absl::string_view call, Function function) const -> decltype(function()) {
    std::lock_guard<std::mutex> lock(mutex);
    if (busy) return BusyError(call);
    return function();
  }
};

// A variable's state that cannot be touched while an inference runs.
class AsyncInferRequest::GuardedState final : public IVariableState {
 public:
  GuardedState(std::shared_ptr<State> request, std::shared_ptr<IVariableState> state)
      : request_(std::move(request)), state_(std::move(state)) {}
  const std::string& name() const override { return state_->name(); }
  absl::StatusOr<ir::Tensor> GetState() const override {
    return request_->WhenIdle("GetState", [this] { return state_->GetState(); });
  }
  absl::Status SetState(const ir::Tensor& value) override {
    return request_->WhenIdle("SetState", [this, &value] { return state_->SetState(value); });
  }
  absl::Status Reset() override {
    return request_->WhenIdle("Reset", [this] { return state_->Reset(); });
  }

 private:
  const std::shared_ptr<State> request_;  // Declared first: outlives the state below.
  const std::shared_ptr<IVariableState> state_;
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

AsyncInferRequest::~AsyncInferRequest() { Stop(); }

void AsyncInferRequest::Stop() {
  std::shared_ptr<const Callback> callback;  // Goes without the lock: it may own anything.
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->destroyed = true;
  callback = std::move(state_->callback);
  if (state_->busy) state_->request->Cancel();
  if (!state_->RunsOnThisThread()) state_->changed.wait(lock, [this] { return !state_->busy; });
  if (ExecutorFrame::IsInside(state_->callback_executor.get())) {
    state_->drop_callbacks = true;
  } else {
    state_->changed.wait(lock, [this] { return state_->callbacks == 0; });
  }
  lock.unlock();
}

absl::Status AsyncInferRequest::Infer() {
  BURIN_RETURN_IF_ERROR(state_->Begin("Infer"));
  if (state_->is_default_chain) {
    absl::Status status = state_->RunStage(0);
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->SettleLocked(status);
    return status;
  }
  state_->Start(/*with_callback=*/false);
  return Wait();
}

absl::Status AsyncInferRequest::StartAsync() {
  BURIN_RETURN_IF_ERROR(state_->Begin("StartAsync"));
  state_->Start(/*with_callback=*/true);
  return absl::OkStatus();
}

absl::Status AsyncInferRequest::Wait() {
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (state_->begun == 0) return absl::FailedPreconditionError("Wait: no inference was started");
  state_->WaitForRunning(lock, [this](std::unique_lock<std::mutex>& held, auto is_done) {
    state_->changed.wait(held, is_done);
    return true;
  });
  return state_->result;
}

absl::StatusOr<bool> AsyncInferRequest::WaitFor(std::chrono::milliseconds timeout) {
  // The end of a longer time, or one before all times, would lie outside of what the clock can say.
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365);
  std::unique_lock<std::mutex> lock(state_->mutex);
  if (state_->begun == 0) return absl::FailedPreconditionError("WaitFor: no inference was started");
  const bool done = state_->WaitForRunning(lock, [&](std::unique_lock<std::mutex>& held, auto is_done) {
    return state_->changed.wait_for(held, std::clamp(timeout, std::chrono::milliseconds(0), kLongest), is_done);
  });
  if (!done) return false;
  if (!state_->result.ok()) return state_->result;
  return true;
}

void AsyncInferRequest::Cancel() {
  std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->busy) state_->request->Cancel();
}

absl::Status AsyncInferRequest::SetCallback(Callback callback) {
  std::shared_ptr<const Callback> changed;
  if (callback) changed = std::make_shared<const Callback>(std::move(callback));
  // The former one goes without the lock: it may own anything.
  return state_->WhenIdle("SetCallback", [&] {
    changed.swap(state_->callback);
    return absl::OkStatus();
  });
}

absl::Status AsyncInferRequest::SetTensor(Slot slot, const ir::Tensor& tensor) {
  return state_->WhenIdle("SetTensor", [&] { return state_->request->SetTensor(slot, tensor); });
}

absl::Status AsyncInferRequest::SetTensors(Slot slot, absl::Span<const ir::Tensor> tensors) {
  return state_->WhenIdle("SetTensors", [&] { return state_->request->SetTensors(slot, tensors); });
}

absl::StatusOr<ir::Tensor> AsyncInferRequest::GetTensor(Slot slot) {
  return state_->WhenIdle("GetTensor", [&] { return state_->request->GetTensor(slot); });
}

absl::StatusOr<std::vector<std::shared_ptr<IVariableState>>> AsyncInferRequest::QueryState() {
  std::vector<std::shared_ptr<IVariableState>> states;
  BURIN_RETURN_IF_ERROR(state_->WhenIdle("QueryState", [&] {
    states = state_->request->QueryState();
    return absl::OkStatus();
  }));
  for (std::shared_ptr<IVariableState>& state : states) {
    state = std::make_shared<GuardedState>(state_, std::move(state));
  }
  return states;
}

absl::Status AsyncInferRequest::ResetState() {
  return state_->WhenIdle("ResetState", [&] {
    for (const std::shared_ptr<IVariableState>& state : state_->request->QueryState()) {
      BURIN_RETURN_IF_ERROR(state->Reset());
    }
    return absl::OkStatus();
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
  BURIN_CHECK(state_->begun == 0) << "the stages are fixed once an inference has started";
  state_->stages = std::move(stages);
  state_->is_default_chain = false;
}

ITaskExecutor::Task AsyncInferRequest::MakeNextStageTask(size_t index) const { return state_->NextStageTask(index); }

}  // namespace burin
