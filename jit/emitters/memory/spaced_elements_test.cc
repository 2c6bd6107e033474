#include "jit/emitters/memory/spaced_elements.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct Args {
  const void* from;
  void* to;
  int64_t stride;
};
BURIN_ARG_OFFSET(Args, from, 0);
BURIN_ARG_OFFSET(Args, to, 8);
BURIN_ARG_OFFSET(Args, stride, 16);

// Generates a function of Args whose body is emit(v, vector, from, to, stride).
template <class V, class Emit>
absl::StatusOr<ExecutableCode> Generate(const Target& target, const Emit& emit) {
  Assembler code("spaced", target.isa());
  {
    AbiFrame frame(code);
    V v(code, target);
    const GprReg from = code.regs().Gpr("from");
    const GprReg to = code.regs().Gpr("to");
    const GprReg stride = code.regs().Gpr("stride");
    frame.Load(from, BURIN_ARG_FIELD(Args, from));
    frame.Load(to, BURIN_ARG_FIELD(Args, to));
    frame.Load(stride, BURIN_ARG_FIELD(Args, stride));
    const VecReg vector = v.New("vector");
    emit(v, vector, from, to, stride);
    frame.Finish();
  }
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, std::move(code).Finalize());
  return ExecutableCode::Load(blob);
}

// Runs `code` on elements `from_distance` and `to_distance` bytes apart, which may be negative, with the elements that
// are read and those that are written each beside inaccessible memory on either side.
void Check(const ExecutableCode& code, int lanes, int64_t from_distance, int64_t to_distance, int64_t stride) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    const auto span = [lanes](int64_t distance) { return std::abs(distance) * (lanes - 1) + 4; };
    const auto first = [lanes](int64_t distance) { return distance < 0 ? -distance * (lanes - 1) : 0; };
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer source,
                         GuardedBuffer::Create(static_cast<size_t>(span(from_distance)), end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                         GuardedBuffer::Create(static_cast<size_t>(span(to_distance)), end));
    for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(i * 7 + 1);
    std::memset(destination.data(), 0xee, destination.size());
    std::vector<uint8_t> expected(destination.data(), destination.data() + destination.size());
    for (int64_t lane = 0; lane < lanes; ++lane) {
      std::memcpy(expected.data() + first(to_distance) + lane * to_distance,
                  source.data() + first(from_distance) + lane * from_distance, 4);
    }
    const Args args = {source.data() + first(from_distance), destination.data() + first(to_distance), stride};
    code.entry<void (*)(const Args*)>()(&args);
    EXPECT_EQ(std::vector<uint8_t>(destination.data(), destination.data() + destination.size()), expected)
        << from_distance << " to " << to_distance;
  }
}

template <class V>
void CheckSpacings(const Target& target) {
  for (int spacing = 2; spacing <= kMostSpacing; ++spacing) {
    ASSERT_OK_AND_ASSIGN(const ExecutableCode load, Generate<V>(target, [&](V& v, const Xmm& vector, const Reg64& from,
                                                                            const Reg64& to, const Reg64& /*stride*/) {
                           EmitLoadSpaced(v, vector, ptr[from], spacing);
                           v.Store(ptr[to], vector);
                         }));
    Check(load, V::kLanes, 4 * spacing, 4, 0);
    ASSERT_OK_AND_ASSIGN(const ExecutableCode store, Generate<V>(target, [&](V& v, const Xmm& vector, const Reg64& from,
                                                                             const Reg64& to, const Reg64& /*stride*/) {
                           v.Load(vector, ptr[from]);
                           EmitStoreSpaced(v, ptr[to], vector, spacing);
                         }));
    Check(store, V::kLanes, 4, 4 * spacing, 0);
  }
}

template <class V>
void CheckStrides(const Target& target) {
  ASSERT_OK_AND_ASSIGN(const ExecutableCode load, Generate<V>(target, [&](V& v, const Xmm& vector, const Reg64& from,
                                                                          const Reg64& to, const Reg64& stride) {
                         EmitLoadStrided(v, vector, from, stride);
                         v.Store(ptr[to], vector);
                       }));
  ASSERT_OK_AND_ASSIGN(const ExecutableCode store, Generate<V>(target, [&](V& v, const Xmm& vector, const Reg64& from,
                                                                           const Reg64& to, const Reg64& stride) {
                         v.Load(vector, ptr[from]);
                         EmitStoreStrided(v, to, stride, vector);
                       }));
  for (const int64_t stride : {4, -4, 8, 12, 100, -100, 4096, 7}) {
    Check(load, V::kLanes, stride, 4, stride);
    Check(store, V::kLanes, 4, stride, stride);
  }
}

TEST(SpacedElementsTest, MovesElementsAKnownDistanceApart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  CheckSpacings<VecAvx2>(target);
  if (target.Supports(IsaLevel::kAvx512)) CheckSpacings<VecAvx512>(target);
}

TEST(SpacedElementsTest, MovesElementsAnyStrideApart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  CheckStrides<VecAvx2>(target);
  if (target.Supports(IsaLevel::kAvx512)) CheckStrides<VecAvx512>(target);
}

}  // namespace
}  // namespace burin::jit
