#include "jit/kernels/copy_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "jit/kernels/copy_args.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Adds 1 to each byte of the destination and writes it to the source, row by row.
absl::StatusOr<CodeBlob> GenerateCounter() {
  Assembler code("counter", IsaSet::From(IsaLevel::kAvx2));
  {
    AbiFrame frame(code);
    CopyLoops loops(code, frame);
    const GprReg value = code.regs().Gpr("value");
    loops.Emit([&] {
      code.movzx(value.cvt32(), byte[loops.destination()]);
      code.inc(value.cvt32());
      code.mov(byte[loops.destination()], value.cvt8());
      code.mov(byte[loops.source()], value.cvt8());
    });
    frame.Finish();
  }
  return std::move(code).Finalize();
}

TEST(CopyLoopsTest, WalksRowsAndPlanes) {
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCounter());
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
  for (const int64_t rows : {1, 2, 5}) {
    for (const int64_t planes : {1, 2, 3}) {
      std::vector<uint8_t> source(100);
      std::vector<uint8_t> destination(100);
      CopyArgs args = {};
      args.source = source.data() + 99;
      args.destination = destination.data();
      args.extent0 = 1;
      args.extent1 = rows;
      args.extent2 = planes;
      args.source_stride1 = -1;
      args.source_stride2 = -20;
      args.destination_stride1 = 2;
      args.destination_stride2 = 30;
      code.entry<void (*)(const CopyArgs*)>()(&args);
      std::vector<uint8_t> expected_source(100);
      std::vector<uint8_t> expected_destination(100);
      for (int64_t plane = 0; plane < planes; ++plane) {
        for (int64_t row = 0; row < rows; ++row) {
          ++expected_destination[static_cast<size_t>(30 * plane + 2 * row)];
          ++expected_source[static_cast<size_t>(99 - 20 * plane - row)];
        }
      }
      EXPECT_EQ(source, expected_source) << rows << " x " << planes;
      EXPECT_EQ(destination, expected_destination) << rows << " x " << planes;
    }
  }
}

}  // namespace
}  // namespace burin::jit
