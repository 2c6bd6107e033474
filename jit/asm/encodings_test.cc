// Golden encodings of instructions that few machines have, so that code for them is checked where it cannot run. The
// bytes and the texts are of another assembler, GNU as 2.40, and its disassembler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/disassembler.h"
#include "jit/asm/operands.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

struct Row {
  const char* bytes;
  const char* text;
  void (*emit)(Assembler& code);
};

#define BURIN_ROW(bytes, text, instruction)                \
  {                                                        \
    bytes, text, [](Assembler& code) { code.instruction; } \
  }

constexpr Row kAvx512Fp16[] = {
    BURIN_ROW("62 f5 74 48 58 c2", "vaddph zmm0,zmm1,zmm2", vaddph(Zmm(0), Zmm(1), Zmm(2))),
    BURIN_ROW("62 a5 74 a1 58 c2", "vaddph ymm16{k1}{z},ymm17,ymm18",
              vaddph(Ymm(16) | Opmask(1) | T_z, Ymm(17), Ymm(18))),
    BURIN_ROW("62 f5 5c 58 58 5f 01", "vaddph zmm3,zmm4,WORD BCST [rdi+0x2]",
              vaddph(Zmm(3), Zmm(4), ptr_b[reg::rdi + 0x2])),
    BURIN_ROW("62 f5 4c 18 58 ef", "vaddph zmm5,zmm6,zmm7{rn-sae}", vaddph(Zmm(5), Zmm(6), Zmm(7) | T_rn_sae)),
    BURIN_ROW("62 f5 74 48 5c 46 01", "vsubph zmm0,zmm1,ZMMWORD PTR [rsi+0x40]",
              vsubph(Zmm(0), Zmm(1), ptr[reg::rsi + 0x40])),
    BURIN_ROW("62 f5 6c 08 59 cb", "vmulph xmm1,xmm2,xmm3", vmulph(Xmm(1), Xmm(2), Xmm(3))),
    BURIN_ROW("62 f5 6c 48 5e cb", "vdivph zmm1,zmm2,zmm3", vdivph(Zmm(1), Zmm(2), Zmm(3))),
    BURIN_ROW("62 f5 6c 48 5f cb", "vmaxph zmm1,zmm2,zmm3", vmaxph(Zmm(1), Zmm(2), Zmm(3))),
    BURIN_ROW("62 f5 6c 48 5d cb", "vminph zmm1,zmm2,zmm3", vminph(Zmm(1), Zmm(2), Zmm(3))),
    BURIN_ROW("62 f5 7c 48 51 ca", "vsqrtph zmm1,zmm2", vsqrtph(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f6 75 48 b8 c2", "vfmadd231ph zmm0,zmm1,zmm2", vfmadd231ph(Zmm(0), Zmm(1), Zmm(2))),
    BURIN_ROW("62 f6 75 58 a8 00", "vfmadd213ph zmm0,zmm1,WORD BCST [rax]",
              vfmadd213ph(Zmm(0), Zmm(1), ptr_b[reg::rax])),
    BURIN_ROW("62 06 0d 40 bc fd", "vfnmadd231ph zmm31,zmm30,zmm29", vfnmadd231ph(Zmm(31), Zmm(30), Zmm(29))),
    BURIN_ROW("62 f3 74 49 c2 d2 01", "vcmpltph k2{k1},zmm1,zmm2", vcmpph(Opmask(2) | Opmask(1), Zmm(1), Zmm(2), 1)),
    BURIN_ROW("62 f5 7d 48 1d ca", "vcvtps2phx ymm1,zmm2", vcvtps2phx(Ymm(1), Zmm(2))),
    BURIN_ROW("62 f6 7d 48 13 ca", "vcvtph2psx zmm1,ymm2", vcvtph2psx(Zmm(1), Ymm(2))),
    BURIN_ROW("62 f5 7d 48 7d ca", "vcvtph2w zmm1,zmm2", vcvtph2w(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f5 7d 18 7c ca", "vcvttph2w zmm1,zmm2{sae}", vcvttph2w(Zmm(1), Zmm(2) | T_sae)),
    BURIN_ROW("62 f5 7e 48 7d ca", "vcvtw2ph zmm1,zmm2", vcvtw2ph(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f5 7d 48 5b ca", "vcvtph2dq zmm1,ymm2", vcvtph2dq(Zmm(1), Ymm(2))),
    BURIN_ROW("62 f5 7c 48 78 ca", "vcvttph2udq zmm1,ymm2", vcvttph2udq(Zmm(1), Ymm(2))),
    BURIN_ROW("62 f5 7c 48 5b ca", "vcvtdq2ph ymm1,zmm2", vcvtdq2ph(Ymm(1), Zmm(2))),
    BURIN_ROW("62 f6 7d 48 42 ca", "vgetexpph zmm1,zmm2", vgetexpph(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f3 7c 48 26 ca 03", "vgetmantph zmm1,zmm2,0x3", vgetmantph(Zmm(1), Zmm(2), 3)),
    BURIN_ROW("62 f3 7c 48 08 ca 08", "vrndscaleph zmm1,zmm2,0x8", vrndscaleph(Zmm(1), Zmm(2), 8)),
    BURIN_ROW("62 f3 7c 48 56 ca 08", "vreduceph zmm1,zmm2,0x8", vreduceph(Zmm(1), Zmm(2), 8)),
    BURIN_ROW("62 f6 6d 48 2c cb", "vscalefph zmm1,zmm2,zmm3", vscalefph(Zmm(1), Zmm(2), Zmm(3))),
    BURIN_ROW("62 f6 7d 48 4c ca", "vrcpph zmm1,zmm2", vrcpph(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f6 7d 48 4e ca", "vrsqrtph zmm1,zmm2", vrsqrtph(Zmm(1), Zmm(2))),
    BURIN_ROW("62 f3 7c 48 66 ca 81", "vfpclassph k1,zmm2,0x81", vfpclassph(Opmask(1), Zmm(2), 0x81)),
    BURIN_ROW("62 f5 7e 08 10 0f", "vmovsh xmm1,WORD PTR [rdi]", vmovsh(Xmm(1), ptr[reg::rdi])),
    BURIN_ROW("62 f5 7d 08 6e c8", "vmovw xmm1,eax", vmovw(Xmm(1), reg::rax.cvt32())),
    BURIN_ROW("62 f5 7d 08 7e c8", "vmovw eax,xmm1", vmovw(reg::rax.cvt32(), Xmm(1))),
    BURIN_ROW("62 f5 6e 08 58 cb", "vaddsh xmm1,xmm2,xmm3", vaddsh(Xmm(1), Xmm(2), Xmm(3))),
    BURIN_ROW("62 f5 6c 08 1d cb", "vcvtss2sh xmm1,xmm2,xmm3", vcvtss2sh(Xmm(1), Xmm(2), Xmm(3))),
    BURIN_ROW("62 f6 6f 48 56 cb", "vfcmaddcph zmm1,zmm2,zmm3", vfcmaddcph(Zmm(1), Zmm(2), Zmm(3))),
};

constexpr Row kAmxInt8[] = {
    BURIN_ROW("c4 e2 78 49 07", "ldtilecfg [rdi]", ldtilecfg(ptr[reg::rdi])),
    BURIN_ROW("c4 e2 79 49 07", "sttilecfg [rdi]", sttilecfg(ptr[reg::rdi])),
    BURIN_ROW("c4 e2 7b 4b 0c 06", "tileloadd tmm1,[rsi+rax*1]", tileloadd(Tmm(1), ptr[reg::rsi + reg::rax])),
    BURIN_ROW("c4 e2 79 4b 54 06 40", "tileloaddt1 tmm2,[rsi+rax*1+0x40]",
              tileloaddt1(Tmm(2), ptr[reg::rsi + reg::rax + 0x40])),
    BURIN_ROW("c4 e2 7a 4b 3c 0a", "tilestored [rdx+rcx*1],tmm7", tilestored(ptr[reg::rdx + reg::rcx], Tmm(7))),
    BURIN_ROW("c4 e2 7b 49 d8", "tilezero tmm3", tilezero(Tmm(3))),
    BURIN_ROW("c4 e2 78 49 c0", "tilerelease", tilerelease()),
    BURIN_ROW("c4 e2 6b 5e c1", "tdpbssd tmm0,tmm1,tmm2", tdpbssd(Tmm(0), Tmm(1), Tmm(2))),
    BURIN_ROW("c4 e2 6a 5e c1", "tdpbsud tmm0,tmm1,tmm2", tdpbsud(Tmm(0), Tmm(1), Tmm(2))),
    BURIN_ROW("c4 e2 69 5e c1", "tdpbusd tmm0,tmm1,tmm2", tdpbusd(Tmm(0), Tmm(1), Tmm(2))),
    BURIN_ROW("c4 e2 68 5e c1", "tdpbuud tmm0,tmm1,tmm2", tdpbuud(Tmm(0), Tmm(1), Tmm(2))),
};

constexpr Row kAmxBf16[] = {
    BURIN_ROW("c4 e2 52 5c dc", "tdpbf16ps tmm3,tmm4,tmm5", tdpbf16ps(Tmm(3), Tmm(4), Tmm(5))),
};

constexpr Row kAmxFp16[] = {
    BURIN_ROW("c4 e2 43 5c ee", "tdpfp16ps tmm5,tmm6,tmm7", tdpfp16ps(Tmm(5), Tmm(6), Tmm(7))),
};

constexpr Row kAvxVnni[] = {
    BURIN_ROW("c4 e2 75 50 c2", "{vex} vpdpbusd ymm0,ymm1,ymm2", vpdpbusd(Ymm(0), Ymm(1), Ymm(2))),
    BURIN_ROW("c4 62 31 50 07", "{vex} vpdpbusd xmm8,xmm9,XMMWORD PTR [rdi]", vpdpbusd(Xmm(8), Xmm(9), ptr[reg::rdi])),
    BURIN_ROW("c4 42 35 51 c2", "{vex} vpdpbusds ymm8,ymm9,ymm10", vpdpbusds(Ymm(8), Ymm(9), Ymm(10))),
    BURIN_ROW("c4 e2 75 52 44 c6 20", "{vex} vpdpwssd ymm0,ymm1,YMMWORD PTR [rsi+rax*8+0x20]",
              vpdpwssd(Ymm(0), Ymm(1), ptr[reg::rsi + reg::rax * 8 + 0x20])),
    BURIN_ROW("c4 e2 75 53 c2", "{vex} vpdpwssds ymm0,ymm1,ymm2", vpdpwssds(Ymm(0), Ymm(1), Ymm(2))),
};

constexpr Row kAvx512Vnni[] = {
    BURIN_ROW("62 f2 75 48 50 c2", "vpdpbusd zmm0,zmm1,zmm2", vpdpbusd(Zmm(0), Zmm(1), Zmm(2))),
    BURIN_ROW("62 f2 75 59 50 07", "vpdpbusd zmm0{k1},zmm1,DWORD BCST [rdi]",
              vpdpbusd(Zmm(0) | Opmask(1), Zmm(1), ptr_b[reg::rdi])),
    BURIN_ROW("62 f2 75 48 52 c2", "vpdpwssd zmm0,zmm1,zmm2", vpdpwssd(Zmm(0), Zmm(1), Zmm(2))),
};

constexpr Row kAvx512Bf16[] = {
    BURIN_ROW("62 f2 76 48 52 c2", "vdpbf16ps zmm0,zmm1,zmm2", vdpbf16ps(Zmm(0), Zmm(1), Zmm(2))),
    BURIN_ROW("62 f2 76 58 52 07", "vdpbf16ps zmm0,zmm1,DWORD BCST [rdi]", vdpbf16ps(Zmm(0), Zmm(1), ptr_b[reg::rdi])),
    BURIN_ROW("62 f2 77 48 72 c2", "vcvtne2ps2bf16 zmm0,zmm1,zmm2", vcvtne2ps2bf16(Zmm(0), Zmm(1), Zmm(2))),
    BURIN_ROW("62 f2 7e 48 72 c1", "vcvtneps2bf16 ymm0,zmm1", vcvtneps2bf16(Ymm(0), Zmm(1))),
};

#undef BURIN_ROW

// Instructions that a level has and the one below it lacks.
struct Golden {
  IsaLevel level;
  IsaLevel below;
  absl::Span<const Row> rows;
};

class EncodingsTest : public ::testing::TestWithParam<Golden> {
 protected:
  static absl::StatusOr<CodeBlob> Assemble(const Row& row, IsaLevel level) {
    Assembler code("encoding", IsaSet::From(level));
    row.emit(code);
    return std::move(code).Finalize();
  }

  static std::string Hex(const CodeBlob& blob) {
    std::string hex;
    for (size_t i = 0; i < blob.code_bytes; ++i) {
      absl::StrAppend(&hex, i == 0 ? "" : " ", absl::Hex(blob.bytes[i], absl::kZeroPad2));
    }
    return hex;
  }
};

TEST_P(EncodingsTest, IsAnotherAssemblers) {
  for (const Row& row : GetParam().rows) {
    SCOPED_TRACE(row.text);
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, Assemble(row, GetParam().level));
    EXPECT_EQ(Hex(blob), row.bytes);
  }
}

TEST_P(EncodingsTest, IsReadByAnotherDisassembler) {
  std::vector<uint8_t> code;
  for (const Row& row : GetParam().rows) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, Assemble(row, GetParam().level));
    code.insert(code.end(), blob.bytes.begin(), blob.bytes.begin() + static_cast<ptrdiff_t>(blob.code_bytes));
  }
  const absl::StatusOr<std::vector<DisassembledInstruction>> lines = Disassemble(code);
  if (absl::IsNotFound(lines.status())) GTEST_SKIP() << lines.status();
  ASSERT_OK(lines);
  ASSERT_EQ(lines->size(), GetParam().rows.size());
  for (size_t i = 0; i < lines->size(); ++i) EXPECT_EQ((*lines)[i].text, GetParam().rows[i].text);
}

TEST_P(EncodingsTest, IsRefusedWithoutTheFeature) {
  for (const Row& row : GetParam().rows) {
    EXPECT_THAT(Assemble(row, GetParam().below), StatusIs(absl::StatusCode::kInternal, HasSubstr("needs"))) << row.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, EncodingsTest,
                         ::testing::Values(Golden{IsaLevel::kAvxVnni, IsaLevel::kAvx2, kAvxVnni},
                                           Golden{IsaLevel::kAvx512Vnni, IsaLevel::kAvx512, kAvx512Vnni},
                                           Golden{IsaLevel::kAvx512Bf16, IsaLevel::kAvx512Vnni, kAvx512Bf16},
                                           Golden{IsaLevel::kAvx512Fp16, IsaLevel::kAvx512Bf16, kAvx512Fp16},
                                           Golden{IsaLevel::kAmxInt8, IsaLevel::kAvx512Bf16, kAmxInt8},
                                           Golden{IsaLevel::kAmxBf16, IsaLevel::kAmxInt8, kAmxBf16},
                                           Golden{IsaLevel::kAmxFp16, IsaLevel::kAmxBf16, kAmxFp16}),
                         [](const auto& test) { return std::string(Name(test.param.level)); });

}  // namespace
}  // namespace burin::jit
