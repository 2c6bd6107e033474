#include "runtime/plugins/cpu/plugin.h"

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/op_testlib.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/model_support.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/slot.h"
#include "runtime/executor/broker/core_broker.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

// It has a state, and a shape that only the data tells.
constexpr char kStateful[] = R"(model "refused" {
  variable "v" : f32[4]
  sinks(%3)
  %0 "x" = Parameter() {element_type = f32, shape = [4]}
  %1 "read" = ReadValue(%0) {variable_id = "v", variable_type = f32, variable_shape = [4]}
  %2 "sum" = Add(%1, %0)
  %3 "assign" = Assign(%2) {variable_id = "v"}
  %4 "where" = NonZero(%0) {output_type = i64} from("Where_7")
  %5 "y" = Result(%2)
  %6 "z" = Result(%4)
})";

class PluginTest : public ::testing::Test {
 protected:
  const std::unique_ptr<Plugin> plugin_ = CreatePlugin("CPU").value();
};

TEST_F(PluginTest, CompilingAndAskingDoNotChangeTheUsersModel) {
  const std::unique_ptr<ir::Model> model = Mlp(ir::Dimension::Symbol("n"));
  const Hash128 before = ir::StructuralHash(*model, {/*compare_names=*/true}).value();
  ASSERT_OK(plugin_->CompileModel(*model, {}));
  ASSERT_OK(plugin_->SupportOf(*model, {}));
  EXPECT_EQ(ir::StructuralHash(*model, {/*compare_names=*/true}).value(), before);
}

TEST_F(PluginTest, QueryModelSpeaksOfTheUsersOperations) {
  const std::unique_ptr<ir::Model> model = Mlp(3);
  model->AddOriginalNames(model->FindNode("relu"), {"Relu_1", "Clip_2"});
  ASSERT_OK_AND_ASSIGN(const auto supported, plugin_->QueryModel(*model, {}));
  std::vector<std::string> names;
  for (const auto& [name, device] : supported) {
    names.push_back(name);
    EXPECT_EQ(device, "CPU") << name;
  }
  EXPECT_THAT(names, UnorderedElementsAre("x", "w1", "b1", "w2", "b2", "first", "hidden", "Relu_1", "Clip_2", "second",
                                          "logits", "softmax", "y"));
}

TEST_F(PluginTest, QueryAndCompilationAgreeOnStatesAndUnknownShapes) {
  const std::unique_ptr<ir::Model> model = ModelOf(kStateful);
  ASSERT_OK_AND_ASSIGN(const ModelSupport support, plugin_->SupportOf(*model, {}));
  EXPECT_THAT(support.refused, IsEmpty());
  EXPECT_THAT(support.supported, UnorderedElementsAre(Key("x"), Key("read"), Key("sum"), Key("assign"), Key("Where_7"),
                                                      Key("y"), Key("z")));
  ASSERT_OK_AND_ASSIGN(const auto supported, plugin_->QueryModel(*model, {}));
  EXPECT_EQ(supported, support.supported);
  ASSERT_OK_AND_ASSIGN(const auto compiled, plugin_->CompileModel(*model, {}));
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  ASSERT_OK(request->SetTensor(kInput, ir::F32({4}, {0, 1, 0, 2})));
  ASSERT_OK(request->Infer());
  ir::ExpectTensorEq(request->GetTensor(kOutput).value(), ir::F32({4}, {0, 2, 0, 4}));
  ir::ExpectTensorEq(request->GetTensor({Slot::Kind::kOutput, 1}).value(), ir::I64({1, 2}, {1, 3}));
  ASSERT_OK(request->Infer());
  ir::ExpectTensorEq(request->GetTensor(kOutput).value(), ir::F32({4}, {0, 3, 0, 6}));
}

// An operation that nobody can evaluate.
const ir::OpDef& Riddle() {
  static const ir::OpDef op = [] {
    ir::OpDef riddle(ir::OpCode::kGatherND, "Riddle", "internal");
    riddle.infer = [](ir::InferContext& context) {
      context.SetOutput(0, context.input_type(0), context.input_shape(0));
      return absl::OkStatus();
    };
    return riddle;
  }();
  return op;
}

TEST_F(PluginTest, AllThatCannotRunIsInOneError) {
  const std::unique_ptr<ir::Model> model = ModelOf(R"(model "riddles" {
    %0 "x" = Parameter() {element_type = f32, shape = [4]}
    %1 "c" = Parameter() {element_type = boolean, shape = []}
    %2 "relu" = Relu(%0)
    %3 "if" = If(%1, %2) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "a" = Parameter() {element_type = f32, shape = [4]}
        %1 "r" = Result(%0)
      }
      model "else" {
        %0 "a" = Parameter() {element_type = f32, shape = [4]}
        %1 "abs" = Abs(%0)
        %2 "r" = Result(%1)
      }
    %4 "y" = Result(%3)
  })");
  // Two before the result, two in a body.
  const auto riddle_before = [](ir::Model& changed, const char* result, const char* name) {
    const ir::NodeId reader = changed.FindNode(result);
    const ir::Value value = *changed.Add(Riddle(), {changed.node(reader).input(0)}, nullptr, name);
    changed.SetInput(ir::Use{reader, 0}, value);
  };
  riddle_before(*model, "y", "first");
  riddle_before(*model, "y", "second");
  ir::Model& body = *model->node(model->FindNode("if")).bodies()[0];
  riddle_before(body, "r", "third");
  riddle_before(body, "r", "fourth");
  const absl::Status status = plugin_->CompileModel(*model, {}).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnimplemented,
                               AllOf(HasSubstr("3 operation(s)"), HasSubstr("first: Riddle has no evaluation"),
                                     HasSubstr("second: Riddle has no evaluation"), HasSubstr("if: In bodies"),
                                     HasSubstr("third: Riddle"), HasSubstr("fourth: Riddle"))));
  ASSERT_OK_AND_ASSIGN(const ModelSupport support, plugin_->SupportOf(*model, {}));
  EXPECT_THAT(support.refused, UnorderedElementsAre(Key("first"), Key("second"), Key("if")));
  EXPECT_THAT(support.supported, UnorderedElementsAre(Key("x"), Key("c"), Key("relu"), Key("y")));
}

