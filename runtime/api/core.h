// Public header "burin/core.h": the front door. Reads models, compiles them for devices, holds configuration.
//
//   burin::Core core;
//   absl::StatusOr<burin::Model> model = core.ReadModel("model.onnx");
//   absl::StatusOr<burin::CompiledModel> compiled = core.CompileModel(*model, "REFERENCE", burin::perf_count(true));
//   absl::StatusOr<burin::InferRequest> request = compiled->CreateInferRequest();
//   absl::Status status = request->SetInputTensor(tensor);
//   status = request->Infer();
//   absl::StatusOr<burin::Tensor> output = request->GetOutputTensor();
//
// Device names. "NAME" or "NAME.ID" (an instance), as GetAvailableDevices() lists them; "VIRTUAL:NAME,NAME" for devices
// that stand for others (AUTO, BATCH, HETERO, MULTI), where their plugins are registered: "HETERO:CPU,REFERENCE",
// "BATCH:CPU(4)" for batches of four, "AUTO:-GPU" for all devices but one. An empty name means CPU where it is
// registered, else REFERENCE, else the first device. InvalidArgument, with the character and what is expected there,
// for a text that is no device name; NotFound, listing the devices, for an unknown one; Unimplemented for a virtual one
// without a plugin.
//
// Properties. Every call takes a PropertyMap, or the entries of one: f(..., perf_count(true), device_id("0")). A value
// goes before another in this order: the call's, one set for the device, one set for all devices, the plugin list's or
// RegisterPlugin's, the default. DEVICE_PROPERTIES and DEVICE_PROPERTIES_<NAME> (JSON) hold values for single devices.
// A property that the device does not have is an error that lists those it has; none is ignored.
//
// There is no way to add operations or formats from a library: a reader translates what it knows, and a model with
// anything else is refused with a list of it. Nothing needs shutting down: a Core owns what it made.
//
// Thread-safe. Two Cores share nothing but the code of plugin libraries.
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
#include "runtime/dev/model_support.h"

namespace burin {

struct StaticPlugin;

// Returns the entry DEVICE_PROPERTIES_<NAME>: properties for one of the devices behind a virtual one, as in
// CompileModel(model, "HETERO:CPU,REFERENCE", PropertiesFor("REFERENCE", perf_count(true))).
PropertyEntry PropertiesFor(const std::string& device_name, const PropertyMap& properties);
template <class... Entries, EnableIfProperties<Entries...> = true>
PropertyEntry PropertiesFor(const std::string& device_name, Entries&&... properties) {
  return PropertiesFor(device_name, PropertyMap{std::forward<Entries>(properties)...});
}

class Core {
 public:
  // Constructs a Core with the devices that are linked in. Defined by //runtime, which links them.
  Core();
  // Constructs a Core with the devices that are linked in and those that a plugin list names. Errors of
  // RegisterPlugins.
  static absl::StatusOr<Core> Create(const std::string& plugins_xml);
  ~Core();
  Core(Core&&) noexcept;
  Core& operator=(Core&&) noexcept;

