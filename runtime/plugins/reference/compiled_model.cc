#include "runtime/plugins/reference/compiled_model.h"

#include <utility>

#include "base/status_macros.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/task_executor.h"
#include "runtime/plugins/reference/config.h"
#include "runtime/plugins/reference/sync_infer_request.h"
#include "runtime/plugins/reference/usable_cores.h"

namespace burin::reference {

absl::StatusOr<std::shared_ptr<ICompiledModel>> CompiledModel::Create(std::unique_ptr<ir::Model> model,
                                                                      const std::string& device_name,
                                                                      Configuration configuration) {
  BURIN_ASSIGN_OR_RETURN(ir::Evaluator evaluator, ir::Evaluator::Create(*model));
  BURIN_ASSIGN_OR_RETURN(RunningNodes running, DescribeRunningNodes(*model));
  return std::shared_ptr<ICompiledModel>(new CompiledModel(std::move(model), std::move(evaluator), std::move(running),
                                                           device_name, std::move(configuration)));
}

CompiledModel::CompiledModel(std::unique_ptr<ir::Model> model, ir::Evaluator evaluator, RunningNodes running,
                             const std::string& device_name, Configuration configuration)
    : ICompiledModel(*model, std::make_shared<ThreadPoolExecutor>(static_cast<size_t>(UsableCores())),
                     std::make_shared<QueueExecutor>()),
      model_(std::move(model)),
      evaluator_(std::move(evaluator)),
      device_name_(device_name),
      configuration_(std::move(configuration)),
      facts_(ModelFacts(device_name, model_->name())),
      perf_count_(configuration_.Value(burin::perf_count)),
      running_(std::move(running)),
      profile_(running_.nodes) {}

absl::StatusOr<std::string> CompiledModel::GetProperty(const std::string& name) const {
  return configuration_.Read(PropertyScope::kModel, name, facts_);
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> CompiledModel::GetContext() const {
  return std::make_shared<HostContext>(device_name_);
}

absl::StatusOr<std::unique_ptr<ir::Model>> CompiledModel::GetRuntimeModel() const {
  return MakeRuntimeModel(*model_, running_, profile_.Read());
}

absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CompiledModel::CreateSyncInferRequest() const {
  return std::make_unique<SyncInferRequest>(this);
}

}  // namespace burin::reference
