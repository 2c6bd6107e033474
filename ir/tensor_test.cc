#include "ir/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "ir/storage.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kBig = std::numeric_limits<int64_t>::max();

// Returns a dense i32 tensor with the elements 0, 1, 2, ...
Tensor Iota(const Shape& shape) {
  Tensor tensor = *Tensor::Create(ElementType::kI32, shape);
  std::iota(tensor.mutable_data_as<int32_t>(), tensor.mutable_data_as<int32_t>() + tensor.element_count(), 0);
  return tensor;
}

std::vector<int32_t> Elements(const Tensor& tensor) {
  const Tensor dense = *tensor.ToDense();
  return std::vector<int32_t>(dense.data_as<int32_t>(), dense.data_as<int32_t>() + dense.element_count());
}

TEST(TensorTest, CreatesDenseAlignedTensors) {
  EXPECT_FALSE(Tensor().has_value());
  ASSERT_OK_AND_ASSIGN(const Tensor tensor, Tensor::Create(ElementType::kF32, {2, 3}));
  EXPECT_TRUE(tensor.has_value());
  EXPECT_EQ(tensor.element_type(), ElementType::kF32);
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_THAT(tensor.byte_strides(), ElementsAre(12, 4));
  EXPECT_EQ(tensor.element_count(), 6);
  EXPECT_EQ(tensor.byte_size(), 24u);
  EXPECT_TRUE(tensor.is_dense());
  EXPECT_FALSE(tensor.read_only());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 64, 0u);
}

TEST(TensorTest, CreatesScalarsAndEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Tensor::CreateZeroed(ElementType::kI64, {}));
  EXPECT_EQ(scalar.element_count(), 1);
  EXPECT_EQ(*scalar.data_as<int64_t>(), 0);
  ASSERT_OK_AND_ASSIGN(const Tensor none, Tensor::CreateZeroed(ElementType::kI64, {3, 0}));
  EXPECT_EQ(none.element_count(), 0);
  EXPECT_EQ(none.byte_size(), 0u);
  EXPECT_TRUE(none.is_dense());
  EXPECT_OK(none.Copy());
}

TEST(TensorTest, RoundsPackedTypesUpToBytes) {
  ASSERT_OK_AND_ASSIGN(const Tensor tensor, Tensor::Create(ElementType::kI4, {3, 3}));
  EXPECT_EQ(tensor.byte_size(), 5u);
  EXPECT_THAT(tensor.byte_strides(), IsEmpty());
  EXPECT_TRUE(tensor.is_dense());
}

