#include "ir/dimension.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace burin::ir {

// Lets GoogleTest print dimensions.
static void PrintTo(const Dimension& dim, std::ostream* out) { *out << dim.ToString(); }

namespace {

constexpr int64_t kInf = Dimension::kInfinite;
constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

TEST(DimensionTest, Prints) {
  EXPECT_EQ(Dimension(7).ToString(), "7");
  EXPECT_EQ(Dimension(-7).ToString(), "-7");
  EXPECT_EQ(Dimension().ToString(), "?");
  EXPECT_EQ(Dimension(2, 8).ToString(), "2..8");
  EXPECT_EQ(Dimension(2, kInf).ToString(), "2..");
  EXPECT_EQ(Dimension(-kInf, 8).ToString(), "..8");
  EXPECT_EQ(Dimension::AnyValue().ToString(), "..");
  EXPECT_EQ(Dimension::Symbol("batch").ToString(), "batch");
  EXPECT_EQ(Dimension(2, 8, "batch").ToString(), "batch:2..8");
  EXPECT_EQ(Dimension(7, 7, "batch").ToString(), "7");
  EXPECT_EQ(Dimension::Symbol("batch size").ToString(), "\"batch size\"");
  EXPECT_EQ(Dimension(1, kInf, "7\",").ToString(), "\"7\\\",\":1..");
}

TEST(DimensionTest, Compares) {
  EXPECT_EQ(Dimension(3), Dimension(3, 3, "n"));
  EXPECT_NE(Dimension::Symbol("n"), Dimension());
  EXPECT_NE(Dimension(0, 5), Dimension(0, 6));
  EXPECT_TRUE(Dimension(3).MustEqual(Dimension(3)));
  EXPECT_FALSE(Dimension(3).MustEqual(Dimension(4)));
  EXPECT_TRUE(Dimension::Symbol("n").MustEqual(Dimension(2, 8, "n")));
  EXPECT_FALSE(Dimension::Symbol("n").MustEqual(Dimension::Symbol("m")));
  EXPECT_FALSE(Dimension().MustEqual(Dimension()));
  EXPECT_TRUE(Dimension(0, 3).MayEqual(Dimension(3, 9)));
  EXPECT_FALSE(Dimension(0, 3).MayEqual(Dimension(4, 9)));
}

TEST(DimensionTest, UnboundedIntervalsHoldTheExtremes) {
  EXPECT_TRUE(Dimension::AnyValue().Contains(kLowest));
  EXPECT_TRUE(Dimension::AnyValue().Contains(kInf));
  EXPECT_TRUE(Dimension().Contains(kInf));
  EXPECT_FALSE(Dimension().Contains(-1));
  EXPECT_TRUE(Dimension(kLowest).MayEqual(Dimension(-kInf, 0)));
}

TEST(DimensionTest, SymbolsSurviveOnlyIdentities) {
  const Dimension n(1, 9, "n");
  EXPECT_EQ(n + Dimension(0), n);
  EXPECT_EQ(Dimension(0) + n, n);
  EXPECT_EQ(n - Dimension(0), n);
  EXPECT_EQ(n * Dimension(1), n);
  EXPECT_EQ(Dimension(1) * n, n);
  EXPECT_EQ(n / Dimension(1), n);
  EXPECT_EQ(FloorDiv(n, 1), n);
  EXPECT_EQ(CeilDiv(n, 1), n);
  EXPECT_EQ(Max(n, Dimension(0, 1)), n);
  EXPECT_EQ(Min(n, Dimension(kInf)), n);
  EXPECT_EQ(Min(Dimension(9, 20), n), n);
  EXPECT_EQ(n - n, Dimension(0));
  EXPECT_EQ((n + Dimension(1)).symbol(), "");
  EXPECT_EQ((Dimension(0) - n).symbol(), "");
  EXPECT_EQ(Min(n, Dimension(5)).symbol(), "");
}

TEST(DimensionTest, SaturatesAndGivesUpBeyondTheRange) {
  EXPECT_EQ(Dimension() + Dimension(1), Dimension(1, kInf));
  EXPECT_EQ(Dimension(kInf - 1) + Dimension(1), Dimension(kInf));
  EXPECT_EQ(Dimension(kInf) + Dimension(1), Dimension::AnyValue());
  EXPECT_EQ(Dimension(kLowest) - Dimension(1), Dimension::AnyValue());
  EXPECT_EQ(Dimension(kLowest) / Dimension(-1), Dimension::AnyValue());
  EXPECT_EQ(Dimension(kInf) * Dimension(kInf), Dimension::AnyValue());
  EXPECT_EQ(Dimension(1, kInf) * Dimension(kInf), Dimension(kInf));
  EXPECT_EQ(Dimension(0, kInf - 1) * Dimension(2), Dimension(0, kInf));
  EXPECT_EQ(Dimension() * Dimension(), Dimension());
  EXPECT_EQ(Dimension() * Dimension(0), Dimension(0));
  EXPECT_EQ(Dimension() - Dimension(), Dimension::AnyValue());
  EXPECT_EQ(Dimension(10, kInf) / Dimension(1, 5), Dimension(2, kInf));
  EXPECT_EQ(Dimension(5) / Dimension(1, kInf), Dimension(0, 5));
  EXPECT_EQ(Dimension(5) / Dimension(0, 5), Dimension::AnyValue());
  EXPECT_EQ(FloorDiv(Dimension(), 3), Dimension());
  EXPECT_EQ(CeilDiv(Dimension(1, kInf), 3), Dimension(1, kInf));
  EXPECT_EQ(FloorDiv(Dimension(-7), 2), Dimension(-4));
  EXPECT_EQ(CeilDiv(Dimension(-7), 2), Dimension(-3));
}

TEST(DimensionTest, Intersects) {
  Dimension target(0, 5);
  EXPECT_TRUE(Intersect(Dimension(3, 9, "n"), &target));
  EXPECT_EQ(target, Dimension(3, 5, "n"));
  EXPECT_TRUE(Intersect(Dimension(4, 9, "m"), &target));
  EXPECT_EQ(target, Dimension(4, 5, "n"));
  EXPECT_FALSE(Intersect(Dimension(6), &target));
  EXPECT_EQ(target, Dimension(4, 5, "n"));
  EXPECT_TRUE(Intersect(Dimension(4), &target));
  EXPECT_EQ(target, Dimension(4));
  Dimension any = Dimension::AnyValue();
  EXPECT_TRUE(Intersect(Dimension(kLowest), &any));
  EXPECT_EQ(any, Dimension(kLowest));
}

TEST(DimensionTest, HullKeepsACommonSymbol) {
  EXPECT_EQ(Hull(Dimension(3), Dimension(5)), Dimension(3, 5));
  EXPECT_EQ(Hull(Dimension(1, 4, "n"), Dimension(2, 9, "n")), Dimension(1, 9, "n"));
  EXPECT_EQ(Hull(Dimension(1, 4, "n"), Dimension(2, 9, "m")), Dimension(1, 9));
  EXPECT_EQ(Hull(Dimension(1, 4, "n"), Dimension(2, 9)), Dimension(1, 9));
  EXPECT_TRUE(Hull(Dimension(kLowest), Dimension(kLowest + 1)).is_dynamic());
}

TEST(DimensionTest, BroadcastKeepsWhatIsCertain) {
  Dimension result;
  const Dimension n = Dimension::Symbol("n");
  EXPECT_TRUE(BroadcastDimension(n, Dimension(1), &result));
  EXPECT_EQ(result, n);
  EXPECT_TRUE(BroadcastDimension(n, n, &result));
  EXPECT_EQ(result, n);
  EXPECT_TRUE(BroadcastDimension(n, Dimension(8), &result));
  EXPECT_EQ(result, Dimension(8));
  EXPECT_TRUE(BroadcastDimension(n, Dimension::Symbol("m"), &result));
  EXPECT_EQ(result, Dimension());
  EXPECT_TRUE(BroadcastDimension(Dimension(2, 9, "n"), Dimension::Symbol("m"), &result));
  EXPECT_EQ(result, Dimension(2, 9, "n"));
  EXPECT_FALSE(BroadcastDimension(Dimension(2), Dimension(3), &result));
  EXPECT_FALSE(BroadcastDimension(Dimension(2, 4), Dimension(5, 9), &result));
}

// ---- Properties over random intervals, against all members ----

using Members = std::vector<int64_t>;

// Draws an interval inside [-bound, bound].
Dimension RandomInterval(std::mt19937& random, int64_t bound) {
  std::uniform_int_distribution<int64_t> draw(-bound, bound);
  const int64_t a = draw(random);
  const int64_t b = draw(random);
  return Dimension(std::min(a, b), std::max(a, b));
}

Members MembersOf(const Dimension& d) {
  Members members;
  for (int64_t value = d.min(); value <= d.max(); ++value) members.push_back(value);
  return members;
}

struct Operation {
  std::string name;
  std::function<Dimension(const Dimension&, const Dimension&)> intervals;
  std::function<int64_t(int64_t, int64_t)> values;
  bool needs_divisor = false;
};

std::vector<Operation> Operations() {
  return {
      {"+", [](const Dimension& a, const Dimension& b) { return a + b; }, std::plus<int64_t>()},
      {"-", [](const Dimension& a, const Dimension& b) { return a - b; }, std::minus<int64_t>()},
      {"*", [](const Dimension& a, const Dimension& b) { return a * b; }, std::multiplies<int64_t>()},
      {"/", [](const Dimension& a, const Dimension& b) { return a / b; }, std::divides<int64_t>(), true},
      {"min", [](const Dimension& a, const Dimension& b) { return Min(a, b); },
       [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"max", [](const Dimension& a, const Dimension& b) { return Max(a, b); },
       [](int64_t a, int64_t b) { return std::max(a, b); }},
  };
}

TEST(DimensionTest, ArithmeticIsTheHullOfAllMembers) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (const Operation& operation : Operations()) {
    for (int round = 0; round < 500; ++round) {
      const Dimension a = RandomInterval(random, 20);
      const Dimension b = RandomInterval(random, 20);
      const Dimension result = operation.intervals(a, b);
      SCOPED_TRACE(a.ToString() + " " + operation.name + " " + b.ToString());
      if (operation.needs_divisor && b.Contains(0)) {
        EXPECT_EQ(result, Dimension::AnyValue());
        continue;
      }
      int64_t min = kInf;
      int64_t max = -kInf;
      for (const int64_t x : MembersOf(a)) {
        for (const int64_t y : MembersOf(b)) {
          min = std::min(min, operation.values(x, y));
          max = std::max(max, operation.values(x, y));
        }
      }
      ASSERT_EQ(result, Dimension(min, max));
    }
  }
}

TEST(DimensionTest, ArithmeticNearTheEndsHoldsEveryExactResult) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const int64_t ends[] = {kLowest, -kInf, -kInf + 1, -2, -1, 0, 1, 2, kInf - 1, kInf};
  std::uniform_int_distribution<size_t> draw(0, std::size(ends) - 1);
  const auto interval = [&] {
    const int64_t a = ends[draw(random)];
    const int64_t b = ends[draw(random)];
    return Dimension(std::min(a, b), std::max(a, b));
  };
  for (int round = 0; round < 20000; ++round) {
    const Dimension a = interval();
    const Dimension b = interval();
    const Dimension sum = a + b;
    const Dimension difference = a - b;
    const Dimension product = a * b;
    const Dimension hull = Hull(a, b);
    const Dimension low = Min(a, b);
    const Dimension high = Max(a, b);
    for (const int64_t x : ends) {
      for (const int64_t y : ends) {
        if (!a.Contains(x) || !b.Contains(y)) continue;
        SCOPED_TRACE(testing::Message() << a.ToString() << " with " << b.ToString() << " at " << x << ", " << y);
        int64_t exact;
        if (!__builtin_add_overflow(x, y, &exact)) {
          ASSERT_TRUE(sum.Contains(exact)) << sum.ToString();
        }
        if (!__builtin_sub_overflow(x, y, &exact)) {
          ASSERT_TRUE(difference.Contains(exact)) << difference.ToString();
        }
        if (!__builtin_mul_overflow(x, y, &exact)) {
          ASSERT_TRUE(product.Contains(exact)) << product.ToString();
        }
        ASSERT_TRUE(hull.Contains(x) && hull.Contains(y)) << hull.ToString();
        ASSERT_TRUE(low.Contains(std::min(x, y))) << low.ToString();
        ASSERT_TRUE(high.Contains(std::max(x, y))) << high.ToString();
      }
    }
  }
}

