#include "jit/emitters/convert/bfloat16.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/statusor.h"
#include "base/float_conversion.h"
#include "base/status_macros.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/vec_group.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Returns the 16-bit codes of floats, which fill whole groups of `vectors` vectors.
absl::StatusOr<std::vector<uint16_t>> Codes(const std::vector<uint32_t>& in, int vectors) {
  const auto emit = [](auto& v, const VecGroup& x) {
    EmitConvertF32ToBF16(v, x);
    // To 32-bit lanes again.
    for (int i = 0; i < x.size(); ++i) v.code().vpmovzxwd(x[i], internal::HalfOf(x[i]));
  };
  BURIN_ASSIGN_OR_RETURN(const std::vector<uint32_t> lanes, MapLanes(in, vectors, emit));
  return std::vector<uint16_t>(lanes.begin(), lanes.end());
}

TEST(BFloat16Test, RoundsToNearestEvenAndKeepsDenormals) {
  const std::vector<std::pair<uint32_t, uint16_t>> cases = {
      {0x3F800000, 0x3F80},  // 1
      {0x3F808000, 0x3F80},  // The middle: to even.
      {0x3F818000, 0x3F82}, {0x3F808001, 0x3F81},
      {0x3F80FFFF, 0x3F81}, {0x7F7F8000, 0x7F80},  // Beyond the largest number: infinity.
      {0xFF7FFFFF, 0xFF80}, {0x7F800000, 0x7F80},
      {0xFF800000, 0xFF80}, {0x00000000, 0x0000},  // Zeros.
      {0x80000000, 0x8000}, {0x7FC00000, 0x7FC0},
      {0xFF800001, 0xFFC0},                        // A signalling NaN whose payload is lost is quiet, not infinity.
      {0x7FAB1234, 0x7FEB}, {0x00010000, 0x0001},  // Denormals.
      {0x00018000, 0x0002}, {0x80008001, 0x8001},
      {0x00008000, 0x0000}, {0x007FFFFF, 0x0080},
  };
  std::vector<uint32_t> in;
  for (const auto& [bits, code] : cases) in.push_back(bits);
  ASSERT_OK_AND_ASSIGN(const std::vector<uint16_t> out, Codes(in, 1));
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(out[i], cases[i].second) << in[i];
    EXPECT_EQ(out[i], EncodeBF16(static_cast<double>(absl::bit_cast<float>(in[i])))) << in[i];
  }
}

TEST(BFloat16Test, OneDenormalAnywhereInTheGroupIsRight) {
  constexpr size_t kVectors = 4;
  constexpr size_t kLanes = 16;
  std::vector<uint32_t> in(kVectors * kLanes);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i) * 2654435761u | 0x01000000;
  for (size_t denormal = 0; denormal < in.size(); ++denormal) {
    std::vector<uint32_t> changed = in;
    changed[denormal] = 0x80012345;
    ASSERT_OK_AND_ASSIGN(const std::vector<uint16_t> out, Codes(changed, kVectors));
    for (size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(out[i], EncodeBF16(static_cast<double>(absl::bit_cast<float>(changed[i])))) << i << " " << denormal;
    }
  }
}

}  // namespace
}  // namespace burin::jit
