#include "base/status_macros.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

absl::Status ReturnThrough(const absl::Status& status, int* evaluations, bool* passed) {
  BURIN_RETURN_IF_ERROR((++*evaluations, status));
  *passed = true;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<int>> Make(int value) {
  if (value < 0) return absl::InvalidArgumentError("negative");
  return std::make_unique<int>(value);
}

absl::StatusOr<int> SumOfTwo(int a, int b) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<int> first, Make(a));
  std::unique_ptr<int> second;
  BURIN_ASSIGN_OR_RETURN(second, Make(b));
  return *first + *second;
}

absl::StatusOr<int> FirstOfPair() {
  // A comma in the expression and one line with two uses of the macro must work.
  BURIN_ASSIGN_OR_RETURN(auto pair, absl::StatusOr<std::pair<int, int>>(std::pair<int, int>(4, 5)));
  BURIN_ASSIGN_OR_RETURN(const int a, SumOfTwo(1, 2));
  BURIN_ASSIGN_OR_RETURN(const int b, SumOfTwo(3, 4));
  return pair.first * 100 + a * 10 + b;
}

TEST(StatusMacrosTest, ReturnIfErrorGoesOnOnlyWhenOk) {
  int evaluations = 0;
  bool passed = false;
  EXPECT_OK(ReturnThrough(absl::OkStatus(), &evaluations, &passed));
  EXPECT_TRUE(passed);
  EXPECT_EQ(evaluations, 1);

  passed = false;
  EXPECT_THAT(ReturnThrough(absl::NotFoundError("no"), &evaluations, &passed),
              StatusIs(absl::StatusCode::kNotFound, "no"));
  EXPECT_FALSE(passed);
  EXPECT_EQ(evaluations, 2);
}

TEST(StatusMacrosTest, AssignOrReturnMovesTheValueOrReturnsTheStatus) {
  EXPECT_THAT(SumOfTwo(2, 3), IsOkAndHolds(5));
  EXPECT_THAT(SumOfTwo(-1, 3), StatusIs(absl::StatusCode::kInvalidArgument, "negative"));
  EXPECT_THAT(SumOfTwo(2, -1), StatusIs(absl::StatusCode::kInvalidArgument, "negative"));
  EXPECT_THAT(FirstOfPair(), IsOkAndHolds(437));
}

}  // namespace
}  // namespace burin
