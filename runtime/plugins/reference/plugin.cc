#include "runtime/plugins/reference/plugin.h"

#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/verifier.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/version.h"
#include "runtime/plugins/reference/compiled_model.h"
#include "runtime/plugins/reference/config.h"

namespace burin::reference {

namespace {

// Names the user's ops behind a node; a node that no file names stands for itself.
std::vector<std::string> OriginalNames(const ir::Node& node) {
  return node.original_names().empty() ? std::vector<std::string>{node.name()} : node.original_names();
}

class ReferencePlugin final : public Plugin {
 public:
  using Plugin::Plugin;

  Version GetVersion() const override { return BuildVersion("Burin REFERENCE plugin"); }

  absl::Status SetProperties(const PropertyMap& properties) override {
    std::lock_guard<std::mutex> lock(mutex_);
    return defaults_.Apply(properties);
  }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    if (name == burin::available_devices.name) return std::string();
    if (name == burin::full_device_name.name) return std::string("Burin reference evaluator");
    if (name == burin::perf_count.name) {
      std::lock_guard<std::mutex> lock(mutex_);
      return PropertyToString(defaults_.perf_count);
    }
    if (name == burin::supported_properties.name) {
      return PropertyToString(std::vector<std::string>{
          absl::StrCat(burin::available_devices.name, ":RO"), absl::StrCat(burin::full_device_name.name, ":RO"),
          absl::StrCat(burin::perf_count.name, ":RW"), absl::StrCat(burin::supported_properties.name, ":RO")});
    }
    return UnknownProperty(name, {burin::available_devices.name, burin::full_device_name.name, burin::perf_count.name,
                                  burin::supported_properties.name});
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    Config config;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      config = defaults_;
    }
    BURIN_RETURN_IF_ERROR(config.Apply(properties));
    std::unique_ptr<ir::Model> copy = model.Clone();
    BURIN_RETURN_IF_ERROR(ir::Verify(*copy));

    Compilation compilation;
    for (ir::NodeId id : copy->NodeIds()) {
      const ir::Node& node = copy->node(id);
      for (const std::string& name : OriginalNames(node)) {
        if (node.op().reference != nullptr) {
          compilation.supported.push_back(name);
        } else {
          compilation.refused.emplace_back(name, absl::StrCat("op ", node.op().name, " has no reference evaluation"));
        }
      }
    }
    if (plan_only || !compilation.refused.empty()) return compilation;
    BURIN_ASSIGN_OR_RETURN(compilation.compiled, CompiledModel::Create(std::move(copy), config));
    return compilation;
  }

 private:
  mutable std::mutex mutex_;
  Config defaults_;  // Guarded by mutex_.
};

}  // namespace

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name) {
  return std::make_unique<ReferencePlugin>(device_name);
}

}  // namespace burin::reference
