#include "jit/isa/isa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <random>
#include <sstream>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/hash.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A set of any features, by the seed.
IsaSet RandomSet(std::mt19937& random) {
  IsaSet set;
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (random() % 8 == 0) set = set.Union(IsaSet::Of({feature}));
  }
  return set;
}

// Invariant I1, said without the implementation's closure.
bool IsClosed(const IsaSet& set) {
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (set.Has(feature) && !set.Contains(IsaSet::Of({feature}))) return false;
  }
  return true;
}

TEST(IsaTest, AFeatureBringsWhatItImplies) {
  const IsaSet set = IsaSet::Of({IsaFeature::kAvx512Fp16});
  for (const IsaFeature feature :
       {IsaFeature::kAvx512Bw, IsaFeature::kAvx512Dq, IsaFeature::kAvx512Vl, IsaFeature::kAvx512F, IsaFeature::kAvx2,
        IsaFeature::kFma, IsaFeature::kF16c, IsaFeature::kAvx, IsaFeature::kSse42, IsaFeature::kSse3}) {
    EXPECT_TRUE(set.Has(feature)) << feature;
  }
  EXPECT_FALSE(set.Has(IsaFeature::kAvx512Cd));
  EXPECT_FALSE(set.Has(IsaFeature::kBmi2));
  EXPECT_EQ(IsaSet::Of({IsaFeature::kAmxInt8}).ToString(), "amx_int8,amx_tile");
  EXPECT_EQ(IsaSet::Of({IsaFeature::kAvxVnni}).ToString(), "avx,avx2,avx_vnni,sse3,sse4_1,sse4_2,ssse3");
}

TEST(IsaTest, LevelsNeedWhatTheirMachinesHave) {
  EXPECT_EQ(IsaSet::From(IsaLevel::kAvx2).ToString(), "avx,avx2,bmi1,bmi2,f16c,fma,sse3,sse4_1,sse4_2,ssse3");
  const IsaSet amx = IsaSet::From(IsaLevel::kAmxBf16);
  EXPECT_TRUE(amx.Has(IsaFeature::kAmxInt8));
  EXPECT_TRUE(amx.Has(IsaFeature::kAvx512Bf16));
  EXPECT_TRUE(amx.Has(IsaFeature::kAvx512Vnni));
  EXPECT_FALSE(amx.Has(IsaFeature::kAvx512Fp16));
  EXPECT_FALSE(amx.Has(IsaFeature::kAvxVnni));
  EXPECT_FALSE(IsaSet::From(IsaLevel::kAvx512Vnni).Has(IsaFeature::kAvx512Vbmi));
  EXPECT_TRUE(IsaSet::AdmittedBy(IsaLevel::kAvx512Vnni).Has(IsaFeature::kAvx512Vbmi));
}

TEST(IsaTest, TheLevelsAreALattice) {
  EXPECT_TRUE(Implies(IsaLevel::kAmxInt8, IsaLevel::kAvx512Vnni));
  EXPECT_FALSE(Implies(IsaLevel::kAmxInt8, IsaLevel::kAvx512Bf16));
  EXPECT_TRUE(Implies(IsaLevel::kAmxBf16, IsaLevel::kAvx512Bf16));
  EXPECT_TRUE(Implies(IsaLevel::kAmxFp16, IsaLevel::kAmxInt8));
  EXPECT_FALSE(Implies(IsaLevel::kAmxFp16, IsaLevel::kAvx512Fp16));
  EXPECT_TRUE(Implies(IsaLevel::kAvxVnni, IsaLevel::kAvx2));
  for (const IsaLevel a : kAllIsaLevels) {
    EXPECT_TRUE(Implies(a, IsaLevel::kAvx2)) << a;
    EXPECT_EQ(Implies(a, IsaLevel::kAvxVnni), a == IsaLevel::kAvxVnni) << a;
    EXPECT_TRUE(IsaSet::AdmittedBy(a).Contains(IsaSet::From(a))) << a;
    for (const IsaLevel b : kAllIsaLevels) {
      EXPECT_FALSE(a != b && Implies(a, b) && Implies(b, a)) << a << ' ' << b;
      if (!Implies(a, b)) continue;
      EXPECT_GE(a, b);
      EXPECT_TRUE(IsaSet::From(a).Contains(IsaSet::From(b))) << a << ' ' << b;
      EXPECT_TRUE(IsaSet::AdmittedBy(a).Contains(IsaSet::AdmittedBy(b))) << a << ' ' << b;
    }
    // What a level needs decides what it is: no other level that it does not imply is there.
    EXPECT_EQ(IsaSet::From(a).BestLevel(), a);
  }
}

TEST(IsaTest, ACapLeavesWhatAMachineOfTheLevelMayOffer) {
  const IsaSet all = IsaSet::All();
  for (const IsaLevel level : kAllIsaLevels) {
    const IsaSet capped = all.CappedAt(level);
    EXPECT_TRUE(capped.Supports(level)) << level;
    EXPECT_TRUE(IsClosed(capped)) << level;
    for (const IsaLevel other : kAllIsaLevels) {
      const bool above = other != level && Implies(other, level);
      EXPECT_TRUE(!Implies(level, other) || capped.Supports(other)) << level << ' ' << other;
      EXPECT_FALSE(above && capped.Supports(other)) << level << ' ' << other;
    }
  }
  EXPECT_FALSE(all.CappedAt(IsaLevel::kAvx2).Has(IsaFeature::kAvxVnni));
  EXPECT_TRUE(all.CappedAt(IsaLevel::kAvx2).Has(IsaFeature::kLzcnt));
  EXPECT_FALSE(all.CappedAt(IsaLevel::kAvx512).Has(IsaFeature::kAvx512Vbmi));
  EXPECT_FALSE(all.CappedAt(IsaLevel::kAvx512Bf16).Has(IsaFeature::kAvxVnni));
  EXPECT_TRUE(all.CappedAt(IsaLevel::kAmxInt8).Has(IsaFeature::kAvx512Fp16));
  EXPECT_FALSE(all.CappedAt(IsaLevel::kAmxInt8).Has(IsaFeature::kAmxBf16));
  EXPECT_EQ(all.CappedAt(IsaLevel::kAvxVnni).CappedAt(IsaLevel::kAvx512).BestLevel(), IsaLevel::kAvx2);
  EXPECT_EQ(IsaSet().CappedAt(IsaLevel::kAmxFp16), IsaSet());
}

