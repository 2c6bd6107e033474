#include "runtime/dev/batched_tensor.h"

#include <cstdint>
#include <cstring>
#include <optional>
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
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;

Port MakePort(const ir::PartialShape& shape, const char* layout, ElementType type = ElementType::kF32) {
  Port port;
  port.names = {"images"};
  port.element_type = type;
  port.shape = shape;
  port.layout = ir::Layout::Parse(layout).value();
  return port;
}

Port Pairs() { return MakePort({ir::Dimension(), 2}, "NC"); }

ir::Tensor Item(const std::vector<float>& values) {
  ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, {1, static_cast<int64_t>(values.size())}).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(float));
  return tensor;
}

std::vector<float> Elements(const ir::Tensor& tensor) {
  EXPECT_TRUE(tensor.is_dense());
  const float* data = tensor.data_as<float>();
  return std::vector<float>(data, data + tensor.element_count());
}

TEST(BatchedTensorTest, GathersWhatTheItemsHoldNow) {
  const ir::Tensor a = Item({1, 2});
  const ir::Tensor b = Item({3, 4});
  ASSERT_OK_AND_ASSIGN(const BatchedTensor batch, BatchedTensor::Create(Pairs(), {a, b, a}));
  ASSERT_OK(batch.Gather());
  EXPECT_EQ(batch.tensor().shape(), (ir::Shape{3, 2}));
  EXPECT_THAT(Elements(batch.tensor()), ElementsAre(1, 2, 3, 4, 1, 2));
  a.mutable_data_as<float>()[1] = 7;
  EXPECT_THAT(Elements(batch.tensor()), ElementsAre(1, 2, 3, 4, 1, 2));
  ASSERT_OK(batch.Gather());
  EXPECT_THAT(Elements(batch.tensor()), ElementsAre(1, 7, 3, 4, 1, 7));
}

TEST(BatchedTensorTest, AdjacentItemsAreTheBatchAsTheyAre) {
  ir::Tensor all = ir::Tensor::Create(ElementType::kF32, {3, 2}).value();
  for (int i = 0; i < 6; ++i) all.mutable_data_as<float>()[i] = static_cast<float>(i);
  const auto row = [&](int64_t i) { return all.Region({i, 0}, {i + 1, 2}).value(); };
  ASSERT_OK_AND_ASSIGN(const BatchedTensor batch, BatchedTensor::Create(Pairs(), {row(0), row(1), row(2)}));
  EXPECT_EQ(batch.tensor().data(), all.data());
  EXPECT_EQ(batch.tensor().shape(), (ir::Shape{3, 2}));
  ASSERT_OK(batch.Gather());
  all.mutable_data_as<float>()[5] = 50;
  EXPECT_THAT(Elements(batch.tensor()), ElementsAre(0, 1, 2, 3, 4, 50));

  // In another order, or with a gap, they are not.
  ASSERT_OK_AND_ASSIGN(const BatchedTensor swapped, BatchedTensor::Create(Pairs(), {row(1), row(0)}));
  ASSERT_OK(swapped.Gather());
  EXPECT_THAT(Elements(swapped.tensor()), ElementsAre(2, 3, 0, 1));
  ASSERT_OK_AND_ASSIGN(const BatchedTensor gap, BatchedTensor::Create(Pairs(), {row(0), row(2)}));
  ASSERT_OK(gap.Gather());
  EXPECT_THAT(Elements(gap.tensor()), ElementsAre(0, 1, 4, 50));
}

TEST(BatchedTensorTest, KeepsAdjacentItemsAlive) {
  std::optional<BatchedTensor> batch;
  {
    ir::Tensor all = ir::Tensor::CreateZeroed(ElementType::kF32, {2, 2}).value();
    ASSERT_OK_AND_ASSIGN(BatchedTensor made, BatchedTensor::Create(Pairs(), {all.Region({0, 0}, {1, 2}).value(),
                                                                             all.Region({1, 0}, {2, 2}).value()}));
    batch = std::move(made);
  }
  EXPECT_THAT(Elements(batch->tensor()), ElementsAre(0, 0, 0, 0));
}

