#include "snippets/codegen/kernel_emitter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
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
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/debug/cycle_count_emitter.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "snippets/codegen/expr_emission.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/fused_kernel_args.h"
#include "snippets/codegen/kernel_source.h"
#include "snippets/codegen/last_vector.h"
#include "snippets/codegen/operand_access.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {
namespace {

using jit::AbiFrame;
using jit::Assembler;
using jit::GprReg;
using jit::Label;
using jit::ptr;
using jit::qword;
using jit::Reg64;
using jit::RegClass;
using jit::StackSlot;
using jit::VecReg;

// Vectors that the main loop takes at a time, and operations on longer rows: enough to hide latency.
constexpr int kMostVectors = 4;

// With fewer free general registers than this, the index of a loop lives on the stack.
constexpr int kRegistersForIndex = 6;

// Emits one kernel.
template <class V>
class KernelEmitter {
 public:
  KernelEmitter(const KernelSource& source, const Attempt& attempt, Assembler& code, const jit::Target& target,
                AbiFrame& frame)
      : ir_(source.ir),
        attempt_(attempt),
        code_(code),
        frame_(frame),
        v_(code, target),
        access_(source.ir, v_, frame),
        emission_(source, attempt, v_, frame, access_) {}

  // Emits the function.
  void Emit(const KernelOptions& options) {
    HoldBack(options.limits);
    const StackSlot extents = frame_.Slot(8, "extents");
    const StackSlot strides = frame_.Slot(8, "strides");
    if (options.counts_cycles) {
      counting_.emplace(code_, frame_);
      counts_.emplace(frame_.Slot(8, "counts"));
    }
    LoadArguments(extents, strides);
    spilled_pointers_ = access_.on_stack();
    if (ir_.block_vectors > 0) {
      EmitRow();
    } else {
      EmitBlock(*ir_.root);
    }
    emission_.Release();
    access_.Release();
    counting_.reset();
    counts_.reset();
    held_.clear();
    held_vectors_.clear();
  }

  // Returns the value to put on the stack where registers ran out, kNoValue where nothing helps; nullopt where they did
  // not.
  const std::optional<ValueId>& victim() const { return emission_.victim(); }

  int spilled_pointers() const { return spilled_pointers_; }

 private:
  // Takes away the registers beyond the limits. Two general ones are never lent: the stack's.
  void HoldBack(const RegisterLimits& limits) {
    while (code_.regs().available(RegClass::kGpr) > std::max(limits.general - 2, 0)) {
      held_.push_back(code_.regs().Gpr("beyond_the_limit"));
    }
    while (code_.regs().available(RegClass::kVec) > limits.vectors) {
      held_vectors_.push_back(v_.New("beyond_the_limit"));
    }
  }

  void LoadArguments(const StackSlot& extents, const StackSlot& strides) {
    const GprReg table = code_.regs().Gpr("table");
    frame_.Load(table, BURIN_ARG_FIELD(FusedKernelArgs, extents));
    code_.mov(extents.At(), table);
    frame_.Load(table, BURIN_ARG_FIELD(FusedKernelArgs, strides));
    code_.mov(strides.At(), table);
    if (counts_.has_value()) {
      frame_.Load(table, BURIN_ARG_FIELD(FusedKernelArgs, counts));
      code_.mov(counts_->At(), table);
    }
    frame_.Load(table, BURIN_ARG_FIELD(FusedKernelArgs, operands));
    frame_.ReleaseArgs();
    emission_.SetExtents(extents.At());
    access_.SetStrides(strides.At());
    access_.LoadPointers(table);
  }

  void EmitBlock(const LinearBlock& block) {
    for (size_t i = 0; i < block.items.size() && !victim().has_value(); ++i) {
      const LinearBlock::Item& item = block.items[i];
      const auto index = static_cast<int32_t>(i);
      if (item.block == nullptr) {
        EmitExpr(item.expr, block, index);
      } else if (item.block->axis == ir_.vector_axis) {
        EmitVectorLoop(*item.block);
      } else {
        EmitScalarLoop(*item.block);
      }
      emission_.ForgetAfter(block, index);
    }
  }

