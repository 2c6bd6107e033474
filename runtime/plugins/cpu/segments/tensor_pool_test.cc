#include "runtime/plugins/cpu/segments/tensor_pool.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

TEST(TensorPoolTest, GivesTheSameMemoryAgainOnceNobodyHoldsIt) {
  TensorPool pool(ElementType::kF32, {3, 5});
  ASSERT_OK_AND_ASSIGN(ir::Tensor first, pool.Take());
  EXPECT_EQ(first.shape(), ir::Shape({3, 5}));
  EXPECT_EQ(first.element_type(), ElementType::kF32);
  const void* const memory = first.data();
  ASSERT_OK_AND_ASSIGN(ir::Tensor second, pool.Take());
  EXPECT_NE(second.data(), memory);
  first = ir::Tensor();
  ASSERT_OK_AND_ASSIGN(first, pool.Take());
  EXPECT_EQ(first.data(), memory);
}

TEST(TensorPoolTest, AViewHoldsTheMemoryToo) {
  TensorPool pool(ElementType::kF32, {6});
  ASSERT_OK_AND_ASSIGN(ir::Tensor tensor, pool.Take());
  ASSERT_OK_AND_ASSIGN(const ir::Tensor view, tensor.Reshaped({2, 3}));
  tensor = ir::Tensor();
  ASSERT_OK_AND_ASSIGN(const ir::Tensor other, pool.Take());
  EXPECT_NE(other.data(), view.data());
}

TEST(TensorPoolTest, KeepsFewHoweverManyAreHeld) {
  TensorPool pool(ElementType::kF32, {16});
  std::vector<ir::Tensor> held;
  for (int i = 0; i < 5; ++i) held.push_back(pool.Take().value());
  EXPECT_EQ(pool.bytes(), static_cast<int64_t>(TensorPool::kMostTensors) * 64);
}

TEST(TensorPoolTest, WhatIsTooLargeIsRefused) {
  TensorPool pool(ElementType::kF32, {int64_t{1} << 40, int64_t{1} << 20});
  EXPECT_THAT(pool.Take(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace burin::cpu
