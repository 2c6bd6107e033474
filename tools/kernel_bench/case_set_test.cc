#include "tools/kernel_bench/case_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/status/status.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;

TEST(CaseSetTest, ReadsNamesAndSeeds) {
  ASSERT_OK_AND_ASSIGN(const CaseSet named, CaseSet::Parse("vgg19"));
  EXPECT_EQ(named.name, "vgg19");
  EXPECT_FALSE(named.seed.has_value());
  ASSERT_OK_AND_ASSIGN(const CaseSet all, CaseSet::Parse("all"));
  EXPECT_EQ(all.name, "all");
  ASSERT_OK_AND_ASSIGN(const CaseSet drawn, CaseSet::Parse("random:77"));
  EXPECT_EQ(drawn.name, "");
  EXPECT_EQ(drawn.seed, 77u);
  for (const char* const text : {"", "random:", "random:x", "random", "resnet"}) {
    EXPECT_THAT(CaseSet::Parse(text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("resnet50, vgg19")))
        << text;
  }
}

TEST(CaseSetTest, DrawsEvenlyOverLogarithms) {
  SizeDraw draw(5);
  constexpr int kCount = 4000;
  int below = 0;
  int multiples = 0;
  int64_t least = 4096;
  int64_t most = 0;
  for (int i = 0; i < kCount; ++i) {
    const int64_t size = draw.Draw(64, 4096, 16);
    below += size < 512 ? 1 : 0;
    multiples += size % 16 == 0 ? 1 : 0;
    least = std::min(least, size);
    most = std::max(most, size);
  }
  EXPECT_NEAR(below, kCount / 2, kCount / 20);
  // One in four is not rounded, and some of those are multiples all the same.
  EXPECT_NEAR(multiples, kCount * 49 / 64, kCount / 25);
  EXPECT_GE(least, 64);
  EXPECT_LE(most, 4096);
  EXPECT_GT(most, 3500);
}

TEST(CaseSetTest, TheSameSeedDrawsTheSame) {
  SizeDraw first(9);
  SizeDraw second(9);
  SizeDraw other(10);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const int64_t size = first.Draw(1, 2048);
    EXPECT_EQ(size, second.Draw(1, 2048));
    differs = differs || size != other.Draw(1, 2048);
  }
  EXPECT_TRUE(differs);
  SizeDraw ends(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ends.Draw(7, 7), 7);
  for (int i = 0; i < 100; ++i) EXPECT_LT(ends.Choose(3), 3);
}

}  // namespace
}  // namespace burin::kernel_bench