TEST(TensorTest, RefusesHostileTypesAndShapes) {
  EXPECT_THAT(Tensor::Create(ElementType::kUndefined, {1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::Create(ElementType::kString, {1}), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(Tensor::Create(ElementType::kF32, {-1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::Create(ElementType::kF32, {kBig, 2}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::Create(ElementType::kF32, {kBig}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Tensor::Create(ElementType::kF32, {0, kBig}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::Create(ElementType::kI8, {int64_t{1} << 62}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Tensor::Create(ElementType::kU2, {kBig}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Tensor::Create(ElementType::kF32, Shape(65, 1)), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorTest, ViewsDenseMemory) {
  int32_t values[6] = {0, 1, 2, 3, 4, 5};
  ASSERT_OK_AND_ASSIGN(const Tensor view, Tensor::View(ElementType::kI32, {2, 3}, values));
  EXPECT_TRUE(view.is_dense());
  EXPECT_EQ(view.data(), values);
  view.mutable_data_as<int32_t>()[5] = 50;
  EXPECT_EQ(values[5], 50);
}

TEST(TensorTest, ViewsStridedMemory) {
  int32_t values[6] = {0, 1, 2, 3, 4, 5};
  ASSERT_OK_AND_ASSIGN(const Tensor transposed, Tensor::View(ElementType::kI32, {3, 2}, values, {4, 12}));
  EXPECT_FALSE(transposed.is_dense());
  EXPECT_THAT(Elements(transposed), ElementsAre(0, 3, 1, 4, 2, 5));
  ASSERT_OK_AND_ASSIGN(const Tensor reversed, Tensor::View(ElementType::kI32, {2, 3}, values + 5, {-12, -4}));
  EXPECT_EQ(reversed.data(), values + 5);
  EXPECT_EQ(reversed.storage()->data(), values);
  EXPECT_EQ(reversed.storage()->size(), sizeof(values));
  EXPECT_THAT(Elements(reversed), ElementsAre(5, 4, 3, 2, 1, 0));
  ASSERT_OK_AND_ASSIGN(const Tensor broadcast, Tensor::View(ElementType::kI32, {2, 2}, values, {0, 4}));
  EXPECT_THAT(Elements(broadcast), ElementsAre(0, 1, 0, 1));
  ASSERT_OK_AND_ASSIGN(const Tensor mixed, Tensor::View(ElementType::kI32, {2, 3}, values + 2, {12, -4}));
  EXPECT_THAT(Elements(mixed), ElementsAre(2, 1, 0, 5, 4, 3));
}

TEST(TensorTest, AdoptsMemoryOfAnAllocator) {
  int freed = 0;
  int32_t values[6] = {0, 1, 2, 3, 4, 5};
  {
    const std::shared_ptr<void> memory(values, [&freed](void*) { ++freed; });
    ASSERT_OK_AND_ASSIGN(Tensor dense, Tensor::Adopt(ElementType::kI32, {6}, memory));
    ASSERT_OK_AND_ASSIGN(const Tensor strided, Tensor::Adopt(ElementType::kI32, {3, 2}, memory, {4, 12}));
    EXPECT_EQ(dense.data(), values);
    EXPECT_THAT(Elements(strided), ElementsAre(0, 3, 1, 4, 2, 5));
    dense.mutable_data_as<int32_t>()[5] = 7;
    const Tensor copy = dense;
    dense = Tensor();
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  EXPECT_EQ(values[5], 7);
  EXPECT_THAT(Tensor::Adopt(ElementType::kI32, {6}, nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorTest, AllocatedTensorsTakeAnyShape) {
  ASSERT_OK_AND_ASSIGN(Tensor tensor, Tensor::Create(ElementType::kI32, {2, 3}));
  const Tensor other = tensor;
  const void* const data = tensor.data();
  ASSERT_OK(tensor.SetShape({2, 1}));
  EXPECT_EQ(tensor.data(), data);
  EXPECT_EQ(tensor.byte_size(), 8u);
  EXPECT_EQ(tensor.element_count(), 2);
  EXPECT_THAT(tensor.byte_strides(), ElementsAre(4, 4));
  // Back into the memory that it has, then beyond.
  ASSERT_OK(tensor.SetShape({6}));
  EXPECT_EQ(tensor.data(), data);
  ASSERT_OK(tensor.SetShape({100, 7}));
  EXPECT_EQ(tensor.shape(), (Shape{100, 7}));
  EXPECT_EQ(tensor.byte_size(), 2800u);
  EXPECT_EQ(tensor.storage()->size(), 2800u);
  tensor.mutable_data_as<int32_t>()[699] = 1;
  EXPECT_EQ(other.shape(), (Shape{2, 3}));
  EXPECT_EQ(other.data(), data);
  EXPECT_THAT(tensor.SetShape({-1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(tensor.SetShape({int64_t{1} << 60}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(tensor.shape(), (Shape{100, 7}));
}

TEST(TensorTest, ViewsAndRegionsDoNotGrow) {
  int32_t values[6] = {0, 1, 2, 3, 4, 5};
  ASSERT_OK_AND_ASSIGN(Tensor view, Tensor::View(ElementType::kI32, {2, 3}, values));
  ASSERT_OK(view.SetShape({3}));
  ASSERT_OK(view.SetShape({3, 2}));
  EXPECT_EQ(view.data(), values);
  EXPECT_THAT(view.SetShape({7}), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("[7]")));
  EXPECT_EQ(view.shape(), (Shape{3, 2}));

  ASSERT_OK_AND_ASSIGN(Tensor rows, Iota({4, 2}).Region({0, 0}, {2, 2}));
  ASSERT_OK(rows.SetShape({4}));
  EXPECT_THAT(rows.SetShape({5}), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(Tensor column, Iota({4, 2}).Region({0, 0}, {4, 1}));
  EXPECT_THAT(column.SetShape({2}), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("gaps")));
}

TEST(TensorTest, CheckedAccessNeedsTheElementsType) {
  const Tensor ints = Iota({2});
  ASSERT_OK_AND_ASSIGN(const int32_t* data, ints.CheckedData<int32_t>());
  EXPECT_EQ(data[1], 1);
  ASSERT_OK_AND_ASSIGN(int32_t * writable, ints.CheckedMutableData<int32_t>());
  EXPECT_EQ(writable, data);
  EXPECT_THAT(ints.CheckedData<float>(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("i32")));
  EXPECT_THAT(ints.CheckedData<uint32_t>(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("unsigned")));
  EXPECT_THAT(ints.CheckedData<int64_t>(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ints.CheckedMutableData<double>(), StatusIs(absl::StatusCode::kInvalidArgument));

  const auto of = [](ElementType type) { return *Tensor::Create(type, {4}); };
  EXPECT_OK(of(ElementType::kF32).CheckedData<float>());
  EXPECT_OK(of(ElementType::kF64).CheckedData<double>());
  EXPECT_OK(of(ElementType::kU64).CheckedData<uint64_t>());
  EXPECT_OK(of(ElementType::kI8).CheckedData<int8_t>());
  EXPECT_OK(of(ElementType::kBoolean).CheckedData<bool>());
  EXPECT_OK(of(ElementType::kBoolean).CheckedData<uint8_t>());
  EXPECT_OK(of(ElementType::kF16).CheckedData<uint16_t>());
  EXPECT_OK(of(ElementType::kBf16).CheckedData<uint16_t>());
  EXPECT_OK(of(ElementType::kU4).CheckedData<uint8_t>());
  EXPECT_THAT(of(ElementType::kF16).CheckedData<int16_t>(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(of(ElementType::kU8).CheckedData<bool>(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(of(ElementType::kI4).CheckedData<int8_t>(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorTest, CheckedAccessNeedsAlignedAndForWritingWritableMemory) {
  alignas(4) const char bytes[12] = {};
  const std::shared_ptr<Storage> storage = Storage::Borrow(nullptr, bytes, sizeof(bytes));
  ASSERT_OK_AND_ASSIGN(const Tensor aligned, Tensor::FromStorage(ElementType::kI32, {2}, storage, 4));
  EXPECT_OK(aligned.CheckedData<int32_t>());
  EXPECT_THAT(aligned.CheckedMutableData<int32_t>(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("read-only")));
  ASSERT_OK_AND_ASSIGN(const Tensor odd, Tensor::FromStorage(ElementType::kI32, {2}, storage, 3));
  EXPECT_THAT(odd.CheckedData<int32_t>(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("aligned")));
}

TEST(TensorTest, StridesOfSingleElementsDoNotMatter) {
  int32_t values[3] = {0, 1, 2};
  ASSERT_OK_AND_ASSIGN(const Tensor view, Tensor::View(ElementType::kI32, {1, 3}, values, {999, 4}));
  EXPECT_TRUE(view.is_dense());
  ASSERT_OK_AND_ASSIGN(const Tensor none, Tensor::View(ElementType::kI32, {0, 3}, nullptr, {8, 8}));
  EXPECT_TRUE(none.is_dense());
}

TEST(TensorTest, RefusesBadViews) {
  int32_t values[6] = {};
  EXPECT_THAT(Tensor::View(ElementType::kI32, {2}, nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(Tensor::View(ElementType::kI32, {0}, nullptr));
  EXPECT_THAT(Tensor::View(ElementType::kI32, {2, 3}, values, {4}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::View(ElementType::kI4, {2}, values, {1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::View(ElementType::kI32, {3}, values, {kBig}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::View(ElementType::kI32, {2}, values, {-kBig}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::View(ElementType::kI32, {3, 3}, values, {kBig / 3, kBig / 3}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorTest, FromStorageSharesBytes) {
  const std::string bytes(32, 'x');
  std::shared_ptr<Storage> storage = Storage::Borrow(nullptr, bytes.data(), bytes.size());
  ASSERT_OK_AND_ASSIGN(const Tensor tensor, Tensor::FromStorage(ElementType::kI32, {4}, storage, 16));
  EXPECT_EQ(tensor.data(), bytes.data() + 16);
  EXPECT_TRUE(tensor.read_only());
  EXPECT_EQ(tensor.storage(), storage);
  EXPECT_THAT(Tensor::FromStorage(ElementType::kI32, {4}, storage, 17), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::FromStorage(ElementType::kI32, {0}, storage, 33), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::FromStorage(ElementType::kI32, {1}, storage, std::numeric_limits<size_t>::max()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tensor::FromStorage(ElementType::kI32, {1}, nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(Tensor::FromStorage(ElementType::kI32, {0}, storage, 32));
}

TEST(TensorTest, RegionsShareMemory) {
  const Tensor tensor = Iota({3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor inner, tensor.Region({1, 1}, {3, 3}));
  EXPECT_FALSE(inner.is_dense());
  EXPECT_THAT(Elements(inner), ElementsAre(5, 6, 9, 10));
  EXPECT_EQ(inner.storage(), tensor.storage());
  ASSERT_OK_AND_ASSIGN(const Tensor rows, tensor.Region({1, 0}, {3, 4}));
  EXPECT_TRUE(rows.is_dense());
  ASSERT_OK_AND_ASSIGN(const Tensor corner, inner.Region({1, 1}, {2, 2}));
  EXPECT_THAT(Elements(corner), ElementsAre(10));
  EXPECT_TRUE(corner.is_dense());
}

TEST(TensorTest, RegionsOfReversedTensors) {
  int32_t values[4] = {0, 1, 2, 3};
  ASSERT_OK_AND_ASSIGN(const Tensor reversed, Tensor::View(ElementType::kI32, {4}, values + 3, {-4}));
  ASSERT_OK_AND_ASSIGN(const Tensor tail, reversed.Region({2}, {4}));
  EXPECT_THAT(Elements(tail), ElementsAre(1, 0));
  ASSERT_OK_AND_ASSIGN(const Tensor none, reversed.Region({4}, {4}));
  EXPECT_EQ(none.element_count(), 0);
  EXPECT_THAT(Elements(none), IsEmpty());
}

TEST(TensorTest, RegionsOfScalarsAndEmptyRegions) {
  const Tensor scalar = Iota({});
  ASSERT_OK_AND_ASSIGN(const Tensor same, scalar.Region({}, {}));
  EXPECT_THAT(Elements(same), ElementsAre(0));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Iota({3, 4}).Region({3, 0}, {3, 4}));
  EXPECT_EQ(none.shape(), (Shape{0, 4}));
  EXPECT_TRUE(none.is_dense());
}

TEST(TensorTest, RefusesRegionsOutside) {
  const Tensor tensor = Iota({3, 4});
  EXPECT_THAT(tensor.Region({0, 0}, {4, 4}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[3,4]")));
  EXPECT_THAT(tensor.Region({-1, 0}, {3, 4}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(tensor.Region({2, 0}, {1, 4}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(tensor.Region({0}, {3}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(tensor.Region({0, 0}, {3, kBig}), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK_AND_ASSIGN(const Tensor packed, Tensor::Create(ElementType::kU4, {4}));
  EXPECT_THAT(packed.Region({0}, {2}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("u4")));
}

TEST(TensorTest, ReshapesDenseTensors) {
  const Tensor tensor = Iota({2, 3});
  ASSERT_OK_AND_ASSIGN(const Tensor reshaped, tensor.Reshaped({3, 2, 1}));
  EXPECT_EQ(reshaped.data(), tensor.data());
  EXPECT_THAT(reshaped.byte_strides(), ElementsAre(8, 4, 4));
  EXPECT_THAT(tensor.Reshaped({4}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[2,3] to [4]")));
  ASSERT_OK_AND_ASSIGN(const Tensor column, tensor.Region({0, 0}, {2, 1}));
  EXPECT_THAT(column.Reshaped({2}), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK_AND_ASSIGN(const Tensor packed, Tensor::Create(ElementType::kU4, {4}));
  EXPECT_OK(packed.Reshaped({2, 2}));
}

TEST(TensorTest, CopiesBetweenLayouts) {
  const Tensor source = Iota({2, 3});
  int32_t values[12] = {};
  ASSERT_OK_AND_ASSIGN(const Tensor target, Tensor::View(ElementType::kI32, {2, 3}, values + 11, {-24, -8}));
  ASSERT_OK(source.CopyTo(target));
  EXPECT_THAT(values, ElementsAre(0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0));
  EXPECT_THAT(Elements(target), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(TensorTest, RefusesBadCopies) {
  const Tensor source = Iota({2});
  EXPECT_THAT(source.CopyTo(Iota({3})), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("i32[2] to i32[3]")));
  EXPECT_THAT(source.CopyTo(*Tensor::Create(ElementType::kF32, {2})), StatusIs(absl::StatusCode::kInvalidArgument));
  const int64_t bytes = 0;
  ASSERT_OK_AND_ASSIGN(const Tensor constant,
                       Tensor::FromStorage(ElementType::kI32, {2}, Storage::Borrow(nullptr, &bytes, sizeof(bytes))));
  EXPECT_THAT(source.CopyTo(constant), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(TensorTest, BroadcastsIntoAnyLayout) {
  const Tensor column = Iota({2, 1});
  int32_t values[12] = {};
  ASSERT_OK_AND_ASSIGN(const Tensor target, Tensor::View(ElementType::kI32, {2, 2, 3}, values, {4, 24, 8}));
  ASSERT_OK(column.BroadcastTo(target));
  EXPECT_THAT(Elements(target), ElementsAre(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1));
  ASSERT_OK(Iota({3}).BroadcastTo(target));
  EXPECT_THAT(Elements(target), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  ASSERT_OK_AND_ASSIGN(const Tensor last, Iota({2, 4}).Region({0, 3}, {2, 4}));
  ASSERT_OK(last.BroadcastTo(target));
  EXPECT_THAT(Elements(target), ElementsAre(3, 3, 3, 7, 7, 7, 3, 3, 3, 7, 7, 7));
  const Tensor same = Iota({2});
  ASSERT_OK(Iota({2}).BroadcastTo(same));
  EXPECT_OK(Iota({1}).BroadcastTo(Iota({0})));
}

TEST(TensorTest, RefusesBadBroadcasts) {
  EXPECT_THAT(Iota({2}).BroadcastTo(Iota({3})), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("i32[3]")));
  EXPECT_THAT(Iota({1, 2}).BroadcastTo(Iota({2})), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Iota({1}).BroadcastTo(*Tensor::Create(ElementType::kF32, {2})),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const int64_t bytes = 0;
  ASSERT_OK_AND_ASSIGN(const Tensor constant,
                       Tensor::FromStorage(ElementType::kI32, {2}, Storage::Borrow(nullptr, &bytes, sizeof(bytes))));
  EXPECT_THAT(Iota({1}).BroadcastTo(constant), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT((*Tensor::Create(ElementType::kU4, {1})).BroadcastTo(*Tensor::Create(ElementType::kU4, {2})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("u4")));
}

// Copies random views of one buffer into another and compares element by element.
TEST(TensorTest, StridedCopiesMatchElementwiseOnes) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&random](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const ElementType types[] = {ElementType::kU8, ElementType::kF16, ElementType::kI32, ElementType::kF64};
  for (int round = 0; round < 300; ++round) {
    const ElementType type = types[draw(0, 3)];
    const int64_t bytes = BitWidth(type) / 8;
    Shape shape(static_cast<size_t>(draw(0, 4)));
    for (int64_t& dim : shape) dim = draw(0, 3);
    // A permutation of the row-major strides, some reversed, with a gap after each element.
    const std::vector<int64_t> row_major = RowMajorStrides(shape);
    ByteStrides strides(shape.size());
    std::vector<size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const int64_t gap = draw(1, 2);
    int64_t step = bytes * gap;
    int64_t start = 0;
    for (const size_t axis : order) {
      const bool reversed = draw(0, 3) == 0;
      strides[axis] = reversed ? -step : step;
      if (reversed && shape[axis] > 0) start += (shape[axis] - 1) * step;
      step *= std::max<int64_t>(shape[axis], 1);
    }
    std::vector<char> buffer(static_cast<size_t>(step + bytes));
    for (char& c : buffer) c = static_cast<char>(draw(-128, 127));
    ASSERT_OK_AND_ASSIGN(const Tensor view, Tensor::View(type, shape, buffer.data() + start, strides));
    ASSERT_OK_AND_ASSIGN(const Tensor dense, view.ToDense());
    ASSERT_TRUE(dense.is_dense());
    for (int64_t i = 0; i < view.element_count(); ++i) {
      int64_t offset = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis) offset += i / row_major[axis] % shape[axis] * strides[axis];
      ASSERT_EQ(std::memcmp(static_cast<const char*>(dense.data()) + i * bytes,
                            static_cast<const char*>(view.data()) + offset, static_cast<size_t>(bytes)),
                0)
          << ToString(shape) << " strides " << ToString(strides) << " element " << i;
    }
    EXPECT_TRUE(BitwiseEqual(view, dense));
    EXPECT_EQ(view.ContentHash(), dense.ContentHash());
  }
}

TEST(TensorTest, HashDependsOnTypeShapeAndElementsAlone) {
  const Tensor tensor = Iota({2, 3});
  EXPECT_EQ(tensor.ContentHash(), Iota({2, 3}).ContentHash());
  EXPECT_NE(tensor.ContentHash(), Iota({3, 2}).ContentHash());
  EXPECT_NE(tensor.ContentHash(), tensor.Reshaped({6})->ContentHash());
  ASSERT_OK_AND_ASSIGN(const Tensor as_float, Tensor::FromStorage(ElementType::kF32, {2, 3}, tensor.storage()));
  EXPECT_NE(tensor.ContentHash(), as_float.ContentHash());
  ASSERT_OK_AND_ASSIGN(const Tensor part, Iota({8}).Region({0}, {6})->Reshaped({2, 3}));
  EXPECT_EQ(part.ContentHash(), tensor.ContentHash());
  const Tensor other = *tensor.Copy();
  other.mutable_data_as<int32_t>()[5] = 6;
  EXPECT_NE(tensor.ContentHash(), other.ContentHash());
}

TEST(TensorTest, PaddingBitsOfPackedTypesDoNotMatter) {
  unsigned char a[] = {0x21, 0x03};
  unsigned char b[] = {0x21, 0xf3};
  unsigned char c[] = {0x21, 0x04};
  ASSERT_OK_AND_ASSIGN(const Tensor x, Tensor::View(ElementType::kU4, {3}, a));
  ASSERT_OK_AND_ASSIGN(const Tensor y, Tensor::View(ElementType::kU4, {3}, b));
  ASSERT_OK_AND_ASSIGN(const Tensor z, Tensor::View(ElementType::kU4, {3}, c));
  EXPECT_TRUE(BitwiseEqual(x, y));
  EXPECT_EQ(x.ContentHash(), y.ContentHash());
  EXPECT_FALSE(BitwiseEqual(x, z));
  EXPECT_NE(x.ContentHash(), z.ContentHash());
  EXPECT_EQ(x.ToString(), "u4[3]{1, 2, 3}");
}

TEST(TensorTest, BitwiseEqualSeparatesZerosAndJoinsNans) {
  float zeros[] = {0.0f, -0.0f};
  float nan = std::numeric_limits<float>::quiet_NaN();
  ASSERT_OK_AND_ASSIGN(const Tensor plus, Tensor::View(ElementType::kF32, {}, &zeros[0]));
  ASSERT_OK_AND_ASSIGN(const Tensor minus, Tensor::View(ElementType::kF32, {}, &zeros[1]));
  ASSERT_OK_AND_ASSIGN(const Tensor not_a_number, Tensor::View(ElementType::kF32, {}, &nan));
  EXPECT_FALSE(BitwiseEqual(plus, minus));
  EXPECT_TRUE(BitwiseEqual(not_a_number, not_a_number));
  EXPECT_FALSE(BitwiseEqual(plus, *plus.Reshaped({1})));
  EXPECT_TRUE(BitwiseEqual(Tensor(), Tensor()));
  EXPECT_FALSE(BitwiseEqual(Tensor(), plus));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Tensor::View(ElementType::kF32, {0}, nullptr));
  EXPECT_TRUE(BitwiseEqual(none, none));
}

TEST(TensorTest, Prints) {
  float floats[] = {1.0f, 2.5f, 0.1f};
  EXPECT_EQ(Tensor::View(ElementType::kF32, {3}, floats)->ToString(), "f32[3]{1, 2.5, 0.1}");
  EXPECT_EQ(Tensor::View(ElementType::kF32, {3}, floats)->ToString(2), "f32[3]");
  EXPECT_EQ(Iota({2, 2}).ToString(), "i32[2,2]{0, 1, 2, 3}");
  EXPECT_EQ(Iota({}).ToString(), "i32[]{0}");
  EXPECT_EQ(Iota({0}).ToString(0), "i32[0]{}");
  EXPECT_EQ(Iota({20}).ToString(), "i32[20]");
  EXPECT_THAT(Iota({20}).ToString(-1), HasSubstr(", 19}"));
  uint64_t big = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(Tensor::View(ElementType::kU64, {}, &big)->ToString(), "u64[]{18446744073709551615}");
  unsigned char flags[] = {0, 1, 2};
  EXPECT_EQ(Tensor::View(ElementType::kBoolean, {3}, flags)->ToString(), "boolean[3]{0, 1, 1}");
  float odd[] = {std::numeric_limits<float>::infinity(), -0.0f, std::numeric_limits<float>::denorm_min()};
  EXPECT_EQ(Tensor::View(ElementType::kF32, {3}, odd)->ToString(), "f32[3]{inf, -0, 1e-45}");
  EXPECT_EQ(Tensor().ToString(), "(no tensor)");
}

TEST(TensorTest, PrintedFloatsReadBackExactly) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const ElementType type : {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    ASSERT_OK_AND_ASSIGN(const Tensor value, Tensor::Create(type, {}));
    ASSERT_OK_AND_ASSIGN(const Tensor again, Tensor::Create(type, {}));
    for (int round = 0; round < 2000; ++round) {
      const uint64_t bits = random();
      std::memcpy(value.mutable_data(), &bits, value.byte_size());
      if (LoadAsDouble(type, value.data(), 0) != LoadAsDouble(type, value.data(), 0)) continue;  // NaN.
      const std::string text = value.ToString();
      const std::string digits = text.substr(text.find('{') + 1);
      StoreFromDouble(type, again.mutable_data(), 0, std::strtod(digits.c_str(), nullptr));
      ASSERT_TRUE(BitwiseEqual(value, again)) << text << " became " << again.ToString();
    }
  }
}

TEST(TensorDeathTest, TypedAccessChecksTheSize) {
#if BURIN_DCHECK_IS_ON
  const Tensor tensor = Iota({1});
  EXPECT_DEATH(tensor.data_as<int64_t>(), "Check failed");
#else
  GTEST_SKIP() << "debug checks are off in this build";
#endif
}

}  // namespace
}  // namespace burin::ir
