#include "jit/emitters/memory/memory_kernel_testlib.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
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
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct MoveArgs {
  const void* in;
  void* out;
  int64_t count;
};
BURIN_ARG_OFFSET(MoveArgs, in, 0);
BURIN_ARG_OFFSET(MoveArgs, out, 8);
BURIN_ARG_OFFSET(MoveArgs, count, 16);

// Emits the loops of one kernel.
template <class V>
class MoveEmitter {
 public:
  MoveEmitter(Assembler& code, const Target& target, const Movement& movement, const Movement::Emit<V>& load,
              const Movement::Emit<V>& store)
      : v_(code, target), movement_(movement), load_(load), store_(store) {}

  void EmitLoops(AbiFrame& frame, int vectors) {
    Assembler& code = v_.code();
    const GprReg in = code.regs().Gpr("in");
    const GprReg out = code.regs().Gpr("out");
    const GprReg count = code.regs().Gpr("count");
    frame.Load(in, BURIN_ARG_FIELD(MoveArgs, in));
    frame.Load(out, BURIN_ARG_FIELD(MoveArgs, out));
    frame.Load(count, BURIN_ARG_FIELD(MoveArgs, count));
    for (const int at_a_time : {vectors, 1}) {
      Label loop;
      Label end;
      const int elements = at_a_time * V::kLanes;
      code.Bind(loop);
      code.cmp(count, elements);
      code.jl(end);
      EmitGroup(at_a_time, in, out, VecPart<V>());
      code.add(in, elements * movement_.in_bytes);
      code.add(out, elements * movement_.out_bytes);
      code.sub(count, elements);
      code.jmp(loop);
      code.Bind(end);
    }
    EmitGroup(1, in, out, VecPart<V>::First(v_, count));
  }

  void EmitConstant(AbiFrame& frame, int count) {
    const GprReg in = v_.code().regs().Gpr("in");
    const GprReg out = v_.code().regs().Gpr("out");
    frame.Load(in, BURIN_ARG_FIELD(MoveArgs, in));
    frame.Load(out, BURIN_ARG_FIELD(MoveArgs, out));
    const int vectors = std::max(1, (count + V::kLanes - 1) / V::kLanes);
    EmitGroup(vectors, in, out, VecPart<V>::First(v_, count - (vectors - 1) * V::kLanes));
  }

 private:
  void EmitGroup(int vectors, const Reg64& in, const Reg64& out, const VecPart<V>& part) {
    const VecRegs group = v_.New("group", vectors);
    load_(v_, group, ptr[in], part);
    store_(v_, group, ptr[out], part);
  }

  V v_;
  const Movement& movement_;
  const Movement::Emit<V>& load_;
  const Movement::Emit<V>& store_;
};

absl::StatusOr<CodeBlob> Generate(const Movement& movement, const Target& target, int vectors,
                                  std::optional<int> count) {
  Assembler code("move", target.isa());
  AbiFrame frame(code);
  const auto emit = [&](auto emitter) {
    if (count.has_value()) {
      emitter.EmitConstant(frame, *count);
    } else {
      emitter.EmitLoops(frame, vectors);
    }
  };
  if (target.Supports(IsaLevel::kAvx512)) {
    emit(MoveEmitter<VecAvx512>(code, target, movement, movement.load_avx512, movement.store_avx512));
  } else {
    emit(MoveEmitter<VecAvx2>(code, target, movement, movement.load_avx2, movement.store_avx2));
  }
  frame.Finish();
  return std::move(code).Finalize();
}

// Moves `count` elements between guarded buffers, and compares with `expected`.
absl::Status CheckMove(const MemoryKernel& kernel, const Movement& movement, GuardedEnd end, int count,
                       const std::vector<uint8_t>& in, const std::vector<uint8_t>& expected) {
  const size_t in_bytes = static_cast<size_t>(count * movement.in_bytes);
  const size_t out_bytes = static_cast<size_t>(count * movement.out_bytes);
  // What is not to be touched on the side that has no inaccessible page.
  constexpr size_t kSpare = 128;
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer from, GuardedBuffer::Create(in_bytes, end));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer tight, GuardedBuffer::Create(out_bytes, end));
  BURIN_ASSIGN_OR_RETURN(const GuardedBuffer wide, GuardedBuffer::Create(out_bytes + kSpare, end));
  if (in_bytes > 0) std::memcpy(from.data(), in.data(), in_bytes);
  std::memset(wide.data(), 0xA5, wide.size());
  uint8_t* const inside = end == GuardedEnd::kFirstByte ? wide.data() : wide.data() + kSpare;
  uint8_t* const spare = end == GuardedEnd::kFirstByte ? wide.data() + out_bytes : wide.data();
  kernel.Run(from.data(), tight.data(), count);
  kernel.Run(from.data(), inside, count);
  for (size_t i = 0; i < out_bytes; ++i) {
    if (tight.data()[i] == expected[i] && inside[i] == expected[i]) continue;
    return absl::InternalError(absl::StrCat("byte ", i, " of ", out_bytes, " differs: ", absl::Hex(tight.data()[i]),
                                            ", ", absl::Hex(inside[i]), " for ", absl::Hex(expected[i])));
  }
  for (size_t i = 0; i < kSpare; ++i) {
    if (spare[i] != 0xA5) return absl::InternalError(absl::StrCat("memory beyond ", count, " elements is written"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MemoryKernel> MemoryKernel::Create(const Movement& movement, const Target& target, int vectors,
                                                  std::optional<int> count) {
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, Generate(movement, target, vectors, count));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode code, ExecutableCode::Load(blob));
  return MemoryKernel(std::move(code));
}

void MemoryKernel::Run(const void* in, void* out, int64_t count) const {
  const MoveArgs args = {in, out, count};
  code_.entry<void (*)(const MoveArgs*)>()(&args);
}

int LanesOf(const Target& target) { return target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes; }

absl::Status CheckParts(const Movement& movement, const Target& target, const std::vector<uint8_t>& in) {
  const int lanes = LanesOf(target);
  const int most = 3 * lanes;
  BURIN_ASSIGN_OR_RETURN(const MemoryKernel loops, MemoryKernel::Create(movement, target, 2));
  std::vector<uint8_t> expected(static_cast<size_t>(most * movement.out_bytes));
  loops.Run(in.data(), expected.data(), most);
  for (int count = 0; count <= most; ++count) {
    const bool one_group = count <= 2 * lanes;
    for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
      BURIN_RETURN_IF_ERROR(CheckMove(loops, movement, end, count, in, expected));
      if (!one_group) continue;
      BURIN_ASSIGN_OR_RETURN(const MemoryKernel constant, MemoryKernel::Create(movement, target, 1, count));
      BURIN_RETURN_IF_ERROR(CheckMove(constant, movement, end, count, in, expected));
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::jit
