#include "jit/kernels/pooling/pooling_results.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
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
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_code_spec.h"
#include "jit/kernels/pooling/pooling_emission.h"
#include "jit/kernels/pooling/pooling_piece.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

constexpr int kWindows = 2;
constexpr int kVectors = 2;
constexpr int kTail = 3;
constexpr float kUntouched = -77;

// Takes the results from `input`, where they lie one after the other.
template <class V>
absl::StatusOr<CodeBlob> Generate(const PoolingCodeSpec& spec, const Target& target, const EpilogueEmitter* epilogue) {
  Assembler code("results", target.isa());
  {
    PoolingEmission<V> emission(spec, target, code);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, scales));
    code.mov(emission.window_scales.At(), emission.input);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, row));
    code.mov(emission.row.At(), emission.input);
    emission.frame.Load(emission.input, BURIN_ARG_FIELD(PoolingArgs, input));
    emission.frame.Load(emission.output, BURIN_ARG_FIELD(PoolingArgs, output));
    emission.frame.Load(emission.column, BURIN_ARG_FIELD(PoolingArgs, column));
    {
      PoolingPiece<V> piece;
      piece.windows = kWindows;
      piece.vectors = spec.tail_channels > 0 ? 1 : kVectors;
      if (spec.tail_channels > 0) piece.mask = &*emission.tail_mask;
      std::vector<VecReg> results;
      for (size_t i = 0; i < piece.Results(); ++i) {
        results.push_back(emission.v.New("result"));
        emission.v.Load(results.back(), ptr[emission.input + static_cast<int>(i) * emission.kVectorBytes]);
      }
      EmitPoolingResults<V>(emission, epilogue, piece, results);
    }
    emission.frame.Finish();
  }
  return std::move(code).Finalize();
}

int Lanes(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes; }

void Call(PoolingCodeSpec spec, const Target& target, const EpilogueEmitter* epilogue, const PoolingArgs& args) {
  const int lanes = Lanes(target);
  spec.strip_output_step = static_cast<int32_t>(kVectors * lanes * sizeof(float));
  const absl::StatusOr<CodeBlob> blob = lanes == VecAvx512::kLanes ? Generate<VecAvx512>(spec, target, epilogue)
                                                                   : Generate<VecAvx2>(spec, target, epilogue);
  ASSERT_OK(blob.status());
  const absl::StatusOr<ExecutableCode> loaded = ExecutableCode::Load(*blob);
  ASSERT_OK(loaded.status());
  loaded->entry<void (*)(const PoolingArgs*)>()(&args);
}

// Squares, whose roots are exact.
std::vector<float> Results(size_t count) {
  std::vector<float> results;
  for (size_t i = 0; i < count; ++i) results.push_back(static_cast<float>(i * i));
  return results;
}

TEST(PoolingResultsTest, EveryKindIsFinishedAndStored) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto channels = static_cast<size_t>(kVectors * Lanes(target));
  const std::vector<float> scales = {0.5f, 0.25f};
  for (const PoolingKind kind : {PoolingKind::kMax, PoolingKind::kAverage, PoolingKind::kLp}) {
    for (const int tail : {0, kTail}) {
      PoolingCodeSpec spec;
      spec.kind = kind;
      spec.tail_channels = tail;
      const std::vector<float> results = Results(kWindows * channels);
      std::vector<float> output(kWindows * channels, kUntouched);
      PoolingArgs args = {};
      args.input = reinterpret_cast<const uint8_t*>(results.data());
      args.output = reinterpret_cast<uint8_t*>(output.data());
      args.scales = scales.data();
      Call(spec, target, nullptr, args);
      for (size_t w = 0; w < kWindows; ++w) {
        for (size_t c = 0; c < channels; ++c) {
          const size_t i = tail > 0 ? w * channels / kVectors + c : w * channels + c;
          const auto root = static_cast<float>(i);
          const float finished = kind == PoolingKind::kMax       ? root * root
                                 : kind == PoolingKind::kAverage ? root * root * scales[w]
                                                                 : root;
          const bool is_there = tail == 0 || c < kTail;
          EXPECT_EQ(output[w * channels + c], is_there ? finished : kUntouched) << w << ", " << c << ", tail " << tail;
        }
      }
    }
  }
}

TEST(PoolingResultsTest, AnEpilogueTakesRowsAndColumnsAndStores) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const AffineEpilogue epilogue;
  const auto lanes = static_cast<size_t>(Lanes(target));
  constexpr int64_t kRow = 1;
  constexpr int64_t kColumn = 4;
  const size_t width = kVectors * lanes + kColumn;
  for (const int tail : {0, kTail}) {
    const std::vector<float> results = Results(kWindows * kVectors * lanes);
    std::vector<float> scale(width);
    for (size_t i = 0; i < width; ++i) scale[i] = static_cast<float>(i % 3 + 1);
    std::vector<float> shift = {100, 200, 300};
    std::vector<float> addend((kRow + kWindows) * width, 7);
    std::vector<float> y(addend.size(), kUntouched);
    const auto row_bytes = static_cast<int64_t>(width * sizeof(float));
    const std::vector<EpiloguePlace> places = {
        {scale.data(), 0}, {shift.data(), sizeof(float)}, {addend.data(), row_bytes}, {y.data(), row_bytes}};
    PoolingCodeSpec spec;
    spec.tail_channels = tail;
    PoolingArgs args = {};
    args.input = reinterpret_cast<const uint8_t*>(results.data());
    args.places = places.data();
    args.row = kRow;
    args.column = kColumn;
    Call(spec, target, &epilogue, args);
    const size_t columns = tail > 0 ? kTail : kVectors * lanes;
    const size_t held = tail > 0 ? lanes : kVectors * lanes;
    for (size_t row = 0; row < kRow + kWindows; ++row) {
      for (size_t column = 0; column < width; ++column) {
        const bool is_there = row >= kRow && column >= kColumn && column < kColumn + columns;
        const float x = is_there ? results[(row - kRow) * held + column - kColumn] : 0;
        EXPECT_EQ(y[row * width + column], is_there ? x * scale[column] + shift[row] + 7 : kUntouched)
            << row << ", " << column << ", tail " << tail;
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
