#include "jit/kernels/pooling/pooling_positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
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
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

constexpr int kVectors = 2;
constexpr int kColumn = 5;
constexpr int64_t kUntouched = -77;

template <class V>
absl::StatusOr<CodeBlob> Generate(const PoolingCodeSpec& spec, const Target& target) {
  Assembler code("positions", target.isa());
  {
    PoolingEmission<V> emission(spec, target, code);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, position));
    code.mov(emission.position.At(), emission.input);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, input));
    emission.frame.Load(emission.output, BURIN_ARG_FIELD(PoolingArgs, output));
    emission.frame.Load(*emission.indices, BURIN_ARG_FIELD(PoolingArgs, indices));
    emission.frame.Load(emission.column, BURIN_ARG_FIELD(PoolingArgs, column));
    {
      PoolingPiece<V> piece;
      piece.vectors = spec.tail_channels > 0 ? 1 : kVectors;
      if (spec.tail_channels > 0) piece.mask = &*emission.tail_mask;
      std::vector<VecReg> results;
      for (int i = 0; i < piece.vectors; ++i) results.push_back(emission.v.New("result"));
      EmitPoolingPositions<V>(emission, piece, results);
      for (int i = 0; i < piece.vectors; ++i) {
        piece.Store(emission.v, ptr[emission.output + i * emission.kVectorBytes], results[static_cast<size_t>(i)]);
      }
    }
    emission.frame.Finish();
  }
  return std::move(code).Finalize();
}

int Lanes(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes; }

struct Found {
  std::vector<float> maxima;
  std::vector<int64_t> positions;
};

// Runs on a window of `planes` x 2 x 2 taps, which follow each other in memory, `kVectors` vectors each.
Found Find(const std::vector<float>& taps, int64_t planes, int tail, ElementType type, const Target& target) {
  PoolingCodeSpec spec;
  spec.index_type = type;
  spec.tail_channels = tail;
  const int lanes = Lanes(target);
  const absl::StatusOr<CodeBlob> blob =
      lanes == VecAvx512::kLanes ? Generate<VecAvx512>(spec, target) : Generate<VecAvx2>(spec, target);
  EXPECT_OK(blob.status());
  const absl::StatusOr<ExecutableCode> loaded = ExecutableCode::Load(*blob);
  EXPECT_OK(loaded.status());
  const auto channels = static_cast<size_t>(kVectors * lanes);
  std::vector<float> maxima(channels, kUntouched);
  std::vector<int64_t> wide(channels, kUntouched);
  std::vector<int32_t> narrow(channels, kUntouched);
  const bool is_wide = type == ElementType::kI64;
  PoolingArgs args = {};
  args.input = reinterpret_cast<const uint8_t*>(taps.data());
  args.output = reinterpret_cast<uint8_t*>(maxima.data());
  args.indices = is_wide ? reinterpret_cast<uint8_t*>(wide.data()) : reinterpret_cast<uint8_t*>(narrow.data());
  args.column = kColumn;
  args.taps0 = planes;
  args.taps1 = 2;
  args.taps2 = 2;
  args.tap_step2 = static_cast<int64_t>(channels * sizeof(float));
  args.tap_step1 = 2 * args.tap_step2;
  args.tap_step0 = 4 * args.tap_step2;
  args.position = 7;
  args.position_step0 = 100;
  args.position_step1 = 30;
  args.position_step2 = 2;
  args.position_base = 10000;
  args.position_channel_step = 1000;
  loaded->entry<void (*)(const PoolingArgs*)>()(&args);
  return {maxima, is_wide ? wide : std::vector<int64_t>(narrow.begin(), narrow.end())};
}

TEST(PoolingPositionsTest, TheFirstMaximumIsFound) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto channels = static_cast<size_t>(kVectors * Lanes(target));
  // Channel c has its maximum at tap c % 8, and again at the last.
  std::vector<float> taps(8 * channels, -1);
  for (size_t c = 0; c < channels; ++c) taps[c % 8 * channels + c] = taps[7 * channels + c] = static_cast<float>(c);
  for (const ElementType type : {ElementType::kI32, ElementType::kI64}) {
    for (const int tail : {0, 3}) {
      const Found found = Find(taps, 2, tail, type, target);
      for (size_t c = 0; c < channels; ++c) {
        const auto tap = static_cast<int64_t>(c % 8);
        const int64_t position = 7 + tap / 4 * 100 + tap / 2 % 2 * 30 + tap % 2 * 2;
        const bool is_there = tail == 0 || c < static_cast<size_t>(tail);
        EXPECT_EQ(found.maxima[c], is_there ? static_cast<float>(c) : kUntouched) << c;
        EXPECT_EQ(found.positions[c],
                  is_there ? position + 10000 + (kColumn + static_cast<int64_t>(c)) * 1000 : kUntouched)
            << c;
      }
    }
  }
}

TEST(PoolingPositionsTest, TheFirstNanIsTheMaximum) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto channels = static_cast<size_t>(kVectors * Lanes(target));
  std::vector<float> taps(4 * channels, 1);
  taps[1 * channels] = taps[2 * channels] = std::numeric_limits<float>::quiet_NaN();
  const Found found = Find(taps, 1, 0, ElementType::kI64, target);
  EXPECT_TRUE(std::isnan(found.maxima[0]));
  EXPECT_EQ(found.positions[0], 7 + 2 + 10000 + kColumn * 1000);
  EXPECT_EQ(found.maxima[1], 1);
  EXPECT_EQ(found.positions[1], 7 + 10000 + (kColumn + 1) * 1000);
}

TEST(PoolingPositionsTest, WindowsWithoutTapsHavePositionZero) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<float> taps(static_cast<size_t>(8 * kVectors * Lanes(target)), 1);
  const Found found = Find(taps, 0, 0, ElementType::kI64, target);
  for (const float maximum : found.maxima) EXPECT_EQ(maximum, -std::numeric_limits<float>::infinity());
  for (const int64_t position : found.positions) EXPECT_EQ(position, 0);
}

}  // namespace
}  // namespace burin::jit
