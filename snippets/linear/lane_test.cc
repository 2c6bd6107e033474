#include "snippets/linear/lane.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/element_type.h"

namespace burin::snippets {
namespace {

TEST(LaneTest, HoldsWhatFitsInto32Bits) {
  EXPECT_EQ(LaneOf(ElementType::kBf16), Lane::kFloat);
  EXPECT_EQ(LaneOf(ElementType::kU16), Lane::kInteger);
  EXPECT_EQ(LaneOf(ElementType::kBoolean), Lane::kBoolean);
  for (const ElementType type : {ElementType::kU64, ElementType::kU32, ElementType::kI4, ElementType::kString}) {
    EXPECT_EQ(LaneOf(type), std::nullopt) << type;
    EXPECT_FALSE(IsWide(type)) << type;
  }
}

TEST(LaneTest, WideElementsTakeTwoRegisters) {
  EXPECT_EQ(LaneOf(ElementType::kF64), Lane::kF64);
  EXPECT_EQ(LaneOf(ElementType::kI64), Lane::kI64);
  for (const ElementType type : {ElementType::kF64, ElementType::kI64}) EXPECT_EQ(RegistersOfVector(type), 2) << type;
  for (const ElementType type : {ElementType::kF32, ElementType::kI8}) EXPECT_EQ(RegistersOfVector(type), 1) << type;
}

}  // namespace
}  // namespace burin::snippets
