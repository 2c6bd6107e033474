#include "runtime/dev/sync_infer_request.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Slot kStaticInput{Slot::Kind::kInput, 0};
constexpr Slot kDynamicInput{Slot::Kind::kInput, 1};
constexpr Slot kStaticOutput{Slot::Kind::kOutput, 0};
constexpr Slot kDynamicOutput{Slot::Kind::kOutput, 1};

std::vector<Port> Ports(const std::string& static_name, const std::string& dynamic_name) {
  std::vector<Port> ports(2);
  for (size_t i = 0; i < 2; ++i) {
    ports[i].index = i;
    ports[i].element_type = ElementType::kF32;
  }
  ports[0].names = {static_name};
  ports[0].shape = ir::PartialShape{2, 3};
  ports[1].names = {dynamic_name};
  ports[1].shape = ir::PartialShape{ir::Dimension(1, 4), 3};
  return ports;
}

ir::Tensor MakeTensor(ElementType type, const ir::Shape& shape) {
  return ir::Tensor::CreateZeroed(type, shape).value();
}

// Shows what a plugin sees of the base class.
class FakeRequest final : public ISyncInferRequest {
 public:
  using ISyncInferRequest::cancelled;
  using ISyncInferRequest::input_tensors;
  using ISyncInferRequest::IsUserOutput;
  using ISyncInferRequest::ISyncInferRequest;
  using ISyncInferRequest::output_tensor;
  using ISyncInferRequest::SetOutputTensor;

  absl::Status Infer() override { return absl::OkStatus(); }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::FailedPreconditionError("no profile");
  }
};

class SyncInferRequestTest : public ::testing::Test {
 protected:
  const std::vector<Port> inputs_ = Ports("x", "dx");
  const std::vector<Port> outputs_ = Ports("y", "dy");
  FakeRequest request_{&inputs_, &outputs_};
};

TEST_F(SyncInferRequestTest, StartsWithoutTensorsAndState) {
  ASSERT_EQ(request_.input_tensors().size(), 2u);
  EXPECT_FALSE(request_.input_tensors()[0].has_value());
  EXPECT_FALSE(request_.output_tensor(0).has_value());
  EXPECT_FALSE(request_.IsUserOutput(0));
  EXPECT_FALSE(request_.cancelled());
  EXPECT_THAT(request_.QueryState(), IsEmpty());
}

TEST_F(SyncInferRequestTest, NamesPortExpectedAndGivenOfAWrongTensor) {
  EXPECT_THAT(
      request_.SetTensor(kStaticInput, MakeTensor(ElementType::kF16, {2, 3})),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Input \"x\" f32[2,3]: expected element type f32, given f16")));
  EXPECT_THAT(
      request_.SetTensor(kStaticOutput, MakeTensor(ElementType::kF32, {3, 2})),
      StatusIs(absl::StatusCode::kInvalidArgument, Eq("Output \"y\" f32[2,3]: expected shape [2,3], given [3,2]")));
  EXPECT_THAT(request_.SetTensor(kDynamicOutput, MakeTensor(ElementType::kF32, {5, 3})),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Output \"dy\" f32[1..4,3]: expected shape [1..4,3], given [5,3]")));
  EXPECT_THAT(request_.SetTensor(kDynamicInput, MakeTensor(ElementType::kF32, {3})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given [3]")));
  EXPECT_THAT(request_.SetTensor(kDynamicOutput, ir::Tensor()),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Output \"dy\" f32[1..4,3]: the tensor is empty")));
}

