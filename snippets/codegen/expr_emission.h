// Emits the expressions of a linear IR: what a value is computed from, not how often.
//
// Use it in code generation, which walks the tree of loops and says for each expression where it is: how many vectors
// are taken at a time, and whether the last one is incomplete. Where registers do not suffice, nothing more is emitted
// and victim() tells what to put on the stack; the caller begins anew. Emits to the vocabulary's assembler; used by one
// thread.
#ifndef BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_
#define BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"
#include "snippets/codegen/combine.h"
#include "snippets/codegen/emit_function.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/kernel_source.h"
#include "snippets/codegen/last_vector.h"
#include "snippets/codegen/operand_access.h"
#include "snippets/codegen/reduction_identity.h"
#include "snippets/codegen/value_registers.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {

// Emits expressions. V is the vector vocabulary.
template <class V>
class ExprEmission {
 public:
  // The most accumulators of a row that has no loop.
  static constexpr int kBlockAccumulators = 4;

  ExprEmission(const KernelSource& source, const Attempt& attempt, V& v, jit::AbiFrame& frame)
      : ir_(source.ir),
        emitters_(source.emitters),
        liveness_(source.liveness),
        texts_(source.texts),
        temporaries_(source.temporaries),
        attempt_(attempt),
        v_(v),
        code_(v.code()),
        is_of_row_(source.ir.values.size(), false),
        access_(source.ir, v, frame) {
    for (int i = 0; i < attempt.rows; ++i) rows_.emplace_back(v, frame, source.ir.values.size(), attempt.on_stack);
  }

