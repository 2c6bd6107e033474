#include "jit/kernels/dot/dot_generator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/kernels/brgemm/row_addresses.h"
#include "jit/kernels/dot/dot_args.h"

namespace burin::jit {
namespace {

// Chains of a sum, each in a lane.
constexpr int kChains = 16;

constexpr int kElementBytes = 4;

// Times 16 steps in one pass of the loop.
constexpr int kUnroll = 4;

// Sums that are stored at a time: those of a group are filled up to whole ones.
constexpr int kSumsAtOnce = 4;

// The sums of a row, in memory: what a group may begin before the first column, the columns, and what is filled up.
constexpr int kBeforeBytes = 16 * kElementBytes;
constexpr int kRowBytes = kBeforeBytes + (DotSpec::kMaxColumns + 16) * kElementBytes;
static_assert(kBeforeBytes >= DotSpec::kMaxGroup * kElementBytes, "groups begin before the memory of the sums");

template <class V>
class DotGenerator {
 public:
  DotGenerator(const DotSpec& spec, const EpilogueEmitter* epilogue, Assembler& code)
      : spec_(spec),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code),
        sums_(frame_.Slot(spec.rows * kRowBytes, "sums")) {}

  void Emit() {
    EmitGroups();
    if (epilogue_ == nullptr) {
      EmitStores();
    } else {
      if (spec_.add_to_c) EmitAdditions();
      EmitEpilogue();
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;
  // Vectors that the chains of a sum take.
  static constexpr int kParts = kChains / V::kLanes;

  // Returns the place of a row's sum, of the column that `column` holds plus `more`.
  Address SumAt(int row, const Reg64& column, int more = 0) const {
    return ptr[sums_.At(row * kRowBytes + kBeforeBytes + more * kElementBytes).getRegExp() + column * kElementBytes];
  }

  // Emits the loop over groups of columns, which leaves all sums in memory.
  void EmitGroups() {
    code_.Mark("groups");
    for (int i = 0; i < spec_.rows * spec_.group * kParts; ++i) {
      accumulators_.push_back(v_.New(absl::StrCat("acc", i)));
    }
    RowAddresses a(code_, frame_, {}, spec_.rows, BURIN_ARG_FIELD(DotArgs, a_row_stride), "a");
    // The columns of the group behind follow those of the present one.
    const int columns = spec_.prefetch ? 2 * spec_.group : spec_.group;
    RowAddresses b(code_, frame_, {}, columns, BURIN_ARG_FIELD(DotArgs, b_column_stride), "b");
    const StackSlot b_base = frame_.Slot(8, "b_base");
    const StackSlot group_column = frame_.Slot(8, "group_column");
    const GprReg next_column = code_.regs().Gpr("next_column");
    const GprReg count = code_.regs().Gpr("count");
    code_.xor_(next_column, next_column);
    Label next;
    code_.Align(64);
    code_.Bind(next);
    // The last group ends with the last column.
    frame_.Load(count, BURIN_ARG_FIELD(DotArgs, columns));
    code_.sub(count, spec_.group);
    code_.cmp(count, next_column);
    code_.cmovg(count, next_column);
    code_.mov(group_column.At(), count);
    code_.imul(count, frame_.Arg(BURIN_ARG_FIELD(DotArgs, b_column_stride)));
    code_.add(count, frame_.Arg(BURIN_ARG_FIELD(DotArgs, b)));
    code_.mov(b_base.At(), count);
    a.Point(BURIN_ARG_FIELD(DotArgs, a));
    b.Point(b_base.At());
    for (const VecReg& accumulator : accumulators_) v_.Zero(VecGroup(accumulator));
    EmitDepth(a, b, count);
    code_.mov(count, group_column.At());
    for (int row = 0; row < spec_.rows; ++row) {
      for (int column = 0; column < spec_.group; column += kSumsAtOnce) EmitSums(row, column, count);
    }
    code_.add(next_column, spec_.group);
    code_.cmp(next_column, frame_.Arg(BURIN_ARG_FIELD(DotArgs, columns)));
    code_.jl(next);
    accumulators_.clear();
  }

  const VecReg& Accumulator(int row, int column, int part) const {
    return accumulators_[static_cast<size_t>((row * spec_.group + column) * kParts + part)];
  }

  // Emits the loop over steps, which changes `count`.
  void EmitDepth(RowAddresses& a, RowAddresses& b, const GprReg& count) {
    Label pass;
    Label rest;
    Label step;
    Label tail;
    Label done;
    const auto advance = [&](int steps) {
      a.Advance(steps * kChains * kElementBytes);
      b.Advance(steps * kChains * kElementBytes);
    };
    frame_.Load(count, BURIN_ARG_FIELD(DotArgs, depth));
    code_.shr(count, 4);
    code_.sub(count, kUnroll);
    code_.jb(rest);
    code_.Align(64);
    code_.Bind(pass);
    for (int i = 0; i < kUnroll; ++i) {
      for (int part = 0; part < kParts; ++part) EmitStep(a, b, part, i * kChains * kElementBytes, nullptr);
    }
    advance(kUnroll);
    code_.sub(count, kUnroll);
    code_.jae(pass);
    code_.Bind(rest);
    code_.add(count, kUnroll);
    code_.jz(tail);
    code_.Bind(step);
    for (int part = 0; part < kParts; ++part) EmitStep(a, b, part, 0, nullptr);
    advance(1);
    code_.dec(count);
    code_.jnz(step);
    code_.Bind(tail);
    frame_.Load(count, BURIN_ARG_FIELD(DotArgs, depth));
    code_.and_(count, kChains - 1);
    code_.jz(done);
    for (int part = 0; part < kParts; ++part) {
      const MaskRegister mask = v_.NewMask("tail");
      SetMask(mask, count, part);
      EmitStep(a, b, part, 0, &mask);
    }
    code_.Bind(done);
  }

  using MaskRegister = typename V::MaskRegister;

  // Sets `mask` to those of vector `part` of the first `count` elements.
  void SetMask(const MaskRegister& mask, const Reg64& count, int part) {
    const GprReg scratch = code_.regs().Gpr("scratch");
    if constexpr (V::kBits == 512) {
      v_.SetMaskFor(mask, count, scratch);
    } else {
      const GprReg some = code_.regs().Gpr("some");
      code_.xor_(scratch, scratch);
      code_.lea(some, ptr[count - part * V::kLanes]);
      code_.cmp(some, scratch);
      code_.cmovl(some, scratch);
      code_.mov(scratch, V::kLanes);
      code_.cmp(some, scratch);
      code_.cmovg(some, scratch);
      v_.SetMaskFor(mask, some, scratch);
    }
  }

  void Load(const VecReg& to, const Address& from, const MaskRegister* mask) {
    if (mask == nullptr) {
      v_.Load(to, from);
    } else {
      v_.LoadMasked(to, *mask, from);
    }
  }

  // Emits the products of one vector of each row by one of each column. The fewer of them are held, and the others go
  // by.
  void EmitStep(const RowAddresses& a, const RowAddresses& b, int part, int displacement, const MaskRegister* mask) {
    const bool holds_rows = spec_.rows <= spec_.group;
    const RowAddresses& held_at = holds_rows ? a : b;
    const RowAddresses& other_at = holds_rows ? b : a;
    const int held_count = holds_rows ? spec_.rows : spec_.group;
    const int other_count = holds_rows ? spec_.group : spec_.rows;
    const int bytes = displacement + part * kVectorBytes;
    if (spec_.prefetch && part == 0 && mask == nullptr) {
      for (int i = 0; i < spec_.group; ++i) code_.prefetcht1(b.At(spec_.group + i, bytes));
    }
    std::vector<VecReg> held;
    for (int i = 0; i < held_count; ++i) {
      held.push_back(v_.New("held"));
      Load(held.back(), held_at.At(i, bytes), mask);
    }
    const auto accumulator = [&](int i, int other) -> const VecReg& {
      return holds_rows ? Accumulator(i, other, part) : Accumulator(other, i, part);
    };
    // Products that take what comes from far from memory themselves wait for it no longer than they must: with loads of
    // their own, four rows reach 3/4 of the rate. Near data would only be read several times.
    const bool from_memory = mask == nullptr && (held_count == 1 || spec_.prefetch);
    for (int other = 0; other < other_count; ++other) {
      if (from_memory) {
        for (int i = 0; i < held_count; ++i) {
          v_.MulAdd(accumulator(i, other), held[static_cast<size_t>(i)], other_at.At(other, bytes));
        }
        continue;
      }
      const VecReg vector = v_.New("vector");
      Load(vector, other_at.At(other, bytes), mask);
      for (int i = 0; i < held_count; ++i) v_.MulAdd(accumulator(i, other), held[static_cast<size_t>(i)], vector);
    }
  }

  // Adds up the chains of the sums of a row from column `first` of the group on, as many as are stored at once, and
  // stores them: `at` is the group's first column.
  void EmitSums(int row, int first, const Reg64& at) {
    const VecReg other = v_.New("other");
    const Xmm half = AsYmm(other);
    const int count = std::min(kSumsAtOnce, spec_.group - first);
    const auto sum = [&](int i) { return AsYmm(Accumulator(row, first + std::min(i, count - 1), 0)); };
    for (int i = 0; i < count; ++i) {
      if constexpr (V::kBits == 512) {
        code_.vextractf64x4(half, AsZmm(sum(i)), 1);
        code_.vaddps(sum(i), sum(i), half);
      } else {
        code_.vaddps(sum(i), sum(i), Accumulator(row, first + i, 1));
      }
    }
    // Each adds lanes two apart, then their neighbours, of sums side by side.
    const auto add_pairs = [&](int i) {
      code_.vunpcklps(half, sum(i), sum(i + 1));
      code_.vunpckhps(sum(i), sum(i), sum(i + 1));
      code_.vaddps(sum(i), sum(i), half);
    };
    add_pairs(0);
    if (count > 2) add_pairs(2);
    const Xmm last = count > 2 ? sum(2) : sum(0);
    code_.vunpcklpd(half, sum(0), last);
    code_.vunpckhpd(sum(0), sum(0), last);
    code_.vaddps(sum(0), sum(0), half);
    const Xmm low = AsXmm(sum(0));
    if constexpr (V::kBits == 512) {
      code_.vextractf32x4(AsXmm(half), sum(0), 1);
    } else {
      code_.vextractf128(AsXmm(half), sum(0), 1);
    }
    code_.vaddps(low, low, AsXmm(half));
    code_.vmovups(SumAt(row, at, first), low);
  }

  // Emits a loop over the vectors of C: body(index of the first column, mask, rows of C).
  template <class Body>
  void EachVectorOfC(const Body& body) {
    RowAddresses c(code_, frame_, {}, spec_.rows, BURIN_ARG_FIELD(DotArgs, c_row_stride), "c");
    c.Point(BURIN_ARG_FIELD(DotArgs, c));
    const GprReg column = code_.regs().Gpr("column");
    const GprReg left = code_.regs().Gpr("left");
    const MaskRegister mask = v_.NewMask("columns");
    code_.xor_(column, column);
    frame_.Load(left, BURIN_ARG_FIELD(DotArgs, columns));
    Label next;
    code_.Bind(next);
    SetMask(mask, left, 0);
    body(column, mask, c);
    c.Advance(kVectorBytes);
    code_.add(column, V::kLanes);
    code_.sub(left, V::kLanes);
    code_.jg(next);
  }

  void EmitStores() {
    code_.Mark("stores");
    EachVectorOfC([&](const Reg64& column, const MaskRegister& mask, const RowAddresses& c) {
      const VecReg sum = v_.New("sum");
      const VecReg before = v_.New("before");
      for (int row = 0; row < spec_.rows; ++row) {
        v_.Load(sum, SumAt(row, column));
        if (spec_.add_to_c) {
          v_.LoadMasked(before, mask, c.At(row, 0));
          v_.Add(sum, sum, before);
        }
        v_.StoreMasked(c.At(row, 0), mask, sum);
      }
    });
  }

  // Adds C to the sums in memory.
  void EmitAdditions() {
    code_.Mark("additions");
    EachVectorOfC([&](const Reg64& column, const MaskRegister& mask, const RowAddresses& c) {
      const VecReg sum = v_.New("sum");
      for (int row = 0; row < spec_.rows; ++row) {
        v_.LoadMasked(sum, mask, c.At(row, 0));
        v_.Add(sum, sum, SumAt(row, column));
        v_.Store(SumAt(row, column), sum);
      }
    });
  }

  // Emits the loop over vectors of columns, of all rows at once. What the loop keeps is on the stack, so that the
  // epilogue has the registers.
  void EmitEpilogue() {
    code_.Mark("epilogue");
    const StackSlot places_slot = frame_.Slot(8, "places");
    const StackSlot row_slot = frame_.Slot(8, "row");
    const StackSlot column_slot = frame_.Slot(8, "column");
    const StackSlot done_slot = frame_.Slot(8, "done");
    const StackSlot left_slot = frame_.Slot(8, "left");
    {
      const GprReg value = code_.regs().Gpr("value");
      const auto keep = [&](const StackSlot& slot, const auto& field) {
        frame_.Load(value, field);
        code_.mov(slot.At(), value);
      };
      keep(places_slot, BURIN_ARG_FIELD(DotArgs, places));
      keep(row_slot, BURIN_ARG_FIELD(DotArgs, row));
      keep(column_slot, BURIN_ARG_FIELD(DotArgs, column));
      keep(left_slot, BURIN_ARG_FIELD(DotArgs, columns));
      code_.xor_(value, value);
      code_.mov(done_slot.At(), value);
    }
    frame_.ReleaseArgs();
    Label next;
    code_.Bind(next);
    std::vector<VecReg> sums;
    {
      const GprReg done = code_.regs().Gpr("done");
      code_.mov(done, done_slot.At());
      for (int row = 0; row < spec_.rows; ++row) {
        sums.push_back(v_.New("sum"));
        v_.Load(sums.back(), SumAt(row, done));
      }
    }
    {
      const GprReg places = code_.regs().Gpr("places");
      const GprReg row = code_.regs().Gpr("row");
      const GprReg column = code_.regs().Gpr("column");
      const GprReg last = code_.regs().Gpr("last_columns");
      code_.mov(places, V::kLanes);
      code_.mov(last, left_slot.At());
      code_.cmp(last, places);
      code_.cmovg(last, places);
      code_.mov(places, places_slot.At());
      code_.mov(row, row_slot.At());
      code_.mov(column, column_slot.At());
      const auto accumulator = [&](int r, int) -> Xmm { return sums[static_cast<size_t>(r)]; };
      EpilogueTile tile = {spec_.rows, 1, accumulator, places, row, column, {}};
      tile.last_columns.emplace(last);
      epilogue_->Emit(v_, frame_, tile);
    }
    code_.add(qword[column_slot.At().getRegExp()], V::kLanes);
    code_.add(qword[done_slot.At().getRegExp()], V::kLanes);
    code_.sub(qword[left_slot.At().getRegExp()], V::kLanes);
    code_.jg(next);
  }

  const DotSpec& spec_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  const StackSlot sums_;
  // By row, column of the group and part of the chains.
  std::vector<VecReg> accumulators_;
};

}  // namespace

template <class V>
void EmitDot(const DotSpec& spec, const EpilogueEmitter* epilogue, Assembler& code) {
  DotGenerator<V>(spec, epilogue, code).Emit();
}

template void EmitDot<VecAvx2>(const DotSpec& spec, const EpilogueEmitter* epilogue, Assembler& code);
template void EmitDot<VecAvx512>(const DotSpec& spec, const EpilogueEmitter* epilogue, Assembler& code);

}  // namespace burin::jit
