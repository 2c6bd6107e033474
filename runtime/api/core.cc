#include "runtime/api/core.h"

#include <istream>
#include <streambuf>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "runtime/core/core_impl.h"
#include "runtime/core/device_properties.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/remote_context.h"

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

absl::StatusOr<Model> Wrap(absl::StatusOr<std::unique_ptr<ir::Model>> model) {
  BURIN_RETURN_IF_ERROR(model.status());
  return Model(std::shared_ptr<ir::Model>(std::move(*model)));
}

absl::StatusOr<RemoteContext> Wrap(absl::StatusOr<std::shared_ptr<IRemoteContext>> context) {
  BURIN_RETURN_IF_ERROR(context.status());
  return RemoteContext(std::move(*context));
}

// Constants refer to the bytes, which therefore live as long as the model.
ModelBytes OwnedBytes(const std::string& model, const Tensor& weights) {
  auto owner = std::make_shared<const std::string>(model);
  const void* data = owner->data();
  return {ir::Storage::Borrow(std::move(owner), data, model.size()), weights};
}

// Reads bytes that stay where they are.
class MemoryBuffer final : public std::streambuf {
 public:
  MemoryBuffer(const void* data, size_t size) {
    // What is only read is not written through the pointer that the interface wants.
    char* begin = const_cast<char*>(static_cast<const char*>(data));
    setg(begin, begin, begin + size);
  }

 protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode which) override {
    const off_type size = egptr() - eback();
    const off_type base = direction == std::ios_base::beg   ? 0
                          : direction == std::ios_base::cur ? gptr() - eback()
                                                            : size;
    if ((which & std::ios_base::in) == 0 || offset < -base || offset > size - base) return pos_type(off_type(-1));
    setg(eback(), eback() + base + offset, egptr());
    return pos_type(base + offset);
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(off_type(position), std::ios_base::beg, which);
  }
};

}  // namespace

PropertyEntry PropertiesFor(const std::string& device_name, const PropertyMap& properties) {
  return {absl::StrCat(device_properties.name, "_", device_name), PrintPropertiesOfOneDevice(properties)};
}

Core::Core(const std::vector<StaticPlugin>& plugins) : impl_(std::make_unique<Impl>(plugins)) {}
Core::~Core() = default;
Core::Core(Core&&) noexcept = default;
Core& Core::operator=(Core&&) noexcept = default;

absl::Status Core::RegisterPlugins(const std::string& plugins_xml) { return impl_->RegisterPlugins(plugins_xml); }

absl::Status Core::RegisterPlugin(const std::string& library, const std::string& device_name,
                                  const PropertyMap& properties) {
  return impl_->RegisterPlugin(library, device_name, properties);
}

absl::Status Core::UnloadPlugin(const std::string& device_name) { return impl_->UnloadPlugin(device_name); }

std::vector<std::string> Core::GetAvailableDevices() const { return impl_->GetAvailableDevices(); }

absl::StatusOr<std::map<std::string, Version>> Core::GetVersions(const std::string& device_name) const {
  return impl_->GetVersions(device_name);
}

absl::StatusOr<Model> Core::ReadModel(const std::string& model_path, const std::string& weights_path,
                                      const PropertyMap& properties) const {
  return Wrap(impl_->ReadModel(ModelFile{model_path, weights_path}, properties));
}

absl::StatusOr<Model> Core::ReadModel(const std::string& model, const Tensor& weights) const {
  return Wrap(impl_->ReadModel(OwnedBytes(model, weights)));
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model& model, const PropertyMap& properties) {
  return CompileModel(model, std::string(), properties);
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model& model, const std::string& device_name,
                                                 const PropertyMap& properties) {
  return Wrap(impl_->CompileModel(&model.graph(), device_name, properties));
}

absl::StatusOr<CompiledModel> Core::CompileModel(const std::string& model_path, const PropertyMap& properties) {
  return CompileModel(model_path, std::string(), properties);
}

absl::StatusOr<CompiledModel> Core::CompileModel(const std::string& model_path, const std::string& device_name,
                                                 const PropertyMap& properties) {
  return Wrap(impl_->CompileModel(ModelFile{model_path, ""}, device_name, properties));
}

absl::StatusOr<CompiledModel> Core::CompileModel(const std::string& model, const Tensor& weights,
                                                 const std::string& device_name, const PropertyMap& properties) {
  return Wrap(impl_->CompileModel(OwnedBytes(model, weights), device_name, properties));
}

absl::StatusOr<CompiledModel> Core::CompileModel(const Model& model, const RemoteContext& context,
                                                 const PropertyMap& properties) {
  return Wrap(impl_->CompileModel(&model.graph(), context.device_name(), properties, &context.context()));
}

absl::StatusOr<CompiledModel> Core::ImportModel(std::istream& stream, const std::string& device_name,
                                                const PropertyMap& properties) {
  return Wrap(impl_->ImportModel(stream, device_name, properties));
}

absl::StatusOr<CompiledModel> Core::ImportModel(const Tensor& bytes, const std::string& device_name,
                                                const PropertyMap& properties) {
  if (!bytes.has_value() || !bytes.is_dense())
    return absl::InvalidArgumentError("A compiled model is imported from a dense tensor");
  MemoryBuffer buffer(bytes.data(), bytes.byte_size());
  std::istream stream(&buffer);
  return ImportModel(stream, device_name, properties);
}

absl::StatusOr<std::map<std::string, std::string>> Core::QueryModel(const Model& model, const std::string& device_name,
                                                                    const PropertyMap& properties) const {
  BURIN_ASSIGN_OR_RETURN(ModelSupport support, QueryModelSupport(model, device_name, properties));
  return std::move(support.supported);
}

absl::StatusOr<ModelSupport> Core::QueryModelSupport(const Model& model, const std::string& device_name,
                                                     const PropertyMap& properties) const {
  return impl_->QueryModelSupport(model.graph(), device_name, properties);
}

absl::Status Core::SetProperty(const std::string& device_name, const PropertyMap& properties) {
  return impl_->SetProperty(device_name, properties);
}

absl::Status Core::SetProperty(const PropertyMap& properties) { return impl_->SetProperty(properties); }

absl::StatusOr<std::string> Core::GetProperty(const std::string& device_name, const std::string& name) const {
  return impl_->GetProperty(device_name, name);
}

absl::StatusOr<RemoteContext> Core::CreateContext(const std::string& device_name, const PropertyMap& properties) {
  return Wrap(impl_->CreateContext(device_name, properties));
}

absl::StatusOr<RemoteContext> Core::GetDefaultContext(const std::string& device_name) {
  return Wrap(impl_->GetDefaultContext(device_name));
}

}  // namespace burin