  void EmitExpr(int32_t expr, const LinearBlock& block, int32_t item) {
    if (!counting_.has_value()) return emission_.Emit(expr, block, item);
    const StackSlot start = counting_->Begin();
    emission_.Emit(expr, block, item);
    counting_->End(start, counts_->At(), expr);
  }

  // Collects the operands that are accessed inside of a block.
  void CollectOperands(const LinearBlock& block, std::set<int32_t>& operands) const {
    for (const LinearBlock::Item& item : block.items) {
      if (item.block != nullptr) {
        CollectOperands(*item.block, operands);
      } else if (ir_.exprs[static_cast<size_t>(item.expr)].operand >= 0) {
        operands.insert(ir_.exprs[static_cast<size_t>(item.expr)].operand);
      }
    }
  }

  // Collects the buffers that are stored into inside of a block.
  void CollectBuffers(const LinearBlock& block, std::set<int32_t>& buffers) const {
    for (const LinearBlock::Item& item : block.items) {
      if (item.block != nullptr) {
        CollectBuffers(*item.block, buffers);
        continue;
      }
      const LinearExpr& expr = ir_.exprs[static_cast<size_t>(item.expr)];
      if (expr.op != LinearOp::kStore) continue;
      if (ir_.operands[static_cast<size_t>(expr.operand)].kind == OperandKind::kBuffer) buffers.insert(expr.operand);
    }
  }

  void EmitScalarLoop(const LinearBlock& block) {
    std::set<int32_t> moved;
    CollectOperands(block, moved);
    for (auto it = moved.begin(); it != moved.end();) {
      const AxisSet axes = ir_.operands[static_cast<size_t>(*it)].axes;
      it = (axes & AxisBit(block.axis)) != 0 ? std::next(it) : moved.erase(it);
    }
    const StackSlot counter = frame_.Slot(8, "counter");
    const std::string mark = absl::StrCat("for a", block.axis);
    code_.Mark(mark);
    Label end;
    {
      const GprReg extent = code_.regs().Gpr("extent");
      emission_.LoadExtent(extent, block.axis);
      code_.mov(counter.At(), extent);
      code_.test(extent, extent);
      code_.jz(end);
    }
    // Within, nothing else runs side by side, in the odd iteration neither: every sum is added up in the same order
    // however the iterations are shared.
    const bool side_by_side = attempt_.rows > 1 && !in_rows_ && HasReduction(block);
    const bool was_in_rows = std::exchange(in_rows_, in_rows_ || side_by_side);
    if (side_by_side) EmitIterations(block, moved, counter, attempt_.rows, mark);
    EmitIterations(block, moved, counter, 1, mark);
    in_rows_ = was_in_rows;
    // Back to where the loop began: it may come again, and other loops follow.
    for (const int32_t i : moved) {
      const GprReg step = code_.regs().Gpr("step");
      const GprReg extent = code_.regs().Gpr("extent");
      access_.LoadStride(step, i, block.axis);
      emission_.LoadExtent(extent, block.axis);
      code_.imul(step, extent);
      access_.Move(i, step, /*back=*/true);
    }
    code_.Bind(end);
  }

  // Returns whether a reduction begins in the block, along which iterations wait for one another's end: two of them
  // side by side keep the core busy.
  bool HasReduction(const LinearBlock& block) const {
    return std::any_of(block.items.begin(), block.items.end(), [this](const LinearBlock::Item& item) {
      return item.expr >= 0 && ir_.exprs[static_cast<size_t>(item.expr)].op == LinearOp::kBegin;
    });
  }

