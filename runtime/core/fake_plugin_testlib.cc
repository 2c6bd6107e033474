#include "runtime/core/fake_plugin_testlib.h"

#include <fstream>
#include <istream>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/core/device_name.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/version.h"

namespace burin {

namespace {

std::string Print(const PropertyMap& properties) { return absl::StrJoin(properties, ",", absl::PairFormatter("=")); }

std::vector<PropertyInfo> RowsOf(const std::string& device) {
  std::vector<const char*> names = {"PERF_COUNT", "DEVICE_ID", "SUPPORTED_PROPERTIES"};
  if (device == "HINTED") names.push_back("PERFORMANCE_HINT");
  if (IsVirtualDevice(device)) {
    names.insert(names.end(), {"MULTI_DEVICE_PRIORITIES", "DEVICE_PROPERTIES", "PERFORMANCE_HINT", "AUTO_BATCH_TIMEOUT",
                               "ALLOW_AUTO_BATCHING"});
  }
  std::vector<PropertyInfo> rows;
  for (const char* name : names) rows.push_back(*FindProperty(name));
  return rows;
}

// A device that runs nothing: its every answer tells what reached it.
class FakePlugin final : public Plugin {
 public:
  explicit FakePlugin(const std::string& device_name)
      : Plugin(device_name), configuration_(absl::StrCat("Device ", device_name), RowsOf(device_name)) {}

  Version GetVersion() const override { return BuildVersion(absl::StrCat("version of ", device_name())); }

  absl::Status SetProperties(const PropertyMap& properties) override {
    std::lock_guard<std::mutex> lock(mutex_);
    return configuration_.Apply(properties);
  }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    if (name == "AVAILABLE_DEVICES") {
      if (device_name() == "SILENT" || IsVirtualDevice(device_name())) return absl::NotFoundError("no such property");
      return std::string(device_name() == "TWO" ? "0 1" : "");
    }
    if (name == "OPTIMAL_BATCH_SIZE" && device_name() == "HINTED") return std::string("8");
    std::lock_guard<std::mutex> lock(mutex_);
    return configuration_.Read(PropertyScope::kDevice, name, {});
  }

  absl::StatusOr<std::shared_ptr<ICompiledModel>> ImportModel(std::istream& stream,
                                                              const PropertyMap& properties) override {
    std::string word;
    stream >> word;
    return absl::AbortedError(absl::StrCat(device_name(), " imports ", word, " with ", Print(properties)));
  }

  absl::StatusOr<std::shared_ptr<ICompiledModel>> CompileModelWithContext(const ir::Model& model,
                                                                          IRemoteContext& context,
                                                                          const PropertyMap& properties) override {
    if (device_name() == "SILENT") return Plugin::CompileModelWithContext(model, context, properties);
    return absl::AbortedError(
        absl::StrCat(device_name(), " compiles for context of ", context.device_name(), " with ", Print(properties)));
  }
  absl::StatusOr<std::shared_ptr<IRemoteContext>> CreateContext(const PropertyMap& properties) override {
    return std::make_shared<HostContext>(absl::StrCat(device_name(), " ", Print(properties)));
  }
  absl::StatusOr<std::shared_ptr<IRemoteContext>> GetDefaultContext() override {
    return std::make_shared<HostContext>(device_name());
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    std::lock_guard<std::mutex> lock(mutex_);
    Configuration configuration = configuration_;
    BURIN_RETURN_IF_ERROR(configuration.Apply(properties));
    Compilation compilation;
    compilation.supported = {absl::StrCat(model.name(), " with ", Print(configuration.given()))};
    if (!plan_only || model.name() == "half") {
      compilation.refused = {
          {"op", absl::StrCat(IsMapped(kFakeModelFileName) ? "mapped " : "", Print(configuration.given()))}};
    }
    return compilation;
  }

 private:
  mutable std::mutex mutex_;
  Configuration configuration_;  // Guarded by mutex_.
};

absl::StatusOr<std::unique_ptr<Plugin>> Fake(const std::string& name) {
  if (name == "BROKEN") return absl::UnimplementedError("needs AVX2");
  return std::make_unique<FakePlugin>(name);
}

}  // namespace

bool IsMapped(const std::string& file_name) {
  std::ostringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return absl::StrContains(maps.str(), file_name);
}

std::vector<StaticPlugin> Fakes(const std::vector<const char*>& names) {
  std::vector<StaticPlugin> plugins;
  for (const char* name : names) plugins.push_back({name, &Fake});
  return plugins;
}

std::string Compiled(CoreImpl& core, const std::string& device, const PropertyMap& properties,
                     const CoreImpl::ModelSource* source) {
  const ir::Model model("m");
  const absl::Status status =
      core.CompileModel(source != nullptr ? *source : CoreImpl::ModelSource(&model), device, properties).status();
  std::string message(status.message());
  for (const auto& [from, to] : {std::pair("Device ", ""), std::pair(" cannot run 1 operation(s):\n  op", "")}) {
    const size_t at = message.find(from);
    if (status.code() != absl::StatusCode::kUnimplemented || at == std::string::npos) return status.ToString();
    message.replace(at, std::string(from).size(), to);
  }
  return message;
}

}  // namespace burin
