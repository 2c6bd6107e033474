#include "jit/emitters/quantise/quantise_catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

struct Limits {
  float input_low;
  float input_high;
  float output_low;
  float output_high;
};

// Computes the formula of jit/emitters/quantise/fake_quantize.h, rounding after each operation.
float FakeQuantize(float x, const Limits& limits, float steps) {
  if (x <= std::min(limits.input_low, limits.input_high)) return limits.output_low;
  if (x > std::max(limits.input_low, limits.input_high)) return limits.output_high;
  const float step = std::nearbyint((x - limits.input_low) / (limits.input_high - limits.input_low) * steps);
  return step / steps * (limits.output_high - limits.output_low) + limits.output_low;
}

// Returns the level of x as a product by a constant has it.
float Level(float x, const Limits& limits, double steps) {
  const auto scale = static_cast<float>(steps / (static_cast<double>(limits.input_high) - limits.input_low));
  const float clamped = x < limits.input_low ? limits.input_low : x > limits.input_high ? limits.input_high : x;
  return std::nearbyint((clamped - limits.input_low) * scale);
}

// Computes the same by constants, as the function without divisions does.
float FakeQuantizeByProducts(float x, const Limits& limits, double steps) {
  const auto step = static_cast<float>((static_cast<double>(limits.output_high) - limits.output_low) / steps);
  return std::fma(Level(x, limits, steps), step, limits.output_low);
}

RowReference FakeQuantizeReference() {
  RowReference reference;
  reference.bits = [](absl::Span<const uint32_t> in) {
    const Limits limits = {absl::bit_cast<float>(in[1]), absl::bit_cast<float>(in[2]), absl::bit_cast<float>(in[3]),
                           absl::bit_cast<float>(in[4])};
    return Bits(FakeQuantize(absl::bit_cast<float>(in[0]), limits, 255));
  };
  reference.domain = [](absl::Span<const float> in) { return !std::isnan(in[1]) && !std::isnan(in[2]); };
  return reference;
}

// Returns the reference of Quantize for one range. A range is in long integers, so that nothing wraps.
RowReference QuantizeReference(int64_t low, int64_t high) {
  RowReference reference;
  reference.bits = [low, high](absl::Span<const uint32_t> in) {
    const float quotient = std::nearbyint(absl::bit_cast<float>(in[0]) / absl::bit_cast<float>(in[1]));
    if (std::isnan(quotient)) return static_cast<uint32_t>(low);
    const auto integer = static_cast<int64_t>(std::clamp(quotient, -1e9f, 1e9f));
    return static_cast<uint32_t>(std::clamp(integer + absl::bit_cast<int32_t>(in[2]), low, high));
  };
  reference.domain = [low, high](absl::Span<const float> in) {
    const int64_t zero_point = absl::bit_cast<int32_t>(in[2]);
    return zero_point >= low && zero_point <= high;
  };
  return reference;
}

std::vector<RowCase> Cases() {
  RowReference dequantize;
  dequantize.bits = [](absl::Span<const uint32_t> in) {
    return Bits(static_cast<float>(absl::bit_cast<int32_t>(in[0] - in[2])) * absl::bit_cast<float>(in[1]));
  };
  RowReference level;
  level.bits = [](absl::Span<const uint32_t> in) {
    const float x = absl::bit_cast<float>(in[0]);
    return std::isnan(x) ? 0 : static_cast<uint32_t>(Level(x, {-1.5f, 1.5f, 0, 0}, 254));
  };
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"Dequantize", dequantize},
      {"FakeQuantize(17,2,-3,1,5)", FloatReference(+[](float x) {
         return FakeQuantize(x, {2, -3, 1, 5}, 16);
       })},
      {"FakeQuantize(256)", FakeQuantizeReference()},
      {"FakeQuantize(256,-1,1,-1,1)", FloatReference(+[](float x) {
         return FakeQuantizeByProducts(x, {-1, 1, -1, 1}, 255);
       })},
      {"FakeQuantize(256,0,2.55,0,2.55)", FloatReference(+[](float x) {
         return FakeQuantizeByProducts(x, {0, 2.55f, 0, 2.55f}, 255);
       })},
      {"FakeQuantizeLevel(255,-1.5,1.5)", level},
      {"Quantize(-128,127)", QuantizeReference(-128, 127)},
      {"Quantize(0,255)", QuantizeReference(0, 255)},
  };
  return JoinReferences(QuantiseCatalogue(), references);
}

class QuantiseCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(QuantiseCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(QuantiseCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, QuantiseCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
