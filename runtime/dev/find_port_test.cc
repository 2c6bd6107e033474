#include "runtime/dev/find_port.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/port.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::Eq;

std::vector<Port> TwoPorts() {
  std::vector<Port> ports(2);
  ports[0].names = {"a", "first"};
  ports[1].index = 1;
  ports[1].names = {"b", "a"};  // The second name is another port's first.
  return ports;
}

TEST(FindPortTest, FindsByIndex) {
  ASSERT_OK_AND_ASSIGN(const Port port, FindPort(TwoPorts(), "input", 1));
  EXPECT_EQ(port.name(), "b");
  EXPECT_EQ(port.index, 1u);
}

TEST(FindPortTest, AnIndexOutsideListsThePorts) {
  EXPECT_THAT(FindPort(TwoPorts(), "output", 2),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("There is no output 2; there are 2: \"a\", \"b\"")));
  EXPECT_THAT(FindPort({}, "input", 0), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(FindPortTest, FindsByAnyNameTheFirstPortThatHasIt) {
  EXPECT_EQ(FindPort(TwoPorts(), "input", "first")->index, 0u);
  EXPECT_EQ(FindPort(TwoPorts(), "input", "b")->index, 1u);
  EXPECT_EQ(FindPort(TwoPorts(), "input", "a")->index, 0u);
}

TEST(FindPortTest, AnUnknownNameListsThePorts) {
  EXPECT_THAT(FindPort(TwoPorts(), "input", "c"),
              StatusIs(absl::StatusCode::kNotFound, Eq("There is no input \"c\"; there are: \"a\", \"b\"")));
  EXPECT_THAT(FindPort(TwoPorts(), "input", ""), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace burin
