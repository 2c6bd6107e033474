// What a Core does, behind the facade: devices, reading, compiling, properties.
//
// Core::Impl (runtime/api) derives from it. Thread-safe.
#ifndef BURIN_RUNTIME_CORE_CORE_IMPL_H_
#define BURIN_RUNTIME_CORE_CORE_IMPL_H_

#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/core/plugin_registry.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/version.h"

namespace burin {

class CoreImpl {
 public:
  // Registers the devices; the table is our own and must be valid.
  explicit CoreImpl(const std::vector<StaticPlugin>& plugins);

  absl::StatusOr<std::map<std::string, Version>> GetVersions(const std::string& device_name);
  absl::StatusOr<std::unique_ptr<ir::Model>> ReadModel(const std::string& model_path, const std::string& weights_path,
                                                       const PropertyMap& properties);
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModel(const ir::Model& model, const std::string& device_name,
                                                               const PropertyMap& properties);
  absl::StatusOr<std::shared_ptr<ICompiledModel>> ImportModel(std::istream& stream, const std::string& device_name,
                                                              const PropertyMap& properties);
  absl::StatusOr<std::map<std::string, std::string>> QueryModel(const ir::Model& model, const std::string& device_name,
                                                                const PropertyMap& properties);
  absl::Status SetProperty(const std::string& device_name, const PropertyMap& properties);
  absl::StatusOr<std::string> GetProperty(const std::string& device_name, const std::string& name);
  std::vector<std::string> GetAvailableDevices();

 private:
  // Resolves an empty name to the preferred device, refuses virtual devices, and returns the plugin.
  absl::StatusOr<std::shared_ptr<Plugin>> FindPlugin(const std::string& device_name);

  PluginRegistry registry_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_CORE_IMPL_H_
