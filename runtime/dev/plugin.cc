#include "runtime/dev/plugin.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin {

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::CompileModel(const ir::Model& model,
                                                                     const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(Compilation compilation, Compile(model, properties, /*plan_only=*/false));
  if (!compilation.refused.empty()) {
    std::string message =
        absl::StrCat("Device ", device_name_, " cannot run ", compilation.refused.size(), " operation(s):");
    for (const auto& [name, reason] : compilation.refused) absl::StrAppend(&message, "\n  ", name, ": ", reason);
    return absl::UnimplementedError(message);
  }
  return std::move(compilation.compiled);
}

absl::StatusOr<std::map<std::string, std::string>> Plugin::QueryModel(const ir::Model& model,
                                                                      const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(Compilation compilation, Compile(model, properties, /*plan_only=*/true));
  std::map<std::string, std::string> devices;
  for (const std::string& name : compilation.supported) devices.emplace(name, device_name_);
  // An original op is supported only if all that became of it is.
  for (const auto& [name, reason] : compilation.refused) devices.erase(name);
  return devices;
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::ImportModel(std::istream&, const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Device ", device_name_, " cannot import compiled models"));
}

}  // namespace burin
