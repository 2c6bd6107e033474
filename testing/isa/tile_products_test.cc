// Products of tiles by each instruction of an AMX level, through the assembler: on the processor or emulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
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
using jit::ptr;
using jit::TileReg;

constexpr int kRows = 16;
constexpr int kRowBytes = 64;
constexpr int kColumns = kRowBytes / 4;
constexpr int kTileBytes = kRows * kRowBytes;

// What LDTILECFG reads.
struct TileConfig {
  uint8_t palette;
  uint8_t start_row;
  uint8_t reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
};
static_assert(sizeof(TileConfig) == 64, "as the processor reads it");

// Three tiles of 16 rows of `stride` bytes; the product of a and b is added to c.
struct Args {
  const TileConfig* config;
  const void* a;
  const void* b;
  void* c;
  int64_t stride;
};
BURIN_ARG_OFFSET(Args, config, 0);
BURIN_ARG_OFFSET(Args, a, 8);
BURIN_ARG_OFFSET(Args, b, 16);
BURIN_ARG_OFFSET(Args, c, 24);
BURIN_ARG_OFFSET(Args, stride, 32);

// One instruction: what it needs, and the value of an element of either operand by its code.
struct Product {
  const char* name;
  IsaFeature needs;
  void (*emit)(Assembler& code, const TileReg& c, const TileReg& a, const TileReg& b);
  int element_bytes;
  double (*value_of_a)(uint16_t code);
  double (*value_of_b)(uint16_t code);
};

double Unsigned(uint16_t code) { return code & 0xff; }
double Signed(uint16_t code) { return static_cast<int8_t>(code); }

#define BURIN_TILE_PRODUCT(mnemonic, needs, bytes, a, b)                  \
  Product {                                                               \
#mnemonic, needs,                                                     \
        [](Assembler & code, const TileReg& tc, const TileReg& ta,        \
           const TileReg& tb) { code.mnemonic(tc, ta, tb); }, bytes, a, b \
  }
constexpr Product kProducts[] = {
    BURIN_TILE_PRODUCT(tdpbssd, IsaFeature::kAmxInt8, 1, &Signed, &Signed),
    BURIN_TILE_PRODUCT(tdpbsud, IsaFeature::kAmxInt8, 1, &Signed, &Unsigned),
    BURIN_TILE_PRODUCT(tdpbusd, IsaFeature::kAmxInt8, 1, &Unsigned, &Signed),
    BURIN_TILE_PRODUCT(tdpbuud, IsaFeature::kAmxInt8, 1, &Unsigned, &Unsigned),
    BURIN_TILE_PRODUCT(tdpbf16ps, IsaFeature::kAmxBf16, 2, &DecodeBF16, &DecodeBF16),
    BURIN_TILE_PRODUCT(tdpfp16ps, IsaFeature::kAmxFp16, 2, &DecodeF16, &DecodeF16),
};
#undef BURIN_TILE_PRODUCT

absl::StatusOr<jit::CodeBlob> Generate(const Product& product, const jit::IsaSet& isa) {
  Assembler code(product.name, isa);
  {
    jit::AbiFrame frame(code);
    const jit::GprReg address = code.regs().Gpr("address");
    const jit::GprReg stride = code.regs().Gpr("stride");
    const TileReg c = code.regs().TileAt(0, "c");
    const TileReg a = code.regs().TileAt(1, "a");
    const TileReg b = code.regs().TileAt(2, "b");
    frame.Load(address, BURIN_ARG_FIELD(Args, config));
    code.ldtilecfg(ptr[address]);
    frame.Load(stride, BURIN_ARG_FIELD(Args, stride));
    frame.Load(address, BURIN_ARG_FIELD(Args, a));
    code.tileloadd(a, ptr[address + stride]);
    frame.Load(address, BURIN_ARG_FIELD(Args, b));
    code.tileloadd(b, ptr[address + stride]);
    frame.Load(address, BURIN_ARG_FIELD(Args, c));
    code.tileloadd(c, ptr[address + stride]);
    product.emit(code, c, a, b);
    code.tilestored(ptr[address + stride], c);
    code.tilerelease();
    frame.Finish();
  }
  return std::move(code).Finalize();
}

