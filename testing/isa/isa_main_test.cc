#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::isa_test {
namespace {

TEST(IsaMainTest, TheTargetIsOfTheLevelThatIsTested) {
  ASSERT_OK_AND_ASSIGN(const jit::IsaLevel level, jit::ParseIsaLevel(std::getenv("BURIN_MAX_ISA")));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  EXPECT_EQ(target.level(), level) << target.ToString();
  EXPECT_TRUE(jit::IsaSet::AdmittedBy(level).Contains(target.isa())) << target.ToString();
}

}  // namespace
}  // namespace burin::isa_test
