#include "runtime/dev/version.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace burin {
namespace {

using ::testing::MatchesRegex;

TEST(VersionTest, HasThreeNumbersAndTheGivenDescription) {
  const Version version = BuildVersion("Burin TEST plugin");
  EXPECT_THAT(version.build, MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_EQ(version.description, "Burin TEST plugin");
  EXPECT_EQ(BuildVersion("").build, version.build);
}

}  // namespace
}  // namespace burin
