#include "testing/gtest/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace burin {
namespace {

using ::testing::Eq;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointee;

absl::StatusOr<int> Half(int x) {
  if (x % 2 != 0) return absl::InvalidArgumentError("Odd number");
  return x / 2;
}

absl::StatusOr<std::unique_ptr<int>> Owned(int x) { return std::make_unique<int>(x); }

TEST(StatusMatchersTest, IsOkAcceptsStatusAndStatusOr) {
  EXPECT_OK(absl::OkStatus());
  EXPECT_OK(Half(4));
  EXPECT_THAT(absl::CancelledError("x"), Not(IsOk()));
  EXPECT_THAT(Half(3), Not(IsOk()));
}

TEST(StatusMatchersTest, ExpectOkFailsWithTheStatusInItsMessage) {
  EXPECT_NONFATAL_FAILURE(EXPECT_OK(absl::NotFoundError("no such node")), "NOT_FOUND: no such node");
  EXPECT_NONFATAL_FAILURE(EXPECT_OK(Half(3)), "INVALID_ARGUMENT: Odd number");
}

TEST(StatusMatchersTest, StatusIsComparesCodeAndMessage) {
  const absl::Status status = absl::DataLossError("Checksum differs: 7");
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss, HasSubstr("Checksum")));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss, "Checksum differs: 7"));
  EXPECT_THAT(status, Not(StatusIs(absl::StatusCode::kNotFound)));
  EXPECT_THAT(status, Not(StatusIs(absl::StatusCode::kDataLoss, HasSubstr("8"))));
  EXPECT_THAT(Half(3), StatusIs(absl::StatusCode::kInvalidArgument, Eq("Odd number")));
}

TEST(StatusMatchersTest, StatusIsFailsWithTheStatusInItsMessage) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(Half(3), StatusIs(absl::StatusCode::kNotFound)), "INVALID_ARGUMENT: Odd number");
}

TEST(StatusMatchersTest, IsOkAndHoldsMatchesTheValue) {
  EXPECT_THAT(Half(4), IsOkAndHolds(2));
  EXPECT_THAT(Half(8), IsOkAndHolds(Gt(3)));
  EXPECT_THAT(Half(8), Not(IsOkAndHolds(3)));
  EXPECT_THAT(Half(3), Not(IsOkAndHolds(1)));
  EXPECT_THAT(Owned(5), IsOkAndHolds(Pointee(5)));
}

TEST(StatusMatchersTest, AssertOkAndAssignMovesTheValue) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<int> owned, Owned(6));
  EXPECT_EQ(*owned, 6);
  int half = 0;
  ASSERT_OK_AND_ASSIGN(half, Half(10));
  EXPECT_EQ(half, 5);
}

TEST(StatusMatchersTest, AssertOkAndAssignStopsTheTest) {
  bool reached = false;
  static bool* const reached_ptr = &reached;
  EXPECT_FATAL_FAILURE(
      {
        ASSERT_OK_AND_ASSIGN(const int half, Half(7));
        *reached_ptr = half != 0;
      },
      "INVALID_ARGUMENT: Odd number");
  EXPECT_FALSE(reached);
}

}  // namespace
}  // namespace burin
