#include "jit/emitters/convert/round_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/statusor.h"
#include "base/float_conversion.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/vec_group.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Returns floats of every exponent with mantissas around the ends, the middles and the ties of narrower types.
std::vector<uint32_t> Floats() {
  std::vector<uint32_t> floats;
  for (uint32_t exponent = 0; exponent < 512; ++exponent) {
    for (const uint32_t mantissa :
         {0x000000u, 0x000001u, 0x000FFFu, 0x001000u, 0x001001u, 0x003000u, 0x007FFFu, 0x008000u, 0x008001u, 0x018000u,
          0x2AAAAAu, 0x7F8000u, 0x7FEFFFu, 0x7FF000u, 0x7FF800u, 0x7FFFFFu}) {
      floats.push_back(exponent << 23 | mantissa);
    }
  }
  return floats;
}

template <class Emit, class Encode, class Decode>
void ExpectRounds(const Emit& emit, const Encode& encode, const Decode& decode) {
  const std::vector<uint32_t> in = Floats();
  for (const int vectors : {1, 4}) {
    ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> out, MapLanes(in, vectors, emit));
    ASSERT_EQ(out.size(), in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const auto x = static_cast<double>(absl::bit_cast<float>(in[i]));
      const auto got = static_cast<double>(absl::bit_cast<float>(out[i]));
      const double expected = decode(encode(x));
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(got)) << std::hex << in[i];
      } else {
        ASSERT_EQ(got, expected) << std::hex << in[i];
        ASSERT_EQ(std::signbit(got), std::signbit(expected)) << std::hex << in[i];
      }
    }
  }
}

TEST(RoundFloatTest, RoundsToHalves) {
  ExpectRounds([](auto& v, const VecGroup& x) { EmitRoundToF16(v, x); }, [](double x) { return EncodeF16(x); },
               [](uint16_t code) { return DecodeF16(code); });
}

TEST(RoundFloatTest, RoundsToBFloat16) {
  ExpectRounds([](auto& v, const VecGroup& x) { EmitRoundToBF16(v, x); }, [](double x) { return EncodeBF16(x); },
               [](uint16_t code) { return DecodeBF16(code); });
}

}  // namespace
}  // namespace burin::jit
