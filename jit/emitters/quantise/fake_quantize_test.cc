#include "jit/emitters/quantise/fake_quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
using Limits = FakeQuantizeLimits<float>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Returns the function with limits that are data, and the one with limits known when code is emitted.
RowFunction WithOperands(const Limits& limits, int32_t levels) {
  return RowFunction::Of("FakeQuantizeOperands", 1, [limits, levels](auto& v, Operands o) {
    const auto input_low = v.ConstReg(limits.input_low);
    const auto input_high = v.ConstReg(limits.input_high);
    const auto output_low = v.ConstReg(limits.output_low);
    const auto output_high = v.ConstReg(limits.output_high);
    EmitFakeQuantize(v, o[0], FakeQuantizeLimits<VecGroup>{input_low, input_high, output_low, output_high}, levels);
  });
}
RowFunction WithConstants(const Limits& limits, int32_t levels) {
  return RowFunction::Of("FakeQuantizeConstants", 1,
                         [limits, levels](auto& v, Operands o) { EmitFakeQuantize(v, o[0], limits, levels); });
}

TEST(FakeQuantizeTest, ClampsAndKeepsNan) {
  for (const RowFunction& function : {WithOperands({-1, 1, 0, 10}, 3), WithConstants({-1, 1, 0, 10}, 3)}) {
    ExpectValues(function, {
                               {-kInfinity, 0.0f},
                               {-1.0f, 0.0f},
                               {-0.6f, 0.0f},
                               {-0.4f, 5.0f},
                               {0.0f, 5.0f},
                               {0.5f, 10.0f},
                               {-0.5f, 0.0f},
                               {0.6f, 10.0f},
                               {1.0f, 10.0f},
                               {kInfinity, 10.0f},
                               {kNan, kNan},
                           });
  }
}

TEST(FakeQuantizeTest, TakesExchangedAndEqualLimits) {
  for (const auto with : {&WithOperands, &WithConstants}) {
    // Outside, the lower of the two decides.
    ExpectValues(with({1, -1, 0, 10}, 3), {{-2.0f, 0.0f}, {-1.0f, 0.0f}, {-0.9f, 10.0f}, {0.9f, 0.0f}, {2.0f, 10.0f}});
    ExpectValues(with({1, 1, 0, 10}, 3), {{0.5f, 0.0f}, {1.0f, 0.0f}, {1.5f, 10.0f}, {kNan, kNan}});
    ExpectValues(with({0, 1, 10, 0}, 3), {{-1.0f, 10.0f}, {0.5f, 5.0f}, {2.0f, 0.0f}});
  }
}

TEST(FakeQuantizeTest, DividesWhereTheFactorWouldOverflow) {
  const float tiny = 0x1p-140f;
  ExpectValues(WithConstants({0, tiny, 0, 2}, 3), {{0.0f, 0.0f}, {tiny / 2, 1.0f}, {tiny, 2.0f}, {1.0f, 2.0f}});
}

TEST(FakeQuantizeTest, NumbersLevels) {
  const RowFunction function =
      RowFunction::Of("Level", 1, [](auto& v, Operands o) { EmitFakeQuantizeLevel(v, o[0], -1.0f, 1.0f, 5); });
  ExpectBits(function,
             {
                 {Bits(-7.0f), 0},
                 {Bits(-1.0f), 0},
                 {Bits(-0.3f), 1},
                 {Bits(0.0f), 2},
                 {Bits(0.8f), 4},
                 {Bits(kInfinity), 4},
                 {Bits(kNan), 0},
             },
             LaneKind::kI32);
}

// Returns the exact level of x, not rounded to an integer.
double ExactLevel(double x, const Limits& limits, double steps) {
  const double low = limits.input_low;
  return std::clamp((x - low) / (limits.input_high - low), 0.0, 1.0) * steps;
}

// Runs the function on numbers around the range and compares with the exact formula.
void ExpectNearFormula(const RowFunction& function, const Limits& limits, int32_t levels, uint32_t seed) {
  constexpr size_t kCount = 1 << 16;
  std::mt19937 random(seed);
  const float margin = (limits.input_high - limits.input_low) / 8;
  std::uniform_real_distribution<float> numbers(limits.input_low - margin, limits.input_high + margin);
  std::vector<float> inputs(kCount);
  for (float& input : inputs) input = numbers(random);
  const double steps = levels - 1;
  const double output_step = (static_cast<double>(limits.output_high) - limits.output_low) / steps;
  const double greatest = std::max(std::fabs(limits.output_low), std::fabs(limits.output_high));
  for (const Target& target : TargetsToTest()) {
    ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(function, target));
    std::vector<float> results(kCount);
    kernel.Run(inputs.data(), results.data(), kCount);
    for (size_t i = 0; i < kCount; ++i) {
      const double level = ExactLevel(inputs[i], limits, steps);
      // Two ulp of the level at most.
      const double uncertainty = std::ldexp(level, -22);
      const double below = std::nearbyint(level - uncertainty) * output_step + limits.output_low;
      const double above = std::nearbyint(level + uncertainty) * output_step + limits.output_low;
      const double error = std::min(std::fabs(results[i] - below), std::fabs(results[i] - above));
      ASSERT_LE(error, std::ldexp(greatest, -21))
          << function.name << " of " << inputs[i] << ": " << results[i] << ", level " << level << ", seed " << seed;
    }
  }
}

TEST(FakeQuantizeTest, IsNearTheFormula) {
  const uint32_t seed = std::random_device()();
  for (const int32_t levels : {2, 15, 256, 65536}) {
    for (const Limits& limits : {Limits{-1, 1, -1, 1}, Limits{0, 6, 0, 6}, Limits{-3.7f, 0.2f, 12.5f, -8}}) {
      ExpectNearFormula(WithOperands(limits, levels), limits, levels, seed);
      ExpectNearFormula(WithConstants(limits, levels), limits, levels, seed);
    }
  }
}

}  // namespace
}  // namespace burin::jit
