#include "runtime/plugins/cpu/segments/cut_node.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

TEST(CutNodeTest, SaysWhatItIsAndIsInNoGraph) {
  const CutNode node("If", {{nullptr, nullptr}, {nullptr}});
  EXPECT_STREQ(node.type_name(), "If");
  ASSERT_EQ(node.bodies().size(), 2U);
  EXPECT_EQ(node.bodies()[0].size(), 2U);
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  EXPECT_THAT(node.CreatePrimitive({}, NodeContext{target}).status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("If")));
}

}  // namespace
}  // namespace burin::cpu
