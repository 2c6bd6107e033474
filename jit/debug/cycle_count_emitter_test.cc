#include "jit/debug/cycle_count_emitter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/debug/cycle_counters.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

struct SumArgs {
  CycleCount* counts;
  int64_t rounds;
  int64_t sum;
};
BURIN_ARG_OFFSET(SumArgs, counts, 0);
BURIN_ARG_OFFSET(SumArgs, rounds, 8);
BURIN_ARG_OFFSET(SumArgs, sum, 16);

using Sum = void (*)(SumArgs*);

constexpr int kAll = 0;
constexpr int kShort = 1;
constexpr int kLong = 2;

// Adds the numbers from `rounds` down to 1. Part 0 is all of it, 1 one addition, 2 a thousand additions of 0, each of
// which waits for the one before. All registers are on loan where `crowded`, with the sum in rax and what 0 is in rdx.
absl::StatusOr<ExecutableCode> GenerateSum(bool crowded) {
  Assembler code("sum", IsaSet());
  {
    AbiFrame frame(code);
    std::vector<GprReg> held;
    GprReg sum = crowded ? code.regs().GprAt(reg::rax, "sum") : code.regs().GprAt(reg::rcx, "sum");
    GprReg zero = crowded ? code.regs().GprAt(reg::rdx, "zero") : code.regs().GprAt(reg::rsi, "zero");
    GprReg left = code.regs().GprAt(reg::r8, "left");
    const StackSlot counts = frame.Slot(8, "counts");
    frame.Load(left, BURIN_ARG_FIELD(SumArgs, counts));
    code.mov(counts.At(), left);
    frame.Load(left, BURIN_ARG_FIELD(SumArgs, rounds));
    code.xor_(sum, sum);
    code.xor_(zero, zero);
    EXPECT_EQ(code.regs().IsFree(RegClass::kGpr, reg::rax.getIdx()), !crowded);
    while (crowded && code.regs().available(RegClass::kGpr) > 0) held.push_back(code.regs().Gpr("held"));
    CycleCountEmitter counting(code, frame);
    const StackSlot all = counting.Begin();
    Label loop;
    code.Bind(loop);
    {
      const StackSlot start = counting.Begin();
      code.add(sum, left);
      counting.End(start, counts.At(), kShort);
    }
    {
      const StackSlot start = counting.Begin();
      for (int i = 0; i < 1000; ++i) code.add(sum, zero);
      counting.End(start, counts.At(), kLong);
    }
    code.dec(left);
    code.jnz(loop);
    counting.End(all, counts.At(), kAll);
    code.mov(frame.Arg(BURIN_ARG_FIELD(SumArgs, sum)), sum);
    frame.Finish();
  }
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, std::move(code).Finalize());
  return ExecutableCode::Load(blob);
}

class CycleCountEmitterTest : public ::testing::TestWithParam<bool> {};

TEST_P(CycleCountEmitterTest, CountsPartsAndKeepsRegisters) {
  constexpr int64_t kRounds = 100;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, GenerateSum(GetParam()));
  CycleCounters counters;
  CycleTable& table = counters.Table(code.name(), {"all", "short", "long"});
  SumArgs args = {table.counts(), kRounds, 0};
  code.entry<Sum>()(&args);
  EXPECT_EQ(args.sum, kRounds * (kRounds + 1) / 2);
  EXPECT_EQ(table.count(kAll).entries, 1u);
  EXPECT_EQ(table.count(kShort).entries, 100u);
  EXPECT_EQ(table.count(kLong).entries, 100u);
  EXPECT_GT(table.count(kShort).ticks, 0u);
  EXPECT_GE(table.count(kAll).ticks, table.count(kShort).ticks + table.count(kLong).ticks);
  // The long part takes more, unless the thread had to wait in the short one: not every time.
  bool took_more = false;
  for (int attempt = 0; attempt < 50 && !took_more; ++attempt) {
    counters.Reset();
    code.entry<Sum>()(&args);
    took_more = table.count(kLong).ticks > table.count(kShort).ticks;
  }
  EXPECT_TRUE(took_more);
}

TEST_P(CycleCountEmitterTest, ThreadsAddToTheSameCounters) {
  constexpr int64_t kRounds = 2000;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, GenerateSum(GetParam()));
  CycleCounters counters;
  CycleTable& table = counters.Table(code.name(), {"all", "short", "long"});
  const auto run = [&] {
    SumArgs args = {table.counts(), kRounds, 0};
    code.entry<Sum>()(&args);
  };
  std::thread other(run);
  run();
  other.join();
  EXPECT_EQ(table.count(kAll).entries, 2u);
  EXPECT_EQ(table.count(kShort).entries, 4000u);
  EXPECT_EQ(table.count(kLong).entries, 4000u);
}

INSTANTIATE_TEST_SUITE_P(Registers, CycleCountEmitterTest, ::testing::Bool(),
                         [](const auto& info) { return std::string(info.param ? "OnLoan" : "Free"); });

}  // namespace
}  // namespace burin::jit
