#include "tools/kernel_bench/families/movement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "jit/kernels/copy_layout.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;

std::vector<int32_t> Moved(const Movement& movement, const std::vector<int32_t>& in) {
  EXPECT_EQ(movement.in_bytes(), static_cast<int64_t>(4 * in.size()));
  std::vector<int32_t> out(static_cast<size_t>(movement.out_bytes() / 4));
  movement.Run(in.data(), out.data());
  return out;
}

TEST(MovementTest, MovesOneElementAtATime) {
  EXPECT_THAT(Moved(Movement::Contiguous(12), {1, 2, 3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(Moved(Movement::Rows(2, 2, 3), {1, 2, 3, 4, 5}), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(Moved(Movement::Transpose("t", 4, {2, 3}, {1, 0}), {1, 2, 3, 4, 5, 6}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Moved(Movement::Transpose("t", 4, {2, 1, 3}, {2, 0, 1}), {1, 2, 3, 4, 5, 6}),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Moved(Movement::BroadcastRow(2, 3), {1, 2, 3}), ElementsAre(1, 2, 3, 1, 2, 3));
  EXPECT_THAT(Moved(Movement::BroadcastColumn(2, 3), {1, 2}), ElementsAre(1, 1, 1, 2, 2, 2));
}

TEST(MovementTest, OtherElementSizes) {
  const std::vector<uint8_t> in = {1, 2, 3, 4, 5, 6};
  std::vector<uint8_t> out(6);
  Movement::Transpose("t", 1, {3, 2}, {1, 0}).Run(in.data(), out.data());
  EXPECT_THAT(out, ElementsAre(1, 3, 5, 2, 4, 6));
  const Movement wide = Movement::Transpose("t", 8, {3, 2}, {1, 0});
  EXPECT_EQ(wide.in_bytes(), 48);
  EXPECT_EQ(wide.out_bytes(), 48);
}

TEST(MovementTest, SpecHasStridesInBytes) {
  const jit::StridedCopySpec spec = Movement::Transpose("t", 2, {5, 7}, {1, 0}).ToSpec();
  EXPECT_EQ(spec.element_bytes, 2);
  EXPECT_THAT(spec.dims, ElementsAre(jit::CopyDim{7, 2, 10}, jit::CopyDim{5, 14, 2}));
}

TEST(MovementTest, AllHaveNamesAndSizes) {
  for (const Movement& movement : AllMovements()) {
    EXPECT_NE(movement.name, "");
    EXPECT_GE(movement.out_bytes(), 1024) << movement.name;
    EXPECT_GT(movement.in_bytes(), 0) << movement.name;
    EXPECT_EQ(movement.extents.size(), movement.strides.size()) << movement.name;
  }
}

}  // namespace
}  // namespace burin::kernel_bench
