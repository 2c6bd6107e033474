#include "jit/emitters/arithmetic/arithmetic_catalogue.h"

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

// Returns a reference of two unsigned integers.
RowReference U32Reference(uint32_t (*function)(uint32_t x, uint32_t y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) { return function(inputs[0], inputs[1]); };
  return reference;
}

// Returns a reference of two signed integers, which keeps the low 32 bits of the function.
RowReference WrappingReference(int64_t (*function)(int64_t x, int64_t y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return static_cast<uint32_t>(function(absl::bit_cast<int32_t>(inputs[0]), absl::bit_cast<int32_t>(inputs[1])));
  };
  return reference;
}

float FloorMod(float x, float y) {
  const float remainder = std::fmod(x, y);
  return remainder != 0 && std::signbit(remainder) != std::signbit(y) ? remainder + y : remainder;
}

float Sign(float x) {
  if (x > 0) return 1;
  return x < 0 ? -1 : x;
}

// Of two zeros the second is wanted, which is as good as the first.
float Minimum(float x, float y) {
  if (std::isnan(x)) return x;
  return x < y ? x : y;
}

float Maximum(float x, float y) {
  if (std::isnan(x)) return x;
  return x > y ? x : y;
}

int64_t FloorDivide(int64_t x, int64_t y) {
  if (y == 0) return 0;
  const int64_t quotient = x / y;
  return quotient * y != x && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

// Takes the exponent from its highest bit on; the emitter starts with the lowest.
int64_t Power(int64_t x, int64_t y) {
  if (y < 0) {
    if (x == 1) return 1;
    if (x == -1) return y % 2 == 0 ? 1 : -1;
    return 0;
  }
  uint32_t result = 1;
  for (int bit = 31; bit >= 0; --bit) {
    result *= result;
    if ((y >> bit) % 2 != 0) result *= static_cast<uint32_t>(x);
  }
  return result;
}

std::vector<std::pair<std::string, RowReference>> FloatReferences() {
  RowReference multiply_add;
  multiply_add.bits = [](absl::Span<const uint32_t> inputs) {
    return Bits(
        std::fma(absl::bit_cast<float>(inputs[0]), absl::bit_cast<float>(inputs[1]), absl::bit_cast<float>(inputs[2])));
  };
  return {
      {"Abs", FloatReference(+[](float x) { return std::fabs(x); })},
      {"Add", FloatReference(+[](float x, float y) { return x + y; })},
      {"Clamp(-1,6)", FloatReference(+[](float x) { return x < -1  ? -1
                                                           : x > 6 ? 6
                                                                   : x; })},
      {"Divide", FloatReference(+[](float x, float y) { return x / y; })},
      {"FloorMod", FloatReference(&FloorMod)},
      {"Maximum", FloatReference(&Maximum)},
      {"Minimum", FloatReference(&Minimum)},
      {"Mod", FloatReference(+[](float x, float y) { return std::fmod(x, y); })},
      {"Multiply", FloatReference(+[](float x, float y) { return x * y; })},
      {"MultiplyAdd", multiply_add},
      {"Negative", FloatReference(+[](float x) { return -x; })},
      {"Reciprocal", FloatReference(+[](float x) { return 1 / x; })},
      {"Sign", FloatReference(&Sign)},
      {"Sqrt", FloatReference(+[](float x) { return std::sqrt(x); })},
      {"SquaredDifference", FloatReference(+[](float x, float y) { return (x - y) * (x - y); })},
      {"Subtract", FloatReference(+[](float x, float y) { return x - y; })},
  };
}

std::vector<std::pair<std::string, RowReference>> IntegerReferences() {
  return {
      {"AbsI32", I32Reference(+[](int32_t x) { return x == INT32_MIN ? x : std::abs(x); })},
      {"AddI32", WrappingReference(+[](int64_t x, int64_t y) { return x + y; })},
      {"ClampI32(-100,1000)", I32Reference(+[](int32_t x) { return std::clamp(x, -100, 1000); })},
      {"DivideI32", WrappingReference(+[](int64_t x, int64_t y) { return y == 0 ? 0 : x / y; })},
      {"DivideU32", U32Reference(+[](uint32_t x, uint32_t y) { return y == 0 ? 0 : x / y; })},
      {"FloorDivideI32", WrappingReference(&FloorDivide)},
      {"FloorModI32", WrappingReference(+[](int64_t x, int64_t y) { return y == 0 ? 0 : x - FloorDivide(x, y) * y; })},
      {"MaximumI32", I32Reference(+[](int32_t x, int32_t y) { return std::max(x, y); })},
      {"MaximumU32", U32Reference(+[](uint32_t x, uint32_t y) { return std::max(x, y); })},
      {"MinimumI32", I32Reference(+[](int32_t x, int32_t y) { return std::min(x, y); })},
      {"MinimumU32", U32Reference(+[](uint32_t x, uint32_t y) { return std::min(x, y); })},
      {"ModI32", WrappingReference(+[](int64_t x, int64_t y) { return y == 0 ? 0 : x % y; })},
      {"ModU32", U32Reference(+[](uint32_t x, uint32_t y) { return y == 0 ? 0 : x % y; })},
      {"MultiplyI32", WrappingReference(+[](int64_t x, int64_t y) { return x * y; })},
      {"NegativeI32", I32Reference(+[](int32_t x) { return x == INT32_MIN ? x : -x; })},
      {"PowerI32", WrappingReference(&Power)},
      {"PowerU32", U32Reference(+[](uint32_t x, uint32_t y) { return static_cast<uint32_t>(Power(x, y)); })},
      {"SignI32", I32Reference(+[](int32_t x) { return (x > 0) - (x < 0); })},
      {"SquaredDifferenceI32", U32Reference(+[](uint32_t x, uint32_t y) { return (x - y) * (x - y); })},
      {"SubtractI32", WrappingReference(+[](int64_t x, int64_t y) { return x - y; })},
  };
}

std::vector<RowCase> Cases() {
  std::vector<std::pair<std::string, RowReference>> references = FloatReferences();
  for (auto& reference : IntegerReferences()) references.push_back(std::move(reference));
  return JoinReferences(ArithmeticCatalogue(), references);
}

class ArithmeticCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ArithmeticCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(ArithmeticCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ArithmeticCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
