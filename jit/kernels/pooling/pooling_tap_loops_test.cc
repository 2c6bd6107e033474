#include "jit/kernels/pooling/pooling_tap_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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
#include "jit/kernels/pooling/pooling_args.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// What stands in the trace for the beginning of a plane, of a row and a tap's end.
constexpr std::array<int32_t, 3> kSteps = {-1, -2, -3};
constexpr int32_t kFirstRow = -4;

// Returns what the code wrote: the bytes from the first tap to each tap, or row, in their order, and what else it says.
std::vector<int64_t> Trace(const std::vector<int64_t>& taps, bool rows) {
  Assembler code("taps", IsaSet::From(IsaLevel::kAvx2));
  {
    AbiFrame frame(code);
    const GprReg input = code.regs().Gpr("input");
    const GprReg out = code.regs().Gpr("out");
    frame.Load(input, BURIN_ARG_FIELD(PoolingArgs, input));
    frame.Load(out, BURIN_ARG_FIELD(PoolingArgs, output));
    const auto mark = [&](int32_t mark) {
      code.mov(qword[out + 0], mark);
      code.add(out, 8);
    };
    const auto write = [&](const Reg64& address) {
      code.mov(ptr[out + 0], address);
      code.add(out, 8);
    };
    if (rows) {
      EmitTapRowLoops(code, frame, input, [&](const Reg64& row, bool first) {
        if (first) mark(kFirstRow);
        write(row);
      });
    } else {
      EmitTapLoops(code, frame, input, write, [&](int axis) { mark(kSteps[static_cast<size_t>(axis)]); });
    }
    frame.Finish();
  }
  const absl::StatusOr<CodeBlob> blob = std::move(code).Finalize();
  EXPECT_OK(blob.status());
  const absl::StatusOr<ExecutableCode> loaded = ExecutableCode::Load(*blob);
  EXPECT_OK(loaded.status());
  const uint8_t base = 0;
  std::vector<int64_t> trace(100, 0);
  PoolingArgs args = {};
  args.input = &base;
  args.output = reinterpret_cast<uint8_t*>(trace.data());
  args.taps0 = taps[0];
  args.taps1 = taps[1];
  args.taps2 = taps[2];
  args.tap_step0 = 10000;
  args.tap_step1 = 100;
  args.tap_step2 = 1;
  loaded->entry<void (*)(const PoolingArgs*)>()(&args);
  while (!trace.empty() && trace.back() == 0) trace.pop_back();
  for (int64_t& entry : trace) {
    if (entry < 0) continue;
    entry -= reinterpret_cast<intptr_t>(&base);
  }
  return trace;
}

TEST(PoolingTapLoopsTest, TapsComeInTheOrderOfTheAxes) {
  EXPECT_THAT(Trace({2, 1, 2}, false), testing::ElementsAre(-1, -2, 0, -3, 1, -3, -1, -2, 10000, -3, 10001, -3));
  EXPECT_THAT(Trace({1, 2, 1}, false), testing::ElementsAre(-1, -2, 0, -3, -2, 100, -3));
}

TEST(PoolingTapLoopsTest, WindowsWithoutTapsArePassedOver) { EXPECT_THAT(Trace({0, 2, 2}, false), testing::IsEmpty()); }

TEST(PoolingTapLoopsTest, TheFirstRowIsNotInTheLoops) {
  EXPECT_THAT(Trace({1, 1, 0}, true), testing::ElementsAre(kFirstRow, 0));
  EXPECT_THAT(Trace({1, 3, 0}, true), testing::ElementsAre(kFirstRow, 0, 100, 200));
  EXPECT_THAT(Trace({3, 1, 0}, true), testing::ElementsAre(kFirstRow, 0, 10000, 20000));
  EXPECT_THAT(Trace({2, 2, 0}, true), testing::ElementsAre(kFirstRow, 0, 100, 10000, 10100));
}

}  // namespace
}  // namespace burin::jit
