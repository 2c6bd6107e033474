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
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "snippets/codegen/combine.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/last_vector.h"
#include "snippets/codegen/operand_access.h"
#include "snippets/codegen/reduction_identity.h"
#include "snippets/codegen/value_registers.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {

// Is what is tried: how many vectors an operation is emitted for at a time, and which values live on the stack.
struct Attempt {
  int vectors = 1;
  std::set<ValueId> on_stack;
};

// Is what all attempts at a kernel share.
struct KernelSource {
  const LinearIr& ir;
  const ExprEmitters& emitters;
  const Liveness& liveness;
  // The vector registers that emitters take beyond their operands, by expression and number of vectors.
  std::map<std::pair<int32_t, int>, int>& temporaries;
};

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
        temporaries_(source.temporaries),
        attempt_(attempt),
        v_(v),
        code_(v.code()),
        values_(v, frame, source.ir.values.size(), attempt.on_stack),
        access_(source.ir, v, frame),
        is_fresh_(source.ir.values.size(), false) {}

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

  // Emits expression `index`, which is item `item` of `block`.
  void Emit(int32_t index, const LinearBlock& block, int32_t item) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    const Site site = {block, item};
    switch (expr.op) {
      case LinearOp::kLoad:
        return EmitLoad(expr);
      case LinearOp::kStore:
        return EmitStore(expr, site);
      case LinearOp::kConstant:
        return values_.SetConstant(expr.output, expr.bits);
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

  // Gives back the registers of what is not used after item `item` of `block`.
  void ForgetAfter(const LinearBlock& block, int32_t item) {
    for (size_t id = 0; id < ir_.values.size(); ++id) {
      if (liveness_.block[id] == &block && liveness_.last_item[id] == item) {
        values_.Forget(static_cast<ValueId>(id));
      }
    }
  }

  // Gives all registers and stack back.
  void Release() {
    for (size_t id = 0; id < ir_.values.size(); ++id) values_.Forget(static_cast<ValueId>(id));
    access_.Release();
  }

  // Returns the value to put on the stack where registers ran out, kNoValue where nothing helps; nullopt where they did
  // not.
  const std::optional<ValueId>& victim() const { return victim_; }

  ValueRegisters<V>& values() { return values_; }
  OperandAccess<V>& access() { return access_; }

  // Returns how many vectors a value has here: one stands for all where it does not vary along the vector axis.
  int VectorsOf(AxisSet axes) const {
    return row_vectors_ > 0 && (axes & AxisBit(ir_.vector_axis)) != 0 ? row_vectors_ : 1;
  }

 private:
  using Use = typename ValueRegisters<V>::Use;

  // Is where an expression stands.
  struct Site {
    const LinearBlock& block;
    int32_t item;
  };

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
      if (!values_.regs(id).has_value()) continue;
      const bool used = std::find(expr.inputs.begin(), expr.inputs.end(), id) != expr.inputs.end();
      if (used && expr.op != LinearOp::kStep) continue;
      if (found == kNoValue || liveness_.uses[i] < liveness_.uses[static_cast<size_t>(found)]) found = id;
    }
    victim_ = found;
    return false;
  }

  // Returns the most vector registers that the emitter of expression `index` takes beyond its operands; measured once.
  int TemporariesOf(int32_t index, int vectors) {
    const auto it = temporaries_.find({index, vectors});
    if (it != temporaries_.end()) return it->second;
    const int measured = MeasureTemporaries(*emitters_[static_cast<size_t>(index)], vectors);
    temporaries_[{index, vectors}] = measured;
    return measured;
  }

  int MeasureTemporaries(const jit::RowFunction& function, int vectors) const {
    jit::Assembler scratch("measure", code_.isa());
    V v(scratch);
    std::vector<jit::VecRegs> regs;
    std::vector<jit::VecGroup> groups;
    for (int i = 0; i < function.inputs; ++i) {
      regs.push_back(v.New("operand", i == 0 ? vectors : 1));
      groups.emplace_back(regs.back());
    }
    const int before = scratch.regs().in_use(jit::RegClass::kVec);
    EmitFunction(v, function, groups);
    return std::max(0, scratch.regs().peak(jit::RegClass::kVec) - before);
  }

  static void EmitFunction(jit::VecAvx2& v, const jit::RowFunction& function,
                           absl::Span<const jit::VecGroup> operands) {
    function.avx2(v, operands);
  }
  static void EmitFunction(jit::VecAvx512& v, const jit::RowFunction& function,
                           absl::Span<const jit::VecGroup> operands) {
    function.avx512(v, operands);
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
    return values_.IsOnStack(id) ? std::min(vectors, attempt_.vectors) : vectors;
  }

  Result BeginResult(ValueId id, int vectors) {
    Result result;
    result.id = id;
    result.vectors = vectors;
    result.piece = std::min(vectors, attempt_.vectors);
    if (values_.IsOnStack(id)) {
      values_.DefineOnStack(id, vectors);
      result.regs.emplace(v_.New("spilled", result.piece));
    } else {
      result.regs.emplace(v_.New("value", vectors));
    }
    return result;
  }

  jit::VecGroup PieceOf(const Result& result, int first) const {
    const int count = std::min(result.piece, result.vectors - first);
    jit::VecGroup group;
    const int base = values_.IsOnStack(result.id) ? 0 : first;
    for (int i = 0; i < count; ++i) group.Append((*result.regs)[base + i]);
    return group;
  }

  void EndPiece(const Result& result, int first, const jit::VecGroup& group) {
    if (values_.IsOnStack(result.id)) values_.StoreOnStack(result.id, first, group);
  }

  void EndResult(Result result) {
    if (!values_.IsOnStack(result.id)) values_.Define(result.id, *std::move(result.regs));
  }

  void EmitCompute(int32_t index, const LinearExpr& expr, const Site& site) {
    const jit::RowFunction& function = *emitters_[static_cast<size_t>(index)];
    const int vectors = VectorsOf(value(expr.output).axes);
    const int piece = std::min(vectors, attempt_.vectors);
    const ValueId first = expr.inputs.front();
    // Registers that another operand reads are not taken over.
    const bool shared = std::count(expr.inputs.begin(), expr.inputs.begin() + function.inputs, first) > 1;
    const bool takes =
        !shared && DiesAt(first, site) && values_.HasRegisters(first, vectors) && !values_.IsOnStack(expr.output);
    int wanted = TemporariesOf(index, piece) + (takes ? 0 : RegistersOf(expr.output, vectors));
    for (int i = 1; i < function.inputs; ++i) {
      wanted += values_.RegistersToGet(expr.inputs[static_cast<size_t>(i)], piece);
    }
    if (!Has(wanted, expr)) return;
    Result result;
    if (takes) {
      result = {expr.output, vectors, piece, values_.Take(first)};
    } else {
      result = BeginResult(expr.output, vectors);
    }
    for (int at = 0; at < vectors; at += piece) {
      const jit::VecGroup group = PieceOf(result, at);
      std::vector<Use> uses;
      std::vector<jit::VecGroup> groups = {group};
      for (int i = 1; i < function.inputs; ++i) {
        uses.push_back(values_.Get(expr.inputs[static_cast<size_t>(i)], at, group.size()));
        groups.push_back(uses.back().group);
      }
      if (!takes) values_.CopyTo(group, first, at);
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
      const Use use = values_.Get(id, at, count);
      // One register stands for all vectors of what does not vary along them.
      if (copies || use.group.size() < count) {
        const jit::VecRegs copy = v_.New("stored", count);
        values_.CopyTo(copy, id, at);
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
    if (HasStepIn(site.block, ir_, expr.output) && !values_.IsOnStack(expr.output)) {
      is_fresh_[static_cast<size_t>(expr.output)] = true;
      values_.Define(expr.output, v_.New("accumulator", count));
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
    const bool is_float = IsFloat(value(accumulator).type);
    const bool along_vectors = Varies(expr.axes);
    const int vectors = along_vectors ? row_vectors_ : VectorsOf(value(accumulator).axes);
    const int count = AccumulatorsOf(expr, accumulator);
    // Where there are fewer accumulators than vectors, one takes several in turn.
    const int piece = std::min({vectors, attempt_.vectors, count});
    // Enough for a reloaded accumulator and operand, the tail's copy, a constant, the mask and the comparison's own.
    if (!Has(2 * piece + 5, expr)) return;
    const bool fresh = is_fresh_[static_cast<size_t>(accumulator)];
    is_fresh_[static_cast<size_t>(accumulator)] = false;
    for (int at = 0; at < vectors; at += piece) {
      const int size = std::min(piece, vectors - at);
      const int into = at % count;
      // Pieces do not reach around the end of the accumulators.
      const Use x = values_.Get(expr.inputs[1], at, size);
      Use acc = values_.Get(accumulator, into, size);
      const bool last = along_vectors && last_ != nullptr && at + size == vectors;
      Accumulate(expr.reduction, is_float, fresh && at < count, last, acc.group, x.group);
      if (acc.owned.has_value()) values_.StoreOnStack(accumulator, into, acc.group);
    }
  }

  // Emits acc = acc OP x, or acc = x where it is fresh; elements beyond the end of the row leave it as it is.
  void Accumulate(Reduction reduction, bool is_float, bool fresh, bool has_end, const jit::VecGroup& acc,
                  const jit::VecGroup& x) {
    const int whole = acc.size() - (has_end ? 1 : 0);
    jit::VecGroup acc_whole;
    jit::VecGroup x_whole;
    for (int i = 0; i < whole; ++i) {
      acc_whole.Append(acc[i]);
      x_whole.Append(x[i]);
    }
    if (whole > 0 && fresh) v_.Copy(acc_whole, x_whole);
    if (whole > 0 && !fresh) EmitCombine(v_, reduction, is_float, acc_whole, x_whole);
    if (!has_end) return;
    const jit::Xmm& last_acc = acc[acc.size() - 1];
    const jit::Xmm& last_x = x[acc.size() - 1];
    if (fresh) {
      v_.BroadcastConst(last_acc, ReductionIdentity(reduction, is_float ? ElementType::kF32 : ElementType::kI32));
      last_->Select(v_, last_acc, last_x, last_acc);
      return;
    }
    const jit::VecReg sum = v_.New("tail_sum");
    v_.Copy(jit::VecGroup(sum), jit::VecGroup(last_acc));
    EmitCombine(v_, reduction, is_float, jit::VecGroup(sum), jit::VecGroup(last_x));
    last_->Select(v_, last_acc, sum, last_acc);
  }

  void EmitEnd(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const ElementType type = value(accumulator).type;
    const bool is_float = IsFloat(type);
    const int count = AccumulatorsOf(expr, accumulator);
    const bool along_vectors = Varies(expr.axes);
    const int vectors = along_vectors ? 1 : count;
    const int piece = std::min(count, along_vectors ? count : attempt_.vectors);
    if (!Has(RegistersOf(expr.output, vectors) + values_.RegistersToGet(accumulator, piece) + 4, expr)) return;
    Result result = BeginResult(expr.output, vectors);
    if (along_vectors) {
      Use acc = values_.Get(accumulator, 0, count);
      EmitHorizontal(expr.reduction, is_float, acc.group);
      const jit::VecGroup group = PieceOf(result, 0);
      v_.Copy(group, jit::VecGroup(acc.group[0]));
      if (!is_float) EmitWrap(v_, group, type);
      EndPiece(result, 0, group);
    } else {
      for (int at = 0; at < vectors; at += result.piece) {
        const jit::VecGroup group = PieceOf(result, at);
        values_.CopyTo(group, accumulator, at);
        if (!is_float) EmitWrap(v_, group, type);
        EndPiece(result, at, group);
      }
    }
    EndResult(std::move(result));
  }

  // Sets every lane of the first of some vectors to the reduction of all lanes of all; changes the others.
  void EmitHorizontal(Reduction reduction, bool is_float, const jit::VecGroup& x) {
    for (int count = x.size(); count > 1; count = (count + 1) / 2) {
      for (int i = 0; i + (count + 1) / 2 < count; ++i) {
        EmitCombine(v_, reduction, is_float, jit::VecGroup(x[i]), jit::VecGroup(x[i + (count + 1) / 2]));
      }
    }
    v_.ReduceBy(x[0], [&](const jit::VecGroup& to, const jit::VecGroup& other) {
      EmitCombine(v_, reduction, is_float, to, other);
    });
  }

  const LinearIr& ir_;
  const ExprEmitters& emitters_;
  const Liveness& liveness_;
  std::map<std::pair<int32_t, int>, int>& temporaries_;
  const Attempt& attempt_;
  V& v_;
  jit::Assembler& code_;
  ValueRegisters<V> values_;
  OperandAccess<V> access_;
  std::optional<jit::Address> extents_;
  int row_vectors_ = 0;
  const LastVector<V>* last_ = nullptr;
  // Of accumulators: whether nothing is in them yet, though they have registers.
  std::vector<bool> is_fresh_;
  std::optional<ValueId> victim_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EXPR_EMISSION_H_
