#include "jit/kernels/brgemm/tile_accumulators.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Emits a start, the doubling of all accumulators and their stores, to C or to where a slot on the stack says.
template <class V>
absl::StatusOr<CodeBlob> Generate(const BrgemmSpec& spec, const Target& target, bool based) {
  Assembler code("accumulators", target.isa());
  {
    AbiFrame frame(code);
    V v(code);
    const StackSlot base = frame.Slot(8, "base");
    {
      TileAccumulators<V> tile(spec, frame, v);
      if (based) {
        const GprReg c = code.regs().Gpr("c");
        frame.Load(c, BURIN_ARG_FIELD(BrgemmArgs, b));
        code.mov(base.At(), c);
        tile.SetBase(base);
      }
      tile.EmitStart(true);
      EXPECT_EQ(tile.IsMasked(spec.vectors - 1), spec.partial && !spec.b_padded && spec.start == BrgemmStart::kAddToC);
      for (const VecReg& accumulator : tile.registers()) v.Add(accumulator, accumulator, accumulator);
      tile.EmitStores();
      EXPECT_EQ(tile.IsMasked(spec.vectors - 1), spec.partial);
      EXPECT_FALSE(tile.IsMasked(spec.vectors - 2));
      tile.ReturnMask();
      EXPECT_FALSE(tile.IsMasked(spec.vectors - 1));
    }
    frame.Finish();
  }
  return std::move(code).Finalize();
}

void Check(const BrgemmSpec& spec, const Target& target, bool based) {
  const bool is_wide = target.Supports(IsaLevel::kAvx512);
  const int lanes = is_wide ? VecAvx512::kLanes : VecAvx2::kLanes;
  const absl::StatusOr<CodeBlob> blob =
      is_wide ? Generate<VecAvx512>(spec, target, based) : Generate<VecAvx2>(spec, target, based);
  ASSERT_OK(blob.status());
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(*blob));
  const int columns = spec.vectors * lanes - (spec.partial ? 3 : 0);
  const int width = spec.vectors * lanes + 1;
  std::vector<float> c(static_cast<size_t>(spec.rows * width), 3);
  BrgemmArgs args;
  args.b = based ? c.data() : nullptr;
  args.c = based ? nullptr : c.data();
  args.c_row_stride = width * 4;
  args.last_columns = lanes - 3;
  code.entry<void (*)(const BrgemmArgs*)>()(&args);
  for (int row = 0; row < spec.rows; ++row) {
    for (int column = 0; column < width; ++column) {
      const float sum = spec.start == BrgemmStart::kZero ? 0 : 6;
      EXPECT_EQ(c[static_cast<size_t>(row * width + column)], column < columns ? sum : 3) << row << ", " << column;
    }
  }
}

TEST(TileAccumulatorsTest, TheColumnsThatThereAreAreLoadedAndStored) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const BrgemmStart start : {BrgemmStart::kZero, BrgemmStart::kAddToC}) {
    for (const bool partial : {false, true}) {
      for (const bool b_padded : {false, true}) {
        for (const bool based : {false, true}) {
          BrgemmSpec spec;
          spec.rows = 4;
          spec.vectors = 2;
          spec.start = start;
          spec.partial = partial;
          spec.b_padded = b_padded;
          spec.prefetch_c = true;
          Check(spec, target, based);
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
