#include "base/check.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace burin {
namespace {

enum class Colour { kRed = 3, kBlue = 7 };

struct Opaque {
  int value;
  bool operator==(const Opaque& other) const { return value == other.value; }
};

// Compiles without a return after the check only if the compiler sees that a failed check does not return.
int DieOrReturn(bool die) {
  if (!die) return 1;
  BURIN_CHECK(false) << "cannot be here";
}

TEST(CheckTest, PassesWithoutEvaluatingTheMessage) {
  int evaluations = 0;
  const auto message = [&evaluations] { return ++evaluations; };
  BURIN_CHECK(true) << message();
  BURIN_CHECK_EQ(1, 1) << message();
  BURIN_CHECK_NE(1, 2);
  BURIN_CHECK_LT(1, 2);
  BURIN_CHECK_LE(2, 2);
  BURIN_CHECK_GT(2, 1);
  BURIN_CHECK_GE(2, 2);
  BURIN_CHECK_OK(absl::OkStatus()) << message();
  BURIN_CHECK_OK(absl::StatusOr<int>(3));
  EXPECT_EQ(evaluations, 0);
  EXPECT_EQ(DieOrReturn(false), 1);
}

TEST(CheckTest, EvaluatesOperandsOnce) {
  int a = 0;
  int b = 5;
  BURIN_CHECK(++a == 1);
  BURIN_CHECK_LT(++a, ++b);
  EXPECT_EQ(a, 2);
  EXPECT_EQ(b, 6);
}

TEST(CheckTest, StandsUnbracedInIfElse) {
  bool reached = false;
  if (false)
    BURIN_CHECK(false);
  else
    reached = true;
  EXPECT_TRUE(reached);
}

TEST(CheckDeathTest, PrintsConditionPlaceAndMessage) {
  EXPECT_DEATH(BURIN_CHECK(1 + 1 == 3) << "odd " << 42, "check_test.cc:[0-9]+: Check failed: 1 \\+ 1 == 3 odd 42");
  EXPECT_DEATH(DieOrReturn(true), "Check failed: false cannot be here");
}

TEST(CheckDeathTest, PrintsBothOperands) {
  const int size = 3;
  EXPECT_DEATH(BURIN_CHECK_EQ(size, 4) << "sizes", "Check failed: size == 4 \\(3 vs. 4\\) sizes");
  EXPECT_DEATH(BURIN_CHECK_NE(size, 3), "size != 3 \\(3 vs. 3\\)");
  EXPECT_DEATH(BURIN_CHECK_LT(size, 3), "size < 3 \\(3 vs. 3\\)");
  EXPECT_DEATH(BURIN_CHECK_LE(size, 2), "size <= 2 \\(3 vs. 2\\)");
  EXPECT_DEATH(BURIN_CHECK_GT(size, 3), "size > 3 \\(3 vs. 3\\)");
  EXPECT_DEATH(BURIN_CHECK_GE(size, 4), "size >= 4 \\(3 vs. 4\\)");
}

TEST(CheckDeathTest, PrintsBytesEnumsAndUnprintableOperands) {
  const uint8_t byte = 65;
  EXPECT_DEATH(BURIN_CHECK_EQ(byte, 66), "\\(65 vs. 66\\)");
  EXPECT_DEATH(BURIN_CHECK_EQ(Colour::kRed, Colour::kBlue), "\\(3 vs. 7\\)");
  EXPECT_DEATH(BURIN_CHECK_EQ((Opaque{1}), (Opaque{2})), "\\(\\(unprintable\\) vs. \\(unprintable\\)\\)");
  const std::string text = "abc";
  EXPECT_DEATH(BURIN_CHECK_EQ(text, "abd"), "\\(abc vs. abd\\)");
}

TEST(CheckDeathTest, PrintsStatus) {
  EXPECT_DEATH(BURIN_CHECK_OK(absl::NotFoundError("gone")) << "here", "is OK \\(NOT_FOUND: gone\\) here");
  EXPECT_DEATH(BURIN_CHECK_OK(absl::StatusOr<int>(absl::NotFoundError("gone"))), "NOT_FOUND: gone");
}

TEST(CheckDeathTest, DebugCheckActsOnlyWhenOn) {
#if BURIN_DCHECK_IS_ON
  EXPECT_DEATH(BURIN_DCHECK(false), "Check failed: false");
  EXPECT_DEATH(BURIN_DCHECK_EQ(1, 2), "\\(1 vs. 2\\)");
  EXPECT_DEATH(BURIN_DCHECK_OK(absl::InternalError("bug")), "INTERNAL: bug");
#else
  int evaluations = 0;
  BURIN_DCHECK(++evaluations == 0);
  BURIN_DCHECK_EQ(++evaluations, 0) << ++evaluations;
  BURIN_DCHECK_OK(absl::InternalError("bug"));
  EXPECT_EQ(evaluations, 0);
#endif
}

}  // namespace
}  // namespace burin
