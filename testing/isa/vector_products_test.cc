// Products of vectors by the best instruction of each level, through the assembler: what a level stands for really
// runs, on the processor or emulated. All sums are small integers, so that every way to compute them gives the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/float_conversion.h"
#include "base/status_macros.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/emulation/emulator.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::isa_test {
namespace {

using jit::Assembler;
using jit::IsaFeature;
using jit::IsaSet;
using jit::ptr;
using jit::VecReg;

// One vector each; the products are added to `sums`.
struct Args {
  const void* a;
  const void* b;
  void* sums;
};
BURIN_ARG_OFFSET(Args, a, 0);
BURIN_ARG_OFFSET(Args, b, 8);
BURIN_ARG_OFFSET(Args, sums, 16);

// Emits sums += a * b on registers that were loaded with whole vectors.
using Emit = void (*)(Assembler& code, const VecReg& sums, const VecReg& a, const VecReg& b);

// Four products of u8 by s8 a sum of 32 bits. Without VNNI pairs are added in 16 bits: u8 must be below 128.
void EmitInt8(Assembler& code, const VecReg& sums, const VecReg& a, const VecReg& b) {
  if (code.isa().Has(IsaFeature::kAvxVnni) || code.isa().Has(IsaFeature::kAvx512Vnni)) {
    code.vpdpbusd(sums, a, b);
    return;
  }
  code.vpmaddubsw(a, a, b);
  code.vpmaddwd(a, a, code.Repeated(int16_t{1}, code.regs().vector_bits() / 8));
  code.vpaddd(sums, sums, a);
}

// Two products of bf16 a sum of 32 bits.
void EmitBf16(Assembler& code, const VecReg& sums, const VecReg& a, const VecReg& b) {
  if (code.isa().Has(IsaFeature::kAvx512Bf16)) {
    code.vdpbf16ps(sums, a, b);
    return;
  }
  const VecReg even_a = code.regs().Vec("even_a");
  const VecReg even_b = code.regs().Vec("even_b");
  code.vpslld(even_a, a, 16);
  code.vpslld(even_b, b, 16);
  code.vfmadd231ps(sums, even_a, even_b);
  const jit::Address upper = code.Repeated(uint32_t{0xffff0000}, code.regs().vector_bits() / 8);
  code.vandps(a, a, upper);
  code.vandps(b, b, upper);
  code.vfmadd231ps(sums, a, b);
}

// A product of f16 a sum of f16.
void EmitF16(Assembler& code, const VecReg& sums, const VecReg& a, const VecReg& b) {
  if (code.isa().Has(IsaFeature::kAvx512Fp16)) {
    code.vfmadd231ph(sums, a, b);
    return;
  }
  // By halves, as f32; the other half comes down and goes back up.
  const bool wide = code.regs().vector_bits() == 512;
  const auto half = [&](const VecReg& vec) {
    return jit::Xmm(wide ? jit::Operand::YMM : jit::Operand::XMM, vec.getIdx());
  };
  const auto move_high_to_low = [&](const VecReg& vec) {
    wide ? code.vextractf64x4(jit::AsYmm(vec), jit::AsZmm(vec), 1)
         : code.vextractf128(jit::AsXmm(vec), jit::AsYmm(vec), 1);
  };
  const VecReg x = code.regs().Vec("x");
  const VecReg y = code.regs().Vec("y");
  const VecReg low = code.regs().Vec("low");
  const VecReg high = code.regs().Vec("high");
  code.vcvtph2ps(low, half(sums));
  code.vcvtph2ps(x, half(a));
  code.vcvtph2ps(y, half(b));
  code.vfmadd231ps(low, x, y);
  for (const VecReg* vec : {&sums, &a, &b}) move_high_to_low(*vec);
  code.vcvtph2ps(high, half(sums));
  code.vcvtph2ps(x, half(a));
  code.vcvtph2ps(y, half(b));
  code.vfmadd231ps(high, x, y);
  code.vcvtps2ph(half(sums), low, 0);
  code.vcvtps2ph(half(high), high, 0);
  wide ? code.vinsertf64x4(jit::AsZmm(sums), jit::AsZmm(sums), jit::AsYmm(high), 1)
       : code.vinsertf128(jit::AsYmm(sums), jit::AsYmm(sums), jit::AsXmm(high), 1);
}

absl::StatusOr<jit::CodeBlob> Generate(const char* name, const IsaSet& isa, Emit emit) {
  Assembler code(name, isa);
  {
    jit::AbiFrame frame(code);
    const jit::GprReg address = code.regs().Gpr("address");
    const VecReg a = code.regs().Vec("a");
    const VecReg b = code.regs().Vec("b");
    const VecReg sums = code.regs().Vec("sums");
    frame.Load(address, BURIN_ARG_FIELD(Args, a));
    code.vmovups(a, ptr[address]);
    frame.Load(address, BURIN_ARG_FIELD(Args, b));
    code.vmovups(b, ptr[address]);
    frame.Load(address, BURIN_ARG_FIELD(Args, sums));
    code.vmovups(sums, ptr[address]);
    emit(code, sums, a, b);
    code.vmovups(ptr[address], sums);
    frame.Finish();
  }
  return std::move(code).Finalize();
}

class VectorProductsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(target_, jit::Target::Host()); }

  size_t VectorBytes() const { return target_->Supports(jit::IsaLevel::kAvx512) ? 64 : 32; }

  // Runs the kernel on vectors beside inaccessible pages; returns the sums.
  template <class A, class B, class Sum>
  std::vector<Sum> Run(Emit emit, const std::vector<A>& a, const std::vector<B>& b, const std::vector<Sum>& sums,
                       GuardedEnd end) {
    std::vector<Sum> result(sums.size());
    const auto run = [&]() -> absl::Status {
      BURIN_ASSIGN_OR_RETURN(const jit::CodeBlob blob, Generate("vector_product", target_->isa(), emit));
      BURIN_ASSIGN_OR_RETURN(const jit::ExecutableCode code, jit::ExecutableCode::Load(blob));
      const size_t bytes = VectorBytes();
      BURIN_ASSIGN_OR_RETURN(const GuardedBuffer a_buffer, GuardedBuffer::Create(bytes, end));
      BURIN_ASSIGN_OR_RETURN(const GuardedBuffer b_buffer, GuardedBuffer::Create(bytes, end));
      BURIN_ASSIGN_OR_RETURN(const GuardedBuffer sums_buffer, GuardedBuffer::Create(bytes, end));
      std::memcpy(a_buffer.data(), a.data(), bytes);
      std::memcpy(b_buffer.data(), b.data(), bytes);
      std::memcpy(sums_buffer.data(), sums.data(), bytes);
      const Args args = {a_buffer.data(), b_buffer.data(), sums_buffer.data()};
      code.entry<void (*)(const Args*)>()(&args);
      std::memcpy(result.data(), sums_buffer.data(), bytes);
      return absl::OkStatus();
    };
    EXPECT_OK(run());
    return result;
  }

  std::optional<jit::Target> target_;
  std::mt19937 random_{23};
};

