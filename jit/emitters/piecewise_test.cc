#include "jit/emitters/piecewise.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kWidth = 0.5f;

// Piece k is k + 2 x + 4 k x^2, in the variable x = t - k / 2.
template <class V, bool linear_term_last>
void EmitPieces(V& v, const Xmm& t) {
  std::vector<float> coefficients;
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(static_cast<float>(k));
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(2.0f);
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(4.0f * static_cast<float>(k));
  const VecReg result = v.New("result");
  EmitPiecewise(v, result, t, {kWidth, coefficients, linear_term_last});
  v.Copy(t, result);
}

std::vector<std::pair<float, float>> Expected() {
  std::vector<std::pair<float, float>> values;
  for (int k = 0; k < VecAvx2::kLanes; ++k) {
    const float piece = static_cast<float>(k);
    for (const float x : {-0.1875f, 0.0f, 0.125f, 0.21875f}) {
      if (k == 0 && x < 0) continue;
      values.emplace_back(piece * kWidth + x, piece + 2 * x + 4 * piece * x * x);
    }
  }
  return values;
}

TEST(PiecewiseTest, TakesThePolynomialOfTheNearestPiece) {
  ExpectValues({"pieces", &EmitPieces<VecAvx2, false>, &EmitPieces<VecAvx512, false>}, Expected());
}

TEST(PiecewiseTest, AddsTheLinearTermLast) {
  ExpectValues({"pieces", &EmitPieces<VecAvx2, true>, &EmitPieces<VecAvx512, true>}, Expected());
}

}  // namespace
}  // namespace burin::jit
