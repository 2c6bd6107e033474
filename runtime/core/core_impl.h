// What a Core does, behind the facade: devices, reading, compiling, properties.
//
// Core::Impl (runtime/api) derives from it. Every call that names a device resolves the name and puts its configuration
// in order (compile_options.h) before it touches a model. A value of a property goes before another in this order: the
// call's, the one set for the device, for all devices, the plugin list's, the plugin's default. Thread-safe; two
// objects share nothing but the code of plugin libraries.
#ifndef BURIN_RUNTIME_CORE_CORE_IMPL_H_
#define BURIN_RUNTIME_CORE_CORE_IMPL_H_

#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/core/compile_options.h"
#include "runtime/core/plugin_registry.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/model_support.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"

namespace burin {

// A model's file with its weights' file, which may be empty.
struct ModelFile {
  std::string path;
  std::string weights_path;
};

// The bytes of a model's file with its weights, which may be an empty tensor.
struct ModelBytes {
  std::shared_ptr<ir::Storage> bytes;
  ir::Tensor weights;
};

class CoreImpl {
 public:
  // Where a model to compile comes from: the caller, who keeps it until the call returns, or what is to be read.
  using ModelSource = std::variant<const ir::Model*, ModelFile, ModelBytes>;

  // Registers the devices; the table is our own and must be valid.
  explicit CoreImpl(const std::vector<StaticPlugin>& plugins);

  // Register devices: those of a plugins.xml (all or none), or one. Libraries are loaded at first use. Errors of
  // ReadPluginsXml and PluginRegistry.
  absl::Status RegisterPlugins(const std::string& plugins_xml);
  absl::Status RegisterPlugin(const std::string& library, const std::string& device_name,
                              const PropertyMap& properties);
  // As PluginRegistry::Unload.
  absl::Status UnloadPlugin(const std::string& device_name);

  // Returns the devices that start, each once per instance. Virtual devices are not among them: they are others.
  std::vector<std::string> GetAvailableDevices();
  // Returns device name -> version; for a virtual device with a list, of each member too.
  absl::StatusOr<std::map<std::string, Version>> GetVersions(const std::string& device_name);

  // Reads a model. NotFound, listing those there are, for a property other than ENABLE_MMAP.
  absl::StatusOr<std::unique_ptr<ir::Model>> ReadModel(const ModelFile& file, const PropertyMap& properties);
  absl::StatusOr<std::unique_ptr<ir::Model>> ReadModel(const ModelBytes& bytes);

  // Compiles; the one entry of all ways to ask for it. With a context, `device_name` is that of the context.
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModel(const ModelSource& source,
                                                               const std::string& device_name,
                                                               const PropertyMap& properties,
                                                               IRemoteContext* context = nullptr);
  absl::StatusOr<std::shared_ptr<ICompiledModel>> ImportModel(std::istream& stream, const std::string& device_name,
                                                              const PropertyMap& properties);
  // As Plugin::SupportOf.
  absl::StatusOr<ModelSupport> QueryModelSupport(const ir::Model& model, const std::string& device_name,
                                                 const PropertyMap& properties);

  absl::StatusOr<std::shared_ptr<IRemoteContext>> CreateContext(const std::string& device_name,
                                                                const PropertyMap& properties);
  absl::StatusOr<std::shared_ptr<IRemoteContext>> GetDefaultContext(const std::string& device_name);

  // Sets properties of one device (or instance), all of them or none. InvalidArgument for a name with a list and for
  // DEVICE_PROPERTIES; NotFound for a property that is the Core's or not the device's.
  absl::Status SetProperty(const std::string& device_name, const PropertyMap& properties);
  // Sets the Core's own properties on it and any other on every device that has it, now or when it is registered; all
  // or none. NotFound for a property that neither Core nor device has.
  absl::Status SetProperty(const PropertyMap& properties);
  // Returns a device's property, or one of the Core's own for an empty name. NotFound, listing what can be read, for an
  // unknown one, or for an id that the device does not list.
  absl::StatusOr<std::string> GetProperty(const std::string& device_name, const std::string& name);

 private:
  // A device that a call names, ready to be asked.
  struct Device {
    std::shared_ptr<Plugin> plugin;
    CompileOptions options;
    Configuration core;  // The Core's own properties as they hold for the call.
  };

  absl::StatusOr<Device> Prepare(const std::string& device_name, const PropertyMap& properties);
  // Puts BATCH in front of the device where that is to be done.
  absl::StatusOr<Device> PutBatchInFront(Device device, const PropertyMap& properties);
  absl::StatusOr<std::unique_ptr<ir::Model>> Read(const ModelFile& file, const Configuration& core) const;
  // Resolves the name of one device, without a list, whose properties are to be set or read.
  absl::StatusOr<DeviceReference> OneDevice(const std::string& device_name) const;
  // Returns the Core's own properties as they hold for a device.
  Configuration CoreConfigurationFor(const DeviceReference& device) const;

  PluginRegistry registry_;
  mutable std::mutex mutex_;
  Configuration core_;  // Guarded by mutex_: the Core's own properties.
  std::map<std::string, PropertyMap>
      core_of_devices_;  // Guarded by mutex_: those set for a device, by NAME or NAME.ID.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_CORE_IMPL_H_
