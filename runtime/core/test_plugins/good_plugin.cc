// A plugin library that works: a device for models whose results are their parameters, with one property, LEVEL, from 0
// to 9.
#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/plugin_abi.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "runtime/dev/version.h"

namespace burin::good_plugin {

namespace {

// Hands each input to the output of the same index.
class GoodRequest final : public ISyncInferRequest {
 public:
  using ISyncInferRequest::ISyncInferRequest;

  absl::Status Infer() override {
    for (size_t i = 0; i < outputs().size(); ++i) {
      absl::StatusOr<ir::Tensor> copy = input_tensors()[i].Copy();
      if (!copy.ok()) return copy.status();
      SetOutputTensor(i, *std::move(copy));
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::UnimplementedError("This device measures nothing");
  }
};

class GoodCompiledModel final : public ICompiledModel {
 public:
  explicit GoodCompiledModel(const ir::Model& model)
      : ICompiledModel(model, std::make_shared<QueueExecutor>(), std::make_shared<QueueExecutor>()) {}

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    return absl::NotFoundError(absl::StrCat("Unknown property: ", name));
  }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    return std::make_unique<GoodRequest>(&inputs(), &outputs());
  }
};

bool Holds(const std::vector<ir::NodeId>& ids, ir::NodeId id) { return std::count(ids.begin(), ids.end(), id) != 0; }

class GoodPlugin final : public Plugin {
 public:
  using Plugin::Plugin;

  Version GetVersion() const override { return BuildVersion("plugin library that works"); }

  absl::Status SetProperties(const PropertyMap& properties) override {
    std::lock_guard<std::mutex> lock(mutex_);
    std::string level = level_;
    for (const auto& [name, value] : properties) {
      if (name != "LEVEL") return absl::NotFoundError(absl::StrCat("Unknown property: ", name));
      if (value.size() != 1 || value < "0" || value > "9") {
        return absl::InvalidArgumentError(absl::StrCat("LEVEL: expected 0..9, given ", value));
      }
      level = value;
    }
    level_ = level;
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (name == "LEVEL") return level_;
    if (name == "SUPPORTED_PROPERTIES") return std::string("LEVEL:RW SUPPORTED_PROPERTIES:RO");
    return absl::NotFoundError(absl::StrCat("Unknown property: ", name));
  }

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap&, bool plan_only) override {
    Compilation compilation;
    for (ir::NodeId id : model.NodeIds()) {
      if (Holds(model.parameters(), id) || Holds(model.results(), id)) continue;
      compilation.refused.emplace_back(model.node(id).name(), "this device computes nothing");
    }
    if (model.parameters().size() != model.results().size()) {
      return absl::InvalidArgumentError("This device takes models with as many results as parameters");
    }
    if (!plan_only && compilation.refused.empty()) compilation.compiled = std::make_shared<GoodCompiledModel>(model);
    return compilation;
  }

 private:
  mutable std::mutex mutex_;
  std::string level_ = "0";  // Guarded by mutex_.
};

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name) {
  return std::make_unique<GoodPlugin>(device_name);
}

}  // namespace

}  // namespace burin::good_plugin

BURIN_DEFINE_PLUGIN(burin::good_plugin::CreatePlugin);
