#include "jit/emitters/elementary/reduce_angle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

template <class V>
void EmitPart(V& v, const VecGroup& x, AngleReduction reduction, bool rest) {
  const VecRegs r = v.New("r", x.size());
  const VecRegs odd = v.New("odd", x.size());
  EmitReduceAngle(v, r, odd, x, reduction);
  v.Copy(x, rest ? r : odd);
}

// Returns the rest of each input, or what tells odd from even.
std::vector<float> Reduce(const Target& target, AngleReduction reduction, bool rest, absl::Span<const float> inputs) {
  const auto kernel = RowKernel::Create(
      RowFunction::Of("Reduce", 1, [=](auto& v, Operands o) { EmitPart(v, o[0], reduction, rest); }), target);
  EXPECT_OK(kernel);
  std::vector<float> results(inputs.size());
  if (kernel.ok()) kernel->Run(inputs.data(), results.data(), static_cast<int64_t>(inputs.size()));
  return results;
}

// Returns what the parts of x say that the function is.
long double FromParts(AngleReduction reduction, float rest, float odd) {
  const bool is_odd = std::signbit(odd);
  if (reduction == AngleReduction::kTangent) {
    const long double tangent = std::tan(static_cast<long double>(rest));
    return is_odd ? -1 / tangent : tangent;
  }
  const long double sine = std::sin(static_cast<long double>(rest));
  return is_odd ? -sine : sine;
}

long double Function(AngleReduction reduction, float x) {
  const long double angle = x;
  if (reduction == AngleReduction::kSine) return std::sin(angle);
  return reduction == AngleReduction::kCosine ? std::cos(angle) : std::tan(angle);
}

class ReduceAngleTest : public ::testing::TestWithParam<AngleReduction> {};

TEST_P(ReduceAngleTest, PartsMakeTheFunctionAtEverySize) {
  const uint32_t seed = std::random_device()();
  std::mt19937 random(seed);
  // Also mixes sizes in a vector, and takes those around the border of the two ways.
  std::vector<float> inputs;
  for (uint32_t i = 0; i < 100000; ++i) {
    const uint32_t bits = i % 4 == 0 ? 0x49800000 + random() % 1024 - 512 : random() & 0xff7fffff;
    if (std::isfinite(absl::bit_cast<float>(bits))) inputs.push_back(absl::bit_cast<float>(bits));
  }
  const float greatest = GetParam() == AngleReduction::kTangent ? 0.833f : 1.666f;
  for (const Target& target : TargetsToTest()) {
    const std::vector<float> rests = Reduce(target, GetParam(), /*rest=*/true, inputs);
    const std::vector<float> odds = Reduce(target, GetParam(), /*rest=*/false, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const long double expected = Function(GetParam(), inputs[i]);
      const long double got = FromParts(GetParam(), rests[i], odds[i]);
      ASSERT_LE(std::abs(rests[i]), greatest) << inputs[i] << ", seed " << seed;
      ASSERT_EQ(absl::bit_cast<uint32_t>(odds[i]) & 0x7fffffff, 0) << inputs[i] << ", seed " << seed;
      // An ulp and a half of the rest is up to 2^-23 and a half of it; the tangent's may be pi / 2 times that.
      ASSERT_LE(std::abs(got - expected), 2.9e-7L * std::abs(expected) + 1e-44L) << inputs[i] << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReduceAngleTest,
                         ::testing::Values(AngleReduction::kSine, AngleReduction::kCosine, AngleReduction::kTangent));

TEST(ReduceAngleTest, ZerosKeepTheirSignAndInfinitiesAreNan) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const AngleReduction reduction : {AngleReduction::kSine, AngleReduction::kTangent}) {
    ExpectValues(RowFunction::Of("Rest", 1, [=](auto& v, Operands o) { EmitPart(v, o[0], reduction, /*rest=*/true); }),
                 {{0.0f, 0.0f}, {-0.0f, -0.0f}, {kInfinity, kNan}, {-kInfinity, kNan}, {kNan, kNan}, {0.5f, 0.5f}});
  }
}

}  // namespace
}  // namespace burin::jit
