#include "tools/bisect/difference.h"

#include <initializer_list>
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::bisect {
namespace {

constexpr char kText[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 "w" = Constant() {value = f32[3]{1, 2, 3}}
  %2 "a" = Add(%0, %1)
  %3 "r" = Relu(%2) names("t") from("user's")
  %4 "m" = Multiply(%3, %2)
  %5 "out" = Result(%4)
  %6 "out2" = Result(%3)
})";

NodeSet Ids(std::initializer_list<int> ids) {
  NodeSet nodes;
  for (const int id : ids) nodes.insert(static_cast<ir::NodeId>(id));
  return nodes;
}

TEST(DifferenceTest, TellsWhatARewriteDid) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> before, ir::ParseModel(kText));
  const std::unique_ptr<ir::Model> after = before->Clone();
  after->ReplaceUses({static_cast<ir::NodeId>(3), 0}, {static_cast<ir::NodeId>(2), 0});
  after->RemoveNode(static_cast<ir::NodeId>(3));
  after->SetRuntimeInfo(static_cast<ir::NodeId>(1), {{"kept", "yes"}});
  const Difference difference = DifferenceOf(*before, *after);
  EXPECT_EQ(difference.gone, Ids({3}));
  EXPECT_EQ(difference.came, Ids({}));
  EXPECT_EQ(difference.rewired, Ids({4, 6}));
  EXPECT_EQ(difference.changed, Ids({1}));
  EXPECT_EQ(WithRing(*before, Ids({3})), Ids({2, 3, 4, 6}));
  EXPECT_THAT(DescribeRegion(*before, Ids({3, 99})), testing::HasSubstr("* %3 \"r\" = Relu(%2)"));
}

}  // namespace
}  // namespace burin::bisect
