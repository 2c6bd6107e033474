#include "runtime/dev/slot_table.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/dev/port.h"
#include "runtime/dev/slot.h"

namespace burin {
namespace {

constexpr Slot::Kind kInput = Slot::Kind::kInput;
constexpr Slot::Kind kOutput = Slot::Kind::kOutput;

std::vector<Port> Ports(Slot::Kind kind, const std::vector<std::vector<std::string>>& names) {
  std::vector<Port> ports(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    ports[i].kind = kind;
    ports[i].index = i;
    ports[i].names = names[i];
  }
  return ports;
}

TEST(SlotTableTest, FindsEveryNameOfEveryPort) {
  const SlotTable table(Ports(kInput, {{"x", "images:0"}, {"mask"}}), Ports(kOutput, {{"y"}, {"z", "scores"}}));
  const auto find = [&](const char* name) {
    const Slot* slot = table.Find(name);
    EXPECT_NE(slot, nullptr) << name;
    return slot == nullptr ? Slot{kInput, 99} : *slot;
  };
  EXPECT_EQ(find("x"), (Slot{kInput, 0}));
  EXPECT_EQ(find("images:0"), (Slot{kInput, 0}));
  EXPECT_EQ(find("mask"), (Slot{kInput, 1}));
  EXPECT_EQ(find("y"), (Slot{kOutput, 0}));
  EXPECT_EQ(find("z"), (Slot{kOutput, 1}));
  EXPECT_EQ(find("scores"), (Slot{kOutput, 1}));
}

TEST(SlotTableTest, OtherNamesHaveNoSlot) {
  const SlotTable table(Ports(kInput, {{"x"}}), Ports(kOutput, {{"y"}}));
  for (const char* name : {"", "X", "xy", "x "}) EXPECT_EQ(table.Find(name), nullptr) << name;
  EXPECT_EQ(SlotTable({}, {}).Find("x"), nullptr);
}

TEST(SlotTableTest, ASharedNameStandsForTheFirst) {
  const SlotTable table(Ports(kInput, {{"a"}, {"b", "a"}}), Ports(kOutput, {{"b"}, {"c"}}));
  EXPECT_EQ(*table.Find("a"), (Slot{kInput, 0}));
  EXPECT_EQ(*table.Find("b"), (Slot{kInput, 1}));
  EXPECT_EQ(*table.Find("c"), (Slot{kOutput, 1}));
}

}  // namespace
}  // namespace burin
