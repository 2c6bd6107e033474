// Emits all expressions of a linear IR, reductions included: what a value is computed from, not how often.
//
// Use it in code generation, which walks the tree of loops and says where each expression is: through OperandAccess,
// how many vectors are taken at a time and whether the last one is incomplete; here, whether iterations run side by
// side. See snippets/codegen/elementwise_emission.h for what happens where registers do not suffice. Emits to the
// vocabulary's assembler; used by one thread.
#ifndef BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_
#define BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/element_type.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_memory.h"
#include "snippets/codegen/elementwise_emission.h"
#include "snippets/codegen/operand_access.h"
#include "snippets/codegen/reductions/combine.h"
#include "snippets/codegen/reductions/combine_wide.h"
#include "snippets/codegen/reductions/reduction_identity.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Emits expressions. V is the vector vocabulary.
template <class V>
class ExprEmission : public ElementwiseEmission<V, OperandAccess<V>> {
 public:
  // The most accumulators of a row that has no loop.
  static constexpr int kBlockAccumulators = 4;

  using Base = ElementwiseEmission<V, OperandAccess<V>>;
  using Base::Base;

  // Says where the extents are: the memory that holds their address.
  void SetExtents(const jit::Address& extents) { extents_.emplace(extents); }

  // Sets `to` to the extent of an axis.
  void LoadExtent(const jit::Reg64& to, int axis) {
    code_.mov(to, *extents_);
    code_.mov(to, jit::ptr[to + axis * 8]);
  }

  // Says that two iterations of a loop run side by side from here on. The values that are defined until LeaveRows() are
  // of either.
  void EnterRows(SideBySide loop) { side_by_side_.emplace(std::move(loop)); }
  void LeaveRows() {
    side_by_side_.reset();
    this->ShareAllValues();
  }

