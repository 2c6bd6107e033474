#include "jit/emitters/elementary/exp_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class V>
void EmitRemainder(V& v, const VecGroup& x) {
  const VecRegs n = v.New("n", x.size());
  EmitReduceExponent(v, x, n);
}

template <class V>
void EmitPower(V& v, const VecGroup& x) {
  const VecRegs n = v.New("n", x.size());
  EmitReduceExponent(v, x, n);
  v.Copy(x, n);
}

template <class V>
void EmitRemainderOfProduct(V& v, const VecGroup& x) {
  const VecRegs n = v.New("n", x.size());
  const VecRegs r = v.New("r", x.size());
  EmitReduceExponent(v, r, n, x, 1.702f);
  v.Copy(x, r);
}

TEST(ExpPartsTest, RemainderIsExactToAnUlpOfLogTwo) {
  for (const bool is_product : {false, true}) {
    const RowFunction function = RowFunction::Of("Remainder", 1, [is_product](auto& v, Operands o) {
      is_product ? EmitRemainderOfProduct(v, o[0]) : EmitRemainder(v, o[0]);
    });
    for (const Target& target : TargetsToTest()) {
      ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(function, target));
      std::vector<float> inputs;
      for (int i = -4000; i <= 4000; ++i) inputs.push_back(0.0253f * static_cast<float>(i));
      std::vector<float> results(inputs.size());
      kernel.Run(inputs.data(), results.data(), static_cast<int64_t>(inputs.size()));
      for (size_t i = 0; i < inputs.size(); ++i) {
        const long double product = (is_product ? 1.702f : 1.0L) * inputs[i];
        EXPECT_LE(std::abs(results[i]), 0.3467f) << inputs[i];
        // What remains is a whole number of log 2.
        const long double n = (product - results[i]) / std::log(2.0L);
        EXPECT_LE(std::abs(n - std::round(n)), 6e-8) << inputs[i];
      }
    }
  }
}

TEST(ExpPartsTest, PowerIsTheNearestInteger) {
  ExpectValues(RowFunction::Of("Power", 1, [](auto& v, Operands o) { EmitPower(v, o[0]); }),
               {{0.0f, 0.0f}, {0.69f, 1.0f}, {0.34f, 0.0f}, {0.35f, 1.0f}, {-70.0f, -101.0f}, {kNan, kNan}});
}

TEST(ExpPartsTest, ExpOfRemainderIsNearOne) {
  ExpectValues(RowFunction::Of("ExpOfRemainder", 1,
                               [](auto& v, Operands o) {
                                 const VecRegs r = v.New("r", o[0].size());
                                 v.Copy(r, o[0]);
                                 EmitExpOfRemainder(v, o[0], r);
                               }),
               {{0.0f, 1.0f}, {-0.0f, 1.0f}, {0.25f, 1.28402543f}, {-0.25f, 0.778800786f}, {kNan, kNan}});
}

TEST(ExpPartsTest, ScaleRoundsOnceAmongDenormals) {
  ExpectBits(RowFunction::Of("Scale", 2, [](auto& v, Operands o) { EmitScaleByPowerOfTwo(v, o[0], o[0], o[1]); }),
             {
                 {Bits(1.5f), Bits(0.0f), Bits(1.5f)},
                 {Bits(1.0f), Bits(127.0f), Bits(0x1p+127f)},
                 {Bits(1.0f), Bits(128.0f), Bits(kInfinity)},
                 {Bits(1.0f), Bits(-149.0f), Bits(0x1p-149f)},
                 {Bits(1.25f), Bits(-149.0f), Bits(0x1p-149f)},
                 {Bits(1.0f), Bits(-150.0f), Bits(0.0f)},
                 {Bits(1.25f), Bits(-150.0f), Bits(0x1p-149f)},
                 {Bits(-1.25f), Bits(-200.0f), Bits(-0.0f)},
                 {Bits(kNan), Bits(kNan), Bits(kNan)},
             });
}

}  // namespace
}  // namespace burin::jit
