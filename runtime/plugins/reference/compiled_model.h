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
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/config.h"

namespace burin::reference {

class CompiledModel final : public ICompiledModel {
 public:
  // Takes the copy that is to be run. InvalidArgument where it cannot be ordered.
  static absl::StatusOr<std::shared_ptr<ICompiledModel>> Create(std::unique_ptr<ir::Model> model, const Config& config);

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override;

  const ir::Model& model() const { return *model_; }
  const ir::Evaluator& evaluator() const { return evaluator_; }
  const Config& config() const { return config_; }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override;

 private:
  CompiledModel(std::unique_ptr<ir::Model> model, ir::Evaluator evaluator, const Config& config);

  const std::unique_ptr<ir::Model> model_;
  const ir::Evaluator evaluator_;
  const Config config_;
};

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_COMPILED_MODEL_H_
