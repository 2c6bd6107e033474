#include "jit/emitters/arithmetic/sign.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(SignTest, KeepsZerosAndNan) {
  ExpectValues(RowFunction::Of("Sign", 1, [](auto& v, Operands o) { EmitSign(v, o[0]); }), {{3.0f, 1.0f},
                                                                                            {-3.0f, -1.0f},
                                                                                            {0.0f, 0.0f},
                                                                                            {-0.0f, -0.0f},
                                                                                            {kNan, kNan},
                                                                                            {kDenormal, 1.0f},
                                                                                            {-kDenormal, -1.0f},
                                                                                            {-kInfinity, -1.0f}});
}

TEST(SignTest, TakesIntegers) {
  ExpectBits(RowFunction::Of("SignI32", 1, [](auto& v, Operands o) { EmitSignI32(v, o[0]); }),
             {{I(7), I(1)}, {I(0), I(0)}, {I(-7), I(-1)}, {I(kMin), I(-1)}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
