#include "jit/emitters/elementary/piecewise.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr float kWidth = 0.5f;
// That there are at every width.
constexpr int kPieces = 8;

// Piece k is k + 2 x + 4 k x^2, in the variable x = t - k / 2.
template <class V>
void EmitPieces(V& v, const VecGroup& t, bool linear_term_last) {
  std::vector<float> coefficients;
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(static_cast<float>(k));
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(2.0f);
  for (int k = 0; k < V::kLanes; ++k) coefficients.push_back(4.0f * static_cast<float>(k));
  const VecRegs result = v.New("result", t.size());
  EmitPiecewise(v, result, t, {kWidth, coefficients, linear_term_last});
  v.Copy(t, result);
}

std::vector<std::pair<float, float>> Expected() {
  std::vector<std::pair<float, float>> values;
  for (int k = 0; k < kPieces; ++k) {
    const float piece = static_cast<float>(k);
    for (const float x : {-0.1875f, 0.0f, 0.125f, 0.21875f}) {
      if (k == 0 && x < 0) continue;
      values.emplace_back(piece * kWidth + x, piece + 2 * x + 4 * piece * x * x);
    }
  }
  return values;
}

TEST(PiecewiseTest, TakesThePolynomialOfTheNearestPiece) {
  ExpectValues(RowFunction::Of("pieces", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitPieces(v, o[0], false); }),
               Expected());
}

TEST(PiecewiseTest, AddsTheLinearTermLast) {
  ExpectValues(RowFunction::Of("pieces", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitPieces(v, o[0], true); }),
               Expected());
}

}  // namespace
}  // namespace burin::jit
