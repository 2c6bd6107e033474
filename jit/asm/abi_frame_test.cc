#include "jit/asm/abi_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

IsaSet Avx2() { return IsaSet::From(IsaLevel::kAvx2); }

struct AddArgs {
  const float* a;
  const float* b;
  float* out;
  int64_t count;
};
BURIN_ARG_OFFSET(AddArgs, a, 0);
BURIN_ARG_OFFSET(AddArgs, b, 8);
BURIN_ARG_OFFSET(AddArgs, out, 16);
BURIN_ARG_OFFSET(AddArgs, count, 24);

// out[i] = a[i] + b[i]: whole vectors, then one element at a time.
absl::StatusOr<CodeBlob> GenerateAdd(const IsaSet& isa) {
  Assembler code("add_f32", isa);
  AbiFrame frame(code);
  RegPool& regs = code.regs();
  const int step = regs.vector_bits() / 32;
  {
    const GprReg a = regs.Gpr("a");
    const GprReg b = regs.Gpr("b");
    const GprReg out = regs.Gpr("out");
    const GprReg count = regs.Gpr("count");
    const VecReg sum = regs.Vec("sum");
    frame.Load(a, BURIN_ARG_FIELD(AddArgs, a));
    frame.Load(b, BURIN_ARG_FIELD(AddArgs, b));
    frame.Load(out, BURIN_ARG_FIELD(AddArgs, out));
    frame.Load(count, BURIN_ARG_FIELD(AddArgs, count));
    Label vectors;
    Label tail;
    code.sub(count, step);
    code.jl(tail);
    code.Align(16);
    code.Bind(vectors);
    code.vmovups(sum, ptr[a]);
    code.vaddps(sum, sum, ptr[b]);
    code.vmovups(ptr[out], sum);
    for (const GprReg* pointer : {&a, &b, &out}) code.add(*pointer, step * 4);
    code.sub(count, step);
    code.jge(vectors);
    code.Bind(tail);
    code.add(count, step);
    code.jz(frame.exit());
    Label elements;
    code.Bind(elements);
    code.vmovss(AsXmm(sum), ptr[a + count * 4 - 4]);
    code.vaddss(AsXmm(sum), AsXmm(sum), ptr[b + count * 4 - 4]);
    code.vmovss(ptr[out + count * 4 - 4], AsXmm(sum));
    code.dec(count);
    code.jnz(elements);
  }
  frame.Finish();
  return std::move(code).Finalize();
}

TEST(AbiFrameTest, AddsArrays) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateAdd(target.isa()));
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  for (int64_t count = 0; count < 70; ++count) {
    std::vector<float> a(static_cast<size_t>(count));
    std::iota(a.begin(), a.end(), 1.0f);
    const std::vector<float> b(a.size(), 0.5f);
    std::vector<float> out(a.size() + 1, -1.0f);
    const AddArgs args = {a.data(), b.data(), out.data(), count};
    kernel.entry<void (*)(const AddArgs*)>()(&args);
    for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(out[i], a[i] + 0.5f) << count << " " << i;
    ASSERT_EQ(out[a.size()], -1.0f) << count;
  }
}

TEST(AbiFrameTest, ClearsUpperHalvesOnlyWhereTheyWereUsed) {
  const auto has_vzeroupper = [](const CodeBlob& blob) {
    const std::string text(blob.bytes.begin(), blob.bytes.end());
    return text.find("\xc5\xf8\x77") != std::string::npos;
  };
  ASSERT_OK_AND_ASSIGN(const CodeBlob vectors, GenerateAdd(Avx2()));
  EXPECT_TRUE(has_vzeroupper(vectors));
  Assembler code("scalar", Avx2());
  {
    AbiFrame frame(code);
    code.vaddss(Xmm(0), Xmm(0), Xmm(0));
    frame.Finish();
  }
  ASSERT_OK_AND_ASSIGN(const CodeBlob scalar, std::move(code).Finalize());
  EXPECT_FALSE(has_vzeroupper(scalar));
}

struct IntArgs {
  int64_t* out;
  int32_t i32;
  uint32_t u32;
  int16_t i16;
  uint16_t u16;
  int8_t i8;
  uint8_t u8;
  bool flag;
};

TEST(AbiFrameTest, LoadsExtendAsTheTypeSays) {
  Assembler code("ints", Avx2());
  {
    AbiFrame frame(code);
    const GprReg out = code.regs().Gpr("out");
    const GprReg value = code.regs().Gpr("value");
    frame.Load(out, BURIN_ARG_FIELD(IntArgs, out));
    int at = 0;
    const auto store = [&](const auto& field) {
      code.mov(value, -1);
      frame.Load(value, field);
      code.mov(ptr[out + at], value);
      at += 8;
    };
    store(BURIN_ARG_FIELD(IntArgs, i32));
    store(BURIN_ARG_FIELD(IntArgs, u32));
    store(BURIN_ARG_FIELD(IntArgs, i16));
    store(BURIN_ARG_FIELD(IntArgs, u16));
    store(BURIN_ARG_FIELD(IntArgs, i8));
    store(BURIN_ARG_FIELD(IntArgs, u8));
    store(BURIN_ARG_FIELD(IntArgs, flag));
    frame.Finish();
  }
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  std::vector<int64_t> out(7);
  const IntArgs args = {out.data(), -2, 0xfffffffeu, -3, 0xfffd, -4, 0xfc, true};
  kernel.entry<void (*)(const IntArgs*)>()(&args);
  EXPECT_EQ(out, (std::vector<int64_t>{-2, 0xfffffffe, -3, 0xfffd, -4, 0xfc, 1}));
}

