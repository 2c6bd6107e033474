// Emits the element-wise expressions of a linear IR: loads, operations and stores.
//
// Use it in code generation, for fused kernels (snippets/codegen/expr_emission.h) and for epilogues
// (snippets/epilogue). How many vectors a value has and where memory is, Access says: OperandAccess in the loops of a
// kernel, EpilogueAccess in a tile of a dense one. Where registers do not suffice, nothing more is emitted and victim()
// tells what to put on the stack; the caller begins anew. Emits to the vocabulary's assembler; used by one thread.
#ifndef BURIN_SNIPPETS_CODEGEN_ELEMENTWISE_EMISSION_H_
#define BURIN_SNIPPETS_CODEGEN_ELEMENTWISE_EMISSION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/codegen/emit_function.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/kernel_source.h"
#include "snippets/codegen/value_registers.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {

// Emits expressions. V is the vector vocabulary.
template <class V, class Access>
class ElementwiseEmission {
 public:
  ElementwiseEmission(const KernelSource& source, const Attempt& attempt, V& v, jit::AbiFrame& frame, Access& access)
      : ir_(source.ir),
        liveness_(source.liveness),
        attempt_(attempt),
        v_(v),
        code_(v.code()),
        access_(access),
        texts_(source.texts),
        emitters_(source.emitters),
        temporaries_(source.temporaries),
        is_of_row_(source.ir.values.size(), false) {
    for (int i = 0; i < attempt.rows; ++i) rows_.emplace_back(v, frame, source.ir, attempt.on_stack);
  }