TEST(IsaTest, OperationsKeepSetsClosedAndFollowSetAlgebra) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    const IsaSet a = RandomSet(random);
    const IsaSet b = RandomSet(random);
    const IsaLevel level = kAllIsaLevels[random() % std::size(kAllIsaLevels)];
    const IsaLevel other = kAllIsaLevels[random() % std::size(kAllIsaLevels)];
    const IsaSet without = a.Without(b);
    for (const IsaSet& set : {a, a.Union(b), a.Intersect(b), without, a.CappedAt(level)}) {
      ASSERT_TRUE(IsClosed(set)) << set;
      ASSERT_OK_AND_ASSIGN(const IsaSet parsed, IsaSet::Parse(set.ToString()));
      ASSERT_EQ(parsed, set);
    }
    ASSERT_TRUE(without.Intersect(b).empty());
    ASSERT_TRUE(a.Contains(without));
    for (const IsaFeature feature : kAllIsaFeatures) {
      // Greatest: what was taken away needed a feature of b.
      const bool needs_b = !IsaSet::Of({feature}).Intersect(b).empty();
      ASSERT_EQ(without.Has(feature), a.Has(feature) && !needs_b) << feature;
    }
    ASSERT_EQ(a.CappedAt(level).CappedAt(level), a.CappedAt(level));
    ASSERT_EQ(a.CappedAt(level).CappedAt(other), a.CappedAt(other).CappedAt(level));
  }
}

TEST(IsaTest, ParsesNamesAndRefusesOthersWithTheList) {
  EXPECT_THAT(IsaSet::Parse(""), IsOkAndHolds(IsaSet()));
  EXPECT_THAT(IsaSet::Parse("  "), IsOkAndHolds(IsaSet()));
  EXPECT_THAT(IsaSet::Parse(" amx_int8 , fma"), IsOkAndHolds(IsaSet::Of({IsaFeature::kAmxInt8, IsaFeature::kFma})));
  for (const absl::string_view text : {"avx3", "avx2,", ",", "AVX2", "avx2;fma"}) {
    EXPECT_THAT(IsaSet::Parse(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                              AllOf(HasSubstr("amx_tile"), HasSubstr("avx512vl"), HasSubstr("fma"))))
        << text;
  }
  for (const IsaLevel level : kAllIsaLevels) EXPECT_THAT(ParseIsaLevel(Name(level)), IsOkAndHolds(level));
  EXPECT_THAT(ParseIsaLevel("avx512f"),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("avx512_fp16"), HasSubstr("\"avx512f\""))));
  for (const IsaFeature feature : kAllIsaFeatures) EXPECT_THAT(ParseIsaFeature(Name(feature)), IsOkAndHolds(feature));
}

TEST(IsaTest, BestLevelIsTheHighestRank) {
  EXPECT_EQ(IsaSet().BestLevel(), std::nullopt);
  EXPECT_EQ(IsaSet::Of({IsaFeature::kAvx2, IsaFeature::kFma}).BestLevel(), std::nullopt);
  EXPECT_EQ(IsaSet::All().BestLevel(), IsaLevel::kAmxFp16);
  EXPECT_EQ(IsaSet::All().Without(IsaFeature::kAmxTile).BestLevel(), IsaLevel::kAvx512Fp16);
  EXPECT_EQ(IsaSet::All().Without(IsaFeature::kAvx512Vl).BestLevel(), IsaLevel::kAvxVnni);
}

TEST(IsaTest, EqualSetsHashEqually) {
  const IsaSet avx2 = IsaSet::All().Intersect(IsaSet::From(IsaLevel::kAvx2));
  EXPECT_EQ(absl::Hash<IsaSet>()(avx2), absl::Hash<IsaSet>()(IsaSet::From(IsaLevel::kAvx2)));
  EXPECT_NE(absl::Hash<IsaSet>()(avx2), absl::Hash<IsaSet>()(IsaSet::All()));
  Hasher a;
  Hasher b;
  Hasher c;
  IsaSet::From(IsaLevel::kAvx2).AppendTo(a);
  avx2.AppendTo(b);
  IsaSet::From(IsaLevel::kAvxVnni).AppendTo(c);
  EXPECT_EQ(a.Finish(), b.Finish());
  EXPECT_NE(a.Finish(), c.Finish());
}

TEST(IsaTest, PrintsNames) {
  std::ostringstream out;
  out << IsaFeature::kAvx512Vbmi2 << ' ' << IsaLevel::kAmxInt8 << ' ' << IsaSet::Of({IsaFeature::kSsse3});
  EXPECT_EQ(out.str(), "avx512_vbmi2 amx_int8 sse3,ssse3");
}

}  // namespace
}  // namespace burin::jit