TEST_F(PluginTest, AnswersEveryPropertyOfTheTable) {
  ASSERT_OK_AND_ASSIGN(const std::string text, plugin_->GetProperty("SUPPORTED_PROPERTIES"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> entries, supported_properties.Parse(text));
  std::vector<std::string> expected;
  for (const PropertyInfo& row : PropertiesReadBy("CPU")) {
    const bool is_here = row.scope != PropertyScope::kModel && row.scope != PropertyScope::kCore;
    if (is_here) expected.push_back(absl::StrCat(row.name, row.settable() ? ":RW" : ":RO"));
    EXPECT_EQ(plugin_->GetProperty(row.name).ok(), is_here) << row.name;
  }
  EXPECT_EQ(entries, expected);
}

TEST_F(PluginTest, RefusesABrokenModelAndBadProperties) {
  const std::unique_ptr<ir::Model> model = Mlp(3);
  EXPECT_THAT(plugin_->CompileModel(*model, {{"NO_SUCH", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
  EXPECT_THAT(plugin_->QueryModel(*model, {{"PERF_COUNT", "perhaps"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("PERF_COUNT")));
  model->SetInput(ir::Use{model->FindNode("hidden"), 0}, ir::Value{model->FindNode("relu"), 0});
  EXPECT_THAT(plugin_->CompileModel(*model, {}), StatusIs(absl::StatusCode::kInternal, HasSubstr("cycle")));
  EXPECT_THAT(plugin_->QueryModel(*model, {}), StatusIs(absl::StatusCode::kInternal, HasSubstr("cycle")));
}

TEST_F(PluginTest, PropertiesOfTheDeviceAreDefaultsOfItsModels) {
  ASSERT_OK(plugin_->SetProperties({{"PERF_COUNT", "YES"}, {"PERFORMANCE_HINT", "THROUGHPUT"}}));
  EXPECT_THAT(plugin_->GetProperty("PERFORMANCE_HINT"), IsOkAndHolds("THROUGHPUT"));
  ASSERT_OK_AND_ASSIGN(const auto compiled, plugin_->CompileModel(*Mlp(3), {{"PERFORMANCE_HINT", "LATENCY"}}));
  EXPECT_THAT(compiled->GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(compiled->GetProperty("PERFORMANCE_HINT"), IsOkAndHolds("LATENCY"));
  EXPECT_THAT(plugin_->GetProperty("PERFORMANCE_HINT"), IsOkAndHolds("THROUGHPUT"));
  // The device says what was asked for, not what came of it.
  EXPECT_THAT(plugin_->GetProperty("NUM_STREAMS"), IsOkAndHolds("AUTO"));
  EXPECT_THAT(plugin_->GetProperty("INFERENCE_NUM_THREADS"), IsOkAndHolds("0"));
  EXPECT_THAT(plugin_->GetProperty("NO_SUCH"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
}

TEST_F(PluginTest, OnlyCompiledModelsHoldCpus) {
  const std::unique_ptr<ir::Model> model = Mlp(3);
  ASSERT_OK(plugin_->SupportOf(*model, {}));
  EXPECT_THAT(executor::CoreBroker::OfProcess().holdings(), IsEmpty());
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<ICompiledModel> compiled, plugin_->CompileModel(*model, {}));
  EXPECT_THAT(executor::CoreBroker::OfProcess().holdings(), SizeIs(1));
  compiled.reset();
  EXPECT_THAT(executor::CoreBroker::OfProcess().holdings(), IsEmpty());
}

TEST_F(PluginTest, CompilesForItsOwnContexts) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> context, plugin_->GetDefaultContext());
  EXPECT_EQ(context->device_name(), "CPU");
  ASSERT_OK_AND_ASSIGN(const ir::Tensor mine, context->CreateHostTensor(ElementType::kF32, {3, 10}));
  ASSERT_OK_AND_ASSIGN(const auto compiled, plugin_->CompileModelWithContext(*Mlp(3), *context, {}));
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(request->SetTensor(kInput, input));
  ASSERT_OK(request->SetTensor(kOutput, mine));
  ASSERT_OK(request->Infer());
  ExpectMlp(mine, input);

  EXPECT_OK(plugin_->CreateContext({{"DEVICE_ID", "0"}}));
  EXPECT_THAT(plugin_->CreateContext({{"DEVICE_ID", "1"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DEVICE_ID")));
  EXPECT_THAT(plugin_->CreateContext({{"PERF_COUNT", "YES"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("PERF_COUNT")));
  HostContext foreign("OTHER");
  EXPECT_THAT(plugin_->CompileModelWithContext(*Mlp(3), foreign, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given OTHER")));
}

TEST_F(PluginTest, ManyThreadsCompileOneModelAtOnce) {
  const std::unique_ptr<ir::Model> model = Mlp(5);
  const ir::Tensor input = Varied({5, 24});
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      ASSERT_OK_AND_ASSIGN(const auto compiled, plugin_->CompileModel(*model, {}));
      ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
      ASSERT_OK(request->SetTensor(kInput, input));
      ASSERT_OK(request->Infer());
      ExpectMlp(request->GetTensor(kOutput).value(), input);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace burin::cpu