TEST(DimensionTest, RoundingDivisionIsTheHullOfAllMembers) {
  const uint32_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 1000; ++round) {
    const Dimension a = RandomInterval(random, 30);
    for (int64_t divisor = 1; divisor <= 7; ++divisor) {
      SCOPED_TRACE(testing::Message() << a.ToString() << " by " << divisor);
      const Dimension down = FloorDiv(a, divisor);
      const Dimension up = CeilDiv(a, divisor);
      for (const int64_t end : {a.min(), a.max()}) {
        const int64_t quotient = end / divisor;
        const bool exact = end % divisor == 0;
        const int64_t floor = quotient - (!exact && end < 0 ? 1 : 0);
        const int64_t ceiling = quotient + (!exact && end > 0 ? 1 : 0);
        ASSERT_EQ(end == a.min() ? down.min() : down.max(), floor);
        ASSERT_EQ(end == a.max() ? up.max() : up.min(), ceiling);
      }
    }
  }
}

TEST(DimensionTest, BroadcastIsTheHullOfAllMembersThatBroadcast) {
  for (int64_t a_min = 0; a_min <= 4; ++a_min) {
    for (int64_t a_max = a_min; a_max <= 4; ++a_max) {
      for (int64_t b_min = 0; b_min <= 4; ++b_min) {
        for (int64_t b_max = b_min; b_max <= 4; ++b_max) {
          const Dimension a(a_min, a_max);
          const Dimension b(b_min, b_max);
          SCOPED_TRACE(a.ToString() + " with " + b.ToString());
          bool possible = false;
          Dimension expected;
          for (const int64_t x : MembersOf(a)) {
            for (const int64_t y : MembersOf(b)) {
              if (x != y && x != 1 && y != 1) continue;
              const Dimension size(x == 1 ? y : x);
              expected = possible ? Hull(expected, size) : size;
              possible = true;
            }
          }
          Dimension result;
          ASSERT_EQ(BroadcastDimension(a, b, &result), possible);
          if (!possible) continue;
          // The result may be wider than the tightest interval, never narrower.
          ASSERT_LE(result.min(), expected.min());
          ASSERT_GE(result.max(), expected.max());
          if (a.is_static() || b.is_static()) {
            ASSERT_EQ(result, expected);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::ir
