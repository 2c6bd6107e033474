#include "jit/asm/assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/constant_pool.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

IsaSet Avx2() { return IsaSet::From(IsaLevel::kAvx2); }
IsaSet Avx512() { return IsaSet::From(IsaLevel::kAvx512); }

std::vector<uint8_t> CodeOf(absl::StatusOr<CodeBlob> blob) {
  if (!blob.ok()) {
    ADD_FAILURE() << blob.status();
    return {};
  }
  return std::vector<uint8_t>(blob->bytes.begin(), blob->bytes.begin() + static_cast<ptrdiff_t>(blob->code_bytes));
}

// Emits with `emit` for `isa` and returns the bytes.
template <class Emit>
std::vector<uint8_t> Encode(const IsaSet& isa, Emit emit) {
  Assembler code("encode", isa);
  emit(code);
  return CodeOf(std::move(code).Finalize());
}

template <class Emit>
absl::Status ErrorOf(const IsaSet& isa, Emit emit) {
  Assembler code("broken", isa);
  emit(code);
  code.ret();
  return std::move(code).Finalize().status();
}

// Encodings worked out by hand from Intel's Software Developer's Manual, volume 2.
TEST(AssemblerTest, EncodesGeneralInstructions) {
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.mov(reg::rax, reg::rdi); }), ElementsAre(0x48, 0x89, 0xf8));
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.mov(reg::rax, 1); }),
              ElementsAre(0xb8, 0x01, 0x00, 0x00, 0x00));
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.add(reg::rcx, ptr[reg::rsi + reg::rdx * 8 + 16]); }),
              ElementsAre(0x48, 0x03, 0x4c, 0xd6, 0x10));
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.shlx(reg::rax, reg::rbx, reg::rcx); }),
              ElementsAre(0xc4, 0xe2, 0xf1, 0xf7, 0xc3));
}

TEST(AssemblerTest, EncodesVex) {
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), Ymm(2)); }),
              ElementsAre(0xc5, 0xf4, 0x58, 0xc2));
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.vfmadd231ps(Ymm(3), Ymm(4), ptr[reg::rdi]); }),
              ElementsAre(0xc4, 0xe2, 0x5d, 0xb8, 0x1f));
  EXPECT_THAT(Encode(Avx2(), [](Assembler& code) { code.vzeroupper(); }), ElementsAre(0xc5, 0xf8, 0x77));
}

TEST(AssemblerTest, EncodesEvex) {
  EXPECT_THAT(Encode(Avx512(), [](Assembler& code) { code.vaddps(Zmm(0), Zmm(1), Zmm(2)); }),
              ElementsAre(0x62, 0xf1, 0x74, 0x48, 0x58, 0xc2));
  // Broadcast, mask and zeroing; the displacement counts elements.
  EXPECT_THAT(
      Encode(Avx512(), [](Assembler& code) { code.vaddps(Zmm(0) | Opmask(1) | T_z, Zmm(1), ptr_b[reg::rdi + 4]); }),
      ElementsAre(0x62, 0xf1, 0x74, 0xd9, 0x58, 0x47, 0x01));
  EXPECT_THAT(Encode(Avx512(), [](Assembler& code) { code.kmovw(Opmask(1), reg::rax.cvt32()); }),
              ElementsAre(0xc5, 0xf8, 0x92, 0xc8));
}

TEST(AssemblerTest, EncodesVnniWithoutEvexWhereTheMachineHasBoth) {
  const auto emit = [](Assembler& code) { code.vpdpbusd(Ymm(0), Ymm(1), Ymm(2)); };
  EXPECT_THAT(Encode(IsaSet::From(IsaLevel::kAvxVnni), emit), ElementsAre(0xc4, 0xe2, 0x75, 0x50, 0xc2));
  EXPECT_THAT(Encode(IsaSet::From(IsaLevel::kAvx512Vnni), emit), ElementsAre(0x62, 0xf2, 0x75, 0x28, 0x50, 0xc2));
  EXPECT_THAT(Encode(IsaSet::AdmittedBy(IsaLevel::kAmxInt8), emit), ElementsAre(0xc4, 0xe2, 0x75, 0x50, 0xc2));
}

