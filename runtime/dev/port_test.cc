#include "runtime/dev/port.h"

#include <string>
#include <vector>

#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "runtime/dev/slot.h"

namespace burin {
namespace {

Port Make(std::vector<std::string> names, ir::PartialShape shape = {}) {
  Port port;
  port.names = std::move(names);
  port.element_type = ElementType::kF32;
  port.shape = std::move(shape);
  return port;
}

TEST(PortTest, IsFoundByAnyOfItsNamesAndPrintsTheFirst) {
  const Port port = Make({"data", "data:0"});
  EXPECT_TRUE(port.HasName("data"));
  EXPECT_TRUE(port.HasName("data:0"));
  EXPECT_FALSE(port.HasName("dat"));
  EXPECT_FALSE(port.HasName("DATA"));
  EXPECT_FALSE(port.HasName(""));
  EXPECT_EQ(port.name(), "data");
}

TEST(PortTest, PrintsNameTypeAndShapeAsFarAsKnown) {
  EXPECT_EQ(ToString(Make({"data", "other"}, {ir::Dimension(), 3, ir::Dimension::Symbol("h"), ir::Dimension(1, 8)})),
            "\"data\" f32[?,3,h,1..8]");
  EXPECT_EQ(ToString(Make({"scalar"})), "\"scalar\" f32[]");
  Port port = Make({"any"}, ir::PartialShape::DynamicRank());
  port.element_type = ElementType::kI64;
  EXPECT_EQ(ToString(port), "\"any\" i64[...]");
}

TEST(PortTest, KnowsItsSlot) {
  Port port = Make({"y"});
  EXPECT_EQ(port.slot(), (Slot{Slot::Kind::kInput, 0}));
  port.kind = Slot::Kind::kOutput;
  port.index = 3;
  EXPECT_EQ(port.slot(), (Slot{Slot::Kind::kOutput, 3}));
  EXPECT_NE(port.slot(), (Slot{Slot::Kind::kInput, 3}));
  EXPECT_NE(port.slot(), (Slot{Slot::Kind::kOutput, 2}));
}

TEST(PortTest, ListsOneNameForEachPort) {
  EXPECT_EQ(NamesOf({}), "");
  EXPECT_EQ(NamesOf({Make({"a", "alias"})}), "\"a\"");
  EXPECT_EQ(NamesOf({Make({"a", "alias"}), Make({"b"}), Make({"c d"})}), "\"a\", \"b\", \"c d\"");
}

}  // namespace
}  // namespace burin
