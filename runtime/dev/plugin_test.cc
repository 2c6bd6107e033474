#include "runtime/dev/plugin.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/model_support.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "runtime/dev/version.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class FakeCompiledModel final : public ICompiledModel {
 public:
  explicit FakeCompiledModel(const ir::Model& model)
      : ICompiledModel(model, std::make_shared<ImmediateExecutor>(), std::make_shared<ImmediateExecutor>()) {}
  absl::StatusOr<std::string> GetProperty(const std::string&) const override { return std::string(); }

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    return absl::UnimplementedError("no requests");
  }
};

// Answers as told and keeps what it was asked.
class FakePlugin final : public Plugin {
 public:
  using Plugin::Plugin;
  Version GetVersion() const override { return BuildVersion("test"); }
  absl::Status SetProperties(const PropertyMap&) override { return absl::OkStatus(); }
  absl::StatusOr<std::string> GetProperty(const std::string&) const override { return std::string(); }

  absl::Status status;
  std::vector<std::string> supported;
  std::vector<std::pair<std::string, std::string>> refused;
  std::shared_ptr<ICompiledModel> compiled;

  std::vector<bool> asked_plan_only;
  PropertyMap asked_properties;
  const ir::Model* asked_model = nullptr;

 protected:
  absl::StatusOr<Compilation> Compile(const ir::Model& model, const PropertyMap& properties, bool plan_only) override {
    asked_model = &model;
    asked_properties = properties;
    asked_plan_only.push_back(plan_only);
    if (!status.ok()) return status;
    compiled = plan_only || !refused.empty() ? nullptr : std::make_shared<FakeCompiledModel>(model);
    return Compilation{supported, refused, compiled};
  }
};

TEST(PluginTest, CompilesAndQueriesThroughOneEntry) {
  FakePlugin plugin("FAKE");
  plugin.supported = {"a", "b"};
  const ir::Model model;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, plugin.CompileModel(model, {{"K", "1"}}));
  EXPECT_NE(compiled, nullptr);
  EXPECT_EQ(compiled, plugin.compiled);
  EXPECT_EQ(plugin.asked_model, &model);
  EXPECT_THAT(plugin.asked_properties, ElementsAre(Pair("K", "1")));
  ASSERT_OK_AND_ASSIGN(const auto devices, plugin.QueryModel(model, {{"K", "2"}}));
  EXPECT_THAT(devices, ElementsAre(Pair("a", "FAKE"), Pair("b", "FAKE")));
  EXPECT_EQ(plugin.asked_model, &model);
  EXPECT_THAT(plugin.asked_properties, ElementsAre(Pair("K", "2")));
  EXPECT_THAT(plugin.asked_plan_only, ElementsAre(false, true));
}

TEST(PluginTest, AModelThatIsGivenAwayIsCompiledAsAnother) {
  FakePlugin plugin("FAKE");
  auto model = std::make_unique<ir::Model>();
  const ir::Model* const address = model.get();
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       plugin.CompileModel(std::move(model), {{"K", "1"}}));
  EXPECT_EQ(compiled, plugin.compiled);
  EXPECT_EQ(plugin.asked_model, address);
  EXPECT_THAT(plugin.asked_plan_only, ElementsAre(false));
  plugin.refused = {{"b", "op Foo is unknown"}};
  EXPECT_THAT(plugin.CompileModel(std::make_unique<ir::Model>(), {}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("b: op Foo is unknown")));
}

TEST(PluginTest, ListsEveryRefusedOperation) {
  FakePlugin plugin("FAKE");
  plugin.supported = {"a"};
  plugin.refused = {{"b", "op Foo is unknown"}, {"c", "rank 9"}};
  EXPECT_THAT(plugin.CompileModel(ir::Model(), {}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       Eq("Device FAKE cannot run 2 operation(s):\n  b: op Foo is unknown\n  c: rank 9")));
}

TEST(PluginTest, AnOriginalOpIsSupportedOnlyIfAllThatBecameOfItIs) {
  FakePlugin plugin("FAKE");
  plugin.supported = {"whole", "whole", "part"};
  plugin.refused = {{"part", "half of it is missing"}, {"none", "unknown"}};
  EXPECT_THAT(plugin.QueryModel(ir::Model(), {}).value(), ElementsAre(Pair("whole", "FAKE")));
  plugin.supported.clear();
  EXPECT_THAT(plugin.QueryModel(ir::Model(), {}).value(), IsEmpty());
}

TEST(PluginTest, TellsWhatItSupportsAndWhyNotTheRest) {
  FakePlugin plugin("FAKE");
  plugin.supported = {"whole", "part"};
  plugin.refused = {{"part", "rank 9"}, {"part", "type f64"}, {"part", "rank 9"}, {"none", "unknown"}};
  ASSERT_OK_AND_ASSIGN(const ModelSupport support, plugin.SupportOf(ir::Model(), {{"K", "3"}}));
  EXPECT_THAT(support.supported, ElementsAre(Pair("whole", "FAKE")));
  EXPECT_THAT(support.refused, ElementsAre(Pair("none", "unknown"), Pair("part", "rank 9; type f64")));
  EXPECT_THAT(plugin.asked_plan_only, ElementsAre(true));
  EXPECT_THAT(plugin.asked_properties, ElementsAre(Pair("K", "3")));
}

TEST(PluginTest, HasNoContextsUnlessTheDeviceSaysOtherwise) {
  FakePlugin plugin("FAKE");
  HostContext context("FAKE");
  const auto unimplemented = StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("FAKE"));
  EXPECT_THAT(plugin.CreateContext({}), unimplemented);
  EXPECT_THAT(plugin.GetDefaultContext(), unimplemented);
  EXPECT_THAT(plugin.CompileModelWithContext(ir::Model(), context, {}), unimplemented);
  EXPECT_THAT(FakeCompiledModel(ir::Model()).GetContext(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(PluginTest, HandsOnTheDevicesOwnError) {
  FakePlugin plugin("FAKE");
  plugin.status = absl::InvalidArgumentError("bad property");
  EXPECT_THAT(plugin.CompileModel(ir::Model(), {}), StatusIs(absl::StatusCode::kInvalidArgument, Eq("bad property")));
  EXPECT_THAT(plugin.QueryModel(ir::Model(), {}), StatusIs(absl::StatusCode::kInvalidArgument, Eq("bad property")));
}

TEST(PluginTest, ImportingIsUnimplementedUnlessTheDeviceSaysOtherwise) {
  FakePlugin plugin("FAKE");
  std::istringstream stream("blob");
  EXPECT_THAT(plugin.ImportModel(stream, {}),
              StatusIs(absl::StatusCode::kUnimplemented, Eq("Device FAKE cannot import compiled models")));
}

}  // namespace
}  // namespace burin
