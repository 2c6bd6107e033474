#include "runtime/dev/plugin.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin {

void Plugin::Compilation::Add(std::vector<std::string> names, const std::string& reason) {
  for (std::string& name : names) {
    if (reason.empty()) {
      supported.push_back(std::move(name));
    } else {
      refused.emplace_back(std::move(name), reason);
    }
  }
}

void Plugin::Compilation::Add(const ir::Node& node, const std::string& reason) { Add(OriginalNames(node), reason); }

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::CompileModel(const ir::Model& model,
                                                                     const PropertyMap& properties) {
  return CompiledOf(Compile(model, properties, /*plan_only=*/false));
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::CompileModel(std::unique_ptr<ir::Model> model,
                                                                     const PropertyMap& properties) {
  return CompiledOf(CompileOwned(std::move(model), properties));
}

absl::StatusOr<Plugin::Compilation> Plugin::CompileOwned(std::unique_ptr<ir::Model> model,
                                                         const PropertyMap& properties) {
  return Compile(*model, properties, /*plan_only=*/false);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::CompiledOf(absl::StatusOr<Compilation> compilation) const {
  BURIN_RETURN_IF_ERROR(compilation.status());
  if (!compilation->refused.empty()) {
    std::string message =
        absl::StrCat("Device ", device_name_, " cannot run ", compilation->refused.size(), " operation(s):");
    for (const auto& [name, reason] : compilation->refused) absl::StrAppend(&message, "\n  ", name, ": ", reason);
    return absl::UnimplementedError(message);
  }
  return std::move(compilation->compiled);
}

absl::StatusOr<ModelSupport> Plugin::SupportOf(const ir::Model& model, const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(Compilation compilation, Compile(model, properties, /*plan_only=*/true));
  ModelSupport support;
  for (const std::string& name : compilation.supported) support.supported.emplace(name, device_name_);
  for (auto& [name, reason] : compilation.refused) {
    support.supported.erase(name);
    const auto [known, is_new] = support.refused.emplace(name, reason);
    // Two parts of one op may be refused for two reasons.
    if (!is_new && !absl::StrContains(known->second, reason)) absl::StrAppend(&known->second, "; ", reason);
  }
  return support;
}

absl::StatusOr<std::map<std::string, std::string>> Plugin::QueryModel(const ir::Model& model,
                                                                      const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(ModelSupport support, SupportOf(model, properties));
  return std::move(support.supported);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::CompileModelWithContext(const ir::Model&, IRemoteContext&,
                                                                                const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Device has no remote contexts to compile for: ", device_name_));
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> Plugin::CreateContext(const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Device has no remote contexts: ", device_name_));
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> Plugin::GetDefaultContext() {
  return absl::UnimplementedError(absl::StrCat("Device has no remote contexts: ", device_name_));
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Plugin::ImportModel(std::istream&, const PropertyMap&) {
  return absl::UnimplementedError(absl::StrCat("Device ", device_name_, " cannot import compiled models"));
}

}  // namespace burin
