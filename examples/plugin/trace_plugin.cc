// The TRACE device: evaluates models by the definitions of their operations, and counts the executions of each type.
//
// A plugin has three classes: the plugin, which compiles; the compiled model, which creates requests; and the request,
// which infers. The last line exports the plugin from the library.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "examples/plugin/execution_counts.h"
#include "examples/plugin/trace_configuration.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/tensor.h"
#include "ir/verifier.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/device_configuration.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/plugin_abi.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "runtime/dev/version.h"

namespace burin::trace {

namespace {

class TraceRequest final : public ISyncInferRequest {
 public:
  // What it refers to outlives the request: a request keeps its compiled model alive.
  TraceRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs, const ir::Evaluator* evaluator,
               ExecutionCounts* counts)
      : ISyncInferRequest(inputs, outputs), evaluator_(evaluator), counts_(counts) {}

  absl::Status Infer() override {
    ir::RunOptions options;
    options.cancelled = &cancelled();
    options.observer = [this](const ir::Node& node, int64_t, absl::Span<const ir::Tensor>,
                              absl::Span<const ir::Tensor>) { counts_->Add(node.op().name); };
    BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, evaluator_->Run(input_tensors(), options));
    return DeliverOutputs(std::move(results));
  }

  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::UnimplementedError("The TRACE device counts executions and measures no times");
  }

 private:
  const ir::Evaluator* const evaluator_;
  ExecutionCounts* const counts_;
};

class TraceCompiledModel final : public ICompiledModel {
 public:
  static absl::StatusOr<std::shared_ptr<ICompiledModel>> Create(std::unique_ptr<ir::Model> model,
                                                                const std::string& device_name,
                                                                Configuration configuration) {
    BURIN_ASSIGN_OR_RETURN(ir::Evaluator evaluator, ir::Evaluator::Create(*model));
    return std::shared_ptr<ICompiledModel>(
        new TraceCompiledModel(std::move(model), std::move(evaluator), device_name, std::move(configuration)));
  }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    return configuration_.Read(PropertyScope::kModel, name, ModelFacts(device_name_, model_->name(), counts_));
  }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    return std::make_unique<TraceRequest>(&inputs(), &outputs(), &evaluator_, &counts_);
  }

 private:
  // Asynchronous inferences run one after another on one thread, callbacks on another.
  TraceCompiledModel(std::unique_ptr<ir::Model> model, ir::Evaluator evaluator, const std::string& device_name,
                     Configuration configuration)
      : ICompiledModel(*model, std::make_shared<QueueExecutor>(), std::make_shared<QueueExecutor>()),
        model_(std::move(model)),
        evaluator_(std::move(evaluator)),
        device_name_(device_name),
        configuration_(std::move(configuration)),
        counts_(configuration_.Value(trace_ops)) {}

  const std::unique_ptr<ir::Model> model_;  // The evaluator refers to it.
  const ir::Evaluator evaluator_;
  const std::string device_name_;
  const Configuration configuration_;
  mutable ExecutionCounts counts_;  // Thread-safe.
};

class TracePlugin final : public Plugin {
 public:
  explicit TracePlugin(const std::string& device_name)
      : Plugin(device_name), configuration_(DefaultConfiguration(device_name), DeviceFacts(device_name)) {}

  Version GetVersion() const override { return BuildVersion("Burin example: TRACE plugin"); }

  absl::Status SetProperties(const PropertyMap& properties) override { return configuration_.Apply(properties); }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override { return configuration_.Read(name); }

 protected:
  // Compiles, or says what could be compiled: one method, so that the two agree.
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    BURIN_ASSIGN_OR_RETURN(Configuration configuration, configuration_.With(properties));
    // The model belongs to the user, who may change it later.
    std::unique_ptr<ir::Model> copy = model.Clone();
    BURIN_RETURN_IF_ERROR(ir::Verify(*copy));

    Compilation compilation;
    for (ir::NodeId id : copy->NodeIds()) {
      const ir::Node& node = copy->node(id);
      std::string reason;
      if (node.op().reference == nullptr) {
        reason = absl::StrCat("op ", node.op().name, " has no reference evaluation");
      } else if (!copy->variables().empty()) {
        reason = "the device keeps no state, and the model has variables";
      }
      compilation.Add(node, reason);
    }
    if (plan_only || !compilation.refused.empty()) return compilation;
    BURIN_ASSIGN_OR_RETURN(compilation.compiled,
                           TraceCompiledModel::Create(std::move(copy), device_name(), std::move(configuration)));
    return compilation;
  }

 private:
  DeviceConfiguration configuration_;
};

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name) {
  return std::make_unique<TracePlugin>(device_name);
}

}  // namespace

}  // namespace burin::trace

BURIN_DEFINE_PLUGIN(burin::trace::CreatePlugin);