// Codes of small integers for 16-bit elements, any byte for 8-bit ones.
std::vector<uint16_t> Codes(const Product& product, std::mt19937& random) {
  std::vector<uint16_t> codes(kTileBytes / product.element_bytes);
  for (uint16_t& code : codes) {
    const int value = static_cast<int>(random() % 64) - 32;
    if (product.element_bytes == 1) {
      code = random() & 0xff;
    } else {
      code = product.needs == IsaFeature::kAmxFp16 ? EncodeF16(value) : EncodeBF16(value);
    }
  }
  return codes;
}

void Write(const Product& product, const std::vector<uint16_t>& codes, uint8_t* to) {
  for (const uint16_t code : codes) {
    std::memcpy(to, &code, product.element_bytes);
    to += product.element_bytes;
  }
}

// Computes one product by code and by definition; integers are exact in double and, being small, in float.
absl::Status Check(const Product& product, const jit::Target& target, GuardedEnd end, std::mt19937& random) {
  BURIN_ASSIGN_OR_RETURN(const jit::CodeBlob blob, Generate(product, target.isa()));
  BURIN_ASSIGN_OR_RETURN(const jit::ExecutableCode code, jit::ExecutableCode::Load(blob));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer config, GuardedBuffer::Create(sizeof(TileConfig), end));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer a_buffer, GuardedBuffer::Create(kTileBytes, end));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer b_buffer, GuardedBuffer::Create(kTileBytes, end));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer c_buffer, GuardedBuffer::Create(kTileBytes, end));
  config.As<TileConfig>()->palette = 1;
  for (int tile = 0; tile < 3; ++tile) {
    config.As<TileConfig>()->row_bytes[tile] = kRowBytes;
    config.As<TileConfig>()->rows[tile] = kRows;
  }
  const std::vector<uint16_t> a = Codes(product, random);
  const std::vector<uint16_t> b = Codes(product, random);
  Write(product, a, a_buffer.data());
  Write(product, b, b_buffer.data());
  const Args args = {config.As<TileConfig>(), a_buffer.data(), b_buffer.data(), c_buffer.data(), kRowBytes};
  code.entry<void (*)(const Args*)>()(&args);

  const int group = 4 / product.element_bytes;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      double expected = 0;
      for (int k = 0; k < kRows * group; ++k) {
        // Rows of b hold a group of its rows each.
        const uint16_t right = b[((k / group) * kColumns + column) * group + k % group];
        expected += product.value_of_a(a[row * kColumns * group + k]) * product.value_of_b(right);
      }
      const int index = row * kColumns + column;
      const double result = product.element_bytes == 1 ? c_buffer.As<int32_t>()[index] : c_buffer.As<float>()[index];
      EXPECT_EQ(result, expected) << product.name << " row " << row << " column " << column;
    }
  }
  return absl::OkStatus();
}

TEST(TileProductsTest, EachInstructionOfTheLevel) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  std::mt19937 random(29);
  const int64_t emulated_before = emulation::CountsOfEmulator().amx;
  int products = 0;
  for (const Product& product : kProducts) {
    if (!target.Has(product.needs)) continue;
    ++products;
    for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
      ASSERT_OK(Check(product, target, end, random)) << product.name;
    }
  }
  EXPECT_EQ(products, target.Has(IsaFeature::kAmxFp16) ? 6 : target.Has(IsaFeature::kAmxBf16) ? 5 : 4);
  // Whatever the processor has was not emulated.
  const int64_t emulated = emulation::CountsOfEmulator().amx - emulated_before;
  EXPECT_EQ(emulated > 0, !target.Forced().empty());
}

TEST(TileProductsTest, AnInstructionOfAHigherLevelIsRefused) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  for (const Product& product : kProducts) {
    if (target.Has(product.needs)) continue;
    EXPECT_THAT(Generate(product, target.isa()),
                StatusIs(absl::StatusCode::kInternal, ::testing::HasSubstr(product.name)));
  }
}

}  // namespace
}  // namespace burin::isa_test