TEST(AbiFrameTest, SavesExactlyWhatWasLent) {
  // Lends every general register, overwrites each, and uses slots: the caller's registers survive.
  Assembler code("all", Avx2());
  {
    AbiFrame frame(code);
    frame.ReleaseArgs();
    const StackSlot slot = frame.Slot(100, "slot");
    std::vector<GprReg> all;
    for (int i = 0; i < code.regs().capacity(RegClass::kGpr); ++i) {
      all.push_back(code.regs().Gpr("r" + std::to_string(i)));
      code.mov(all.back(), -1);
      code.mov(slot.At(8 * (i % 12)), all.back());
    }
    frame.Finish();
  }
  ASSERT_OK_AND_ASSIGN(const CodeBlob all, std::move(code).Finalize());

  Assembler few("few", Avx2());
  {
    AbiFrame frame(few);
    const GprReg one = few.regs().GprAt(reg::r13, "one");
    few.mov(one, 1);
    frame.Finish();
  }
  ASSERT_OK_AND_ASSIGN(const CodeBlob some, std::move(few).Finalize());
  // push rbp; mov rbp, rsp; push r13; then no-operations.
  EXPECT_EQ(std::vector<uint8_t>(some.bytes.begin(), some.bytes.begin() + 6),
            (std::vector<uint8_t>{0x55, 0x48, 0x89, 0xe5, 0x41, 0x55}));

  // Calls the kernel with known values in the registers that a callee saves, and stores them afterwards.
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(all, memory));
  Assembler caller("caller", Avx2());
  const Reg64 saved[] = {reg::rbx, reg::rbp, reg::r12, reg::r13, reg::r14, reg::r15};
  for (const Reg64& reg : saved) caller.push(reg);
  caller.push(reg::rdi);
  caller.mov(reg::rax, reg::rsi);
  for (int i = 0; i < 6; ++i) caller.mov(saved[i], 100 + i);
  caller.call(reg::rax);
  caller.pop(reg::rdi);
  for (int i = 0; i < 6; ++i) caller.mov(ptr[reg::rdi + 8 * i], saved[i]);
  for (int i = 5; i >= 0; --i) caller.pop(saved[i]);
  caller.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob caller_blob, std::move(caller).Finalize());
  ASSERT_OK_AND_ASSIGN(const ExecutableCode call, ExecutableCode::Load(caller_blob, memory));
  std::vector<int64_t> out(6);
  call.entry<void (*)(int64_t*, const uint8_t*)>()(out.data(), kernel.address());
  EXPECT_EQ(out, (std::vector<int64_t>{100, 101, 102, 103, 104, 105}));
}

struct SlotArgs {
  int64_t* out;
};

TEST(AbiFrameTest, SlotsAreAlignedAndReused) {
  Assembler code("slots", Avx2());
  {
    AbiFrame frame(code);
    const GprReg out = code.regs().Gpr("out");
    frame.Load(out, BURIN_ARG_FIELD(SlotArgs, out));
    const GprReg address = code.regs().GprAt(reg::r15, "address");
    const StackSlot small = frame.Slot(4, "small");
    std::optional<StackSlot> first(frame.Slot(64, "first"));
    const StackSlot second = frame.Slot(200, "second");
    int at = 0;
    const auto store = [&](const StackSlot& slot) {
      code.lea(address, slot.At());
      code.mov(ptr[out + at], address);
      at += 8;
    };
    store(small);
    store(*first);
    store(second);
    first.reset();
    const StackSlot third = frame.Slot(32, "third");
    store(third);
    EXPECT_EQ(frame.slot_bytes(), 328);
    frame.Finish();
  }
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  std::vector<int64_t> out(4);
  const SlotArgs args = {out.data()};
  kernel.entry<void (*)(const SlotArgs*)>()(&args);
  EXPECT_EQ(out[1] % 64, 0);
  EXPECT_EQ(out[2] % 64, 0);
  EXPECT_EQ(out[1] - out[0], 64);
  EXPECT_EQ(out[2] - out[1], 64);
  // The freed place is lent again; 32 bytes need no more than 32 of alignment.
  EXPECT_EQ(out[3] - out[0], 32);
}

TEST(AbiFrameTest, TooMuchStackIsAnError) {
  Assembler code("deep", Avx2());
  {
    AbiFrame frame(code);
    const StackSlot most = frame.Slot(AbiFrame::kMaxSlotBytes, "most");
    const StackSlot more = frame.Slot(8, "more");
    const StackSlot huge = frame.Slot(1 << 30, "huge");
    frame.Finish();
  }
  EXPECT_THAT(std::move(code).Finalize(),
              StatusIs(absl::StatusCode::kResourceExhausted, AllOf(HasSubstr("\"more\""), HasSubstr("deep"))));
}

TEST(AbiFrameTest, AnUnfinishedFrameIsAnError) {
  Assembler code("open", Avx2());
  {
    const AbiFrame frame(code);
    code.ret();
  }
  EXPECT_THAT(std::move(code).Finalize(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("not finished, kernel: open")));
}

TEST(AbiFrameTest, OverflowedCodeIsAnErrorNotACrash) {
  Assembler code("huge", Avx2());
  {
    AbiFrame frame(code);
    code.Nops(Assembler::kMaxCodeBytes);
    frame.Finish();
  }
  EXPECT_THAT(std::move(code).Finalize(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace burin::jit