  // Registers the devices that a plugin list (XML) names: all of them, or none. Their libraries are loaded when a
  // device is first used. NotFound or PermissionDenied for the file; InvalidArgument naming file, line and device for
  // what is wrong in it, also for a device that is registered already; Unimplemented for <extensions>. A library's
  // place is given as an absolute path, a path from the file's folder, or a bare name, which is looked up in that
  // folder and then by the loader. Who can write there runs code in this process: prefer absolute paths.
  absl::Status RegisterPlugins(const std::string& plugins_xml);
  // Registers one device, with default properties that are set when its plugin is created. `library` as in a plugin
  // list, from the working directory. InvalidArgument for a bad or registered device name.
  absl::Status RegisterPlugin(const std::string& library, const std::string& device_name,
                              const PropertyMap& properties = {});
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::Status RegisterPlugin(const std::string& library, const std::string& device_name, Entries&&... properties) {
    return RegisterPlugin(library, device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  // Forgets a device's plugin; the device stays registered with its properties, and its next use makes another plugin.
  // Compiled models and requests keep what they need. NotFound for an unknown device, FailedPrecondition where it was
  // not used yet.
  absl::Status UnloadPlugin(const std::string& device_name);

  // Returns the names of the devices that can be used; a device with several instances appears as NAME.ID. A device
  // that does not start is left out; using it tells why.
  std::vector<std::string> GetAvailableDevices() const;
  // Returns device name -> the version of its plugin; for a virtual device, of each device in its list too.
  absl::StatusOr<std::map<std::string, Version>> GetVersions(const std::string& device_name) const;

  // Reads a model file; its content, not its name, says which format it has (ONNX). ENABLE_MMAP is the one property.
  // NotFound or PermissionDenied for the file; InvalidArgument for a broken model; Unimplemented listing everything in
  // it that is not supported.
  absl::StatusOr<Model> ReadModel(const std::string& model_path, const std::string& weights_path = "",
                                  const PropertyMap& properties = {}) const;
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<Model> ReadModel(const std::string& model_path, const std::string& weights_path,
                                  Entries&&... properties) const {
    return ReadModel(model_path, weights_path, PropertyMap{std::forward<Entries>(properties)...});
  }
  // Reads a model from the bytes of its file, with the data that the model has in another file, if any, in a tensor;
  // its memory is shared: where the tensor is a view, the caller keeps it alive and unchanged while the model, a copy,
  // or what was compiled from it exists. InvalidArgument also for data in another file without weights.
  absl::StatusOr<Model> ReadModel(const std::string& model, const Tensor& weights) const;

  // Compile a model for a device. What these accept, Infer runs. Unimplemented listing every operation that the device
  // cannot run; otherwise as the plugin says.
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const std::string& device_name,
                                             const PropertyMap& properties = {});
  // Read and compile, as ReadModel does; ENABLE_MMAP may be among the properties.
  absl::StatusOr<CompiledModel> CompileModel(const std::string& model_path, const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> CompileModel(const std::string& model_path, const std::string& device_name,
                                             const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> CompileModel(const std::string& model, const Tensor& weights,
                                             const std::string& device_name, const PropertyMap& properties = {});
  // Compiles for a context's device and memory. Unimplemented where the device has no contexts.
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const RemoteContext& context,
                                             const PropertyMap& properties = {});
  // Any of the above with entries in the place of the map.
  template <class Source, class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<CompiledModel> CompileModel(const Source& source, Entries&&... properties) {
    return CompileModel(source, PropertyMap{std::forward<Entries>(properties)...});
  }
  template <class Source, class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<CompiledModel> CompileModel(const Source& source, const std::string& device_name,
                                             Entries&&... properties) {
    return CompileModel(source, device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<CompiledModel> CompileModel(const std::string& model, const Tensor& weights,
                                             const std::string& device_name, Entries&&... properties) {
    return CompileModel(model, weights, device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<CompiledModel> CompileModel(const Model& model, const RemoteContext& context,
                                             Entries&&... properties) {
    return CompileModel(model, context, PropertyMap{std::forward<Entries>(properties)...});
  }

  // Read what CompiledModel::ExportModel wrote, from a stream or from memory. Unimplemented where the device cannot.
  absl::StatusOr<CompiledModel> ImportModel(std::istream& stream, const std::string& device_name,
                                            const PropertyMap& properties = {});
  absl::StatusOr<CompiledModel> ImportModel(const Tensor& bytes, const std::string& device_name,
                                            const PropertyMap& properties = {});
  template <class Source, class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<CompiledModel> ImportModel(Source& source, const std::string& device_name, Entries&&... properties) {
    return ImportModel(source, device_name, PropertyMap{std::forward<Entries>(properties)...});
  }

  // Returns original op name -> device for every op that the device supports; never fails on an unsupported op.
  absl::StatusOr<std::map<std::string, std::string>> QueryModel(const Model& model, const std::string& device_name,
                                                                const PropertyMap& properties = {}) const;
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<std::map<std::string, std::string>> QueryModel(const Model& model, const std::string& device_name,
                                                                Entries&&... properties) const {
    return QueryModel(model, device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  // Returns the same, and for every other op why the device refuses it.
  absl::StatusOr<ModelSupport> QueryModelSupport(const Model& model, const std::string& device_name,
                                                 const PropertyMap& properties = {}) const;

  // Sets a device's defaults for later compilations; all of them or none. The name has no list; DEVICE_PROPERTIES is
  // refused, since the device is named. NotFound or InvalidArgument listing what is allowed.
  absl::Status SetProperty(const std::string& device_name, const PropertyMap& properties);
  // Sets the Core's own properties (ENABLE_MMAP, ALLOW_AUTO_BATCHING) on it, and any other on every device that has it,
  // those registered later included, where it is not set for the device itself; all of them or none. Starts the
  // devices. NotFound where no device has it.
  absl::Status SetProperty(const PropertyMap& properties);
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::Status SetProperty(const std::string& device_name, Entries&&... properties) {
    return SetProperty(device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::Status SetProperty(Entries&&... properties) {
    return SetProperty(PropertyMap{std::forward<Entries>(properties)...});
  }

  // Returns a device's property as text, or its value. The name has no list; an empty one means the Core's own
  // properties, and SUPPORTED_PROPERTIES lists them. NotFound, listing what can be read, for any other property.
  absl::StatusOr<std::string> GetProperty(const std::string& device_name, const std::string& name) const;
  absl::StatusOr<std::string> GetProperty(const std::string& name) const { return GetProperty("", name); }
  template <class T>
  absl::StatusOr<T> GetProperty(const std::string& device_name, const Property<T>& property) const {
    absl::StatusOr<std::string> text = GetProperty(device_name, std::string(property.name));
    if (!text.ok()) return text.status();
    return property.Parse(*text);
  }
  template <class T>
  absl::StatusOr<T> GetProperty(const Property<T>& property) const {
    return GetProperty(std::string(), property);
  }

  // Returns a new context of a device, as `properties` ask, or the one it uses by itself. Unimplemented where it has
  // none.
  absl::StatusOr<RemoteContext> CreateContext(const std::string& device_name, const PropertyMap& properties = {});
  template <class... Entries, EnableIfProperties<Entries...> = true>
  absl::StatusOr<RemoteContext> CreateContext(const std::string& device_name, Entries&&... properties) {
    return CreateContext(device_name, PropertyMap{std::forward<Entries>(properties)...});
  }
  absl::StatusOr<RemoteContext> GetDefaultContext(const std::string& device_name);

 private:
  class Impl;
  explicit Core(const std::vector<StaticPlugin>& plugins);
  std::unique_ptr<Impl> impl_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_CORE_H_
