#include "jit/kernels/resize/resize_code.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/kernels/resize/resize_args.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;
constexpr int kTapBytes = sizeof(ResizeTableTap);
constexpr int kElementEntryBytes = sizeof(ResizeTableElement);
constexpr int kWeightOffset = 8;
static_assert(offsetof(ResizeTableTap, offset) == 0 && offsetof(ResizeTableTap, weight) == kWeightOffset,
              "the code reads taps");
static_assert(offsetof(ResizeTableElement, first) == 0 && offsetof(ResizeTableElement, count) == 8,
              "the code reads elements");

// Registers that a sum takes beside its results: a weight in two forms, a tap, the mask of the rest.
constexpr int kTakenVectors = 4;

constexpr int kMaxSumVectors = 8;

// Stores results of one row, or hands them to the epilogue. `columns` is the number of columns of a single vector that
// is not whole, in a register, and `mask` its mask.
template <class V>
void EmitResults(V& v, AbiFrame& frame, const EpilogueEmitter* epilogue, absl::Span<const VecReg> results,
                 const ArgField<const EpiloguePlace*>& places_field, const Address& row_address, const Reg64& column,
                 const Reg64& destination, const Reg64* columns, const typename V::MaskRegister* mask) {
  Assembler& code = v.code();
  if (epilogue == nullptr) {
    for (size_t i = 0; i < results.size(); ++i) {
      const Address to = ptr[destination + static_cast<int>(i) * (V::kBits / 8)];
      mask != nullptr ? v.StoreMasked(to, *mask, results[i]) : v.Store(to, results[i]);
    }
    return;
  }
  const GprReg places = code.regs().Gpr("places");
  const GprReg row = code.regs().Gpr("row");
  frame.Load(places, places_field);
  code.mov(row, row_address);
  const auto accumulator = [&](int, int i) -> Xmm { return results[static_cast<size_t>(i)]; };
  EpilogueTile tile = {1, static_cast<int>(results.size()), accumulator, places, row, column, {}};
  if (columns != nullptr) tile.last_columns.emplace(*columns);
  epilogue->Emit(v, frame, tile);
}

