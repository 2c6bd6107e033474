#include "jit/kernels/copy_interleaver.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

struct Args {
  const uint8_t* source;
  uint8_t* destination;
};
BURIN_ARG_OFFSET(Args, source, 0);
BURIN_ARG_OFFSET(Args, destination, 8);

TEST(CopyInterleaverTest, PiecesFitTheRegisters) {
  const IsaSet avx2 = IsaSet::From(IsaLevel::kAvx2);
  const IsaSet avx512 = IsaSet::From(IsaLevel::kAvx512);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(1, 4, avx2), 1);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(1, 4, avx512), 1);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(2, 4, avx2), 1);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(2, 4, avx512), 2);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(4, 4, avx2), 2);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(4, 4, avx512), 4);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(4, 2, avx512), 2);
  EXPECT_EQ(CopyInterleaver::PiecesAtOnce(8, 4, avx2), 4);
}

// Transposes one dense tile of each kind.
TEST(CopyInterleaverTest, TransposesATile) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const IsaSet& isa = target.isa();
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int lanes : {1, 2, 4}) {
      if (lanes == 4 && !isa.Supports(IsaLevel::kAvx512)) continue;
      for (const int most : {1, 2, 4}) {
        const int pieces = CopyInterleaver::PiecesAtOnce(bytes, most, isa);
        SCOPED_TRACE(absl::StrCat(bytes, " bytes, ", lanes, " lanes, ", pieces, " pieces"));
        Assembler code("tile", isa);
        int rows = 0;
        int columns = 0;
        {
          AbiFrame frame(code);
          const GprReg from = code.regs().Gpr("from");
          const GprReg to = code.regs().Gpr("to");
          frame.Load(from, BURIN_ARG_FIELD(Args, source));
          frame.Load(to, BURIN_ARG_FIELD(Args, destination));
          CopyInterleaver tile(code, frame, bytes, lanes, pieces);
          rows = tile.rows();
          columns = tile.columns();
          EXPECT_EQ(tile.vector_bytes(), rows * bytes);
          tile.EmitTile([&](int row) { return from + row * columns * bytes; },
                        [&](int column) { return to + column * rows * bytes; });
          frame.Finish();
        }
        ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
        ASSERT_OK_AND_ASSIGN(const ExecutableCode executable, ExecutableCode::Load(blob));
        std::vector<uint8_t> source(static_cast<size_t>(rows * columns * bytes));
        for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint8_t>(i * 31 + i / 256);
        std::vector<uint8_t> expected(source.size());
        for (int i = 0; i < rows * columns; ++i) {
          std::memcpy(expected.data() + (i % columns * rows + i / columns) * bytes, source.data() + i * bytes,
                      static_cast<size_t>(bytes));
        }
        std::vector<uint8_t> destination(source.size());
        const Args args = {source.data(), destination.data()};
        executable.entry<void (*)(const Args*)>()(&args);
        EXPECT_EQ(destination, expected);
      }
    }
  }
}

// Interleaves whole vectors of a piece's rows: each lane by itself.
TEST(CopyInterleaverTest, TransposesEachLaneOfWholeVectors) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int lanes : {2, 4}) {
      if (lanes == 4 && !target.Supports(IsaLevel::kAvx512)) continue;
      SCOPED_TRACE(absl::StrCat(bytes, " bytes, ", lanes, " lanes"));
      const int size = CopyInterleaver::kPieceBytes / bytes;
      const int step = lanes * CopyInterleaver::kPieceBytes;
      Assembler code("vectors", target.isa());
      {
        AbiFrame frame(code);
        const GprReg from = code.regs().Gpr("from");
        const GprReg to = code.regs().Gpr("to");
        frame.Load(from, BURIN_ARG_FIELD(Args, source));
        frame.Load(to, BURIN_ARG_FIELD(Args, destination));
        CopyInterleaver tile(code, frame, bytes, lanes, 1);
        for (int k = 0; k < size; ++k) tile.EmitLoad(k, ptr[from + k * step]);
        const std::vector<Xmm> columns = tile.EmitRounds(size);
        for (int k = 0; k < size; ++k) {
          code.vmovups(ptr[to + k * step], lanes == 4 ? Xmm(AsZmm(columns[k])) : Xmm(AsYmm(columns[k])));
        }
        frame.Finish();
      }
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
      ASSERT_OK_AND_ASSIGN(const ExecutableCode executable, ExecutableCode::Load(blob));
      std::vector<uint8_t> source(static_cast<size_t>(size * step));
      for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint8_t>(i * 31 + i / 256);
      std::vector<uint8_t> expected(source.size());
      for (int i = 0; i < size * size * lanes; ++i) {
        const int row = i / (size * lanes);
        const int lane = i / size % lanes;
        const int column = i % size;
        std::memcpy(expected.data() + column * step + (lane * size + row) * bytes, source.data() + i * bytes,
                    static_cast<size_t>(bytes));
      }
      std::vector<uint8_t> destination(source.size());
      const Args args = {source.data(), destination.data()};
      executable.entry<void (*)(const Args*)>()(&args);
      EXPECT_EQ(destination, expected);
    }
  }
}

}  // namespace
}  // namespace burin::jit
