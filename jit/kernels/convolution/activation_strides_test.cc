#include "jit/kernels/convolution/activation_strides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/hash.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

TEST(ActivationStridesTest, DenseOnesHaveNoGaps) {
  ASSERT_OK_AND_ASSIGN(const ActivationStrides strides, ActivationStrides::Dense(2, 3, 5, 7));
  EXPECT_EQ(strides.pixel, 7);
  EXPECT_EQ(strides.row, 35);
  EXPECT_EQ(strides.plane, 105);
  EXPECT_EQ(strides.image, 210);
  EXPECT_OK(strides.Check({4, 2, 3, 5}, 7, "input"));
}

TEST(ActivationStridesTest, RefusesWhatOverflows) {
  EXPECT_THAT(ActivationStrides::Dense(1, -1, 5, 7).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  const int64_t big = int64_t{1} << 31;
  EXPECT_THAT(ActivationStrides::Dense(1, big, big, big).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT((ActivationStrides{0, 0, 0, -1}).Check({1, 1, 1, 2}, 7, "input"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("input.pixel")));
  EXPECT_THAT((ActivationStrides{big * big, 0, 0, 1}).Check({2, 1, 1, 2}, 7, "output"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("output.image")));
}

TEST(ActivationStridesTest, StridesOfSingleElementsAreNotRead) {
  EXPECT_OK((ActivationStrides{-1, -1, -1, -1}).Check({1, 1, 1, 1}, 7, "input"));
  EXPECT_OK((ActivationStrides{-1, -1, -1, -1}).Check({0, 0, 0, 0}, 7, "input"));
}

TEST(ActivationStridesTest, EveryFieldIsPartOfTheFingerprint) {
  const auto key = [](const ActivationStrides& strides) {
    Hasher hasher;
    strides.AppendTo(hasher);
    return hasher.Finish();
  };
  const ActivationStrides base = {4, 3, 2, 1};
  EXPECT_NE(key(base), key({5, 3, 2, 1}));
  EXPECT_NE(key(base), key({4, 4, 2, 1}));
  EXPECT_NE(key(base), key({4, 3, 3, 1}));
  EXPECT_NE(key(base), key({4, 3, 2, 2}));
}

}  // namespace
}  // namespace burin::jit
