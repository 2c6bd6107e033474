#include "runtime/plugins/cpu/plugin.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/verifier.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/device_configuration.h"
#include "runtime/dev/model_support.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"
#include "runtime/plugins/cpu/compiled_model.h"
#include "runtime/plugins/cpu/config.h"
#include "runtime/plugins/cpu/constants/kernel_evaluator.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "runtime/plugins/cpu/pipeline.h"

namespace burin::cpu {

namespace {

// The nodes of a compiled model by the index of their ids, and why the others cannot be made.
struct MadeNodes {
  std::vector<std::shared_ptr<const Node>> nodes;
  // By the name of an operation of the user.
  std::map<std::string, std::string> refused;
};

absl::StatusOr<MadeNodes> MakeNodes(const ir::Model& model, const NodeContext& context) {
  MadeNodes made;
  made.nodes.resize(static_cast<size_t>(model.id_bound()));
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (!Computes(node)) continue;
    absl::StatusOr<std::shared_ptr<const Node>> result = MakeNode(node, context);
    if (result.ok()) {
      made.nodes[static_cast<size_t>(ir::Index(id))] = *std::move(result);
      continue;
    }
    if (result.status().code() != absl::StatusCode::kUnimplemented) return result.status();
    for (const std::string& name : OriginalNames(node)) {
      made.refused.emplace(name, std::string(result.status().message()));
    }
  }
  return made;
}

// Lets what becomes of each operation tell of it, also where no file names it: passes hand on original names alone.
void KeepNames(ir::Model& model) {
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.original_names().empty() && node.code() != ir::OpCode::kConstant) {
      model.AddOriginalNames(id, {node.name()});
    }
  }
}

class CpuPlugin final : public Plugin {
 public:
  explicit CpuPlugin(const std::string& device_name)
      : Plugin(device_name), configuration_(DefaultConfiguration(device_name), DeviceFacts(device_name)) {}

  Version GetVersion() const override { return BuildVersion("Burin CPU plugin"); }

  absl::Status SetProperties(const PropertyMap& properties) override { return configuration_.Apply(properties); }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override { return configuration_.Read(name); }

  // A host tensor is as good as any: the model compiled for a context is the same.
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModelWithContext(const ir::Model& model,
                                                                          IRemoteContext& context,
                                                                          const PropertyMap& properties) override {
    if (context.device_name() != device_name()) {
      return absl::InvalidArgumentError(absl::StrCat("The context is of another device: expected ", device_name(),
                                                     ", given ", context.device_name()));
    }
    return CompileModel(model, properties);
  }

  absl::StatusOr<std::shared_ptr<IRemoteContext>> CreateContext(const PropertyMap& properties) override {
    BURIN_RETURN_IF_ERROR(ContextConfiguration(device_name()).Apply(properties));
    return GetDefaultContext();
  }

  absl::StatusOr<std::shared_ptr<IRemoteContext>> GetDefaultContext() override {
    return std::make_shared<HostContext>(device_name());
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    return CompileOwn(model.Clone(), properties, plan_only);
  }

  absl::StatusOr<Compilation> CompileOwned(std::unique_ptr<ir::Model> model, const PropertyMap& properties) override {
    return CompileOwn(std::move(model), properties, /*plan_only=*/false);
  }

 private:
  absl::StatusOr<Compilation> CompileOwn(std::unique_ptr<ir::Model> model, const PropertyMap& properties,
                                         bool plan_only) {
    BURIN_ASSIGN_OR_RETURN(Configuration configuration, configuration_.With(properties));
    BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
    NodeContext context{target, &jit::CodeCache::Process(), 1};
    context.inexact_methods = configuration.Value(execution_mode_hint) == ExecutionMode::kPerformance;
    const KernelEvaluator constants(context);
    CompilationState state;
    state.configuration = &configuration;
    state.plan_only = plan_only;
    state.constants = &constants;
    state.model = std::move(model);
    BURIN_RETURN_IF_ERROR(ir::Verify(*state.model));
    // The user's operations, which the stages take apart.
    std::vector<std::vector<std::string>> operations;
    for (const ir::NodeId id : state.model->NodeIds()) operations.push_back(OriginalNames(state.model->node(id)));
    KeepNames(*state.model);
    BURIN_RETURN_IF_ERROR(RunStages(state));

    BURIN_ASSIGN_OR_RETURN(MadeNodes made, MakeNodes(*state.model, context));
    Compilation compilation;
    for (std::vector<std::string>& names : operations) {
      std::string reason;
      for (const std::string& name : names) {
        const auto refused = made.refused.find(name);
        if (refused != made.refused.end()) reason = refused->second;
      }
      compilation.Add(std::move(names), reason);
    }
    if (plan_only || !compilation.refused.empty()) return compilation;
    BURIN_ASSIGN_OR_RETURN(compilation.compiled, CompiledModel::Create(std::move(state), std::move(made.nodes),
                                                                       device_name(), configuration, context));
    return compilation;
  }

  DeviceConfiguration configuration_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name) {
  return std::make_unique<CpuPlugin>(device_name);
}

}  // namespace burin::cpu
