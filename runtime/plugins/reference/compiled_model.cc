#include "runtime/plugins/reference/compiled_model.h"

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/task_executor.h"
#include "runtime/plugins/reference/sync_infer_request.h"

namespace burin::reference {

absl::StatusOr<std::shared_ptr<ICompiledModel>> CompiledModel::Create(std::unique_ptr<ir::Model> model,
                                                                      const Config& config) {
  BURIN_ASSIGN_OR_RETURN(ir::Evaluator evaluator, ir::Evaluator::Create(*model));
  return std::shared_ptr<ICompiledModel>(new CompiledModel(std::move(model), std::move(evaluator), config));
}

CompiledModel::CompiledModel(std::unique_ptr<ir::Model> model, ir::Evaluator evaluator, const Config& config)
    : ICompiledModel(*model, std::make_shared<QueueExecutor>(), std::make_shared<QueueExecutor>()),
      model_(std::move(model)),
      evaluator_(std::move(evaluator)),
      config_(config) {}

absl::StatusOr<std::string> CompiledModel::GetProperty(const std::string& name) const {
  if (name == burin::perf_count.name) return PropertyToString(config_.perf_count);
  if (name == burin::network_name.name) return model_->name();
  if (name == burin::execution_devices.name) return std::string("REFERENCE");
  if (name == burin::optimal_number_of_infer_requests.name) return PropertyToString(int64_t{1});
  const std::vector<std::string> readable = {burin::execution_devices.name, burin::network_name.name,
                                             burin::optimal_number_of_infer_requests.name, burin::perf_count.name,
                                             burin::supported_properties.name};
  if (name == burin::supported_properties.name) {
    std::vector<std::string> entries;
    for (const std::string& readable_name : readable) entries.push_back(readable_name + ":RO");
    return PropertyToString(entries);
  }
  return UnknownProperty(name, readable);
}

absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CompiledModel::CreateSyncInferRequest() const {
  return std::make_unique<SyncInferRequest>(this);
}

}  // namespace burin::reference