TEST(AssemblerTest, EncodesEachOfTwoFeaturesByItsOwn) {
  // Machines with AMX have AVX-VNNI, and AVX512-BF16 but not AVX-NE-CONVERT.
  EXPECT_THAT(
      Encode(IsaSet::AdmittedBy(IsaLevel::kAmxInt8), [](Assembler& code) { code.vcvtneps2bf16(Xmm(0), Ymm(1)); }),
      ElementsAre(0x62, 0xf2, 0x7e, 0x28, 0x72, 0xc1));
  EXPECT_THAT(Encode(IsaSet::All(), [](Assembler& code) { code.vcvtneps2bf16(Xmm(0), Ymm(1)); }),
              ElementsAre(0xc4, 0xe2, 0x7e, 0x72, 0xc1));
  EXPECT_THAT(Encode(IsaSet::AdmittedBy(IsaLevel::kAvx512Vnni),
                     [](Assembler& code) { code.vpmadd52luq(Ymm(0), Ymm(1), Ymm(2)); }),
              ElementsAre(0x62, 0xf2, 0xf5, 0x28, 0xb4, 0xc2));
}

TEST(AssemblerTest, EncodesAmx) {
  EXPECT_THAT(Encode(IsaSet::From(IsaLevel::kAmxInt8), [](Assembler& code) { code.ldtilecfg(ptr[reg::rdi]); }),
              ElementsAre(0xc4, 0xe2, 0x78, 0x49, 0x07));
  EXPECT_THAT(Encode(IsaSet::From(IsaLevel::kAmxInt8), [](Assembler& code) { code.tdpbusd(Tmm(0), Tmm(1), Tmm(2)); }),
              ElementsAre(0xc4, 0xe2, 0x69, 0x5e, 0xc1));
}

