// Public header "burin/core.h": the front door. Reads models, compiles them for devices, holds configuration.
//
//   burin::Core core;
//   absl::StatusOr<burin::Model> model = core.ReadModel("model.onnx");
//   absl::StatusOr<burin::CompiledModel> compiled = core.CompileModel(*model, "REFERENCE");
//   absl::StatusOr<burin::InferRequest> request = compiled->CreateInferRequest();
//   absl::Status status = request->SetInputTensor(tensor);
//   status = request->Infer();
//   absl::StatusOr<burin::Tensor> output = request->GetOutputTensor();
//
// Devices are named "CPU", "REFERENCE", ...; an empty name means CPU where it is registered, else REFERENCE.
// Thread-safe.
#ifndef BURIN_RUNTIME_API_CORE_H_
#define BURIN_RUNTIME_API_CORE_H_

#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/model.h"
#include "runtime/api/properties.h"
#include "runtime/api/remote_context.h"
#include "runtime/api/tensor.h"
#include "runtime/api/version.h"

namespace burin {

struct StaticPlugin;

class Core {
 public:
  // Constructs a Core with the devices that are linked in. Defined by //runtime, which links them.
  Core();
  // Constructs a Core with the devices that an XML file names as well. Unimplemented.
  static absl::StatusOr<Core> Create(const std::string& plugins_xml);
  ~Core();
  Core(Core&&) noexcept;
  Core& operator=(Core&&) noexcept;

  // Returns the versions of a device's plugin: device name -> version. NotFound for an unknown device.
  absl::StatusOr<std::map<std::string, Version>> GetVersions(const std::string& device_name) const;

  // Reads a model file; its content, not its name, says which format it has (ONNX). NotFound or PermissionDenied for
  // the file; InvalidArgument for a broken model; Unimplemented listing everything in it that is not supported.
  absl::StatusOr<Model> ReadModel(const std::string& model_path, const std::string& weights_path = "",
                                  const PropertyMap& properties = {}) const;
  // Reads a model from memory, with its weights in a tensor: Unimplemented.
  absl::StatusOr<Model> ReadModel(const std::string& model, const Tensor& weights) const;

  // Compile a model for a device. NotFound for an unknown device, listing the registered ones; otherwise as the
  // plugin says. What these accept, Infer runs.
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const std::string& device_name,
                                             const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> CompileModel(const std::string& model_path, const std::string& device_name,
                                             const PropertyMap& properties = {});
  // Unimplemented: no device has memory of its own.
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const RemoteContext& context,
                                             const PropertyMap& properties = {});

  // Reads what CompiledModel::ExportModel wrote. Unimplemented where the device cannot.
  absl::StatusOr<CompiledModel> ImportModel(std::istream& stream, const std::string& device_name,
                                            const PropertyMap& properties = {});

  // Returns original op name -> device for every op that the device supports; never fails on an unsupported op.
  absl::StatusOr<std::map<std::string, std::string>> QueryModel(const Model& model, const std::string& device_name,
                                                                const PropertyMap& properties = {}) const;

  // Sets a device's defaults for later compilations; all of them or none.
  absl::Status SetProperty(const std::string& device_name, const PropertyMap& properties);
  // Sets properties of every device: Unimplemented.
  absl::Status SetProperty(const PropertyMap& properties);
  absl::StatusOr<std::string> GetProperty(const std::string& device_name, const std::string& name) const;
  template <class T>
  absl::StatusOr<T> GetProperty(const std::string& device_name, const Property<T>& property) const {
    absl::StatusOr<std::string> text = GetProperty(device_name, std::string(property.name));
    if (!text.ok()) return text.status();
    return property.Parse(*text);
  }

  // Returns the names of the devices that can be used; a device with several instances appears as NAME.ID.
  std::vector<std::string> GetAvailableDevices() const;

  // Register a device from a library, forget a loaded one, or register those that an XML file names: Unimplemented.
  absl::Status RegisterPlugin(const std::string& library, const std::string& device_name,
                              const PropertyMap& properties = {});
  absl::Status UnloadPlugin(const std::string& device_name);
  absl::Status RegisterPlugins(const std::string& plugins_xml);

 private:
  class Impl;
  explicit Core(const std::vector<StaticPlugin>& plugins);
  std::unique_ptr<Impl> impl_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_CORE_H_
