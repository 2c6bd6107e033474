#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>

namespace burin {
namespace {

TEST(Re2Test, MatchesGroups) {
  std::string name;
  int value = 0;
  EXPECT_TRUE(RE2::FullMatch("isa=512", "(\\w+)=(\\d+)", &name, &value));
  EXPECT_EQ(name, "isa");
  EXPECT_EQ(value, 512);
}

}  // namespace
}  // namespace burin
