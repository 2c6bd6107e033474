#include "snippets/testing/drawn_elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "snippets/testing/body_draft.h"

namespace burin::snippets {
namespace {

using ::testing::IsSupersetOf;

// Returns the names of the operations that come of many draws.
std::set<std::string> Drawn(void (*draw)(BodyDraft& draft)) {
  std::set<std::string> names;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    BodyDraft draft({3, 4}, {}, seed);
    draw(draft);
    for (const ir::NodeId id : draft.body().NodeIds()) names.insert(draft.body().node(id).op().name);
  }
  return names;
}

TEST(DrawnElementwiseTest, DrawsEveryKind) {
  EXPECT_THAT(Drawn(&DrawFloat), IsSupersetOf({"Exp", "Log", "Power", "Divide", "Gelu", "FakeQuantize", "Clamp"}));
  EXPECT_THAT(Drawn(&DrawInteger), IsSupersetOf({"Multiply", "Divide", "FloorMod", "Power", "BitwiseNot", "Abs"}));
  EXPECT_THAT(Drawn(&DrawComparison), IsSupersetOf({"Equal", "Less", "IsNaN", "IsInf", "IsFinite"}));
  EXPECT_THAT(Drawn(&DrawLogic), IsSupersetOf({"LogicalAnd", "LogicalOr", "LogicalXor", "LogicalNot"}));
  EXPECT_THAT(Drawn(&DrawSelect), IsSupersetOf({"Select"}));
  EXPECT_THAT(Drawn(&DrawConvert), IsSupersetOf({"Convert"}));
}

TEST(DrawnElementwiseTest, DivisorsAreNotZero) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    BodyDraft draft({4}, {}, seed);
    DrawInteger(draft);
    for (DraftId id = 0; id < draft.size(); ++id) {
      const ir::Node& node = draft.body().node(draft.at(id).value.node);
      if (std::string(node.op().name) != "Divide") continue;
      for (DraftId other = 0; other < draft.size(); ++other) {
        if (draft.at(other).value != node.input(1)) continue;
        EXPECT_GE(draft.at(other).low, 1) << "seed " << seed;
      }
    }
  }
}

TEST(DrawnElementwiseTest, DrawsTypes) {
  BodyDraft draft({4}, {}, 1);
  std::set<ElementType> floats;
  std::set<ElementType> integers;
  for (int i = 0; i < 100; ++i) {
    floats.insert(DrawFloatType(draft));
    integers.insert(DrawIntegerType(draft));
  }
  EXPECT_EQ(floats.size(), 3);
  EXPECT_EQ(integers.size(), 6);
}

}  // namespace
}  // namespace burin::snippets
