#include "jit/emitters/activation/elu.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

TEST(EluTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Elu", 1, [](auto& v, Operands o) { EmitElu(v, o[0], 0.5f); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {2.5f, 2.5f},
                   {kInfinity, kInfinity},
                   {-kInfinity, -0.5f},
                   {-3e38f, -0.5f},
                   {-20.0f, -0.5f},
                   {-2 * kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(EluTest, OfAlphaOneKeepsDenormals) {
  ExpectValues(RowFunction::Of("Elu", 1, [](auto& v, Operands o) { EmitElu(v, o[0], 1.0f); }),
               {{-kDenormal, -kDenormal}, {-1e-30f, -1e-30f}, {-1e-10f, -1e-10f}, {kDenormal, kDenormal}});
}

TEST(EluTest, SeluScalesBothBranches) {
  ExpectValues(RowFunction::Of("Selu", 1, [](auto& v, Operands o) { EmitSelu(v, o[0], 0.5f, 4.0f); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {2.5f, 10.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, -2.0f},
                   {-kDenormal, -2 * kDenormal},
                   {kNan, kNan},
               });
}

TEST(EluTest, CeluIsTheIdentityNearZero) {
  ExpectValues(RowFunction::Of("Celu", 1, [](auto& v, Operands o) { EmitCelu(v, o[0], 1e6f); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {-kDenormal, -kDenormal},
                   {-1e-38f, -1e-38f},
                   {-1e-3f, -1e-3f},
                   {7.0f, 7.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, -1e6f},
                   {kNan, kNan},
               });
}

TEST(EluTest, CeluTakesScalesWithoutReciprocal) {
  ExpectValues(RowFunction::Of("Celu", 1, [](auto& v, Operands o) { EmitCelu(v, o[0], 1e-40f); }),
               {{-1.0f, -1e-40f}, {-kDenormal, -kDenormal}, {1.0f, 1.0f}, {kNan, kNan}});
  ExpectValues(RowFunction::Of("Celu", 1, [](auto& v, Operands o) { EmitCelu(v, o[0], 3e38f); }),
               {{-1.0f, -1.0f}, {-1e-40f, -1e-40f}, {-kInfinity, -3e38f}});
}

}  // namespace
}  // namespace burin::jit
