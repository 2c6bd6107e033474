#include "transformations/pass_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "transformations/pass.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

TEST(PassTableTest, IsSortedAndComplete) {
  std::string previous;
  for (const Pass& pass : AllPasses()) {
    EXPECT_LT(previous, pass.name);
    previous = pass.name;
    EXPECT_NE(pass.rule == nullptr, pass.whole_graph == nullptr) << pass.name;
    EXPECT_THAT(pass.summary, HasSubstr(" => ")) << pass.name;
  }
}

TEST(PassTableTest, LooksUpByIdAndName) {
  EXPECT_STREQ(PassOf(PassId::kConstantFolding).name, "ConstantFolding");
  EXPECT_EQ(PassOf(PassId::kConstantFolding).rule, &ConstantFolding);
  EXPECT_EQ(PassOf(PassId::kDeadCode).whole_graph, &DeadCode);
  for (size_t i = 0; i < AllPasses().size(); ++i) {
    EXPECT_EQ(&PassOf(static_cast<PassId>(i)), &AllPasses()[i]);
    EXPECT_EQ(FindPass(AllPasses()[i].name), &AllPasses()[i]);
  }
  EXPECT_EQ(FindPass("NoSuchPass"), nullptr);
}

}  // namespace
}  // namespace burin::transformations