TEST_F(VectorProductsTest, Int8) {
  const size_t lanes = VectorBytes() / 4;
  std::vector<uint8_t> a(4 * lanes);
  std::vector<int8_t> b(4 * lanes);
  std::vector<int32_t> sums(lanes);
  for (uint8_t& value : a) value = random_() % 128;
  for (int8_t& value : b) value = static_cast<int8_t>(random_());
  for (int32_t& value : sums) value = static_cast<int32_t>(random_() % 1000) - 500;
  std::vector<int32_t> expected = sums;
  for (size_t i = 0; i < a.size(); ++i) expected[i / 4] += a[i] * b[i];
  const int64_t emulated = emulation::CountsOfEmulator().avx_vnni;
  EXPECT_EQ(Run(&EmitInt8, a, b, sums, GuardedEnd::kFirstByte), expected);
  EXPECT_EQ(Run(&EmitInt8, a, b, sums, GuardedEnd::kLastByte), expected);
  // The instruction itself ran, and only where the processor lacks it was it emulated.
  const std::vector<IsaFeature> forced = target_->Forced();
  const bool lacking = std::count(forced.begin(), forced.end(), IsaFeature::kAvxVnni) > 0;
  EXPECT_EQ(emulation::CountsOfEmulator().avx_vnni - emulated, lacking ? 2 : 0);
}

TEST_F(VectorProductsTest, Bf16) {
  const size_t lanes = VectorBytes() / 4;
  std::vector<uint16_t> a(2 * lanes);
  std::vector<uint16_t> b(2 * lanes);
  std::vector<float> sums(lanes);
  for (uint16_t& value : a) value = EncodeBF16(static_cast<int>(random_() % 200) - 100);
  for (uint16_t& value : b) value = EncodeBF16(static_cast<int>(random_() % 200) - 100);
  for (float& value : sums) value = static_cast<float>(random_() % 1000);
  std::vector<float> expected = sums;
  for (size_t i = 0; i < a.size(); ++i) expected[i / 2] += static_cast<float>(DecodeBF16(a[i]) * DecodeBF16(b[i]));
  EXPECT_EQ(Run(&EmitBf16, a, b, sums, GuardedEnd::kFirstByte), expected);
  EXPECT_EQ(Run(&EmitBf16, a, b, sums, GuardedEnd::kLastByte), expected);
}

TEST_F(VectorProductsTest, F16) {
  const size_t lanes = VectorBytes() / 2;
  std::vector<uint16_t> a(lanes);
  std::vector<uint16_t> b(lanes);
  std::vector<uint16_t> sums(lanes);
  std::vector<uint16_t> expected(lanes);
  for (size_t i = 0; i < lanes; ++i) {
    const int x = static_cast<int>(random_() % 64) - 32;
    const int y = static_cast<int>(random_() % 32) - 16;
    const int z = static_cast<int>(random_() % 1000);
    a[i] = EncodeF16(x);
    b[i] = EncodeF16(y);
    sums[i] = EncodeF16(z);
    expected[i] = EncodeF16(x * y + z);
  }
  EXPECT_EQ(Run(&EmitF16, a, b, sums, GuardedEnd::kFirstByte), expected);
  EXPECT_EQ(Run(&EmitF16, a, b, sums, GuardedEnd::kLastByte), expected);
}

}  // namespace
}  // namespace burin::isa_test