  // Says where the following expressions are: outside of the vector axis (0), or where so many vectors are taken at a
  // time, the last of which may be incomplete.
  void EnterRow(int vectors, const LastVector<V>* last) {
    row_vectors_ = vectors;
    last_ = last;
  }

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
    std::fill(is_of_row_.begin(), is_of_row_.end(), false);
  }

  // Emits expression `index`, which is item `item` of `block`.
  void Emit(int32_t index, const LinearBlock& block, int32_t item) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    code_.Mark(texts_[static_cast<size_t>(index)]);
    if (expr.op == LinearOp::kConstant) return home(expr.output).SetConstant(expr.output, expr.bits);
    if (side_by_side_.has_value() && expr.output != kNoValue) is_of_row_[static_cast<size_t>(expr.output)] = true;
    EmitForRow(index, expr, {block, item});
    if (!side_by_side_.has_value() || victim_.has_value()) return;
    row_ = 1;
    access_.SetAhead(*side_by_side_);
    EmitForRow(index, expr, {block, item});
    access_.ResetAhead();
    row_ = 0;
  }

  // Gives back the registers of what is not used after item `item` of `block`.
  void ForgetAfter(const LinearBlock& block, int32_t item) {
    for (size_t id = 0; id < ir_.values.size(); ++id) {
      if (liveness_.block[id] == &block && liveness_.last_item[id] == item) {
        for (ValueRegisters<V>& row : rows_) row.Forget(static_cast<ValueId>(id));
      }
    }
  }

  // Gives all registers and stack back.
  void Release() {
    for (ValueRegisters<V>& row : rows_) {
      for (size_t id = 0; id < ir_.values.size(); ++id) row.Forget(static_cast<ValueId>(id));
    }
    access_.Release();
  }

  // Returns the value to put on the stack where registers ran out, kNoValue where nothing helps; nullopt where they did
  // not.
  const std::optional<ValueId>& victim() const { return victim_; }

  OperandAccess<V>& access() { return access_; }

  // Returns how many vectors a value has here: one stands for all where it does not vary along the vector axis.
  int VectorsOf(AxisSet axes) const {
    return row_vectors_ > 0 && (axes & AxisBit(ir_.vector_axis)) != 0 ? row_vectors_ : 1;
  }

 private:
  using Use = typename ValueRegisters<V>::Use;

  // Returns where a value is: what the rows share is with the first.
  ValueRegisters<V>& home(ValueId id) { return rows_[is_of_row_[static_cast<size_t>(id)] ? row_ : 0]; }
  const ValueRegisters<V>& home(ValueId id) const { return rows_[is_of_row_[static_cast<size_t>(id)] ? row_ : 0]; }

  // Is where an expression stands.
  struct Site {
    const LinearBlock& block;
    int32_t item;
  };

  void EmitForRow(int32_t index, const LinearExpr& expr, const Site& site) {
    switch (expr.op) {
      case LinearOp::kLoad:
        return EmitLoad(expr);
      case LinearOp::kStore:
        return EmitStore(expr, site);
      case LinearOp::kConstant:
        return;
      case LinearOp::kCount:
        return EmitCount(expr);
      case LinearOp::kCompute:
        return EmitCompute(index, expr, site);
      case LinearOp::kBegin:
        return EmitBegin(expr, site);
      case LinearOp::kStep:
        return EmitStep(expr);
      case LinearOp::kEnd:
        return EmitEnd(expr);
    }
  }

  const LinearValue& value(ValueId id) const { return ir_.values[static_cast<size_t>(id)]; }
  static bool IsFloat(ElementType type) { return KindOf(type) == ElementKind::kFloat; }
  bool Varies(AxisSet axes) const { return (axes & AxisBit(ir_.vector_axis)) != 0; }

  bool DiesAt(ValueId id, const Site& site) const {
    return liveness_.block[static_cast<size_t>(id)] == &site.block &&
           liveness_.last_item[static_cast<size_t>(id)] == site.item;
  }

  // Returns whether there are `wanted` vector registers; where not, the value to put on the stack is found.
  bool Has(int wanted, const LinearExpr& expr) {
    if (code_.regs().available(jit::RegClass::kVec) >= wanted) return true;
    // The one with the fewest uses: the others would be loaded more often.
    ValueId found = kNoValue;
    for (size_t i = 0; i < ir_.values.size(); ++i) {
      const auto id = static_cast<ValueId>(i);
      if (!home(id).regs(id).has_value()) continue;
      const bool used = std::find(expr.inputs.begin(), expr.inputs.end(), id) != expr.inputs.end();
      if (used && expr.op != LinearOp::kStep) continue;
      if (found == kNoValue || liveness_.uses[i] < liveness_.uses[static_cast<size_t>(found)]) found = id;
    }
    victim_ = found;
    return false;
  }

  // Returns the vector registers that the emitter of expression `index` takes beyond its operands; measured once.
  int TemporariesFor(int32_t index, int vectors) {
    const auto [it, added] = temporaries_.emplace(std::make_pair(index, vectors), 0);
    if (added) it->second = TemporariesOf<V>(*emitters_[static_cast<size_t>(index)], vectors, code_.isa());
    return it->second;
  }

  // Is the registers into which the vectors of a result are written: all of them, or those of one piece after another
  // where it lives on the stack.
  struct Result {
    ValueId id = kNoValue;
    int vectors = 1;
    int piece = 1;
    std::optional<jit::VecRegs> regs;
  };

  // Returns how many registers a result takes.
  int RegistersOf(ValueId id, int vectors) const {
    return home(id).IsOnStack(id) ? std::min(vectors, attempt_.vectors) : vectors;
  }

  Result BeginResult(ValueId id, int vectors) {
    Result result;
    result.id = id;
    result.vectors = vectors;
    result.piece = std::min(vectors, attempt_.vectors);
    if (home(id).IsOnStack(id)) {
      home(id).DefineOnStack(id, vectors);
      result.regs.emplace(v_.New("spilled", result.piece));
    } else {
      result.regs.emplace(v_.New("value", vectors));
    }
    return result;
  }

  jit::VecGroup PieceOf(const Result& result, int first) const {
    const int count = std::min(result.piece, result.vectors - first);
    jit::VecGroup group;
    const int base = home(result.id).IsOnStack(result.id) ? 0 : first;
    for (int i = 0; i < count; ++i) group.Append((*result.regs)[base + i]);
    return group;
  }

  void EndPiece(const Result& result, int first, const jit::VecGroup& group) {
    if (home(result.id).IsOnStack(result.id)) home(result.id).StoreOnStack(result.id, first, group);
  }

  void EndResult(Result result) {
    if (!home(result.id).IsOnStack(result.id)) home(result.id).Define(result.id, *std::move(result.regs));
  }

  void EmitCompute(int32_t index, const LinearExpr& expr, const Site& site) {
    const jit::RowFunction& function = *emitters_[static_cast<size_t>(index)];
    const int vectors = VectorsOf(value(expr.output).axes);
    const int piece = std::min(vectors, attempt_.vectors);
    const ValueId first = expr.inputs.front();
    // Registers that another operand reads are not taken over.
    const bool shared = std::count(expr.inputs.begin(), expr.inputs.begin() + function.inputs, first) > 1;
    const bool takes = !shared && DiesAt(first, site) && home(first).HasRegisters(first, vectors) &&
                       !home(expr.output).IsOnStack(expr.output);
    int wanted = TemporariesFor(index, piece) + (takes ? 0 : RegistersOf(expr.output, vectors));
    for (int i = 1; i < function.inputs; ++i) {
      wanted += home(expr.inputs[static_cast<size_t>(i)]).RegistersToGet(expr.inputs[static_cast<size_t>(i)], piece);
    }
    if (!Has(wanted, expr)) return;
    Result result;
    if (takes) {
      result = {expr.output, vectors, piece, home(first).Take(first)};
    } else {
      result = BeginResult(expr.output, vectors);
    }
    for (int at = 0; at < vectors; at += piece) {
      const jit::VecGroup group = PieceOf(result, at);
      std::vector<Use> uses;
      std::vector<jit::VecGroup> groups = {group};
      for (int i = 1; i < function.inputs; ++i) {
        uses.push_back(
            home(expr.inputs[static_cast<size_t>(i)]).Get(expr.inputs[static_cast<size_t>(i)], at, group.size()));
        groups.push_back(uses.back().group);
      }
      if (!takes) home(first).CopyTo(group, first, at);
      EmitFunction(v_, function, groups);
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  // Returns the part of the row that vectors first to first + count are.
  RowPart<V> PartOfRow(int first, int count) const { return {first, first + count >= row_vectors_ ? last_ : nullptr}; }

  void EmitLoad(const LinearExpr& expr) {
    const LinearOperand& o = ir_.operands[static_cast<size_t>(expr.operand)];
    const int vectors = VectorsOf(o.axes);
    const int piece = std::min(vectors, attempt_.vectors);
    if (!Has(RegistersOf(expr.output, vectors) + access_.Temporaries(expr.operand, piece), expr)) return;
    Result result = BeginResult(expr.output, vectors);
    for (int at = 0; at < vectors; at += piece) {
      const jit::VecGroup group = PieceOf(result, at);
      access_.Load(expr.operand, row_vectors_ > 0, PartOfRow(at, group.size()), IsFloat(value(expr.output).type),
                   group);
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  void EmitStore(const LinearExpr& expr, const Site& site) {
    const LinearOperand& o = ir_.operands[static_cast<size_t>(expr.operand)];
    const ValueId id = expr.inputs.front();
    const bool from_float = IsFloat(value(id).type);
    const int vectors = VectorsOf(o.axes);
    const int piece = std::min(vectors, attempt_.vectors);
    const bool copies = access_.StoreChanges(expr.operand, from_float) && !DiesAt(id, site);
    const int wanted = access_.Temporaries(expr.operand, piece) + piece;
    if (!Has(wanted, expr)) return;
    for (int at = 0; at < vectors; at += piece) {
      const int count = std::min(piece, vectors - at);
      const RowPart<V> part = PartOfRow(at, count);
      const Use use = home(id).Get(id, at, count);
      // One register stands for all vectors of what does not vary along them.
      if (copies || use.group.size() < count) {
        const jit::VecRegs copy = v_.New("stored", count);
        home(id).CopyTo(copy, id, at);
        access_.Store(expr.operand, row_vectors_ > 0, part, from_float, copy);
      } else {
        access_.Store(expr.operand, row_vectors_ > 0, part, from_float, use.group);
      }
    }
  }

  void EmitCount(const LinearExpr& expr) {
    if (!Has(1, expr)) return;
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
    code_.vcvtsi2ss(low, low, product);
    v_.BroadcastFirst(group[0], group[0]);
    EndPiece(result, 0, group);
    EndResult(std::move(result));
  }

  // Returns how many registers an accumulator has: where the reduction runs along the vector axis, some to be summed
  // up at the end.
  int AccumulatorsOf(const LinearExpr& expr, ValueId accumulator) const {
    if (!Varies(expr.axes)) return VectorsOf(value(accumulator).axes);
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
      home(expr.output).Define(expr.output, v_.New("accumulator", count));
      return;
    }
    Result result = BeginResult(expr.output, count);
    for (int at = 0; at < count; at += result.piece) {
      const jit::VecGroup group = PieceOf(result, at);
      v_.BroadcastConst(group, ReductionIdentity(expr.reduction, value(expr.output).type));
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  void EmitStep(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const bool along_vectors = Varies(expr.axes);
    const int vectors = along_vectors ? row_vectors_ : VectorsOf(value(accumulator).axes);
    const int count = AccumulatorsOf(expr, accumulator);
    // Where there are fewer accumulators than vectors, one takes several in turn.
    const int piece = std::min({vectors, attempt_.vectors, count});
    // Enough for reloaded accumulators and operands, the tail's copy, a constant, the mask and the comparison's own.
    if (!Has(2 * piece + 5, expr)) return;
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
      const bool has_end = along_vectors && last_ != nullptr && at + size == vectors;
      Accumulate(expr, fresh && at < count, has_end, acc.group, terms);
      if (acc.owned.has_value()) home(accumulator).StoreOnStack(accumulator, into, acc.group);
    }
  }

  // Is what a step adds: x, or the product of two values.
  struct Terms {
    Use x;
    std::optional<Use> factor;
  };

  // Emits acc = acc OP x for registers first to first + acc.size() of the terms, or acc = x where it is fresh.
  void CombineTerms(const LinearExpr& expr, bool fresh, const jit::VecGroup& acc, const Terms& terms, int first) {
    const jit::VecGroup x = Section(terms.x.group, first, acc.size());
    const bool is_float = IsFloat(value(expr.inputs[0]).type);
    if (terms.factor.has_value()) {
      const jit::VecGroup factor = Section(terms.factor->group, first, acc.size());
      fresh ? v_.Mul(acc, x, factor) : v_.MulAdd(acc, x, factor);
    } else if (fresh) {
      v_.Copy(acc, x);
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

  // Emits acc = acc OP x, or acc = x where it is fresh; elements beyond the end of the row leave it as it is.
  void Accumulate(const LinearExpr& expr, bool fresh, bool has_end, const jit::VecGroup& acc, const Terms& terms) {
    const int whole = acc.size() - (has_end ? 1 : 0);
    if (whole > 0) CombineTerms(expr, fresh, Section(acc, 0, whole), terms, 0);
    if (!has_end) return;
    const jit::Xmm& last = acc[whole];
    const jit::VecReg with_tail = v_.New("with_tail");
    if (fresh) {
      v_.BroadcastConst(jit::VecGroup(last), ReductionIdentity(expr.reduction, value(expr.inputs[0]).type));
    } else {
      v_.Copy(jit::VecGroup(with_tail), jit::VecGroup(last));
    }
    CombineTerms(expr, fresh, jit::VecGroup(with_tail), terms, whole);
    last_->Select(v_, last, with_tail, last);
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
      EmitCombineLanes(v_, expr.reduction, is_float, acc.group);
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

  const LinearIr& ir_;
  const ExprEmitters& emitters_;
  const Liveness& liveness_;
  const std::vector<std::string>& texts_;
  std::map<std::pair<int32_t, int>, int>& temporaries_;
  const Attempt& attempt_;
  V& v_;
  jit::Assembler& code_;
  // The values of each row that runs side by side with others.
  std::vector<ValueRegisters<V>> rows_;
  size_t row_ = 0;
  std::optional<SideBySide> side_by_side_;
  // Of values: whether each row has its own.
  std::vector<bool> is_of_row_;
  OperandAccess<V> access_;
  std::optional<jit::Address> extents_;
  int row_vectors_ = 0;
  const LastVector<V>* last_ = nullptr;
  std::optional<ValueId> victim_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_