TEST(BatchedTensorTest, ItemsMayBeStrided) {
  float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor odd, ir::Tensor::View(ElementType::kF32, {1, 2}, values, {0, 8}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor back, ir::Tensor::View(ElementType::kF32, {1, 2}, values + 7, {4, -4}));
  ASSERT_OK_AND_ASSIGN(const BatchedTensor batch, BatchedTensor::Create(Pairs(), {odd, back}));
  ASSERT_OK(batch.Gather());
  EXPECT_THAT(Elements(batch.tensor()), ElementsAre(1, 3, 8, 7));
}

TEST(BatchedTensorTest, PackedItemsMustFillWholeBytes) {
  const auto make = [](int64_t elements) { return ir::Tensor::CreateZeroed(ElementType::kU4, {1, elements}).value(); };
  const Port port = MakePort({ir::Dimension(), ir::Dimension()}, "N...", ElementType::kU4);
  const ir::Tensor a = make(4);
  const ir::Tensor b = make(4);
  a.mutable_data_as<uint8_t>()[0] = 0x21;
  b.mutable_data_as<uint8_t>()[1] = 0x43;
  ASSERT_OK_AND_ASSIGN(const BatchedTensor batch, BatchedTensor::Create(port, {a, b}));
  ASSERT_OK(batch.Gather());
  const uint8_t* bytes = batch.tensor().data_as<uint8_t>();
  EXPECT_THAT(std::vector<int>(bytes, bytes + 4), ElementsAre(0x21, 0, 0, 0x43));
  EXPECT_THAT(BatchedTensor::Create(port, {make(3), make(3)}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("do not fill whole bytes")));
}

TEST(BatchedTensorTest, NeedsALayoutWithTheBatchInFront) {
  const ir::Tensor item = Item({1, 2});
  for (const char* layout : {"NC", "N...", "[n,channels]"}) {
    EXPECT_OK(BatchedTensor::Create(MakePort({ir::Dimension(), 2}, layout), {item, item})) << layout;
  }
  EXPECT_THAT(
      BatchedTensor::Create(MakePort({ir::Dimension(), 2}, "..."), {item, item}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               Eq("Input \"images\" f32[?,2]: a batch of separate tensors needs a layout with N as the first of "
                  "2 axes, given [...]")));
  for (const char* layout : {"CN", "?N", "C...", "NCHW"}) {
    EXPECT_THAT(BatchedTensor::Create(MakePort({ir::Dimension(), 2}, layout), {item, item}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("layout")))
        << layout;
  }
}

TEST(BatchedTensorTest, NamesTheItemThatDoesNotFit) {
  const ir::Tensor item = Item({1, 2});
  const auto error = [&](const std::vector<ir::Tensor>& items) { return BatchedTensor::Create(Pairs(), items); };
  const auto is = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, Eq(text)); };
  EXPECT_THAT(error({}), is("Input \"images\" f32[?,2]: a batch of no tensors"));
  EXPECT_THAT(error({item, ir::Tensor()}), is("Input \"images\" f32[?,2]: item 1: the tensor is empty"));
  EXPECT_THAT(error({item, item, ir::Tensor::Create(ElementType::kF16, {1, 2}).value()}),
              is("Input \"images\" f32[?,2]: item 2: expected element type f32, given f16"));
  EXPECT_THAT(error({item, Item({1, 2, 3})}),
              is("Input \"images\" f32[?,2]: item 1: expected the shape of item 0, [1,2], given [1,3]"));
  EXPECT_THAT(error({ir::Tensor::Create(ElementType::kF32, {2, 2}).value(), item}),
              is("Input \"images\" f32[?,2]: item 0: expected batch dimension 1, given shape [2,2]"));
  EXPECT_THAT(error({ir::Tensor::Create(ElementType::kF32, {}).value(), item}),
              is("Input \"images\" f32[?,2]: item 0: expected batch dimension 1, given shape []"));
  EXPECT_THAT(error({Item({1, 2, 3}), Item({1, 2, 3})}),
              is("Input \"images\" f32[?,2]: expected shape [?,2], given 2 tensors of [1,3]"));
  EXPECT_THAT(BatchedTensor::Create(MakePort({3, 2}, "NC"), {item, item}),
              is("Input \"images\" f32[3,2]: expected shape [3,2], given 2 tensors of [1,2]"));
}

}  // namespace
}  // namespace burin
