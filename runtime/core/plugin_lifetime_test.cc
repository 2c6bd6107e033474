// What came from a plugin library is used after the plugin, the registry, or everything else of it is gone. A sanitizer
// sees whatever goes wrong.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/core/plugin_registry.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/slot.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

constexpr char kLibrary[] = "runtime/core/test_plugins/libgood_plugin.so";
const Slot kInput = {Slot::Kind::kInput, 0};
const Slot kOutput = {Slot::Kind::kOutput, 0};

// y = x, of any length.
ir::Model PassOn() {
  ir::Model model("pass_on");
  const ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({ir::Dimension()})).value();
  EXPECT_OK(model.AddResult(x, "y").status());
  return model;
}

ir::Tensor Filled(int64_t length, float value) {
  ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, {length}).value();
  for (int64_t i = 0; i < length; ++i) tensor.mutable_data_as<float>()[i] = value;
  return tensor;
}

class PluginLifetimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    registry_.emplace();
    PluginDescription description;
    description.device_name = "LIB";
    description.library = kLibrary;
    ASSERT_OK(registry_->RegisterPluginsInRegistry({description}));
  }

  std::shared_ptr<ICompiledModel> Compile() {
    return registry_->Get("LIB").value()->CompileModel(PassOn(), {}).value();
  }

  std::optional<PluginRegistry> registry_;
};

TEST_F(PluginLifetimeTest, ACompiledModelOutlivesItsPluginAndItsRegistry) {
  const std::shared_ptr<ICompiledModel> compiled = Compile();
  ASSERT_OK(registry_->Unload("LIB"));
  registry_.reset();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  ASSERT_OK(request->SetTensor(kInput, Filled(3, 1.5f)));
  ASSERT_OK(request->Infer());
  EXPECT_EQ(request->GetTensor(kOutput).value().data_as<float>()[2], 1.5f);
}

TEST_F(PluginLifetimeTest, ARequestOutlivesItsCompiledModelAndItsPlugin) {
  std::unique_ptr<AsyncInferRequest> request = Compile()->CreateInferRequest().value();
  ASSERT_OK(registry_->Unload("LIB"));
  ASSERT_OK(request->SetTensor(kInput, Filled(3, 2.5f)));
  ASSERT_OK(request->StartAsync());
  ASSERT_OK(request->Wait());
  EXPECT_EQ(request->GetTensor(kOutput).value().data_as<float>()[2], 2.5f);
}

TEST_F(PluginLifetimeTest, ATensorAndAnErrorOutliveEverything) {
  ir::Tensor output;
  absl::Status error;
  {
    std::unique_ptr<AsyncInferRequest> request = Compile()->CreateInferRequest().value();
    ASSERT_OK(request->SetTensor(kInput, Filled(1000, 3.5f)));
    ASSERT_OK(request->Infer());
    output = request->GetTensor(kOutput).value();
    error = request->GetProfilingInfo().status();
    ASSERT_OK(registry_->Unload("LIB"));
  }
  registry_.reset();
  EXPECT_EQ(output.data_as<float>()[999], 3.5f);
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kUnimplemented));
  output = ir::Tensor();  // Its deleter is code of the library.
}

TEST_F(PluginLifetimeTest, ACallbackDropsTheLastReferenceAfterTheUnloading) {
  std::atomic<bool> done{false};
  auto request = std::make_shared<std::unique_ptr<AsyncInferRequest>>(Compile()->CreateInferRequest().value());
  ASSERT_OK((*request)->SetTensor(kInput, Filled(3, 1.0f)));
  ASSERT_OK((*request)->SetCallback([request, &done](absl::Status status) {
    EXPECT_OK(status);
    request->reset();
    done = true;
  }));
  AsyncInferRequest* const running = request->get();
  request.reset();
  ASSERT_OK(running->StartAsync());
  ASSERT_OK(registry_->Unload("LIB"));
  registry_.reset();
  while (!done) std::this_thread::yield();
}

TEST_F(PluginLifetimeTest, PluginsComeAndGoUnderRunningRequests) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int k = 0; k < 50; ++k) {
        std::unique_ptr<AsyncInferRequest> request = Compile()->CreateInferRequest().value();
        const float value = static_cast<float>(100 * t + k);
        EXPECT_OK(request->SetTensor(kInput, Filled(100, value)));
        EXPECT_OK(request->StartAsync());
        registry_->Unload("LIB").IgnoreError();  // Another thread may have been faster.
        if (k % 3 == 0) continue;                // The request goes while it runs.
        EXPECT_OK(request->Wait());
        EXPECT_EQ(request->GetTensor(kOutput).value().data_as<float>()[99], value);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace burin
