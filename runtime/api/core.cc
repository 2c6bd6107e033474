#include "runtime/api/core.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/core/core_impl.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/compiled_model.h"

namespace burin {

class Core::Impl final : public CoreImpl {
 public:
  using CoreImpl::CoreImpl;
};

namespace {

absl::StatusOr<CompiledModel> Wrap(absl::StatusOr<std::shared_ptr<ICompiledModel>> compiled) {
  BURIN_RETURN_IF_ERROR(compiled.status());
  return CompiledModel(std::move(*compiled));
}

}  // namespace

Core::Core(const std::vector<StaticPlugin>& plugins) : impl_(std::make_unique<Impl>(plugins)) {}
Core::~Core() = default;
Core::Core(Core&&) noexcept = default;
Core& Core::operator=(Core&&) noexcept = default;

absl::StatusOr<Core> Core::Create(const std::string& plugins_xml) {
  return absl::UnimplementedError(absl::StrCat("Plugins are not read from XML files yet: ", plugins_xml));
}

absl::StatusOr<std::map<std::string, Version>> Core::GetVersions(const std::string& device_name) const {
  return impl_->GetVersions(device_name);
}

absl::StatusOr<Model> Core::ReadModel(const std::string& model_path, const std::string& weights_path,
                                      const PropertyMap& properties) const {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> model, impl_->ReadModel(model_path, weights_path, properties));
  return Model(std::shared_ptr<ir::Model>(std::move(model)));
}

absl::StatusOr<Model> Core::ReadModel(const std::string&, const Tensor&) const {
  return absl::UnimplementedError("Models are not read from memory yet");
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model& model, const PropertyMap& properties) {
  return CompileModel(model, std::string(), properties);
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model& model, const std::string& device_name,
                                                 const PropertyMap& properties) {
  return Wrap(impl_->CompileModel(model.graph(), device_name, properties));
}

absl::StatusOr<CompiledModel> Core::CompileModel(const std::string& model_path, const std::string& device_name,
                                                 const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(Model model, ReadModel(model_path));
  return CompileModel(model, device_name, properties);
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model&, const RemoteContext& context, const PropertyMap&) {
  return absl::UnimplementedError(
      absl::StrCat("No device of this build has a remote context; given one of ", context.device_name()));
}

absl::StatusOr<CompiledModel> Core::ImportModel(std::istream& stream, const std::string& device_name,
                                                const PropertyMap& properties) {
  return Wrap(impl_->ImportModel(stream, device_name, properties));
}

absl::StatusOr<std::map<std::string, std::string>> Core::QueryModel(const Model& model, const std::string& device_name,
                                                                    const PropertyMap& properties) const {
  return impl_->QueryModel(model.graph(), device_name, properties);
}

absl::Status Core::SetProperty(const std::string& device_name, const PropertyMap& properties) {
  return impl_->SetProperty(device_name, properties);
}

absl::Status Core::SetProperty(const PropertyMap&) {
  return absl::UnimplementedError("Properties are set per device: no property applies to all devices yet");
}

absl::StatusOr<std::string> Core::GetProperty(const std::string& device_name, const std::string& name) const {
  return impl_->GetProperty(device_name, name);
}

std::vector<std::string> Core::GetAvailableDevices() const { return impl_->GetAvailableDevices(); }

absl::Status Core::RegisterPlugin(const std::string& library, const std::string&, const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Plugin libraries are not loaded at run time yet: ", library));
}

absl::Status Core::UnloadPlugin(const std::string& device_name) {
  return absl::UnimplementedError(absl::StrCat("Plugins are not unloaded yet: ", device_name));
}

absl::Status Core::RegisterPlugins(const std::string& plugins_xml) {
  return absl::UnimplementedError(absl::StrCat("Plugins are not read from XML files yet: ", plugins_xml));
}

}  // namespace burin
