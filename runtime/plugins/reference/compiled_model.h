// A model compiled for the REFERENCE device: a private copy, and the plan of its evaluation.
//
// Thread-safe: every request evaluates with state of its own.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_COMPILED_MODEL_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_COMPILED_MODEL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/profiling/execution_profile.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/runtime_model.h"

namespace burin::reference {

class CompiledModel final : public ICompiledModel {
 public:
  // Takes the copy that is to be run on the device called `device_name`. InvalidArgument where it cannot be ordered.
  static absl::StatusOr<std::shared_ptr<ICompiledModel>> Create(std::unique_ptr<ir::Model> model,
                                                                const std::string& device_name,
                                                                Configuration configuration);

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override;
  absl::StatusOr<std::shared_ptr<IRemoteContext>> GetContext() const override;
  // Returns the model as it runs. Times are those of all requests together, and are there with PERF_COUNT alone.
  absl::StatusOr<std::unique_ptr<ir::Model>> GetRuntimeModel() const override;

  const ir::Model& model() const { return *model_; }
  const ir::Evaluator& evaluator() const { return evaluator_; }
  // Returns whether requests measure each node: the value of PERF_COUNT.
  bool perf_count() const { return perf_count_; }
  // Returns the nodes that run.
  const RunningNodes& running() const { return running_; }
  // Returns where requests record what they measure, one entry for each of running().nodes.
  ExecutionProfile& profile() const { return profile_; }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override;

 private:
  CompiledModel(std::unique_ptr<ir::Model> model, ir::Evaluator evaluator, RunningNodes running,
                const std::string& device_name, Configuration configuration);

  const std::unique_ptr<ir::Model> model_;
  const ir::Evaluator evaluator_;
  const std::string device_name_;
  const Configuration configuration_;
  const PropertyMap facts_;
  const bool perf_count_;
  const RunningNodes running_;
  mutable ExecutionProfile profile_;
};

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_COMPILED_MODEL_H_