  // Emits expression `index`, which is item `item` of `block`.
  void Emit(int32_t index, const LinearBlock& block, int32_t item) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    code_.Mark(texts_[static_cast<size_t>(index)]);
    if (!side_by_side_.has_value() || expr.op == LinearOp::kConstant) return EmitForRow(index, {block, item});
    if (expr.output != kNoValue) this->GiveEachRow(expr.output);
    EmitForRow(index, {block, item});
    if (victim_.has_value()) return;
    this->SelectRow(1);
    access_.SetAhead(*side_by_side_);
    EmitForRow(index, {block, item});
    access_.ResetAhead();
    this->SelectRow(0);
  }

 private:
  using Result = typename Base::Result;
  using Site = typename Base::Site;
  using Use = typename Base::Use;
  using Base::access_;
  using Base::attempt_;
  using Base::BeginResult;
  using Base::code_;
  using Base::EndPiece;
  using Base::EndResult;
  using Base::Has;
  using Base::home;
  using Base::ir_;
  using Base::PerVector;
  using Base::PieceOf;
  using Base::RegistersOf;
  using Base::texts_;
  using Base::v_;
  using Base::value;
  using Base::victim_;

  bool IsWide(ValueId id) const { return snippets::IsWide(value(id).type); }

  bool Varies(AxisSet axes) const { return (axes & AxisBit(ir_.vector_axis)) != 0; }

  void EmitForRow(int32_t index, const Site& site) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    switch (expr.op) {
      case LinearOp::kCount:
        return EmitCount(expr);
      case LinearOp::kBegin:
        return EmitBegin(expr, site);
      case LinearOp::kStep:
        return EmitStep(expr);
      case LinearOp::kEnd:
        return EmitEnd(expr);
      default:
        return this->EmitElementwise(index, site.block, site.item);
    }
  }

  void EmitCount(const LinearExpr& expr) {
    if (!Has(RegistersOf(expr.output, 1), expr)) return;
    Result result = BeginResult(expr.output, 1);
    const jit::VecGroup group = PieceOf(result, 0);
    const jit::GprReg product = code_.regs().Gpr("product");
    const jit::GprReg extent = code_.regs().Gpr("extent");
    code_.mov(product.cvt32(), 1);
    for (int axis = 0; axis < static_cast<int>(ir_.axes.size()); ++axis) {
      if ((expr.axes & AxisBit(axis)) == 0) continue;
      LoadExtent(extent, axis);
      code_.imul(product, extent);
    }
    const jit::Xmm low = jit::AsXmm(group[0]);
    code_.vxorps(low, low, low);
    if (IsWide(expr.output)) {
      code_.vcvtsi2sd(low, low, product);
      code_.vpbroadcastq(group[0], low);
      v_.Copy(jit::VecGroup(group[1]), jit::VecGroup(group[0]));
    } else {
      code_.vcvtsi2ss(low, low, product);
      v_.BroadcastFirst(group[0], group[0]);
    }
    EndPiece(result, 0, group);
    EndResult(std::move(result));
  }

  // Returns how many vectors an accumulator has: where the reduction runs along the vector axis, some to be summed up
  // at the end.
  int AccumulatorsOf(const LinearExpr& expr, ValueId accumulator) const {
    if (!Varies(expr.axes)) return access_.Vectors(value(accumulator).axes);
    return ir_.block_vectors > 0 ? std::min(ir_.block_vectors, kBlockAccumulators) : attempt_.vectors;
  }

  // Returns whether the steps of a reduction stand beside its beginning: the first of them then replaces the identity.
  static bool HasStepIn(const LinearBlock& block, const LinearIr& ir, ValueId accumulator) {
    return std::any_of(block.items.begin(), block.items.end(), [&](const LinearBlock::Item& item) {
      if (item.expr < 0) return false;
      const LinearExpr& expr = ir.exprs[static_cast<size_t>(item.expr)];
      return expr.op == LinearOp::kStep && expr.inputs.front() == accumulator;
    });
  }

  void EmitBegin(const LinearExpr& expr, const Site& site) {
    const int count = AccumulatorsOf(expr, expr.output);
    if (!Has(RegistersOf(expr.output, count), expr)) return;
    if (HasStepIn(site.block, ir_, expr.output) && !home(expr.output).IsOnStack(expr.output)) {
      home(expr.output).SetFresh(expr.output, true);
      home(expr.output).Define(expr.output, v_.New("accumulator", count * PerVector(expr.output)));
      return;
    }
    Result result = BeginResult(expr.output, count);
    for (int at = 0; at < count; at += result.piece) {
      const jit::VecGroup group = PieceOf(result, at);
      SetToIdentity(group, expr.reduction, expr.output);
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  // Sets registers to what leaves an accumulator as it is.
  void SetToIdentity(const jit::VecGroup& to, Reduction reduction, ValueId accumulator) {
    const uint64_t bits = ReductionIdentity(reduction, value(accumulator).type);
    if (IsWide(accumulator)) {
      jit::EmitConstantWide(v_, to, bits);
    } else {
      v_.BroadcastConst(to, static_cast<uint32_t>(bits));
    }
  }

  void EmitStep(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const bool along_vectors = Varies(expr.axes);
    const int vectors = along_vectors ? access_.row_vectors() : access_.Vectors(value(accumulator).axes);
    const int count = AccumulatorsOf(expr, accumulator);
    // Where there are fewer accumulators than vectors, one takes several in turn.
    const int piece = std::min({vectors, attempt_.vectors, count});
    // Enough for reloaded accumulators and operands, the tail's copy, a constant, the mask and the comparison's own.
    if (!Has(2 * piece * PerVector(accumulator) + 5, expr)) return;
    const bool fresh = home(accumulator).IsFresh(accumulator);
    home(accumulator).SetFresh(accumulator, false);
    for (int at = 0; at < vectors; at += piece) {
      const int size = std::min(piece, vectors - at);
      // Pieces do not reach around the end of the accumulators.
      const int into = at % count;
      Terms terms;
      terms.x = home(expr.inputs[1]).Get(expr.inputs[1], at, size);
      if (expr.inputs.size() > 2) terms.factor.emplace(home(expr.inputs[2]).Get(expr.inputs[2], at, size));
      const Use acc = home(accumulator).Get(accumulator, into, size);
      const bool has_end = along_vectors && access_.last() != nullptr && at + size == vectors;
      Accumulate(expr, fresh && at < count, has_end, {acc.group, size}, terms);
      if (acc.owned.has_value()) home(accumulator).StoreOnStack(accumulator, into, acc.group);
    }
  }

  // Is what a step adds: x, or the product of two values.
  struct Terms {
    Use x;
    std::optional<Use> factor;
  };

  // Emits acc = acc OP x for vectors first to first + count of the terms, or acc = x where it is fresh.
  void CombineTerms(const LinearExpr& expr, bool fresh, const jit::VecGroup& acc, const Terms& terms, int first,
                    int count) {
    const int registers = PerVector(expr.inputs[0]);
    const jit::VecGroup x = Section(terms.x.group, first * registers, count * registers);
    const bool is_float = IsFloat(value(expr.inputs[0]).type);
    if (terms.factor.has_value()) {
      const jit::VecGroup factor = Section(terms.factor->group, first * registers, count * registers);
      if (registers > 1) return EmitAddProductWide(v_, fresh, acc, x, factor);
      fresh ? v_.Mul(acc, x, factor) : v_.MulAdd(acc, x, factor);
    } else if (fresh) {
      v_.Copy(acc, x);
    } else if (registers > 1) {
      EmitCombineWide(v_, expr.reduction, is_float, acc, x);
    } else {
      EmitCombine(v_, expr.reduction, is_float, Varies(expr.axes), acc, x);
    }
  }

  // Returns some registers of a group; its only one for each.
  static jit::VecGroup Section(const jit::VecGroup& group, int first, int count) {
    jit::VecGroup section;
    for (int i = 0; i < count; ++i) section.Append(group[first + i]);
    return section;
  }

  // Is the registers of some vectors of an accumulator.
  struct Accumulators {
    const jit::VecGroup& group;
    int vectors;
  };

  // Emits acc = acc OP x, or acc = x where it is fresh; elements beyond the end of the row leave it as it is.
  void Accumulate(const LinearExpr& expr, bool fresh, bool has_end, const Accumulators& acc, const Terms& terms) {
    const int registers = PerVector(expr.inputs[0]);
    const int whole = acc.vectors - (has_end ? 1 : 0);
    if (whole > 0) CombineTerms(expr, fresh, Section(acc.group, 0, whole * registers), terms, 0, whole);
    if (!has_end) return;
    const jit::VecGroup last = Section(acc.group, whole * registers, registers);
    const jit::VecRegs with_tail = v_.New("with_tail", registers);
    if (fresh) {
      SetToIdentity(last, expr.reduction, expr.inputs[0]);
    } else {
      v_.Copy(with_tail, last);
    }
    CombineTerms(expr, fresh, with_tail, terms, whole, 1);
    if (registers > 1) {
      access_.last()->SelectWide(v_, last, with_tail, last);
    } else {
      access_.last()->Select(v_, last[0], with_tail[0], last[0]);
    }
  }

  void EmitEnd(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const ElementType type = value(accumulator).type;
    const bool is_float = IsFloat(type);
    const int count = AccumulatorsOf(expr, accumulator);
    const bool along_vectors = Varies(expr.axes);
    const int vectors = along_vectors ? 1 : count;
    const int piece = std::min(count, along_vectors ? count : attempt_.vectors);
    if (!Has(RegistersOf(expr.output, vectors) + home(accumulator).RegistersToGet(accumulator, piece) + 4, expr))
      return;
    Result result = BeginResult(expr.output, vectors);
    if (along_vectors) {
      Use acc = home(accumulator).Get(accumulator, 0, count);
      if (IsWide(accumulator)) {
        EmitCombineLanesWide(v_, expr.reduction, is_float, acc.group);
      } else {
        EmitCombineLanes(v_, expr.reduction, is_float, acc.group);
      }
      const jit::VecGroup group = PieceOf(result, 0);
      v_.Copy(group, jit::VecGroup(acc.group[0]));
      if (!is_float) EmitWrap(v_, group, type);
      EndPiece(result, 0, group);
    } else {
      for (int at = 0; at < vectors; at += result.piece) {
        const jit::VecGroup group = PieceOf(result, at);
        home(accumulator).CopyTo(group, accumulator, at);
        if (!is_float) EmitWrap(v_, group, type);
        EndPiece(result, at, group);
      }
    }
    EndResult(std::move(result));
  }

  std::optional<SideBySide> side_by_side_;
  std::optional<jit::Address> extents_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_
