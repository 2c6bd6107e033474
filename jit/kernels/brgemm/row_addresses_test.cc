#include "jit/kernels/brgemm/row_addresses.h"

#include <gmock/gmock.h>
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
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

struct Args {
  const char* base;
  int64_t stride;
  const char** found;
};
BURIN_ARG_OFFSET(Args, base, 0);
BURIN_ARG_OFFSET(Args, stride, 8);
BURIN_ARG_OFFSET(Args, found, 16);

// Returns the addresses of 8 bytes from the start of each row, after moving by 100 and by the stride.
std::vector<int64_t> Addresses(const std::vector<int64_t>& offsets, int rows, int64_t stride) {
  Assembler code("rows", IsaSet::From(IsaLevel::kAvx2));
  {
    AbiFrame frame(code);
    {
      RowAddresses addresses(code, frame, offsets, rows, BURIN_ARG_FIELD(Args, stride), "row");
      addresses.Point(BURIN_ARG_FIELD(Args, base));
      addresses.Advance(100);
      addresses.Advance(frame.Arg(BURIN_ARG_FIELD(Args, stride)));
      const GprReg found = code.regs().Gpr("found");
      const GprReg address = code.regs().Gpr("address");
      frame.Load(found, BURIN_ARG_FIELD(Args, found));
      for (int row = 0; row < rows; ++row) {
        code.lea(address, addresses.At(row, 8));
        code.mov(ptr[found + row * 8], address);
      }
    }
    frame.Finish();
  }
  const absl::StatusOr<CodeBlob> blob = std::move(code).Finalize();
  EXPECT_OK(blob.status());
  const absl::StatusOr<ExecutableCode> loaded = ExecutableCode::Load(*blob);
  EXPECT_OK(loaded.status());
  std::vector<const char*> found(static_cast<size_t>(rows));
  const char base = 0;
  const Args args = {&base, stride, found.data()};
  loaded->entry<void (*)(const Args*)>()(&args);
  std::vector<int64_t> distances;
  for (const char* const address : found) {
    distances.push_back(reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(&base) - 108 - stride);
  }
  return distances;
}

TEST(RowAddressesTest, RowsLieAtMultiplesOfAStride) {
  for (int rows = 1; rows <= 28; ++rows) {
    std::vector<int64_t> expected;
    for (int row = 0; row < rows; ++row) expected.push_back(row * 1236);
    EXPECT_EQ(Addresses({}, rows, 1236), expected) << rows;
  }
}

TEST(RowAddressesTest, RowsLieAnywhere) {
  const std::vector<int64_t> offsets = {0, 4096, -8, 12};
  EXPECT_EQ(Addresses(offsets, 4, 16), offsets);
}

}  // namespace
}  // namespace burin::jit
