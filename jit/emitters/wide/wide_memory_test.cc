#include "jit/emitters/wide/wide_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
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
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct CopyArgs {
  void* to;
  const void* from;
  int64_t count;
};
BURIN_ARG_OFFSET(CopyArgs, to, 0);
BURIN_ARG_OFFSET(CopyArgs, from, 8);
BURIN_ARG_OFFSET(CopyArgs, count, 16);

// Says what is copied: two vectors of which the last is a part, or the first element to all of one, or back.
enum class Kind : uint8_t { kPart, kBroadcast, kFirst };

template <class V>
absl::StatusOr<CodeBlob> Generate(const Target& target, Kind kind) {
  Assembler code("copy_wide", target.isa());
  AbiFrame frame(code);
  {
    V v(code, target);
    const GprReg to = code.regs().Gpr("to");
    const GprReg from = code.regs().Gpr("from");
    const GprReg count = code.regs().Gpr("count");
    frame.Load(to, BURIN_ARG_FIELD(CopyArgs, to));
    frame.Load(from, BURIN_ARG_FIELD(CopyArgs, from));
    frame.Load(count, BURIN_ARG_FIELD(CopyArgs, count));
    frame.ReleaseArgs();
    const VecRegs regs = v.New("elements", kind == Kind::kPart ? 2 * kWideRegs : kWideRegs);
    const VecPart<V> part = VecPart<V>::First(v, count);
    if (kind == Kind::kPart) {
      EmitLoadWide(v, regs, ptr[from], part);
      EmitStoreWide(v, ptr[to], regs, part);
    } else if (kind == Kind::kBroadcast) {
      EmitBroadcastWide(v, regs, ptr[from]);
      EmitStoreWide(v, ptr[to], regs);
    } else {
      EmitBroadcastWide(v, regs, ptr[from]);
      EmitStoreFirstWide(v, ptr[to], regs);
    }
  }
  frame.Finish();
  return std::move(code).Finalize();
}

// Copies `read` elements to `written`, all against inaccessible memory, and compares element i with from[i % read].
void ExpectCopies(Kind kind, const ExecutableCode& code, int64_t count, size_t read, size_t written) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer from, GuardedBuffer::Create(read * 8, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer to, GuardedBuffer::Create(written * 8, end));
    std::vector<uint64_t> values(read);
    for (size_t i = 0; i < read; ++i) values[i] = i * 0x0123456789ABCDEF + 1;
    std::memcpy(from.data(), values.data(), read * 8);
    const CopyArgs args = {to.data(), from.data(), count};
    code.entry<void (*)(const CopyArgs*)>()(&args);
    for (size_t i = 0; i < written; ++i) {
      uint64_t got = 0;
      std::memcpy(&got, to.data() + i * 8, 8);
      EXPECT_EQ(got, values[i % read]) << static_cast<int>(kind) << ", element " << i << " of " << written;
    }
  }
}

TEST(WideMemoryTest, TouchesOnlyTheElementsThatThereAre) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const bool is_512 = target.Supports(IsaLevel::kAvx512);
  const size_t lanes = is_512 ? VecAvx512::kLanes : VecAvx2::kLanes;
  for (const Kind kind : {Kind::kPart, Kind::kBroadcast, Kind::kFirst}) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob,
                         is_512 ? Generate<VecAvx512>(target, kind) : Generate<VecAvx2>(target, kind));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    if (kind == Kind::kBroadcast) ExpectCopies(kind, code, 0, 1, lanes);
    if (kind == Kind::kFirst) ExpectCopies(kind, code, 0, 1, 1);
    for (size_t count = 0; kind == Kind::kPart && count <= lanes; ++count) {
      ExpectCopies(kind, code, static_cast<int64_t>(count), lanes + count, lanes + count);
    }
  }
}

}  // namespace
}  // namespace burin::jit
