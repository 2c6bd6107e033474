#include "jit/kernels/cumulative/cumulative_code.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/kernels/cumulative/cumulative_args.h"

namespace burin::jit {
namespace {

// The most vectors of sums side by side: enough chains for additions of a latency of 4 that begin twice a cycle.
constexpr int kMaxVectors = 8;

// Beside the sums: an element, a result and the mask of the rest.
constexpr int kTakenVectors = 3;

template <class V>
class CumulativeGenerator {
 public:
  CumulativeGenerator(const CumulativeCodeSpec& spec, const Target& target, const EpilogueEmitter* epilogue,
                      Assembler& code)
      : spec_(spec),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code, target),
        bytes_(BitWidth(spec.type) / 8),
        lanes_(kVectorBytes / bytes_),
        source_(code.regs().Gpr("source")),
        destination_(code.regs().Gpr("destination")),
        column_(code.regs().Gpr("column")),
        left_(code.regs().Gpr("left")) {}

  void Emit() {
    frame_.Load(source_, BURIN_ARG_FIELD(CumulativeArgs, source));
    frame_.Load(destination_, BURIN_ARG_FIELD(CumulativeArgs, destination));
    frame_.Load(column_, BURIN_ARG_FIELD(CumulativeArgs, column));
    if (spec_.along_row) {
      EmitAlongRow();
    } else {
      EmitSideBySide();
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;
  using Mask = typename V::MaskRegister;

  void Add(const Xmm& to, const Xmm& a, const Xmm& b) {
    switch (spec_.type) {
      case ElementType::kF32:
        return code_.vaddps(to, a, b);
      case ElementType::kF64:
        return code_.vaddpd(to, a, b);
      default:
        return bytes_ == 8 ? code_.vpaddq(to, a, b) : code_.vpaddd(to, a, b);
    }
  }

  void Load(const Xmm& to, const Address& from, const Mask* mask) {
    mask != nullptr ? v_.LoadMasked(to, *mask, from) : v_.Load(to, from);
  }

  // Makes the mask of the elements behind the last whole vector, whose number `left_` gets; jumps to `none` where there
  // are none. Masks are of 4 bytes.
  Mask EmitRestMask(const Label& none) {
    Mask mask = v_.NewMask("rest");
    frame_.Load(left_, BURIN_ARG_FIELD(CumulativeArgs, rest));
    code_.test(left_, left_);
    code_.jz(none);
    const GprReg units = code_.regs().Gpr("units");
    const GprReg scratch = code_.regs().Gpr("scratch");
    code_.imul(units, left_, bytes_ / 4);
    v_.SetMaskFor(mask, units, scratch);
    return mask;
  }

  // Stores results, or hands them to the epilogue. `row` is one of theirs, likewise the column.
  void EmitResults(absl::Span<const VecReg> results, const Reg64& to, const Address& row, const Mask* mask) {
    if (epilogue_ == nullptr) {
      for (size_t i = 0; i < results.size(); ++i) {
        const Address address = ptr[to + static_cast<int>(i) * kVectorBytes];
        mask != nullptr ? v_.StoreMasked(address, *mask, results[i]) : v_.Store(address, results[i]);
      }
      return;
    }
    const GprReg places = code_.regs().Gpr("places");
    const GprReg row_number = code_.regs().Gpr("row");
    frame_.Load(places, BURIN_ARG_FIELD(CumulativeArgs, places));
    code_.mov(row_number, row);
    const auto accumulator = [&](int, int i) -> Xmm { return results[static_cast<size_t>(i)]; };
    EpilogueTile tile = {1, static_cast<int>(results.size()), accumulator, places, row_number, column_, {}};
    if (mask != nullptr) tile.last_columns.emplace(left_);
    epilogue_->Emit(v_, frame_, tile);
  }

  // Copies registers, since an epilogue changes what it is given.
  std::vector<VecReg> Copies(absl::Span<const VecReg> regs) {
    std::vector<VecReg> copies;
    for (const VecReg& reg : regs) {
      copies.push_back(v_.New("copy"));
      v_.Copy(VecGroup(copies.back()), VecGroup(reg));
    }
    return copies;
  }

  void EmitSideBySide() {
    int most = kMaxVectors;
    const int wanted = epilogue_ != nullptr ? epilogue_->Registers(code_.isa()).vectors : 0;
    const int each = epilogue_ != nullptr ? 2 : 1;
    while (most > 1 && each * most + wanted + kTakenVectors > code_.regs().capacity(RegClass::kVec)) most /= 2;
    frame_.Load(left_, BURIN_ARG_FIELD(CumulativeArgs, vectors));
    for (int vectors = most; vectors > 0; vectors /= 2) {
      Label next;
      Label smaller;
      code_.Bind(next);
      code_.cmp(left_, vectors);
      code_.jl(smaller);
      EmitSums(vectors, nullptr);
      code_.add(source_, vectors * kVectorBytes);
      code_.add(destination_, vectors * kVectorBytes);
      code_.add(column_, vectors * lanes_);
      code_.sub(left_, vectors);
      if (vectors == most) code_.jmp(next);
      code_.Bind(smaller);
    }
    const Mask mask = EmitRestMask(frame_.exit());
    EmitSums(1, &mask);
  }

  // Adds up some vectors of sums.
  void EmitSums(int vectors, const Mask* mask) {
    const GprReg from = code_.regs().Gpr("from");
    const GprReg to = code_.regs().Gpr("to");
    const GprReg length = code_.regs().Gpr("length");
    const StackSlot row = frame_.Slot(8, "row");
    std::vector<VecReg> sums;
    for (int i = 0; i < vectors; ++i) {
      sums.push_back(v_.New("sum"));
      v_.Zero(VecGroup(sums.back()));
    }
    Label next;
    frame_.Load(from, BURIN_ARG_FIELD(CumulativeArgs, row));
    code_.mov(row.At(), from);
    code_.mov(from, source_);
    code_.mov(to, destination_);
    frame_.Load(length, BURIN_ARG_FIELD(CumulativeArgs, length));
    code_.Bind(next);
    EmitStep(sums, from, to, row.At(), mask);
    code_.add(from, frame_.Arg(BURIN_ARG_FIELD(CumulativeArgs, source_stride)));
    code_.add(to, frame_.Arg(BURIN_ARG_FIELD(CumulativeArgs, destination_stride)));
    if (epilogue_ != nullptr) {
      const GprReg step = code_.regs().Gpr("step");
      frame_.Load(step, BURIN_ARG_FIELD(CumulativeArgs, row_step));
      code_.add(row.At(), step);
    }
    code_.dec(length);
    code_.jnz(next);
  }

  // Adds the elements of one place. They are loaded before the sums are stored, which may be in their place.
  void EmitStep(absl::Span<const VecReg> sums, const Reg64& from, const Reg64& to, const Address& row,
                const Mask* mask) {
    const auto add = [&](size_t i, const Xmm& element) {
      Load(element, ptr[from + static_cast<int>(i) * kVectorBytes], mask);
      Add(sums[i], sums[i], element);
    };
    if (epilogue_ != nullptr) {
      const VecReg element = v_.New("element");
      std::vector<VecReg> copies;
      if (spec_.exclusive) copies = Copies(sums);
      for (size_t i = 0; i < sums.size(); ++i) add(i, element);
      if (!spec_.exclusive) copies = Copies(sums);
      return EmitResults(copies, to, row, mask);
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      const VecReg element = v_.New("element");
      const VecReg result = v_.New("result");
      if (spec_.exclusive) v_.Copy(VecGroup(result), VecGroup(sums[i]));
      add(i, element);
      const Address address = ptr[to + static_cast<int>(i) * kVectorBytes];
      const Xmm& stored = spec_.exclusive ? result : sums[i];
      mask != nullptr ? v_.StoreMasked(address, *mask, stored) : v_.Store(address, stored);
    }
  }

  // Moves elements up by so many bytes, a power of two, with the last ones of `fill` behind them; or down, with the
  // first ones of `fill` before them.
  void Shift(const Xmm& to, const Xmm& x, const Xmm& fill, int bytes) {
    if constexpr (V::kBits == 512) {
      if (spec_.reverse) {
        code_.valignd(to, fill, x, static_cast<uint8_t>(bytes / 4));
      } else {
        code_.valignd(to, x, fill, static_cast<uint8_t>((kVectorBytes - bytes) / 4));
      }
    } else {
      // The neighbours of each half.
      const VecReg halves = v_.New("halves");
      if (spec_.reverse) {
        code_.vperm2i128(AsYmm(halves), AsYmm(x), AsYmm(fill), 0x21);
      } else {
        code_.vperm2i128(AsYmm(halves), AsYmm(fill), AsYmm(x), 0x20);
      }
      if (bytes == 16) return v_.Copy(VecGroup(to), VecGroup(halves));
      if (spec_.reverse) {
        code_.vpalignr(to, halves, x, static_cast<uint8_t>(bytes));
      } else {
        code_.vpalignr(to, x, halves, static_cast<uint8_t>(16 - bytes));
      }
    }
  }

  // Takes a row vector by vector, from its first one on, or from what is behind the last whole one back.
  void EmitAlongRow() {
    Label whole;
    Label next;
    const VecReg carry = v_.New("carry");
    const VecReg zero = v_.New("zero");
    const VecReg last = v_.New("last");
    v_.Zero(VecGroup(carry));
    v_.Zero(VecGroup(zero));
    std::vector<int32_t> lanes(V::kLanes);
    const int units = bytes_ / 4;
    for (int i = 0; i < V::kLanes; ++i) {
      lanes[static_cast<size_t>(i)] = i % units + (spec_.reverse ? 0 : V::kLanes - units);
    }
    v_.Load(last, code_.Table(absl::Span<const int32_t>(lanes)));
    if (spec_.reverse) {
      // To the elements behind the last whole vector.
      const GprReg offset = code_.regs().Gpr("offset");
      frame_.Load(offset, BURIN_ARG_FIELD(CumulativeArgs, vectors));
      code_.imul(offset, offset, lanes_);
      code_.add(column_, offset);
      code_.lea(source_, ptr[source_ + offset * bytes_]);
      code_.lea(destination_, ptr[destination_ + offset * bytes_]);
      const Mask mask = EmitRestMask(whole);
      EmitVectorOfRow(carry, zero, last, &mask);
    }
    code_.Bind(whole);
    Label rest;
    frame_.Load(left_, BURIN_ARG_FIELD(CumulativeArgs, vectors));
    code_.test(left_, left_);
    code_.jz(rest);
    code_.Bind(next);
    if (spec_.reverse) EmitMove(-1);
    EmitVectorOfRow(carry, zero, last, nullptr);
    if (!spec_.reverse) EmitMove(1);
    code_.dec(left_);
    code_.jnz(next);
    code_.Bind(rest);
    if (spec_.reverse) return;
    const Mask mask = EmitRestMask(frame_.exit());
    EmitVectorOfRow(carry, zero, last, &mask);
  }

  void EmitMove(int direction) {
    code_.add(source_, direction * kVectorBytes);
    code_.add(destination_, direction * kVectorBytes);
    code_.add(column_, direction * lanes_);
  }

  void EmitVectorOfRow(const Xmm& carry, const Xmm& zero, const Xmm& last, const Mask* mask) {
    std::vector<VecReg> sums;
    sums.push_back(v_.New("sum"));
    const VecReg& sum = sums[0];
    {
      const VecReg shifted = v_.New("shifted");
      Load(sum, ptr[source_], mask);
      for (int bytes = bytes_; bytes < kVectorBytes; bytes *= 2) {
        Shift(shifted, sum, zero, bytes);
        Add(sum, sum, shifted);
      }
      Add(sum, sum, carry);
      const VecReg next = v_.New("next");
      v_.Lookup(VecGroup(next), VecGroup(last), sum);
      if (spec_.exclusive) {
        Shift(shifted, sum, carry, bytes_);
        v_.Copy(VecGroup(sum), VecGroup(shifted));
      }
      v_.Copy(VecGroup(carry), VecGroup(next));
    }
    EmitResults(sums, destination_, frame_.Arg(BURIN_ARG_FIELD(CumulativeArgs, row)), mask);
  }

  const CumulativeCodeSpec& spec_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  const int bytes_;
  const int lanes_;
  GprReg source_;
  GprReg destination_;
  GprReg column_;
  GprReg left_;
};

template <class V>
absl::StatusOr<CodeBlob> Generate(const CumulativeCodeSpec& spec, const Target& target,
                                  const EpilogueEmitter* epilogue) {
  Assembler code(spec.Name(), target.isa());
  {
    CumulativeGenerator<V> generator(spec, target, epilogue, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace

std::string CumulativeCodeSpec::Name() const {
  return absl::StrCat("cumulative_", ::burin::Name(type), along_row ? "_row" : "", exclusive ? "_exclusive" : "",
                      reverse ? "_reverse" : "");
}

Hash128 CumulativeCodeSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(static_cast<int>(type));
  hasher.UpdateInt(exclusive);
  hasher.UpdateInt(along_row);
  hasher.UpdateInt(reverse);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCumulative(const CumulativeCodeSpec& spec, const Target& target,
                                            const EpilogueEmitter* epilogue) {
  return target.Supports(IsaLevel::kAvx512) ? Generate<VecAvx512>(spec, target, epilogue)
                                            : Generate<VecAvx2>(spec, target, epilogue);
}

}  // namespace burin::jit
