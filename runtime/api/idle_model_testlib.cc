#include "runtime/api/idle_model_testlib.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/check.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"

namespace burin {

namespace {

class IdleRequest final : public ISyncInferRequest {
 public:
  using ISyncInferRequest::ISyncInferRequest;
  absl::Status Infer() override { return absl::OkStatus(); }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::FailedPreconditionError("there is no profile");
  }
};

class IdleCompiledModel final : public ICompiledModel {
 public:
  explicit IdleCompiledModel(const ir::Model& model)
      : ICompiledModel(model, std::make_shared<QueueExecutor>(), std::make_shared<QueueExecutor>()) {}
  absl::StatusOr<std::string> GetProperty(const std::string& name) const override { return absl::NotFoundError(name); }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    return std::make_unique<IdleRequest>(&inputs(), &outputs());
  }
};

}  // namespace

CompiledModel IdleModel() {
  ir::Model graph("idle");
  const auto input = [&graph](const std::string& name) {
    const ir::Value value = graph.AddParameter(name, ElementType::kF32, PartialShape({1, 3})).value();
    graph.SetOutputNames(value, {name, name + ":0"});
    return value;
  };
  const ir::Value x = input("x");
  const ir::Value mask = input("mask");
  BURIN_CHECK_OK(graph.AddResult(graph.Add(ir::AddOp(), {x, mask}).value(), "y"));
  BURIN_CHECK_OK(graph.AddResult(graph.Add(ir::ReluOp(), {x}).value(), "z"));
  return CompiledModel(std::make_shared<IdleCompiledModel>(graph));
}

}  // namespace burin
