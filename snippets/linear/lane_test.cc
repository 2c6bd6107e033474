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
  for (const ElementType type : {ElementType::kF64, ElementType::kI64, ElementType::kU32, ElementType::kI4}) {
    EXPECT_EQ(LaneOf(type), std::nullopt) << type;
  }
}

}  // namespace
}  // namespace burin::snippets