  // Emits expression `index`, which is item `item` of `block`: a load, a store, a constant or an operation.
  void EmitElementwise(int32_t index, const LinearBlock& block, int32_t item) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    switch (expr.op) {
      case LinearOp::kLoad:
        return EmitLoad(expr);
      case LinearOp::kStore:
        return EmitStore(expr, {block, item});
      case LinearOp::kConstant:
        return home(expr.output).SetConstant(expr.output, expr.bits);
      default:
        return EmitCompute(index, expr, {block, item});
    }
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
  }

  // Returns the value to put on the stack where registers ran out, kNoValue where nothing helps; nullopt where they did
  // not.
  const std::optional<ValueId>& victim() const { return victim_; }

 protected:
  using Use = typename ValueRegisters<V>::Use;

  // Returns where a value is: what the rows share is with the first.
  ValueRegisters<V>& home(ValueId id) { return rows_[is_of_row_[static_cast<size_t>(id)] ? row_ : 0]; }
  const ValueRegisters<V>& home(ValueId id) const { return rows_[is_of_row_[static_cast<size_t>(id)] ? row_ : 0]; }

  // Say which of the rows that run side by side is emitted, that each has its own of a value, and that none has.
  void SelectRow(size_t row) { row_ = row; }
  void GiveEachRow(ValueId id) { is_of_row_[static_cast<size_t>(id)] = true; }
  void ShareAllValues() { std::fill(is_of_row_.begin(), is_of_row_.end(), false); }

  // Is where an expression stands.
  struct Site {
    const LinearBlock& block;
    int32_t item;
  };

  const LinearValue& value(ValueId id) const { return ir_.values[static_cast<size_t>(id)]; }

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
    if (added) {
      it->second = std::visit([&](const auto& function) { return TemporariesOf<V>(function, vectors, code_.isa()); },
                              *emitters_[static_cast<size_t>(index)]);
    }
    return it->second;
  }

  // Returns the registers that a vector of a value takes.
  int PerVector(ValueId id) const { return RegistersOfVector(value(id).type); }

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
    return (home(id).IsOnStack(id) ? std::min(vectors, attempt_.vectors) : vectors) * PerVector(id);
  }

  Result BeginResult(ValueId id, int vectors) {
    Result result;
    result.id = id;
    result.vectors = vectors;
    result.piece = std::min(vectors, attempt_.vectors);
    if (home(id).IsOnStack(id)) {
      home(id).DefineOnStack(id, vectors);
      result.regs.emplace(v_.New("spilled", result.piece * PerVector(id)));
    } else {
      result.regs.emplace(v_.New("value", vectors * PerVector(id)));
    }
    return result;
  }

  // Returns the registers of the piece from vector `first` on.
  jit::VecGroup PieceOf(const Result& result, int first) const {
    const int per_vector = PerVector(result.id);
    const int count = std::min(result.piece, result.vectors - first) * per_vector;
    jit::VecGroup group;
    const int base = home(result.id).IsOnStack(result.id) ? 0 : first * per_vector;
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
    const ExprEmitter& emitter = *emitters_[static_cast<size_t>(index)];
    if (const auto* wide = std::get_if<jit::WideFunction>(&emitter)) return EmitWide(index, *wide, expr);
    EmitNarrow(index, *std::get_if<jit::RowFunction>(&emitter), expr, site);
  }

  // Emits an operation in which wide lanes take part: into registers of its own.
  void EmitWide(int32_t index, const jit::WideFunction& function, const LinearExpr& expr) {
    const int vectors = access_.Vectors(value(expr.output).axes);
    const int piece = std::min(vectors, attempt_.vectors);
    const size_t inputs = function.inputs.size();
    int wanted = TemporariesFor(index, piece) + RegistersOf(expr.output, vectors);
    for (size_t i = 0; i < inputs; ++i) wanted += home(expr.inputs[i]).RegistersToGet(expr.inputs[i], piece);
    if (!Has(wanted, expr)) return;
    Result result = BeginResult(expr.output, vectors);
    for (int at = 0; at < vectors; at += piece) {
      const jit::VecGroup group = PieceOf(result, at);
      std::vector<Use> uses;
      std::vector<jit::VecGroup> groups;
      for (size_t i = 0; i < inputs; ++i) {
        uses.push_back(home(expr.inputs[i]).Get(expr.inputs[i], at, std::min(piece, vectors - at)));
        groups.push_back(uses.back().group);
      }
      EmitFunction(v_, function, group, groups);
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  // Emits an operation on narrow lanes: its result replaces the first input, or a copy of that.
  void EmitNarrow(int32_t index, const jit::RowFunction& function, const LinearExpr& expr, const Site& site) {
    const int vectors = access_.Vectors(value(expr.output).axes);
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

  void EmitLoad(const LinearExpr& expr) {
    const int vectors = access_.Vectors(ir_.operands[static_cast<size_t>(expr.operand)].axes);
    const int piece = std::min(vectors, attempt_.vectors);
    if (!Has(RegistersOf(expr.output, vectors) + access_.Temporaries(expr.operand, piece), expr)) return;
    Result result = BeginResult(expr.output, vectors);
    for (int at = 0; at < vectors; at += piece) {
      const jit::VecGroup group = PieceOf(result, at);
      access_.Load(expr.operand, at, *LaneOf(value(expr.output).type), group);
      EndPiece(result, at, group);
    }
    EndResult(std::move(result));
  }

  void EmitStore(const LinearExpr& expr, const Site& site) {
    const ValueId id = expr.inputs.front();
    const Lane lane = *LaneOf(value(id).type);
    const int vectors = access_.Vectors(ir_.operands[static_cast<size_t>(expr.operand)].axes);
    const int piece = std::min(vectors, attempt_.vectors);
    const bool copies = access_.StoreChanges(expr.operand, lane) && !DiesAt(id, site);
    const int wanted = access_.Temporaries(expr.operand, piece) + piece * PerVector(id);
    if (!Has(wanted, expr)) return;
    for (int at = 0; at < vectors; at += piece) {
      const int count = std::min(piece, vectors - at) * PerVector(id);
      const Use use = home(id).Get(id, at, std::min(piece, vectors - at));
      // One register stands for all vectors of what does not vary along them.
      if (copies || use.group.size() < count) {
        const jit::VecRegs copy = v_.New("stored", count);
        home(id).CopyTo(copy, id, at);
        access_.Store(expr.operand, at, lane, copy);
      } else {
        access_.Store(expr.operand, at, lane, use.group);
      }
    }
  }

  const LinearIr& ir_;
  const Liveness& liveness_;
  const Attempt& attempt_;
  V& v_;
  jit::Assembler& code_;
  Access& access_;

  const std::vector<std::string>& texts_;
  std::optional<ValueId> victim_;

 private:
  const ExprEmitters& emitters_;
  std::map<std::pair<int32_t, int>, int>& temporaries_;
  // The values of each row that runs side by side with others; the one that is emitted; whether each has its own value.
  std::vector<ValueRegisters<V>> rows_;
  size_t row_ = 0;
  std::vector<bool> is_of_row_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_ELEMENTWISE_EMISSION_H_
