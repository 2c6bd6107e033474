// One inference on the REFERENCE device.
//
// Used by one thread at a time.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_SYNC_INFER_REQUEST_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_SYNC_INFER_REQUEST_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/evaluator.h"
#include "ir/tensor.h"
#include "runtime/dev/profiling/execution_profile.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/compiled_model.h"

namespace burin::reference {

class SyncInferRequest final : public ISyncInferRequest {
 public:
  // The compiled model outlives the request: AsyncInferRequest holds it.
  explicit SyncInferRequest(const CompiledModel* compiled);

  absl::Status Infer() override;
  std::vector<std::shared_ptr<IVariableState>> QueryState() override;
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override;

 private:
  const CompiledModel* compiled_;
  std::shared_ptr<ir::MapVariableStore> variables_;
  ExecutionProfile profile_;  // Of the compiled model's running nodes; of none without PERF_COUNT.
};

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_SYNC_INFER_REQUEST_H_