TEST(AssemblerTest, RefusesWhatTheMachineLacks) {
  const auto error = [](const IsaSet& isa, auto emit) { return ErrorOf(isa, emit); };
  EXPECT_THAT(error(Avx2(), [](Assembler& code) { code.vaddps(Zmm(0), Zmm(1), Zmm(2)); }),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("needs level avx512"), HasSubstr("vaddps"), HasSubstr("kernel: broken"))));
  // Registers above 15, masks and broadcasts need EVEX at any width.
  EXPECT_THAT(error(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), Ymm(16)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512")));
  EXPECT_THAT(error(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), ptr_b[reg::rdi]); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512")));
  EXPECT_THAT(error(Avx2(), [](Assembler& code) { code.kmovw(Opmask(1), reg::rax.cvt32()); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512")));
  EXPECT_THAT(error(Avx2(), [](Assembler& code) { code.vpdpbusd(Ymm(0), Ymm(1), Ymm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512_vnni")));
  EXPECT_THAT(error(Avx512(), [](Assembler& code) { code.vdpbf16ps(Zmm(0), Zmm(1), Zmm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512_bf16")));
  EXPECT_THAT(error(Avx512(), [](Assembler& code) { code.vaddph(Zmm(0), Zmm(1), Zmm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512_fp16")));
  EXPECT_THAT(error(Avx512(), [](Assembler& code) { code.vpermb(Zmm(0), Zmm(1), Zmm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("avx512_vbmi")));
  EXPECT_THAT(error(Avx512(), [](Assembler& code) { code.tilezero(Tmm(0)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("amx_tile")));
  EXPECT_THAT(error(IsaSet(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), Ymm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("level avx2")));
  EXPECT_THAT(error(IsaSet(), [](Assembler& code) { code.shlx(reg::rax, reg::rbx, reg::rcx); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("bmi2")));
}

TEST(AssemblerTest, BadOperandsNameTheInstruction) {
  EXPECT_THAT(
      ErrorOf(Avx2(),
              [](Assembler& code) {
                code.vaddps(Ymm(0), Ymm(1), Ymm(2));
                code.vaddps(Ymm(0), Xmm(1), Ymm(2));
                code.vmulps(Ymm(0), Xmm(1), Ymm(2));
              }),
      StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("bad combination"), HasSubstr("vaddps, offset 4"))));
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.mov(reg::rax, ptr[reg::rdi + 0x123456789]); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("offset is too big, at mov")));
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.add(reg::rax, ptr[reg::rdi + reg::rsi * 3]); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("bad scale")));
  EXPECT_THAT(ErrorOf(Avx512(), [](Assembler& code) { code.vaddps(Zmm(0) | Opmask(1) | Opmask(2), Zmm(1), Zmm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("opmask is already set")));
  // An error leaves nothing behind for the next kernel of the thread.
  EXPECT_OK(ErrorOf(Avx2(), [](Assembler&) {}));
}

// xbyak encodes these as if the last register were a vector of the right width.
TEST(AssemblerTest, KindsOfRegistersAreChecked) {
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), Xmm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("vectors of different widths, at vaddps")));
  EXPECT_THAT(ErrorOf(Avx512(), [](Assembler& code) { code.vfmadd231ps(Zmm(0), Zmm(1), Ymm(2)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("vectors of different widths, at vfmadd231ps")));
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Ymm(1), reg::rax); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("a general register for a vector, at vaddps")));
  EXPECT_THAT(ErrorOf(Avx512(), [](Assembler& code) { code.vaddps(Zmm(0), Zmm(1), Opmask(1)); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("a mask for a vector, at vaddps")));
  EXPECT_OK(ErrorOf(Avx512(), [](Assembler& code) {
    code.vcmpps(Opmask(1), Zmm(0), Zmm(1), 0);
    code.vcvtph2ps(Zmm(0), Ymm(1));
    code.vcvtdq2pd(Ymm(0), Xmm(1));
    code.vcvtsi2ss(Xmm(0), Xmm(1), reg::rax);
    code.vextractf128(Xmm(0), Ymm(1), 1);
    code.vextracti64x4(Ymm(0), Zmm(1), 1);
    code.vinserti128(Ymm(0), Ymm(1), Xmm(2), 1);
    code.vbroadcastss(Zmm(0), Xmm(1));
    code.vpbroadcastd(Zmm(0), reg::rax.cvt32());
    code.vpslld(Ymm(0), Ymm(1), Xmm(2));
    code.vpmovzxbd(Zmm(0), Xmm(1));
    code.vpmovdb(Xmm(0), Zmm(1));
    code.vpmovm2d(Zmm(0), Opmask(1));
    code.vpmovd2m(Opmask(1), Zmm(0));
    code.vpmovmskb(reg::rax.cvt32(), Ymm(1));
    code.vmovmskps(reg::rax.cvt32(), Ymm(1));
    code.vmovq(reg::rax, Xmm(1));
    code.vpinsrd(Xmm(0), Xmm(1), reg::rax.cvt32(), 1);
    code.vpextrb(reg::rax.cvt32(), Xmm(1), 1);
    code.vptestmd(Opmask(1), Zmm(0), Zmm(1));
    code.vfpclassps(Opmask(1), Zmm(0), 0x81);
    code.vgatherdps(Ymm(0), ptr[reg::rax + Ymm(1) * 4], Ymm(2));
    code.vpgatherdd(Zmm(0) | Opmask(1), ptr[reg::rax + Zmm(1) * 4]);
    code.vpscatterdd(ptr[reg::rax + Zmm(1) * 4] | Opmask(1), Zmm(0));
    code.vcompressps(ptr[reg::rax], Zmm(0) | Opmask(1));
    code.vblendvps(Ymm(0), Ymm(1), Ymm(2), Ymm(3));
    code.vperm2f128(Ymm(0), Ymm(1), Ymm(2), 1);
  }));
}

TEST(AssemblerTest, AbsoluteAddressesAreRefused) {
  static const int value = 1;
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.mov(reg::rcx, ptr[&value]); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("an absolute address, at mov")));
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.mov(reg::rcx, ptr[rip + static_cast<const void*>(&value)]); }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("an absolute address, at mov")));
}

TEST(AssemblerTest, LabelsGoBothWays) {
  Assembler code("labels", Avx2());
  Label forward;
  Label loop;
  // rax = sum of 1..rdi.
  code.xor_(reg::rax, reg::rax);
  code.Bind(loop);
  code.test(reg::rdi, reg::rdi);
  code.jz(forward);
  code.add(reg::rax, reg::rdi);
  code.dec(reg::rdi);
  code.jmp(loop);
  code.Bind(forward);
  code.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  EXPECT_EQ(kernel.entry<int64_t (*)(int64_t)>()(100), 5050);
  EXPECT_EQ(kernel.name(), "labels");
}

TEST(AssemblerTest, LabelErrors) {
  EXPECT_THAT(ErrorOf(Avx2(),
                      [](Assembler& code) {
                        const Label nowhere;
                        code.jmp(nowhere);
                      }),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("a label is not bound"), HasSubstr("broken"))));
  EXPECT_THAT(ErrorOf(Avx2(),
                      [](Assembler& code) {
                        Label twice;
                        code.Bind(twice);
                        code.Bind(twice);
                      }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("label is redefined")));
  EXPECT_THAT(ErrorOf(Avx2(),
                      [](Assembler& code) {
                        Label far;
                        code.jmp(far, kShortJump);
                        code.Nops(200);
                        code.Bind(far);
                      }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("label is too far")));
}

TEST(AssemblerTest, TheBufferGrows) {
  Assembler code("long", Avx2());
  Label end;
  code.mov(reg::rax, reg::rdi);
  code.jmp(end);
  for (int i = 0; i < 100000; ++i) code.add(reg::rax, 1);
  code.Bind(end);
  code.Nops(10000);
  for (int i = 0; i < 50000; ++i) code.add(reg::rax, 1);
  code.vmovd(Xmm(0), code.Scalar(uint32_t{7}));
  code.vmovd(reg::rcx.cvt32(), Xmm(0));
  code.add(reg::rax, reg::rcx);
  code.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  EXPECT_GT(blob.bytes.size(), 600000u);
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  EXPECT_EQ(kernel.entry<int64_t (*)(int64_t)>()(3), 50010);
}

TEST(AssemblerTest, TooMuchCodeIsAnError) {
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.Nops(Assembler::kMaxCodeBytes + 1); }),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("larger than")));
  EXPECT_THAT(ErrorOf(Avx2(),
                      [](Assembler& code) {
                        code.Nops(Assembler::kMaxCodeBytes - 8);
                        for (int i = 0; i < 100; ++i) code.add(reg::rax, 0x12345678);
                      }),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("larger than")));
}

TEST(AssemblerTest, NoCodeAndTwiceAreErrors) {
  Assembler empty("empty", Avx2());
  EXPECT_THAT(std::move(empty).Finalize(), StatusIs(absl::StatusCode::kInternal, HasSubstr("no code")));
  // NOLINTNEXTLINE(bugprone-use-after-move): a second call says so.
  EXPECT_THAT(std::move(empty).Finalize(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(AssemblerTest, ConstantsFollowTheCode) {
  Assembler code("constants", Avx2());
  code.vmovss(Xmm(0), code.Scalar(1.5f));
  code.vaddss(Xmm(0), Xmm(0), code.Scalar(2.25f));
  code.vaddss(Xmm(0), Xmm(0), code.Scalar(1.5f));
  const float table[] = {10, 20, 30};
  const Constant at = code.constants().Table(absl::MakeConstSpan(table));
  code.vaddss(Xmm(0), Xmm(0), code.At(at, 8));
  code.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  EXPECT_EQ(blob.bytes.size(), 64u + 28u);
  EXPECT_EQ(blob.bytes[blob.code_bytes], 0xcc);
  CodeMemory memory;
  // Wherever it is loaded.
  ASSERT_OK_AND_ASSIGN(const ExecutableCode one, ExecutableCode::Load(blob, memory));
  ASSERT_OK_AND_ASSIGN(const ExecutableCode two, ExecutableCode::Load(blob, memory));
  EXPECT_NE(one.address(), two.address());
  EXPECT_EQ(one.entry<float (*)()>()(), 35.25f);
  EXPECT_EQ(two.entry<float (*)()>()(), 35.25f);
}

TEST(AssemblerTest, ConstantsBeforeImmediates) {
  // The displacement counts from the end of the instruction, which an immediate follows.
  Assembler code("immediate", Avx2());
  code.vroundss(Xmm(0), Xmm(0), code.Scalar(2.75f), 1);
  code.imul(reg::rax, code.Scalar(int64_t{21}), 1000);
  code.vcvtsi2ss(Xmm(1), Xmm(1), reg::rax);
  code.vaddss(Xmm(0), Xmm(0), Xmm(1));
  code.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob, memory));
  EXPECT_EQ(kernel.entry<float (*)()>()(), 21002.0f);
}

TEST(AssemblerTest, EmbeddedBroadcastOfAConstant) {
  Assembler code("broadcast", Avx512());
  code.vaddps(Zmm(0), Zmm(1), code.BroadcastAt(code.constants().Scalar(1.0f)));
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  // EVEX.b with a displacement of 64 - 10 bytes.
  EXPECT_THAT(std::vector<uint8_t>(blob.bytes.begin(), blob.bytes.begin() + 10),
              ElementsAre(0x62, 0xf1, 0x74, 0x58, 0x58, 0x05, 54, 0, 0, 0));
}

TEST(AssemblerTest, AlignsAndPatches) {
  Assembler code("align", Avx2());
  code.ret();
  code.Align(16);
  EXPECT_EQ(code.offset(), 16u);
  code.Align(16);
  EXPECT_EQ(code.offset(), 16u);
  const uint8_t bytes[] = {0xcc, 0xc3};
  code.Bytes(bytes);
  code.Patch(0, bytes);
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  EXPECT_EQ(blob.bytes.size(), 18u);
  EXPECT_EQ(blob.bytes[0], 0xcc);
  EXPECT_EQ(blob.bytes[1], 0xc3);
}

TEST(AssemblerTest, KnowsWhenUpperHalvesAreInUse) {
  Assembler code("upper", Avx512());
  code.vaddss(Xmm(0), Xmm(1), Xmm(2));
  code.vaddps(Xmm(0), Xmm(1), Xmm(2));
  code.mov(reg::rax, 1);
  EXPECT_FALSE(code.uses_upper_halves());
  code.vaddps(Ymm(0), Ymm(1), Ymm(2));
  EXPECT_TRUE(code.uses_upper_halves());
  Assembler evex("upper_evex", Avx512());
  evex.vaddps(Xmm(17), Xmm(1), Xmm(2));
  EXPECT_FALSE(evex.uses_upper_halves());
  evex.vaddps(Zmm(17), Zmm(1), Zmm(2));
  EXPECT_TRUE(evex.uses_upper_halves());
}

TEST(AssemblerTest, ThreadsGenerateAtOnce) {
  CodeMemory memory;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 16; ++thread) {
    threads.emplace_back([&memory, thread] {
      for (int i = 0; i < 50; ++i) {
        // Errors of one kernel touch no other, of any thread.
        EXPECT_FALSE(ErrorOf(Avx2(), [](Assembler& code) { code.vaddps(Ymm(0), Xmm(1), Ymm(2)); }).ok());
        Assembler code("add", Avx2());
        const VecReg value = code.regs().Vec("value");
        code.vmovd(AsXmm(value), code.Scalar(uint32_t{1000} * static_cast<uint32_t>(thread)));
        code.vmovd(reg::rax.cvt32(), AsXmm(value));
        code.add(reg::rax, i);
        code.ret();
        const absl::StatusOr<CodeBlob> blob = std::move(code).Finalize();
        ASSERT_OK(blob);
        const absl::StatusOr<ExecutableCode> kernel = ExecutableCode::Load(*blob, memory);
        ASSERT_OK(kernel);
        ASSERT_EQ(kernel->entry<int64_t (*)()>()(), 1000 * thread + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.GetStats().blocks, 0u);
}

TEST(AssemblerTest, EmittersReportErrors) {
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { code.Fail(absl::UnimplementedError("no such type: f4")); }),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("f4")));
  EXPECT_THAT(ErrorOf(Avx2(), [](Assembler& code) { const TileReg none = code.regs().Tile("c"); }),
              StatusIs(absl::StatusCode::kResourceExhausted, AllOf(HasSubstr("\"c\""), HasSubstr("kernel: broken"))));
}

TEST(AssemblerTest, BlobsCarryNamesForDumps) {
  Assembler code("named", Avx2());
  {
    const VecReg acc = code.regs().Vec("acc");
    code.Mark("zero");
    code.vxorps(acc, acc, acc);
  }
  code.Mark("end");
  code.ret();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  EXPECT_EQ(blob.name, "named");
  ASSERT_EQ(blob.marks.size(), 2u);
  EXPECT_EQ(blob.marks[1].offset, 4u);
  EXPECT_EQ(blob.marks[1].text, "end");
  EXPECT_THAT(blob.registers, AllOf(HasSubstr("ymm0 = acc\n"), HasSubstr("vector: capacity 16, peak 1, spills 0")));
}

}  // namespace
}  // namespace burin::jit