TEST_F(SyncInferRequestTest, ARefusedTensorLeavesTheSlotAsItWas) {
  const ir::Tensor first = MakeTensor(ElementType::kF32, {2, 3});
  ASSERT_OK(request_.SetTensor(kStaticInput, first));
  EXPECT_THAT(request_.SetTensor(kStaticInput, MakeTensor(ElementType::kF32, {2, 4})),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(request_.GetTensor(kStaticInput)->data(), first.data());
  EXPECT_THAT(request_.SetTensor(kDynamicOutput, MakeTensor(ElementType::kF32, {5, 3})),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_FALSE(request_.IsUserOutput(1));
}

TEST_F(SyncInferRequestTest, ReadOnlyMemoryIsForInputsOnly) {
  static const float bytes[6] = {1, 2, 3, 4, 5, 6};
  ASSERT_OK_AND_ASSIGN(
      const ir::Tensor tensor,
      ir::Tensor::FromStorage(ElementType::kF32, {2, 3}, ir::Storage::Borrow(nullptr, bytes, sizeof(bytes))));
  EXPECT_OK(request_.SetTensor(kStaticInput, tensor));
  EXPECT_EQ(request_.GetTensor(kStaticInput)->data(), bytes);
  EXPECT_THAT(
      request_.SetTensor(kStaticOutput, tensor),
      StatusIs(absl::StatusCode::kFailedPrecondition, Eq("Output \"y\" f32[2,3]: the tensor's memory is read-only")));
}

TEST_F(SyncInferRequestTest, StaticSlotsGetZeroedMemoryOnce) {
  for (const Slot slot : {kStaticInput, kStaticOutput}) {
    ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, request_.GetTensor(slot));
    EXPECT_TRUE(ir::BitwiseEqual(tensor, MakeTensor(ElementType::kF32, {2, 3})));
    EXPECT_EQ(request_.GetTensor(slot)->data(), tensor.data());
  }
  EXPECT_NE(request_.GetTensor(kStaticInput)->data(), request_.GetTensor(kStaticOutput)->data());
}

TEST_F(SyncInferRequestTest, DynamicSlotsHaveMemoryOnceItIsGiven) {
  EXPECT_THAT(request_.GetTensor(kDynamicInput),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       Eq("Input \"dx\" f32[1..4,3] has a dynamic shape and no memory yet: set a tensor first")));
  EXPECT_THAT(
      request_.GetTensor(kDynamicOutput),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               Eq("Output \"dy\" f32[1..4,3] has a dynamic shape and no memory yet: it is there after the first "
                  "inference")));
  const ir::Tensor result = MakeTensor(ElementType::kF32, {4, 3});
  request_.SetOutputTensor(1, result);
  EXPECT_EQ(request_.GetTensor(kDynamicOutput)->data(), result.data());
  for (const int64_t rows : {1, 4}) {
    ASSERT_OK(request_.SetTensor(kDynamicInput, MakeTensor(ElementType::kF32, {rows, 3})));
    EXPECT_EQ(request_.GetTensor(kDynamicInput)->shape(), (ir::Shape{rows, 3}));
  }
}

TEST_F(SyncInferRequestTest, MemoryThatTheUserHoldsMustBeWrittenTo) {
  // Memory of the plugin's own may be replaced; what was set or handed out may not.
  request_.SetOutputTensor(1, MakeTensor(ElementType::kF32, {1, 3}));
  ASSERT_OK(request_.GetTensor(kDynamicOutput));
  EXPECT_FALSE(request_.IsUserOutput(1));
  ASSERT_OK(request_.GetTensor(kStaticOutput));
  EXPECT_TRUE(request_.IsUserOutput(0));
  const ir::Tensor mine = MakeTensor(ElementType::kF32, {2, 3});
  ASSERT_OK(request_.SetTensor(kDynamicOutput, mine));
  EXPECT_TRUE(request_.IsUserOutput(1));
  EXPECT_EQ(request_.output_tensor(1).data(), mine.data());
}

TEST_F(SyncInferRequestTest, CancellationLastsUntilCleared) {
  request_.Cancel();
  EXPECT_TRUE(request_.cancelled());
  request_.Cancel();
  request_.ClearCancel();
  EXPECT_FALSE(request_.cancelled());
}

}  // namespace
}  // namespace burin
