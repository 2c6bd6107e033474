#include "jit/emitters/memory/element_pieces.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit::internal {
namespace {

struct PieceArgs {
  const uint8_t* in;
  uint8_t* out;
  int64_t count;
};
BURIN_ARG_OFFSET(PieceArgs, in, 0);
BURIN_ARG_OFFSET(PieceArgs, out, 8);
BURIN_ARG_OFFSET(PieceArgs, count, 16);

// Loads a part from behind in + 2 * count, so that the address has an index and a displacement, and stores it likewise.
void Copy(const PieceArgs& args, int bytes, bool constant) {
  constexpr int kBefore = 3;
  Assembler code("pieces", IsaSet::From(IsaLevel::kAvx2));
  AbiFrame frame(code);
  {
    VecAvx2 v(code);
    const GprReg in = code.regs().Gpr("in");
    const GprReg out = code.regs().Gpr("out");
    const GprReg count = code.regs().Gpr("count");
    frame.Load(in, BURIN_ARG_FIELD(PieceArgs, in));
    frame.Load(out, BURIN_ARG_FIELD(PieceArgs, out));
    frame.Load(count, BURIN_ARG_FIELD(PieceArgs, count));
    for (const GprReg* const base : {&in, &out}) {
      code.sub(*base, kBefore);
      code.sub(*base, count);
      code.sub(*base, count);
    }
    const VecPart<VecAvx2> part =
        constant ? VecPart<VecAvx2>::First(v, static_cast<int>(args.count)) : VecPart<VecAvx2>::First(v, count);
    const VecReg x = v.New("x");
    LoadPieces(v, x, ptr[in + count * 2 + kBefore], part, bytes);
    StorePieces(v, ptr[out + count * 2 + kBefore], x, part, bytes);
  }
  frame.Finish();
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
  ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob));
  kernel.entry<void (*)(const PieceArgs*)>()(&args);
}

TEST(ElementPiecesTest, CopiesPartsAtAnyAddressAgainstGuardPages) {
  for (const int bytes : {1, 2}) {
    for (int count = 0; count <= 8; ++count) {
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        for (const bool constant : {false, true}) {
          // A constant part of all elements is whole.
          if (constant && count == 8) continue;
          const auto size = static_cast<size_t>(count * bytes);
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer in, GuardedBuffer::Create(size, end));
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer out, GuardedBuffer::Create(size, end));
          for (size_t i = 0; i < size; ++i) in.data()[i] = static_cast<uint8_t>(i * 73 + 19);
          Copy({in.data(), out.data(), count}, bytes, constant);
          EXPECT_EQ(std::vector<uint8_t>(out.data(), out.data() + size),
                    std::vector<uint8_t>(in.data(), in.data() + size))
              << count << " of " << bytes;
        }
      }
    }
  }
}

TEST(ElementPiecesTest, AddressesMoveByBytes) {
  EXPECT_EQ(AddressAt(ptr[reg::rax + reg::rcx * 4 + 8], 5), ptr[reg::rax + reg::rcx * 4 + 13]);
  EXPECT_EQ(AddressAt(ptr[reg::rax], 0), ptr[reg::rax]);
}

}  // namespace
}  // namespace burin::jit::internal
