#include "jit/kernels/brgemm/tile_epilogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(TileEpilogueTest, RowsComeBackEvenly) {
  EXPECT_EQ(EpilogueRowsAtOnce({7, 4}, 32, 8), 4);
  EXPECT_EQ(EpilogueRowsAtOnce({7, 4}, 32, 20), 3);
  EXPECT_EQ(EpilogueRowsAtOnce({6, 2}, 16, 10), 3);
  EXPECT_EQ(EpilogueRowsAtOnce({5, 4}, 32, 40), 1);
  EXPECT_EQ(EpilogueRowsAtOnce({3, 1}, 32, 2), 3);
}

// A product of one step, so that each sum is A[row] * B[column], through an epilogue that claims to want `wanted`
// registers.
void CheckTile(const TileShape& shape, int wanted, const Target& target) {
  const int lanes = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  BrgemmSpec spec;
  spec.rows = shape.rows;
  spec.vectors = shape.vectors;
  spec.partial = shape.partial;
  spec.depth = 1;
  const TestEpilogue epilogue(wanted);
  ASSERT_OK_AND_ASSIGN(const Brgemm kernel, Brgemm::Create(spec, &epilogue, target.isa(), CodeCache::Process()));
  const int64_t columns = shape.vectors * lanes - (shape.partial ? 3 : 0);
  std::vector<float> a;
  std::vector<float> b(static_cast<size_t>(shape.vectors * lanes));
  for (int row = 0; row < shape.rows; ++row) a.push_back(static_cast<float>(row + 1));
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 9) - 4;
  const auto elements = static_cast<size_t>(shape.rows * columns);
  std::vector<float> bias(static_cast<size_t>(columns), 1.0f);
  std::vector<float> scale(a.size());
  for (size_t i = 0; i < scale.size(); ++i) scale[i] = static_cast<float>(i + 2);
  std::vector<float> residual(elements, 5.0f);
  std::vector<float> output(elements + 1, -1.0f);
  const std::vector<EpiloguePlace> places = {
      {bias.data(), 0}, {scale.data(), 4}, {residual.data(), 4 * columns}, {output.data(), 4 * columns}};
  BrgemmArgs args;
  args.a = a.data();
  args.a_row_stride = 4;
  args.b = b.data();
  args.last_columns = shape.partial ? lanes - 3 : lanes;
  args.places = places.data();
  kernel.Run(args);
  for (int row = 0; row < shape.rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const double sum = static_cast<double>(a[static_cast<size_t>(row)]) * b[static_cast<size_t>(column)];
      ASSERT_EQ(output[static_cast<size_t>(row * columns + column)],
                TestEpilogue::Reference(sum, 1.0f, scale[static_cast<size_t>(row)], 5.0f))
          << row << ", " << column;
    }
  }
  EXPECT_EQ(output[elements], -1.0f);
}

TEST(TileEpilogueTest, EveryRowIsDoneOnceWhateverIsWanted) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int registers = target.Supports(IsaLevel::kAvx512) ? 32 : 16;
  for (const int vectors : {1, 2, 4}) {
    for (int rows = 1; rows <= BrgemmSpec::kMaxRows && rows * vectors + vectors + 1 <= registers; ++rows) {
      for (const int wanted : {1, 5, 9, registers - 3, registers + 4}) {
        for (const bool partial : {false, true}) {
          SCOPED_TRACE(absl::StrCat(rows, "x", vectors, ", wanted ", wanted, partial ? ", partial" : ""));
          CheckTile({rows, vectors, partial}, wanted, target);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
