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
#include "ir/layout.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/slot.h"
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
    ports[i].layout = ir::Layout::Parse("NC").value();
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

ir::Tensor Row(float first) {
  ir::Tensor row = MakeTensor(ElementType::kF32, {1, 3});
  row.mutable_data_as<float>()[0] = first;
  return row;
}

TEST_F(SyncInferRequestTest, ABatchOfTensorsIsReadAnewByEachInference) {
  const ir::Tensor a = Row(1);
  const ir::Tensor b = Row(2);
  ASSERT_OK(request_.SetTensors(kDynamicInput, {a, b}));
  for (const float value : {5.0f, 6.0f}) {
    *a.mutable_data_as<float>() = value;
    ASSERT_OK(request_.PrepareInputs());
    const ir::Tensor& batch = request_.input_tensors()[1];
    EXPECT_EQ(batch.shape(), (ir::Shape{2, 3}));
    EXPECT_EQ(batch.data_as<float>()[0], value);
    EXPECT_EQ(batch.data_as<float>()[3], 2);
  }
  EXPECT_THAT(request_.GetTensor(kDynamicInput),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       Eq("Input \"dx\" f32[1..4,3] has been set as a batch of separate tensors")));
  // A tensor set later takes its place.
  const ir::Tensor whole = MakeTensor(ElementType::kF32, {4, 3});
  ASSERT_OK(request_.SetTensor(kDynamicInput, whole));
  ASSERT_OK(request_.PrepareInputs());
  EXPECT_EQ(request_.input_tensors()[1].data(), whole.data());
  EXPECT_EQ(request_.GetTensor(kDynamicInput)->data(), whole.data());
}

TEST_F(SyncInferRequestTest, ABatchOfOneIsATensor) {
  const ir::Tensor row = Row(1);
  ASSERT_OK(request_.SetTensors(kDynamicInput, {row}));
  EXPECT_EQ(request_.GetTensor(kDynamicInput)->data(), row.data());
  EXPECT_THAT(request_.SetTensors(kStaticInput, {row}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected shape [2,3], given [1,3]")));
}

TEST_F(SyncInferRequestTest, ABatchThatDoesNotFitLeavesTheInputAsItWas) {
  const ir::Tensor whole = MakeTensor(ElementType::kF32, {4, 3});
  ASSERT_OK(request_.SetTensor(kDynamicInput, whole));
  EXPECT_THAT(request_.SetTensors(kDynamicInput, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(request_.SetTensors(kDynamicInput, std::vector<ir::Tensor>(5, Row(1))),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Input \"dx\" f32[1..4,3]: expected shape [1..4,3], given 5 tensors of [1,3]")));
  EXPECT_EQ(request_.GetTensor(kDynamicInput)->data(), whole.data());
}

TEST_F(SyncInferRequestTest, OutputsAreNoBatchesOfTensors) {
  for (const size_t count : {1u, 2u}) {
    EXPECT_THAT(request_.SetTensors(kStaticOutput, std::vector<ir::Tensor>(count, Row(1))),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         Eq("Output \"y\" f32[2,3]: only an input can be a batch of separate tensors")));
  }
}

TEST_F(SyncInferRequestTest, PreparingGivesMemoryToStaticInputsAndMissesDynamicOnes) {
  EXPECT_THAT(request_.PrepareInputs(),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Input \"dx\" f32[1..4,3] has not been set")));
  ASSERT_OK(request_.SetTensor(kDynamicInput, MakeTensor(ElementType::kF32, {1, 3})));
  ASSERT_OK(request_.PrepareInputs());
  EXPECT_TRUE(ir::BitwiseEqual(request_.input_tensors()[0], MakeTensor(ElementType::kF32, {2, 3})));
  EXPECT_EQ(request_.GetTensor(kStaticInput)->data(), request_.input_tensors()[0].data());
}

TEST_F(SyncInferRequestTest, StridedTensorsAreKeptAsTheyAre) {
  const ir::Tensor wide = MakeTensor(ElementType::kF32, {2, 5});
  for (const Slot slot : {kStaticInput, kStaticOutput}) {
    ASSERT_OK(request_.SetTensor(slot, wide.Region({0, 1}, {2, 4}).value()));
    ASSERT_OK_AND_ASSIGN(const ir::Tensor kept, request_.GetTensor(slot));
    EXPECT_EQ(kept.data(), wide.data_as<float>() + 1);
    EXPECT_EQ(kept.byte_strides(), wide.byte_strides());
  }
}

TEST_F(SyncInferRequestTest, CancellationLastsUntilCleared) {
  request_.Cancel();
  EXPECT_TRUE(request_.cancelled());
  EXPECT_TRUE(request_.is_cancelled());
  request_.Cancel();
  request_.ClearCancel();
  EXPECT_FALSE(request_.cancelled());
}

}  // namespace
}  // namespace burin
