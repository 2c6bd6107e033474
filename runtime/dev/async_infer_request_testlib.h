// A request without a device, and the fixture that runs it, for the tests of AsyncInferRequest.
//
// For tests only. As thread-safe as what it derives from.
#ifndef BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_TESTLIB_H_
#define BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_TESTLIB_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"

namespace burin::async_test {

// One port "x" of f32[2,3], or "y" of f32[?,3].
inline std::vector<Port> StaticPorts() {
  Port port;
  port.names = {"x"};
  port.element_type = ElementType::kF32;
  port.shape = ir::PartialShape({2, 3});
  return {port};
}

inline std::vector<Port> DynamicPorts() {
  std::vector<Port> ports = StaticPorts();
  ports[0].names = {"y"};
  ports[0].shape = ir::PartialShape({ir::Dimension(), 3});
  return ports;
}

// A state that keeps the very tensor.
class FakeState final : public IVariableState {
 public:
  const std::string& name() const override { return name_; }
  absl::StatusOr<ir::Tensor> GetState() const override {
    if (!value_.has_value()) return absl::FailedPreconditionError("no value");
    return value_;
  }
  absl::Status SetState(const ir::Tensor& value) override {
    value_ = value;
    return absl::OkStatus();
  }
  absl::Status Reset() override {
    value_ = ir::Tensor();
    return absl::OkStatus();
  }

 private:
  const std::string name_ = "v";
  ir::Tensor value_;
};

// A request that runs `body`, where there is one.
class FakeRequest final : public ISyncInferRequest {
 public:
  using ISyncInferRequest::input_tensors;
  FakeRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs, std::function<absl::Status()> body)
      : ISyncInferRequest(inputs, outputs), body_(std::move(body)) {}
  absl::Status Infer() override {
    absl::Status status = body_ ? body_() : absl::OkStatus();
    if (cancelled()) return absl::CancelledError("stopped");
    return status;
  }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::FailedPreconditionError("no profile");
  }
  std::vector<std::shared_ptr<IVariableState>> QueryState() override { return {state_}; }

 private:
  const std::shared_ptr<IVariableState> state_ = std::make_shared<FakeState>();
  std::function<absl::Status()> body_;
};

// Makes requests whose inferences and callbacks have a thread each.
class AsyncInferRequestTest : public ::testing::Test {
 protected:
  std::unique_ptr<AsyncInferRequest> Make(std::function<absl::Status()> body = nullptr) {
    return std::make_unique<AsyncInferRequest>(std::make_unique<FakeRequest>(&inputs_, &outputs_, std::move(body)),
                                               task_executor_, callback_executor_, nullptr);
  }
  // Returns when all that the executor, which has one thread, was given before is done.
  static void Drain(ITaskExecutor* executor) {
    Event done;
    executor->Run([&done] { done.Notify(); });
    done.Wait();
  }
  const std::vector<Port> inputs_ = StaticPorts();
  const std::vector<Port> outputs_ = DynamicPorts();
  std::shared_ptr<ITaskExecutor> task_executor_ = std::make_shared<QueueExecutor>();
  std::shared_ptr<ITaskExecutor> callback_executor_ = std::make_shared<QueueExecutor>();
};

}  // namespace burin::async_test

#endif  // BURIN_RUNTIME_DEV_ASYNC_INFER_REQUEST_TESTLIB_H_
