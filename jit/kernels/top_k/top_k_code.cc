#include "jit/kernels/top_k/top_k_code.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
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
#include "jit/kernels/top_k/top_k_args.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;
constexpr int kSelectedBytes = 8;

// Makes keys of elements, in place.
template <class V>
void EmitKeys(V& v, const TopKCodeSpec& spec, const Xmm& x) {
  if (spec.type == ElementType::kF32) {
    const auto nan = v.NewMask("nan", 1);
    const VecReg sign = v.New("sign");
    // Both zeros are equal.
    v.Zero(VecGroup(sign));
    v.Add(x, x, sign);
    v.Compare(nan, x, x, VecCompare::kUnordered);
    v.ShiftRightI32(sign, x, 31);
    v.And(sign, sign, v.Const(uint32_t{0x7fffffff}));
    v.Xor(x, x, sign);
    v.BroadcastConst(VecGroup(sign), std::numeric_limits<int32_t>::max());
    v.SelectOne(x, nan[0], sign, x);
  }
  if (spec.smallest) v.Xor(x, x, v.Const(uint32_t{0xffffffff}));
}

template <class V>
class RowGenerator {
 public:
  RowGenerator(const TopKCodeSpec& spec, const Target& target, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        v_(code, target),
        source_(code.regs().Gpr("source")),
        left_(code.regs().Gpr("left")),
        index_(code.regs().Gpr("index")),
        list_(code.regs().Gpr("list")),
        k_(code.regs().Gpr("k")),
        count_(code.regs().Gpr("count")),
        hits_(code.regs().Gpr("hits")),
        keys_(frame_.Slot(kVectorBytes, "keys")),
        vec_(v_.New("vec")),
        least_(v_.New("least")) {}

  void Emit() {
    Label next;
    Label tail;
    frame_.Load(source_, BURIN_ARG_FIELD(TopKRowArgs, source));
    frame_.Load(left_, BURIN_ARG_FIELD(TopKRowArgs, length));
    frame_.Load(list_, BURIN_ARG_FIELD(TopKRowArgs, selected));
    frame_.Load(k_, BURIN_ARG_FIELD(TopKRowArgs, k));
    code_.xor_(index_.cvt32(), index_.cvt32());
    code_.xor_(count_.cvt32(), count_.cvt32());
    // Until there are k, all are taken.
    v_.BroadcastConst(VecGroup(least_), std::numeric_limits<int32_t>::min());
    code_.sub(left_, V::kLanes);
    code_.jl(tail);
    code_.Align(32);
    code_.Bind(next);
    v_.Load(vec_, ptr[source_]);
    EmitVector(false);
    code_.add(source_, kVectorBytes);
    code_.add(index_, V::kLanes);
    code_.sub(left_, V::kLanes);
    code_.jge(next);
    code_.Bind(tail);
    code_.add(left_, V::kLanes);
    code_.jz(frame_.exit());
    {
      const typename V::MaskRegister mask = v_.NewMask("rest");
      const GprReg scratch = code_.regs().Gpr("scratch");
      v_.SetMaskFor(mask, left_, scratch);
      v_.LoadMasked(vec_, mask, ptr[source_]);
    }
    EmitVector(true);
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  // Takes what is not below `least_` of a vector; of the last one, its first `left_` elements.
  void EmitVector(bool is_last) {
    Label done;
    Label next;
    EmitKeys(v_, spec_, vec_);
    {
      const auto mask = v_.NewMask("hits", 1);
      v_.CompareI32(mask, vec_, least_, VecCompareI32::kGreaterEqual);
      if constexpr (V::kBits == 512) {
        code_.kmovw(hits_.cvt32(), mask[0]);
      } else {
        code_.vmovmskps(hits_.cvt32(), AsYmm(mask[0]));
      }
    }
    if (is_last) code_.bzhi(hits_.cvt32(), hits_.cvt32(), left_.cvt32());
    code_.test(hits_.cvt32(), hits_.cvt32());
    code_.jz(done);
    v_.Store(keys_.At(), vec_);
    code_.Bind(next);
    EmitHit();
    code_.blsr(hits_.cvt32(), hits_.cvt32());
    code_.jnz(next);
    code_.Bind(done);
  }

  // Inserts the element of the lowest bit of `hits_` where it belongs, if it does.
  void EmitHit() {
    const GprReg element = code_.regs().Gpr("element");
    const GprReg at = code_.regs().Gpr("at");
    const GprReg other = code_.regs().Gpr("other");
    Label full;
    Label move;
    Label place;
    Label done;
    code_.tzcnt(at.cvt32(), hits_.cvt32());
    code_.mov(element.cvt32(), ptr[keys_.At().getRegExp() + at * kElementBytes]);
    code_.shl(element, 32);
    code_.lea(at.cvt32(), ptr[at + index_]);
    code_.not_(at.cvt32());
    code_.or_(element, at);
    code_.cmp(count_, k_);
    code_.je(full);
    code_.mov(at, count_);
    code_.inc(count_);
    code_.jmp(move);
    code_.Bind(full);
    code_.lea(at, ptr[k_ - 1]);
    code_.cmp(element, ptr[list_ + at * kSelectedBytes]);
    code_.jle(done);
    code_.Bind(move);
    code_.test(at, at);
    code_.jz(place);
    code_.mov(other, ptr[list_ + at * kSelectedBytes - kSelectedBytes]);
    code_.cmp(other, element);
    code_.jg(place);
    code_.mov(ptr[list_ + at * kSelectedBytes], other);
    code_.dec(at);
    code_.jmp(move);
    code_.Bind(place);
    code_.mov(ptr[list_ + at * kSelectedBytes], element);
    code_.cmp(count_, k_);
    code_.jne(done);
    // Those that follow count where their key is larger: an equal one comes later. Of the largest key nothing is
    // larger, and those equal to it are found out above.
    code_.mov(other.cvt32(), ptr[list_ + k_ * kSelectedBytes - kElementBytes]);
    code_.mov(at.cvt32(), other.cvt32());
    code_.add(other.cvt32(), 1);
    code_.cmovo(other.cvt32(), at.cvt32());
    v_.BroadcastGpr(least_, other.cvt32());
    code_.Bind(done);
  }

  const TopKCodeSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  GprReg source_;
  // Elements that follow, less those of a vector.
  GprReg left_;
  // Of the vector's first element.
  GprReg index_;
  GprReg list_;
  GprReg k_;
  GprReg count_;
  GprReg hits_;
  StackSlot keys_;
  VecReg vec_;
  VecReg least_;
};

template <class V>
class LanesGenerator {
 public:
  LanesGenerator(const TopKCodeSpec& spec, const Target& target, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        v_(code, target),
        source_(code.regs().Gpr("source")),
        left_(code.regs().Gpr("left")),
        keys_(code.regs().Gpr("keys")),
        indices_(code.regs().Gpr("indices")),
        count_(code.regs().Gpr("count")),
        k_(code.regs().Gpr("k")),
        key_(v_.New("key")),
        index_(v_.New("index")),
        step_(v_.New("step")),
        one_(v_.New("one")) {}

  void Emit() {
    if (spec_.is_single) {
      Label one_vector;
      frame_.Load(left_, BURIN_ARG_FIELD(TopKLanesArgs, count));
      code_.cmp(left_, V::kLanes);
      code_.jle(one_vector);
      EmitSingle(kSingleVectors, nullptr);
      code_.jmp(frame_.exit());
      code_.Bind(one_vector);
      const typename V::MaskRegister mask = v_.NewMask("selections");
      v_.SetMaskFor(mask, left_, source_);
      EmitSingle(1, &mask);
    } else {
      EmitSelections();
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  // Selects one element of each.
  void EmitSingle(int vectors, const typename V::MaskRegister* mask) {
    const VecRegs best = v_.New("best", vectors);
    const VecRegs index = v_.New("index", vectors);
    const auto larger = v_.NewMask("larger", 1);
    const auto load = [&](const Xmm& to, int i) {
      const Address from = ptr[source_ + i * kVectorBytes];
      mask != nullptr ? v_.LoadMasked(to, *mask, from) : v_.Load(to, from);
      EmitKeys(v_, spec_, to);
    };
    Label next;
    Label done;
    frame_.Load(source_, BURIN_ARG_FIELD(TopKLanesArgs, source));
    frame_.Load(left_, BURIN_ARG_FIELD(TopKLanesArgs, length));
    v_.Zero(index);
    v_.Zero(VecGroup(step_));
    v_.BroadcastConst(VecGroup(one_), int32_t{1});
    for (int i = 0; i < vectors; ++i) load(best[i], i);
    code_.dec(left_);
    code_.jz(done);
    code_.Bind(next);
    code_.add(source_, frame_.Arg(BURIN_ARG_FIELD(TopKLanesArgs, stride)));
    v_.AddI32(step_, step_, one_);
    for (int i = 0; i < vectors; ++i) {
      load(key_, i);
      v_.CompareI32(larger, key_, best[i], VecCompareI32::kGreater);
      v_.SelectOne(best[i], larger[0], key_, best[i]);
      v_.SelectOne(index[i], larger[0], step_, index[i]);
    }
    code_.dec(left_);
    code_.jnz(next);
    code_.Bind(done);
    frame_.Load(source_, BURIN_ARG_FIELD(TopKLanesArgs, indices));
    for (int i = 0; i < vectors; ++i) v_.Store(ptr[source_ + i * kVectorBytes], index[i]);
  }

  void EmitSelections() {
    Label next;
    Label take;
    Label done;
    const typename V::MaskRegister mask = v_.NewMask("selections");
    frame_.Load(left_, BURIN_ARG_FIELD(TopKLanesArgs, count));
    v_.SetMaskFor(mask, left_, source_);
    frame_.Load(source_, BURIN_ARG_FIELD(TopKLanesArgs, source));
    frame_.Load(left_, BURIN_ARG_FIELD(TopKLanesArgs, length));
    frame_.Load(keys_, BURIN_ARG_FIELD(TopKLanesArgs, keys));
    frame_.Load(indices_, BURIN_ARG_FIELD(TopKLanesArgs, indices));
    frame_.Load(k_, BURIN_ARG_FIELD(TopKLanesArgs, k));
    // In bytes, as places of the lists are counted.
    code_.imul(k_, k_, kVectorBytes);
    code_.xor_(count_.cvt32(), count_.cvt32());
    v_.Zero(VecGroup(step_));
    v_.BroadcastConst(VecGroup(one_), int32_t{1});
    code_.Bind(next);
    v_.LoadMasked(key_, mask, ptr[source_]);
    EmitKeys(v_, spec_, key_);
    code_.cmp(count_, k_);
    code_.jne(take);
    {
      // An equal key comes later.
      const auto larger = v_.NewMask("larger", 1);
      const VecReg last = v_.New("last");
      v_.Load(last, ptr[keys_ + k_ - kVectorBytes]);
      v_.CompareI32(larger, key_, last, VecCompareI32::kGreater);
      v_.JumpIfNone(larger, done);
    }
    code_.Bind(take);
    EmitInsertion();
    code_.Bind(done);
    v_.AddI32(step_, step_, one_);
    code_.add(source_, frame_.Arg(BURIN_ARG_FIELD(TopKLanesArgs, stride)));
    code_.dec(left_);
    code_.jnz(next);
  }

  // Moves along the lists: where the element has found its place, it changes places with each that follows. What is
  // left becomes a new last one while there are fewer than k.
  void EmitInsertion() {
    const GprReg at = code_.regs().Gpr("at");
    const auto found = v_.NewMask("found", 1);
    const auto larger = v_.NewMask("larger", 1);
    const VecReg other = v_.New("other");
    const VecReg stays = v_.New("stays");
    Label next;
    Label end;
    Label done;
    v_.Copy(VecGroup(index_), VecGroup(step_));
    // Nowhere.
    v_.CompareI32(found, one_, one_, VecCompareI32::kGreater);
    code_.xor_(at.cvt32(), at.cvt32());
    code_.Bind(next);
    code_.cmp(at, count_);
    code_.je(end);
    v_.Load(other, ptr[keys_ + at]);
    v_.CompareI32(larger, key_, other, VecCompareI32::kGreater);
    v_.OrMasks(found, found, larger);
    v_.SelectOne(stays, found[0], key_, other);
    v_.SelectOne(key_, found[0], other, key_);
    v_.Store(ptr[keys_ + at], stays);
    v_.Load(other, ptr[indices_ + at]);
    v_.SelectOne(stays, found[0], index_, other);
    v_.SelectOne(index_, found[0], other, index_);
    v_.Store(ptr[indices_ + at], stays);
    code_.add(at, kVectorBytes);
    code_.jmp(next);
    code_.Bind(end);
    code_.cmp(count_, k_);
    code_.je(done);
    v_.Store(ptr[keys_ + at], key_);
    v_.Store(ptr[indices_ + at], index_);
    code_.add(count_, kVectorBytes);
    code_.Bind(done);
  }

  const TopKCodeSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  GprReg source_;
  GprReg left_;
  GprReg keys_;
  GprReg indices_;
  GprReg count_;
  GprReg k_;
  VecReg key_;
  VecReg index_;
  // The index of the present elements, and 1.
  VecReg step_;
  VecReg one_;
};

template <class Generator>
absl::StatusOr<CodeBlob> Generate(const TopKCodeSpec& spec, const Target& target) {
  Assembler code(spec.Name(), target.isa());
  {
    Generator generator(spec, target, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace

std::string TopKCodeSpec::Name() const {
  return absl::StrCat("top_k_", ::burin::Name(type), along_row ? "_row" : "", is_single ? "_single" : "",
                      smallest ? "_smallest" : "");
}

Hash128 TopKCodeSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(static_cast<int>(type));
  hasher.UpdateInt(smallest);
  hasher.UpdateInt(along_row);
  hasher.UpdateInt(is_single);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateTopK(const TopKCodeSpec& spec, const Target& target) {
  if (target.Supports(IsaLevel::kAvx512)) {
    return spec.along_row ? Generate<RowGenerator<VecAvx512>>(spec, target)
                          : Generate<LanesGenerator<VecAvx512>>(spec, target);
  }
  return spec.along_row ? Generate<RowGenerator<VecAvx2>>(spec, target)
                        : Generate<LanesGenerator<VecAvx2>>(spec, target);
}

}  // namespace burin::jit
