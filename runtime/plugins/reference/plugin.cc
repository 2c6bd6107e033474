#include "runtime/plugins/reference/plugin.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/verifier.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/device_configuration.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"
#include "runtime/plugins/reference/compiled_model.h"
#include "runtime/plugins/reference/config.h"

namespace burin::reference {

namespace {

class ReferencePlugin final : public Plugin {
 public:
  explicit ReferencePlugin(const std::string& device_name)
      : Plugin(device_name), configuration_(DefaultConfiguration(device_name), DeviceFacts(device_name)) {}

  Version GetVersion() const override { return BuildVersion("Burin REFERENCE plugin"); }

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
    BURIN_ASSIGN_OR_RETURN(Configuration configuration, configuration_.With(properties));
    std::unique_ptr<ir::Model> copy = model.Clone();
    BURIN_RETURN_IF_ERROR(ir::Verify(*copy));

    Compilation compilation;
    for (ir::NodeId id : copy->NodeIds()) {
      const ir::Node& node = copy->node(id);
      const bool runs = node.op().reference != nullptr;
      compilation.Add(node, runs ? "" : absl::StrCat("op ", node.op().name, " has no reference evaluation"));
    }
    if (plan_only || !compilation.refused.empty()) return compilation;
    BURIN_ASSIGN_OR_RETURN(compilation.compiled,
                           CompiledModel::Create(std::move(copy), device_name(), std::move(configuration)));
    return compilation;
  }

 private:
  DeviceConfiguration configuration_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name) {
  return std::make_unique<ReferencePlugin>(device_name);
}

}  // namespace burin::reference
