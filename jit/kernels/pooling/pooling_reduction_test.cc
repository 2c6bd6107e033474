#include "jit/kernels/pooling/pooling_reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_code_spec.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

constexpr float kUntouched = -77;

// Emits one form, then stores of the results side by side; the quick form that met a NaN stores nothing.
template <class V>
absl::StatusOr<CodeBlob> Generate(const PoolingCodeSpec& spec, const Target& target, const PoolingPiece<V>& piece,
                                  bool careful) {
  Assembler code("reduction", target.isa());
  {
    PoolingEmission<V> emission(spec, target, code);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, input));
    emission.frame.Load(emission.output, BURIN_ARG_FIELD(PoolingArgs, output));
    {
      std::vector<VecReg> results;
      for (size_t i = 0; i < piece.Results(); ++i) results.push_back(emission.v.New("result"));
      if (careful) {
        EmitCarefulPoolingReduction(emission, piece, results);
      } else {
        EmitPoolingReduction(emission, piece, results, emission.frame.exit());
      }
      for (size_t i = 0; i < results.size(); ++i) {
        emission.v.Store(ptr[emission.output + static_cast<int>(i) * emission.kVectorBytes], results[i]);
      }
    }
    emission.frame.Finish();
  }
  return std::move(code).Finalize();
}

// Describes a piece, with vectors as the unit of distances; what the vectors lie in has `columns` of them in a row.
struct Case {
  PoolingKind kind = PoolingKind::kMax;
  int p = 2;
  int windows = 1;
  int vectors = 1;
  int strip_taps = 0;
  int strip_window_step = 1;
  int begin = 0;
  int end = 1000;
  int64_t taps0 = 2;
  int64_t taps1 = 2;
  int64_t taps2 = 3;
  int columns = 8;
};

template <class V>
std::vector<float> ReduceWith(const Case& c, const Target& target, const std::vector<float>& input, bool careful) {
  constexpr int kBytes = V::kBits / 8;
  PoolingCodeSpec spec;
  spec.kind = c.kind;
  spec.p = c.p;
  spec.strip_windows = c.strip_taps > 0 ? c.windows : 0;
  spec.strip_taps = c.strip_taps;
  spec.strip_tap_step = kBytes;
  spec.strip_window_step = c.strip_window_step * kBytes;
  PoolingPiece<V> piece;
  piece.windows = c.windows;
  piece.vectors = c.vectors;
  piece.is_strip = c.strip_taps > 0;
  piece.begin = c.begin * kBytes;
  piece.end = c.end * kBytes;
  const absl::StatusOr<CodeBlob> blob = Generate<V>(spec, target, piece, careful);
  EXPECT_OK(blob.status());
  const absl::StatusOr<ExecutableCode> loaded = ExecutableCode::Load(*blob);
  EXPECT_OK(loaded.status());
  std::vector<float> output(piece.Results() * V::kLanes, kUntouched);
  PoolingArgs args = {};
  args.input = reinterpret_cast<const uint8_t*>(input.data());
  args.output = reinterpret_cast<uint8_t*>(output.data());
  args.taps0 = c.taps0;
  args.taps1 = c.taps1;
  args.taps2 = c.taps2;
  args.tap_step2 = kBytes;
  args.tap_step1 = c.columns * kBytes;
  args.tap_step0 = 4 * args.tap_step1;
  loaded->entry<void (*)(const PoolingArgs*)>()(&args);
  return output;
}

int Lanes(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes; }

std::vector<float> Reduce(const Case& c, const Target& target, const std::vector<float>& input, bool careful) {
  return Lanes(target) == VecAvx512::kLanes ? ReduceWith<VecAvx512>(c, target, input, careful)
                                            : ReduceWith<VecAvx2>(c, target, input, careful);
}

// Small integers, of which every sum is exact.
std::vector<float> Input(const Case& c, int lanes) {
  std::vector<float> input(static_cast<size_t>(12 * c.columns * lanes));
  for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * 37 % 41) - 20;
  return input;
}

std::vector<float> Expected(const Case& c, const std::vector<float>& input, int lanes) {
  std::vector<float> expected;
  const bool is_max = c.kind == PoolingKind::kMax;
  for (int w = 0; w < c.windows; ++w) {
    for (int i = 0; i < c.vectors * lanes; ++i) {
      float result = is_max ? -std::numeric_limits<float>::infinity() : 0;
      for (int64_t tap = 0; tap < c.taps0 * c.taps1 * c.taps2; ++tap) {
        const int64_t column = w * c.strip_window_step + tap % c.taps2;
        if (column < c.begin || column >= c.end) continue;
        const int64_t row = tap / c.taps2 % c.taps1 + 4 * (tap / c.taps2 / c.taps1);
        const float x = input[static_cast<size_t>((row * c.columns + column) * lanes + i)];
        const float power = c.p == 2 ? x * x : std::abs(x);
        result = is_max ? std::max(result, x) : result + (c.kind == PoolingKind::kLp ? power : x);
      }
      expected.push_back(result);
    }
  }
  return expected;
}

void Check(Case c, const Target& target) {
  for (const PoolingKind kind : {PoolingKind::kMax, PoolingKind::kAverage, PoolingKind::kLp}) {
    for (const int p : {1, 2}) {
      c.kind = kind;
      c.p = p;
      const std::vector<float> input = Input(c, Lanes(target));
      for (const bool careful : {false, true}) {
        EXPECT_EQ(Reduce(c, target, input, careful), Expected(c, input, Lanes(target)))
            << static_cast<int>(kind) << ", p " << p << ", careful " << careful;
      }
    }
  }
}

TEST(PoolingReductionTest, SinglesReduceAllTaps) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  Case c;
  for (const int vectors : {1, 2, 3}) {
    c.vectors = vectors;
    Check(c, target);
  }
  c.taps0 = 0;
  Check(c, target);
}

TEST(PoolingReductionTest, StripsReduceTheColumnsOfEachWindow) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  Case c;
  c.windows = 3;
  c.strip_taps = 3;
  Check(c, target);
  c.strip_window_step = 2;
  Check(c, target);
}

TEST(PoolingReductionTest, StripsLeaveOutThePadding) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  Case c;
  c.windows = 4;
  c.strip_taps = 3;
  c.begin = 1;
  c.end = 4;
  Check(c, target);
  // The first window and the last have no tap at all.
  c.windows = 3;
  c.strip_taps = 1;
  c.taps2 = 1;
  c.end = 2;
  Check(c, target);
}

TEST(PoolingReductionTest, OnlyTheCarefulFormTakesNans) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto lanes = static_cast<size_t>(Lanes(target));
  Case single;
  Case strip;
  strip.windows = 2;
  strip.strip_taps = 3;
  for (const Case& c : {single, strip}) {
    std::vector<float> input = Input(c, Lanes(target));
    // Of the second tap of the second row, channel 1.
    input[(static_cast<size_t>(c.columns) + 1) * lanes + 1] = std::numeric_limits<float>::quiet_NaN();
    for (const float result : Reduce(c, target, input, false)) EXPECT_EQ(result, kUntouched);
    const std::vector<float> results = Reduce(c, target, input, true);
    for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(std::isnan(results[i]), i % lanes == 1) << i;
  }
}

}  // namespace
}  // namespace burin::jit