template <class V>
class SumGenerator {
 public:
  SumGenerator(ResizeTerm term, const Target& target, const EpilogueEmitter* epilogue, Assembler& code)
      : term_(term),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code, target),
        source_(code.regs().Gpr("source")),
        destination_(code.regs().Gpr("destination")),
        element_(code.regs().Gpr("element")),
        column_(code.regs().Gpr("column")),
        vectors_(code.regs().Gpr("vectors")),
        left_(frame_.Slot(8, "left")),
        first_destination_(frame_.Slot(8, "first_destination")),
        row_(frame_.Slot(8, "row")) {}

  void Emit() {
    Label next;
    frame_.Load(element_, BURIN_ARG_FIELD(ResizeSumArgs, elements));
    Keep(BURIN_ARG_FIELD(ResizeSumArgs, count), left_);
    Keep(BURIN_ARG_FIELD(ResizeSumArgs, destination), first_destination_);
    Keep(BURIN_ARG_FIELD(ResizeSumArgs, row), row_);
    code_.Bind(next);
    frame_.Load(source_, BURIN_ARG_FIELD(ResizeSumArgs, source));
    code_.mov(destination_, first_destination_.At());
    frame_.Load(column_, BURIN_ARG_FIELD(ResizeSumArgs, column));
    frame_.Load(vectors_, BURIN_ARG_FIELD(ResizeSumArgs, vectors));
    EmitChannels();
    frame_.Load(source_, BURIN_ARG_FIELD(ResizeSumArgs, destination_step));
    code_.add(first_destination_.At(), source_);
    code_.add(qword[row_.At().getRegExp()], 1);
    code_.add(element_, kElementEntryBytes);
    code_.sub(qword[left_.At().getRegExp()], 1);
    code_.jg(next);
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  template <class T>
  void Keep(const ArgField<T>& field, const StackSlot& slot) {
    frame_.Load(source_, field);
    code_.mov(slot.At(), source_);
  }

  void EmitChannels() {
    int most = kMaxSumVectors;
    const int wanted = epilogue_ != nullptr ? epilogue_->Registers(code_.isa()).vectors : 0;
    while (most > 1 && most + wanted + kTakenVectors > code_.regs().capacity(RegClass::kVec)) most /= 2;
    for (int vectors = most; vectors > 0; vectors /= 2) {
      Label next;
      Label smaller;
      code_.Align(32);
      code_.Bind(next);
      code_.cmp(vectors_, vectors);
      code_.jl(smaller);
      EmitSum(vectors, nullptr, nullptr);
      code_.add(source_, vectors * kVectorBytes);
      code_.add(destination_, vectors * kVectorBytes);
      code_.add(column_, vectors * V::kLanes);
      code_.sub(vectors_, vectors);
      if (vectors == most) code_.jmp(next);
      code_.Bind(smaller);
    }
    Label done;
    frame_.Load(vectors_, BURIN_ARG_FIELD(ResizeSumArgs, rest));
    code_.test(vectors_, vectors_);
    code_.jz(done);
    const typename V::MaskRegister mask = v_.NewMask("rest");
    {
      const GprReg scratch = code_.regs().Gpr("scratch");
      v_.SetMaskFor(mask, vectors_, scratch);
    }
    EmitSum(1, &vectors_, &mask);
    code_.Bind(done);
  }

  // Sums up some vectors of channels of the present element.
  void EmitSum(int vectors, const Reg64* columns, const typename V::MaskRegister* mask) {
    std::vector<VecReg> sums;
    for (int i = 0; i < vectors; ++i) {
      sums.push_back(v_.New(absl::StrCat("sum", i)));
      v_.Zero(VecGroup(sums.back()));
    }
    EmitTaps(sums, mask);
    EmitResults(v_, frame_, epilogue_, sums, BURIN_ARG_FIELD(ResizeSumArgs, places), row_.At(), column_, destination_,
                columns, mask);
  }

  void EmitTaps(absl::Span<const VecReg> sums, const typename V::MaskRegister* mask) {
    const GprReg outer = code_.regs().Gpr("outer");
    const GprReg outer_left = code_.regs().Gpr("outer_left");
    const GprReg base = code_.regs().Gpr("base");
    const GprReg tap = code_.regs().Gpr("tap");
    const GprReg left = code_.regs().Gpr("left");
    const GprReg from = code_.regs().Gpr("from");
    const VecReg outer_weight = v_.New("outer_weight");
    const VecReg weight = v_.New("weight");
    const VecReg value = v_.New("value");
    Label next_outer;
    Label next_tap;
    Label done;
    frame_.Load(outer, BURIN_ARG_FIELD(ResizeSumArgs, outer));
    frame_.Load(outer_left, BURIN_ARG_FIELD(ResizeSumArgs, outer_count));
    code_.test(outer_left, outer_left);
    code_.jz(done);
    code_.Bind(next_outer);
    code_.mov(base, ptr[outer]);
    code_.add(base, source_);
    v_.Broadcast(outer_weight, ptr[outer + kWeightOffset]);
    code_.mov(tap, ptr[element_]);
    code_.add(tap, frame_.Arg(BURIN_ARG_FIELD(ResizeSumArgs, taps)));
    code_.mov(left, ptr[element_ + 8]);
    code_.test(left, left);
    code_.jz(done);
    code_.Bind(next_tap);
    code_.mov(from, ptr[tap]);
    v_.Broadcast(weight, ptr[tap + kWeightOffset]);
    v_.Mul(weight, weight, outer_weight);
    for (size_t i = 0; i < sums.size(); ++i) {
      const Address address = ptr[base + from + static_cast<int>(i) * kVectorBytes];
      if (mask == nullptr && term_ == ResizeTerm::kElement) {
        v_.MulAdd(sums[i], weight, address);
        continue;
      }
      mask != nullptr ? v_.LoadMasked(value, *mask, address) : v_.Load(value, address);
      if (term_ == ResizeTerm::kSquare) v_.Mul(value, value, value);
      v_.MulAdd(sums[i], weight, value);
    }
    code_.add(tap, kTapBytes);
    code_.dec(left);
    code_.jnz(next_tap);
    code_.add(outer, kTapBytes);
    code_.dec(outer_left);
    code_.jnz(next_outer);
    code_.Bind(done);
  }

  const ResizeTerm term_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  // Of the present channels.
  GprReg source_;
  GprReg destination_;
  GprReg element_;
  GprReg column_;
  GprReg vectors_;
  StackSlot left_;
  StackSlot first_destination_;
  StackSlot row_;
};

