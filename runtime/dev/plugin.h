// What a device implements.
//
// A plugin is created once per Core and device name, lazily. CompileModel, SupportOf and QueryModel are one virtual
// method, so that they cannot disagree about what the device supports. Compiled models, requests and contexts own what
// they use: they may outlive the plugin (Core::UnloadPlugin, the end of the Core). Thread-safe.
#ifndef BURIN_RUNTIME_DEV_PLUGIN_H_
#define BURIN_RUNTIME_DEV_PLUGIN_H_

#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/model_support.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"

namespace burin {

class Plugin {
 public:
  explicit Plugin(std::string device_name) : device_name_(std::move(device_name)) {}
  virtual ~Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const std::string& device_name() const { return device_name_; }
  virtual Version GetVersion() const = 0;

  // Compiles a copy of the model; the user's is never changed. InvalidArgument for a bad property or model,
  // Unimplemented listing every op that the device cannot run.
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModel(const ir::Model& model, const PropertyMap& properties);
  // Does the same with a model that nobody else uses: the memory of its constants may be given back on the way.
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModel(std::unique_ptr<ir::Model> model,
                                                               const PropertyMap& properties);
  // Returns what CompileModel would accept and refuse, op by op. Never fails on an op; InvalidArgument or NotFound for
  // a bad property, InvalidArgument for a broken model.
  absl::StatusOr<ModelSupport> SupportOf(const ir::Model& model, const PropertyMap& properties);
  // Returns SupportOf().supported: original op name -> device name.
  absl::StatusOr<std::map<std::string, std::string>> QueryModel(const ir::Model& model, const PropertyMap& properties);
  // Compiles for the memory of `context`, which a CreateContext or GetDefaultContext of this device made: an
  // InvalidArgument otherwise. Unimplemented where the device has no contexts.
  virtual absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModelWithContext(const ir::Model& model,
                                                                                  IRemoteContext& context,
                                                                                  const PropertyMap& properties);
  // Reads what ICompiledModel::Export wrote.
  virtual absl::StatusOr<std::shared_ptr<ICompiledModel>> ImportModel(std::istream& stream,
                                                                      const PropertyMap& properties);

  // Returns a new context of the device, as `properties` ask, or the one that it uses by itself. Unimplemented where
  // the device has none.
  virtual absl::StatusOr<std::shared_ptr<IRemoteContext>> CreateContext(const PropertyMap& properties);
  virtual absl::StatusOr<std::shared_ptr<IRemoteContext>> GetDefaultContext();

  // Sets defaults for later CompileModel calls: all of them, or none. InvalidArgument or NotFound, listing what is
  // allowed.
  virtual absl::Status SetProperties(const PropertyMap& properties) = 0;
  virtual absl::StatusOr<std::string> GetProperty(const std::string& name) const = 0;

 protected:
  // What the single entry below answers.
  struct Compilation {
    // Original names of the ops that the device runs, and why each other one is refused.
    std::vector<std::string> supported;
    std::vector<std::pair<std::string, std::string>> refused;
    // Adds names of the user's, or a node's original names, to one of them: to `supported` where `reason` is empty.
    void Add(std::vector<std::string> names, const std::string& reason);
    void Add(const ir::Node& node, const std::string& reason);
    // Null where plan_only is set or anything is refused.
    std::shared_ptr<ICompiledModel> compiled;
  };
  // Does everything up to the executable model, or stops before creating it where `plan_only` is set.
  virtual absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties,
                                              bool plan_only) = 0;
  // Does the same without `plan_only`, with a model that it may change. By default the former.
  virtual absl::StatusOr<Compilation> CompileOwned(std::unique_ptr<ir::Model> model, const PropertyMap& properties);

 private:
  // Returns the executable model, or Unimplemented listing what is refused.
  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompiledOf(absl::StatusOr<Compilation> compilation) const;

  std::string device_name_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PLUGIN_H_