  // Emits a loop that runs `rows` iterations side by side while so many are left.
  void EmitIterations(const LinearBlock& block, const std::set<int32_t>& moved, const StackSlot& counter, int rows,
                      const std::string& mark) {
    const jit::Address count = qword[counter.At().getRegExp()];
    Label loop;
    Label end;
    code_.cmp(count, rows);
    code_.jl(end);
    code_.Bind(loop);
    const int rows_around = std::exchange(rows_here_, rows);
    if (rows > 1) {
      SideBySide side_by_side = {block.axis, {}};
      CollectBuffers(block, side_by_side.buffers);
      emission_.EnterRows(std::move(side_by_side));
    }
    EmitBlock(block);
    if (rows > 1) emission_.LeaveRows();
    rows_here_ = rows_around;
    code_.Mark(mark);
    {
      const GprReg step = code_.regs().Gpr("step");
      for (const int32_t i : moved) {
        access_.LoadStride(step, i, block.axis);
        for (int row = 0; row < rows; ++row) access_.Move(i, step, /*back=*/false);
      }
    }
    code_.sub(count, rows);
    code_.cmp(count, rows);
    code_.jge(loop);
    code_.Bind(end);
  }

  // Emits the whole kernel where its rows have no loop.
  void EmitRow() {
    std::optional<LastVector<V>> last;
    if (!ir_.whole_vectors) {
      const GprReg count = code_.regs().Gpr("count");
      emission_.LoadExtent(count, ir_.vector_axis);
      code_.sub(count, (ir_.block_vectors - 1) * V::kLanes);
      last.emplace(v_, frame_, count);
    }
    access_.EnterRow(ir_.block_vectors, last.has_value() ? &*last : nullptr);
    EmitBlock(*ir_.root);
  }

  // Emits the loop over the vector axis: the main loop, then half as many vectors once, and so on, then the last
  // elements.
  void EmitVectorLoop(const LinearBlock& block) {
    const StackSlot extent = frame_.Slot(8, "vector_extent");
    const StackSlot index = frame_.Slot(8, "index");
    std::optional<GprReg> index_reg;
    if (code_.regs().available(RegClass::kGpr) >= kRegistersForIndex) index_reg.emplace(code_.regs().Gpr("index"));
    {
      const GprReg count = code_.regs().Gpr("count");
      emission_.LoadExtent(count, block.axis);
      code_.mov(extent.At(), count);
      code_.xor_(count.cvt32(), count.cvt32());
      if (index_reg.has_value()) {
        code_.mov(*index_reg, count);
        access_.SetIndex(*index_reg);
      } else {
        code_.mov(index.At(), count);
        access_.SetIndexOnStack(index.At());
      }
    }
    for (int vectors = attempt_.vectors; vectors > 0; vectors /= 2) {
      EmitWholeVectors(block, {extent, index, index_reg}, vectors, vectors == attempt_.vectors);
    }
    EmitTail(block, {extent, index, index_reg});
    access_.EnterRow(0, nullptr);
    access_.ResetIndex();
  }

  // Is where the bounds of a loop over the vector axis are.
  struct VectorLoop {
    const StackSlot& extent;
    const StackSlot& index;
    const std::optional<GprReg>& index_reg;
  };

  // Emits jump(label) where fewer than `elements` are left, or where they are not, by flags.
  void CompareLeft(const VectorLoop& loop, int elements) {
    const GprReg next = code_.regs().Gpr("next");
    if (loop.index_reg.has_value()) {
      code_.lea(next, ptr[*loop.index_reg + elements]);
    } else {
      code_.mov(next, loop.index.At());
      code_.add(next, elements);
    }
    code_.cmp(next, loop.extent.At());
  }

  void EmitWholeVectors(const LinearBlock& block, const VectorLoop& loop, int vectors, bool repeats) {
    const int elements = vectors * V::kLanes;
    const std::string mark = absl::StrCat("for a", block.axis, " by ", vectors, " vectors");
    code_.Mark(mark);
    access_.EnterRow(vectors, nullptr);
    Label begin;
    Label end;
    CompareLeft(loop, elements);
    code_.jg(end);
    if (repeats) code_.Align(32);
    code_.Bind(begin);
    EmitBlock(block);
    code_.Mark(mark);
    for (const int32_t i : block.ahead) {
      for (int row = 0; row < rows_here_; ++row) access_.FetchAhead(i, block.parent->axis, rows_here_ + row);
    }
    if (loop.index_reg.has_value()) {
      code_.add(*loop.index_reg, elements);
    } else {
      code_.add(qword[loop.index.At().getRegExp()], elements);
    }
    if (repeats) {
      CompareLeft(loop, elements);
      code_.jle(begin);
    }
    code_.Bind(end);
  }

