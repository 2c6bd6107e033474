#include "tools/benchmark/data/port_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<Port> TwoPorts() {
  std::vector<Port> ports(2);
  ports[0].names = {"a"};
  ports[1].index = 1;
  ports[1].names = {"b", "b.alias"};
  return ports;
}

TEST(PortValuesTest, ByName) {
  ASSERT_OK_AND_ASSIGN(auto values, ParsePortValues("x", " b.alias[1,2][] , a[NCHW]", TwoPorts()));
  EXPECT_THAT(values, ElementsAre(Pair(0, ElementsAre("NCHW")), Pair(1, ElementsAre("1,2", ""))));
}

TEST(PortValuesTest, WithoutANameForAll) {
  ASSERT_OK_AND_ASSIGN(auto values, ParsePortValues("x", "[7]", TwoPorts()));
  EXPECT_THAT(values, ElementsAre(Pair(0, ElementsAre("7")), Pair(1, ElementsAre("7"))));
}

TEST(PortValuesTest, OtherTextIsRefused) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"", "Option -x: expected NAME[VALUE], found \"\""},
      {"a", "expected NAME[VALUE], found \"a\""},
      {"a[1", "expected \"]\" after \"1\""},
      {"a[1]b[2]", "expected \",\" between inputs, found \"b[2]\""},
      {"a[1],", "expected NAME[VALUE], found \"\""},
      {"c[1]", "no input \"c\"; there are: \"a\", \"b\""},
      {"a[1],a[2]", "named twice"},
      {"[1],b[2]", "named twice"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ParsePortValues("x", c.text, TwoPorts()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.text;
  }
}

}  // namespace
}  // namespace burin::benchmark
