#include "runtime/plugins/reference/plugin.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/assign.h"
#include "ir/ops/ops.h"
#include "ir/ops/read_value.h"
#include "ir/partial_shape.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/sync_infer_request.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::HasSubstr;

ir::Tensor Scalar(float value) {
  ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, {1}).value();
  std::memcpy(tensor.mutable_data(), &value, sizeof(value));
  return tensor;
}

// sum += x; y = sum.
ir::Model Accumulator() {
  ir::Model model("accumulator");
  EXPECT_OK(model.AddVariable({"sum", ElementType::kF32, ir::PartialShape({1})}));
  ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({1})).value();
  ir::Value zero = model.AddConstant(Scalar(0), "zero").value();
  auto read_attributes = std::make_unique<ir::ReadValueAttributes>();
  read_attributes->variable_id = "sum";
  read_attributes->variable_type = ElementType::kF32;
  read_attributes->variable_shape = ir::PartialShape({1});
  ir::Value old = model.Add(ir::ReadValueOp(), {zero}, std::move(read_attributes), "read").value();
  ir::Value sum = model.Add(ir::AddOp(), {old, x}, nullptr, "add").value();
  auto assign_attributes = std::make_unique<ir::AssignAttributes>();
  assign_attributes->variable_id = "sum";
  EXPECT_OK(model.Add(ir::AssignOp(), {sum}, std::move(assign_attributes), "assign").status());
  EXPECT_OK(model.AddResult(sum, "y").status());
  return model;
}

class PluginTest : public ::testing::Test {
 protected:
  std::unique_ptr<Plugin> plugin_ = CreatePlugin("REFERENCE").value();
  const Slot input_{Slot::Kind::kInput, 0};
  const Slot output_{Slot::Kind::kOutput, 0};

  float Infer(AsyncInferRequest& request, float x) {
    EXPECT_OK(request.SetTensor(input_, Scalar(x)));
    EXPECT_OK(request.Infer());
    return *request.GetTensor(output_)->data_as<float>();
  }
};

TEST_F(PluginTest, CompilingDoesNotChangeTheUsersModel) {
  const ir::Model model = Accumulator();
  const Hash128 before = ir::StructuralHash(model, {/*compare_names=*/true}).value();
  ASSERT_OK(plugin_->CompileModel(model, {}).status());
  EXPECT_EQ(ir::StructuralHash(model, {/*compare_names=*/true}).value(), before);
}

TEST_F(PluginTest, StateBelongsToTheRequest) {
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<ICompiledModel> compiled, plugin_->CompileModel(Accumulator(), {}));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<AsyncInferRequest> a, compiled->CreateInferRequest());
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<AsyncInferRequest> b, compiled->CreateInferRequest());
  EXPECT_EQ(Infer(*a, 1), 1);
  EXPECT_EQ(Infer(*a, 2), 3);
  EXPECT_EQ(Infer(*b, 10), 10);

  ASSERT_OK_AND_ASSIGN(auto states, a->QueryState());
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]->name(), "sum");
  EXPECT_EQ(*states[0]->GetState()->data_as<float>(), 3);
  ASSERT_OK(states[0]->SetState(Scalar(100)));
  EXPECT_EQ(Infer(*a, 1), 101);
  ASSERT_OK(states[0]->Reset());
  EXPECT_THAT(states[0]->GetState(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Infer(*a, 1), 1);
  EXPECT_THAT(states[0]->SetState(ir::Tensor::Create(ElementType::kF32, {2}).value()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected f32[1], given f32[2]")));
}

TEST_F(PluginTest, StaticOutputsKeepTheirMemoryAndShareItWithNothing) {
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<ICompiledModel> compiled, plugin_->CompileModel(Accumulator(), {}));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  Infer(*request, 5);
  const ir::Tensor output = request->GetTensor(output_).value();
  *output.mutable_data_as<float>() = 77;  // The user's to write to: must not reach the state.
  ASSERT_OK_AND_ASSIGN(std::vector<std::shared_ptr<IVariableState>> states, request->QueryState());
  EXPECT_EQ(*states[0]->GetState()->data_as<float>(), 5);
  Infer(*request, 1);
  EXPECT_EQ(*output.data_as<float>(), 6);
}

TEST_F(PluginTest, CompilesForItsOwnContexts) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> context, plugin_->GetDefaultContext());
  EXPECT_EQ(context->device_name(), plugin_->device_name());
  ASSERT_OK_AND_ASSIGN(const ir::Tensor mine, context->CreateHostTensor(ElementType::kF32, {1}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       plugin_->CompileModelWithContext(Accumulator(), *context, {}));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  ASSERT_OK(request->SetTensor(output_, mine));
  EXPECT_EQ(Infer(*request, 3), 3);
  EXPECT_EQ(*mine.data_as<float>(), 3);

  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> created, plugin_->CreateContext({}));
  EXPECT_OK(plugin_->CompileModelWithContext(Accumulator(), *created, {}));
  EXPECT_OK(plugin_->CreateContext({{"DEVICE_ID", "0"}}));
  EXPECT_THAT(plugin_->CreateContext({{"DEVICE_ID", "1"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DEVICE_ID")));
  EXPECT_THAT(plugin_->CreateContext({{"NO_SUCH", "1"}}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
  EXPECT_THAT(plugin_->CreateContext({{"PERF_COUNT", "YES"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("DEVICE_ID")));
  HostContext foreign("OTHER");
  EXPECT_THAT(plugin_->CompileModelWithContext(Accumulator(), foreign, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given OTHER")));
}

}  // namespace
}  // namespace burin::reference