template <class V>
class RowGenerator {
 public:
  RowGenerator(ResizeRowAccess access, const Target& target, const EpilogueEmitter* epilogue, Assembler& code)
      : access_(access),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code, target),
        source_(code.regs().Gpr("source")),
        destination_(code.regs().Gpr("destination")),
        column_(code.regs().Gpr("column")),
        left_(code.regs().Gpr("left")) {}

  void Emit() {
    Label next;
    Label rest;
    frame_.Load(source_, BURIN_ARG_FIELD(ResizeRowArgs, source));
    frame_.Load(destination_, BURIN_ARG_FIELD(ResizeRowArgs, destination));
    frame_.Load(left_, BURIN_ARG_FIELD(ResizeRowArgs, vectors));
    code_.xor_(column_.cvt32(), column_.cvt32());
    code_.test(left_, left_);
    code_.jz(rest);
    code_.Bind(next);
    EmitVector(nullptr, nullptr);
    code_.add(destination_, V::kBits / 8);
    code_.add(column_, V::kLanes);
    code_.dec(left_);
    code_.jnz(next);
    code_.Bind(rest);
    frame_.Load(left_, BURIN_ARG_FIELD(ResizeRowArgs, rest));
    code_.test(left_, left_);
    code_.jz(frame_.exit());
    {
      const typename V::MaskRegister mask = v_.NewMask("rest");
      const GprReg scratch = code_.regs().Gpr("scratch");
      v_.SetMaskFor(mask, left_, scratch);
      EmitVector(&left_, &mask);
    }
    frame_.Finish();
  }

 private:
  void EmitVector(const Reg64* columns, const typename V::MaskRegister* mask) {
    std::vector<VecReg> sums;
    sums.push_back(v_.New("sum"));
    v_.Zero(VecGroup(sums[0]));
    EmitTaps(sums[0]);
    EmitResults(v_, frame_, epilogue_, sums, BURIN_ARG_FIELD(ResizeRowArgs, places),
                frame_.Arg(BURIN_ARG_FIELD(ResizeRowArgs, row)), column_, destination_, columns, mask);
  }

  // Elements without such a tap load nothing, so that what is not finite elsewhere does not matter.
  void EmitTaps(const Xmm& sum) {
    const GprReg indices = code_.regs().Gpr("indices");
    const GprReg weights = code_.regs().Gpr("weights");
    const GprReg taps = code_.regs().Gpr("taps");
    const VecReg index = v_.New("index");
    const VecReg weight = v_.New("weight");
    const VecReg value = v_.New("value");
    const VecReg zero = v_.New("zero");
    const auto there = v_.NewMask("there", 1);
    std::optional<VecReg> lower;
    std::optional<VecReg> upper;
    Label next;
    Label done;
    v_.Zero(VecGroup(zero));
    if (access_ == ResizeRowAccess::kTwoVectors) {
      lower.emplace(v_.New("lower"));
      upper.emplace(v_.New("upper"));
      frame_.Load(indices, BURIN_ARG_FIELD(ResizeRowArgs, bases));
      code_.movsxd(indices, dword[indices + column_ * kElementBytes]);
      v_.Load(*lower, ptr[source_ + indices * kElementBytes]);
      v_.Load(*upper, ptr[source_ + indices * kElementBytes + V::kBits / 8]);
    }
    frame_.Load(indices, BURIN_ARG_FIELD(ResizeRowArgs, indices));
    frame_.Load(weights, BURIN_ARG_FIELD(ResizeRowArgs, weights));
    frame_.Load(taps, BURIN_ARG_FIELD(ResizeRowArgs, taps));
    code_.test(taps, taps);
    code_.jz(done);
    code_.Bind(next);
    v_.Load(index, ptr[indices + column_ * kElementBytes]);
    v_.Load(weight, ptr[weights + column_ * kElementBytes]);
    v_.Compare(there, weight, zero, VecCompare::kNotEqual);
    if (access_ == ResizeRowAccess::kTwoVectors) {
      const VecReg other = v_.New("other");
      const auto in_upper = v_.NewMask("in_upper", 1);
      v_.Lookup(VecGroup(value), VecGroup(index), *lower);
      v_.Lookup(VecGroup(other), VecGroup(index), *upper);
      v_.CompareI32(in_upper, index, v_.Const(int32_t{V::kLanes - 1}), VecCompareI32::kGreater);
      v_.SelectOne(value, in_upper[0], other, value);
      v_.SelectOne(value, there[0], value, zero);
    } else {
      v_.GatherMasked(value, there[0], source_, index);
    }
    v_.MulAdd(sum, weight, value);
    code_.add(indices, frame_.Arg(BURIN_ARG_FIELD(ResizeRowArgs, tap_stride)));
    code_.add(weights, frame_.Arg(BURIN_ARG_FIELD(ResizeRowArgs, tap_stride)));
    code_.dec(taps);
    code_.jnz(next);
    code_.Bind(done);
  }

  const ResizeRowAccess access_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  GprReg source_;
  GprReg destination_;
  GprReg column_;
  GprReg left_;
};

template <class Generator, class... Args>
absl::StatusOr<CodeBlob> Generate(const char* name, const Target& target, const EpilogueEmitter* epilogue,
                                  const Args&... args) {
  Assembler code(name, target.isa());
  {
    Generator generator(args..., target, epilogue, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace

absl::StatusOr<CodeBlob> GenerateResizeSum(ResizeTerm term, const Target& target, const EpilogueEmitter* epilogue) {
  const char* const name = term == ResizeTerm::kSquare ? "resize_sum_squares" : "resize_sum";
  return target.Supports(IsaLevel::kAvx512) ? Generate<SumGenerator<VecAvx512>>(name, target, epilogue, term)
                                            : Generate<SumGenerator<VecAvx2>>(name, target, epilogue, term);
}

absl::StatusOr<CodeBlob> GenerateResizeRow(ResizeRowAccess access, const Target& target,
                                           const EpilogueEmitter* epilogue) {
  const char* const name = access == ResizeRowAccess::kGather ? "resize_row_gather" : "resize_row";
  return target.Supports(IsaLevel::kAvx512) ? Generate<RowGenerator<VecAvx512>>(name, target, epilogue, access)
                                            : Generate<RowGenerator<VecAvx2>>(name, target, epilogue, access);
}

}  // namespace burin::jit