  void EmitTail(const LinearBlock& block, const VectorLoop& loop) {
    code_.Mark(absl::StrCat("the last elements of a", block.axis));
    Label end;
    std::optional<LastVector<V>> last;
    {
      const GprReg count = code_.regs().Gpr("count");
      code_.mov(count, loop.extent.At());
      if (loop.index_reg.has_value()) {
        code_.sub(count, *loop.index_reg);
      } else {
        code_.sub(count, loop.index.At());
      }
      code_.jz(end);
      last.emplace(v_, frame_, count);
    }
    access_.EnterRow(1, &*last);
    EmitBlock(block);
    code_.Bind(end);
  }

  const LinearIr& ir_;
  const Attempt& attempt_;
  Assembler& code_;
  AbiFrame& frame_;
  V v_;
  OperandAccess<V> access_;
  ExprEmission<V> emission_;
  std::optional<jit::CycleCountEmitter> counting_;
  std::optional<StackSlot> counts_;
  std::vector<GprReg> held_;
  std::vector<VecReg> held_vectors_;
  int spilled_pointers_ = 0;
  // How many iterations of the loop right around, other than one by vectors, run side by side.
  int rows_here_ = 1;
  // Inside of a loop whose iterations run side by side.
  bool in_rows_ = false;
};

template <class V>
absl::StatusOr<jit::CodeBlob> GenerateAtWidth(const LinearIr& ir, const jit::Target& target,
                                              const KernelOptions& options, KernelStats* stats) {
  BURIN_ASSIGN_OR_RETURN(const ExprEmitters emitters, FindExprEmitters(ir));
  const Liveness liveness = Liveness::Of(ir);
  std::map<std::pair<int32_t, int>, int> temporaries;
  std::vector<std::string> texts;
  for (size_t i = 0; i < ir.exprs.size(); ++i) texts.push_back(ir.ExprText(static_cast<int32_t>(i)));
  const KernelSource source = {ir, emitters, liveness, texts, temporaries};
  Attempt attempt;
  attempt.vectors = kMostVectors;
  attempt.rows = kMostRows;
  while (true) {
    Assembler code(ir.name, target.isa());
    std::optional<ValueId> victim;
    int spilled_pointers = 0;
    {
      AbiFrame frame(code);
      KernelEmitter<V> emitter(source, attempt, code, target, frame);
      emitter.Emit(options);
      victim = emitter.victim();
      spilled_pointers = emitter.spilled_pointers();
      frame.Finish();
    }
    if (!victim.has_value()) {
      absl::StatusOr<jit::CodeBlob> blob = std::move(code).Finalize();
      if (blob.ok() || !absl::IsResourceExhausted(blob.status()) || (attempt.vectors == 1 && attempt.rows == 1)) {
        if (stats != nullptr) {
          *stats = {attempt.vectors, static_cast<int>(attempt.on_stack.size()), spilled_pointers};
        }
        return blob;
      }
    }
    // Rows side by side are worth more than vectors, but nothing is put on the stack for them.
    if (attempt.vectors > 1) {
      attempt.vectors /= 2;
    } else if (attempt.rows > 1) {
      attempt.rows = 1;
      attempt.vectors = kMostVectors;
    } else if (*victim == kNoValue || !attempt.on_stack.insert(*victim).second) {
      return absl::ResourceExhaustedError(
          absl::StrCat("One operation needs more vector registers than there are: ", ir.name));
    }
  }
}

}  // namespace

absl::StatusOr<jit::CodeBlob> GenerateKernel(const LinearIr& ir, const jit::Target& target,
                                             const KernelOptions& options, KernelStats* stats) {
  return target.Supports(jit::IsaLevel::kAvx512) ? GenerateAtWidth<jit::VecAvx512>(ir, target, options, stats)
                                                 : GenerateAtWidth<jit::VecAvx2>(ir, target, options, stats);
}

}  // namespace burin::snippets
