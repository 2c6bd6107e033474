#include "runtime/plugins/reference/runtime_model.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/slot.h"
#include "runtime/plugins/reference/compiled_model.h"
#include "runtime/plugins/reference/config.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = relu(x) + b, with x: f32[n,2].
std::unique_ptr<ir::Model> Toy(const char* rows) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(std::string(R"(model "toy" {
    %0 "x" = Parameter() {shape = [)") + rows + R"(,2]} info("layout" = "NC")
    %1 "b" = Constant() {value = f32[2]{10, 20}} from("bias")
    %2 "relu" = Relu(%0) from("Relu_1", "Clip_2")
    %3 "sum" = Add(%2, %1) from("Add_3")
    %4 "y" = Result(%3)
  })");
  EXPECT_OK(model);
  return *std::move(model);
}

std::shared_ptr<ICompiledModel> Compile(std::unique_ptr<ir::Model> model, bool count) {
  Configuration configuration = DefaultConfiguration("REFERENCE");
  EXPECT_OK(configuration.Apply({perf_count(count)}));
  return CompiledModel::Create(std::move(model), "REFERENCE", configuration).value();
}

void InferOnce(ICompiledModel* compiled) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 0}, ir::F32({1, 2}, {-1, 2})));
  ASSERT_OK(request->Infer());
}

const ir::RuntimeInfo& InfoOf(const ir::Model& model, const char* node) {
  return model.node(model.FindNode(node)).runtime_info();
}

TEST(RuntimeModelTest, DescribesWhatRuns) {
  const std::unique_ptr<ir::Model> model = Toy("3");
  ASSERT_OK_AND_ASSIGN(const RunningNodes running, DescribeRunningNodes(*model));
  std::vector<std::string> names;
  for (const ProfilingInfo& node : running.nodes) names.push_back(node.node_name);
  EXPECT_THAT(names, ElementsAre("x", "relu", "sum", "y"));
  EXPECT_THAT(running.index, ElementsAre(0, -1, 1, 2, 3));
  EXPECT_EQ(running.nodes[1].flops, 6);
  EXPECT_EQ(running.nodes[1].bytes, 48);
  EXPECT_EQ(running.nodes[1].op_type, "Relu");
  EXPECT_EQ(running.nodes[1].status, ProfilingInfo::Status::kNotRun);
  ASSERT_OK_AND_ASSIGN(const RunningNodes dynamic, DescribeRunningNodes(*Toy("n")));
  EXPECT_EQ(dynamic.nodes[1].flops, 0);
}

TEST(RuntimeModelTest, CarriesTheFactsOfEachNode) {
  const std::shared_ptr<ICompiledModel> compiled = Compile(Toy("1"), /*count=*/true);
  InferOnce(compiled.get());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
  EXPECT_EQ(executed->node_count(), 5);
  const ir::RuntimeInfo& info = InfoOf(*executed, "relu");
  double time = -1;
  ASSERT_TRUE(absl::SimpleAtod(info.at("execTimeMcs"), &time)) << info.at("execTimeMcs");
  EXPECT_GT(time, 0);
  EXPECT_EQ(info.at("primitiveType"), "reference");
  EXPECT_EQ(info.at("runtimePrecision"), "f32");
  EXPECT_EQ(info.at("outputLayouts"), "row-major");
  EXPECT_EQ(info.at("originalLayersNames"), "Relu_1,Clip_2");
  EXPECT_EQ(info.at("execOrder"), "2");
  EXPECT_EQ(info.at("isa"), "none");
  EXPECT_EQ(info.at("flops"), "2");
  EXPECT_EQ(info.at("bytes"), "16");
  EXPECT_EQ(InfoOf(*executed, "b").at("execTimeMcs"), "not_executed");
  EXPECT_EQ(InfoOf(*executed, "b").at("originalLayersNames"), "bias");
  // What the user said stays beside.
  EXPECT_EQ(InfoOf(*executed, "x").at("layout"), "NC");
}

TEST(RuntimeModelTest, TimesNeedPerfCount) {
  const std::shared_ptr<ICompiledModel> compiled = Compile(Toy("1"), /*count=*/false);
  InferOnce(compiled.get());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
  EXPECT_EQ(InfoOf(*executed, "sum").at("execTimeMcs"), "not_executed");
  EXPECT_EQ(InfoOf(*executed, "sum").at("flops"), "2");
}

TEST(RuntimeModelTest, CostsOfDynamicShapesAreThoseOfTheLastRun) {
  const std::shared_ptr<ICompiledModel> compiled = Compile(Toy("n"), /*count=*/true);
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
  EXPECT_EQ(InfoOf(*executed, "sum").count("flops"), 0u);
  EXPECT_EQ(InfoOf(*executed, "sum").at("execTimeMcs"), "not_executed");
  InferOnce(compiled.get());
  ASSERT_OK_AND_ASSIGN(executed, compiled->GetRuntimeModel());
  EXPECT_EQ(InfoOf(*executed, "sum").at("flops"), "2");
}

TEST(RuntimeModelTest, TimesAreThoseOfAllRequests) {
  const std::shared_ptr<ICompiledModel> compiled = Compile(Toy("1"), /*count=*/true);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&compiled] {
      for (int k = 0; k < 20; ++k) {
        InferOnce(compiled.get());
        EXPECT_OK(compiled->GetRuntimeModel());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto& reference = static_cast<const CompiledModel&>(*compiled);
  for (const ProfilingInfo& node : reference.profile().Read()) EXPECT_EQ(node.count, 80) << node.node_name;
}

TEST(RuntimeModelTest, RefusesACycle) {
  const std::unique_ptr<ir::Model> model = Toy("1");
  ASSERT_OK_AND_ASSIGN(const RunningNodes running, DescribeRunningNodes(*model));
  model->SetInput(ir::Use{model->FindNode("sum"), 1}, ir::Value{model->FindNode("sum"), 0});
  EXPECT_THAT(DescribeRunningNodes(*model), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
  EXPECT_THAT(MakeRuntimeModel(*model, running, running.nodes),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

}  // namespace
}  // namespace burin::reference
