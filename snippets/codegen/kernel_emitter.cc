#include "snippets/codegen/kernel_emitter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/arithmetic/sums_and_products.h"
#include "jit/emitters/convert/typed_load.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/liveness.h"
#include "snippets/codegen/reduction_identity.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

using jit::AbiFrame;
using jit::Address;
using jit::Assembler;
using jit::GprReg;
using jit::Label;
using jit::ptr;
using jit::qword;
using jit::Reg64;
using jit::StackSlot;
using jit::VecGroup;
using jit::VecReg;
using jit::VecRegs;
using jit::Xmm;

// General registers that stay free for addresses, counts and the emitters' own use.
constexpr int kScratchRegisters = 7;

// Holds the registers that emitters take beyond their operands, by expression and number of vectors: the same in all
// attempts.
using Temporaries = std::map<std::pair<int32_t, int>, int>;

// What is tried: how many vectors the main loop takes, and what lives on the stack.
struct Attempt {
  int vectors = 1;
  std::set<ValueId> spilled;
};

// Emits one kernel.
template <class V>
class KernelEmitter {
 public:
  KernelEmitter(const LinearIr& ir, const ExprEmitters& emitters, const Liveness& liveness, Temporaries& temporaries,
                const Attempt& attempt, Assembler& code, const jit::Target& target)
      : ir_(ir),
        emitters_(emitters),
        liveness_(liveness),
        temporaries_(temporaries),
        attempt_(attempt),
        code_(code),
        v_(code, target),
        homes_(ir.values.size()),
        constants_(ir.values.size()) {}

  // Emits the function.
  void Emit(AbiFrame& frame, const RegisterLimits& limits) {
    frame_ = &frame;
    HoldBack(limits);
    extents_.emplace(frame.Slot(8, "extents"));
    strides_.emplace(frame.Slot(8, "strides"));
    LoadArguments();
    spilled_pointers_ = static_cast<int>(pointer_slots_.size());
    EmitBlock(*ir_.root);
    pointers_.clear();
    pointer_slots_.clear();
    homes_.clear();
    held_.clear();
    held_vectors_.clear();
  }

  // Returns the value to put on the stack where registers ran out, or nullopt where they did not or nothing helps.
  std::optional<ValueId> victim() const { return victim_; }

  int spilled_pointers() const { return spilled_pointers_; }

 private:
  // Is where a value is: in registers, one for each vector or one for all of them, or on the stack.
  struct Home {
    std::optional<VecRegs> regs;
    std::optional<StackSlot> slot;
  };

  static void Forget(Home& home) {
    home.regs.reset();
    home.slot.reset();
  }

  // Is a value in registers for one use, with the registers that only this use holds.
  struct Use {
    VecGroup group;
    std::optional<VecRegs> owned;
  };

  static constexpr int kBytes = V::kBits / 8;

  const LinearValue& value(ValueId id) const { return ir_.values[static_cast<size_t>(id)]; }
  const LinearOperand& operand(int32_t i) const { return ir_.operands[static_cast<size_t>(i)]; }
  Home& home(ValueId id) { return homes_[static_cast<size_t>(id)]; }

  // Takes away the registers beyond the limits.
  void HoldBack(const RegisterLimits& limits) {
    while (code_.regs().available(jit::RegClass::kGpr) > std::max(limits.general - 2, 0)) {
      held_.push_back(code_.regs().Gpr("beyond_the_limit"));
    }
    while (code_.regs().available(jit::RegClass::kVec) > limits.vectors)
      held_vectors_.push_back(v_.New("beyond_the_limit"));
  }

  void LoadArguments() {
    const GprReg table = code_.regs().Gpr("table");
    frame_->Load(table, BURIN_ARG_FIELD(FusedKernelArgs, extents));
    code_.mov(extents_->At(), table);
    frame_->Load(table, BURIN_ARG_FIELD(FusedKernelArgs, strides));
    code_.mov(strides_->At(), table);
    frame_->Load(table, BURIN_ARG_FIELD(FusedKernelArgs, operands));
    frame_->ReleaseArgs();
    for (size_t i = 0; i < ir_.operands.size(); ++i) {
      const Address source = qword[table + static_cast<int>(i) * 8];
      if (code_.regs().available(jit::RegClass::kGpr) > kScratchRegisters) {
        pointers_.emplace(static_cast<int32_t>(i), code_.regs().Gpr("pointer"));
        code_.mov(pointers_.at(static_cast<int32_t>(i)), source);
      } else {
        const GprReg pointer = code_.regs().Gpr("pointer");
        pointer_slots_.emplace(static_cast<int32_t>(i), frame_->Slot(8, "pointer"));
        code_.mov(pointer, source);
        code_.mov(pointer_slots_.at(static_cast<int32_t>(i)).At(), pointer);
      }
    }
  }

  // Returns the register with the address of an operand, loading it into `spare` where it is on the stack.
  Reg64 Pointer(int32_t i, const Reg64& spare) {
    const auto it = pointers_.find(i);
    if (it != pointers_.end()) return it->second;
    code_.mov(spare, qword[pointer_slots_.at(i).At().getRegExp()]);
    return spare;
  }

  // How many vectors a value has here: one register stands for all where it does not vary along the vector axis.
  int VectorsOf(AxisSet axes) const {
    return (axes & AxisBit(ir_.vector_axis)) != 0 && index_.has_value() ? vectors_ : 1;
  }

  void EmitBlock(const LinearBlock& block) {
    for (size_t i = 0; i < block.items.size() && !victim_.has_value(); ++i) {
      const LinearBlock::Item& item = block.items[i];
      if (item.block == nullptr) {
        EmitExpr(item.expr, block, static_cast<int32_t>(i));
      } else if (item.block->axis == ir_.vector_axis) {
        EmitVectorLoop(*item.block);
      } else {
        EmitScalarLoop(*item.block);
      }
      // What is not used any more gives its registers back.
      for (size_t id = 0; id < homes_.size(); ++id) {
        if (liveness_.block[id] == &block && liveness_.last_item[id] == static_cast<int32_t>(i)) Forget(homes_[id]);
      }
    }
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

  // Sets `to` to the extent of an axis, and to the stride of an operand along it.
  void LoadExtent(const Reg64& to, int axis) {
    code_.mov(to, extents_->At());
    code_.mov(to, ptr[to + axis * 8]);
  }
  void LoadStride(const Reg64& to, int32_t i, int axis) {
    code_.mov(to, strides_->At());
    code_.mov(to, ptr[to + (i * static_cast<int>(ir_.axes.size()) + axis) * 8]);
  }

  // Adds `step` to the address of an operand, or subtracts it.
  void Move(int32_t i, const Reg64& step, bool back) {
    const auto it = pointers_.find(i);
    if (it != pointers_.end()) {
      back ? code_.sub(it->second, step) : code_.add(it->second, step);
    } else {
      back ? code_.sub(pointer_slots_.at(i).At(), step) : code_.add(pointer_slots_.at(i).At(), step);
    }
  }

  void EmitScalarLoop(const LinearBlock& block) {
    std::set<int32_t> moved;
    CollectOperands(block, moved);
    for (auto it = moved.begin(); it != moved.end();) {
      it = (operand(*it).axes & AxisBit(block.axis)) != 0 ? std::next(it) : moved.erase(it);
    }
    const StackSlot counter = frame_->Slot(8, "counter");
    Label loop;
    Label end;
    {
      const GprReg extent = code_.regs().Gpr("extent");
      LoadExtent(extent, block.axis);
      code_.test(extent, extent);
      code_.jz(end);
      code_.mov(counter.At(), extent);
    }
    code_.Bind(loop);
    EmitBlock(block);
    {
      const GprReg step = code_.regs().Gpr("step");
      for (const int32_t i : moved) {
        LoadStride(step, i, block.axis);
        Move(i, step, /*back=*/false);
      }
      code_.dec(qword[counter.At().getRegExp()]);
      code_.jnz(loop);
      // Back to where the loop began: it may come again, and other loops follow.
      for (const int32_t i : moved) {
        const GprReg extent = code_.regs().Gpr("extent");
        LoadStride(step, i, block.axis);
        LoadExtent(extent, block.axis);
        code_.imul(step, extent);
        Move(i, step, /*back=*/true);
      }
    }
    code_.Bind(end);
  }

  void EmitVectorLoop(const LinearBlock& block) {
    const StackSlot extent = frame_->Slot(8, "vector_extent");
    index_.emplace(code_.regs().Gpr("index"));
    {
      const GprReg count = code_.regs().Gpr("count");
      LoadExtent(count, block.axis);
      code_.mov(extent.At(), count);
    }
    code_.xor_(index_->cvt32(), index_->cvt32());
    EmitWholeVectors(block, extent, attempt_.vectors);
    if (attempt_.vectors > 1) EmitWholeVectors(block, extent, 1);
    EmitTail(block, extent);
    index_.reset();
  }

  void EmitWholeVectors(const LinearBlock& block, const StackSlot& extent, int vectors) {
    vectors_ = vectors;
    const int elements = vectors * V::kLanes;
    Label loop;
    Label end;
    const auto compare = [&] {
      const GprReg next = code_.regs().Gpr("next");
      code_.lea(next, ptr[*index_ + elements]);
      code_.cmp(next, extent.At());
    };
    compare();
    code_.jg(end);
    code_.Align(32);
    code_.Bind(loop);
    EmitBlock(block);
    code_.add(*index_, elements);
    compare();
    code_.jle(loop);
    code_.Bind(end);
  }

  void EmitTail(const LinearBlock& block, const StackSlot& extent) {
    vectors_ = 1;
    Label end;
    tail_.emplace(code_.regs().Gpr("tail"));
    code_.mov(*tail_, extent.At());
    code_.sub(*tail_, *index_);
    code_.jz(end);
    EmitBlock(block);
    code_.Bind(end);
    tail_.reset();
  }

  // Returns whether there are `wanted` vector registers; where not, the value to spill is found.
  bool Has(int wanted, const LinearExpr& expr) {
    if (code_.regs().available(jit::RegClass::kVec) >= wanted) return true;
    // The one with the fewest uses: the others would be loaded more often.
    ValueId found = kNoValue;
    for (size_t id = 0; id < homes_.size(); ++id) {
      if (!homes_[id].regs.has_value()) continue;
      const auto candidate = static_cast<ValueId>(id);
      const bool used = std::find(expr.inputs.begin(), expr.inputs.end(), candidate) != expr.inputs.end();
      if (used && expr.op != LinearOp::kStep) continue;
      if (found == kNoValue || liveness_.uses[id] < liveness_.uses[static_cast<size_t>(found)]) found = candidate;
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
    Assembler scratch("measure", code_.isa());
    V v(scratch);
    std::vector<VecRegs> regs;
    std::vector<VecGroup> groups;
    for (int i = 0; i < function.inputs; ++i) {
      regs.push_back(v.New("operand", i == 0 ? vectors : 1));
      groups.emplace_back(regs.back());
    }
    const int before = scratch.regs().in_use(jit::RegClass::kVec);
    EmitFunction(v, function, groups);
    return std::max(0, scratch.regs().peak(jit::RegClass::kVec) - before);
  }

  static void EmitFunction(jit::VecAvx2& v, const jit::RowFunction& function, absl::Span<const VecGroup> operands) {
    function.avx2(v, operands);
  }
  static void EmitFunction(jit::VecAvx512& v, const jit::RowFunction& function, absl::Span<const VecGroup> operands) {
    function.avx512(v, operands);
  }

  // Gives a value to one use.
  Use Get(ValueId id) {
    Use use;
    if (constants_[static_cast<size_t>(id)].has_value()) {
      use.owned.emplace(v_.New("constant", 1));
      v_.BroadcastConst(*use.owned, *constants_[static_cast<size_t>(id)]);
      use.group = *use.owned;
    } else if (home(id).regs.has_value()) {
      use.group = *home(id).regs;
    } else {
      use.owned.emplace(v_.New("reload", 1));
      v_.Load((*use.owned)[0], home(id).slot->At());
      use.group = *use.owned;
    }
    return use;
  }

  // Returns registers of `vectors` vectors that hold a value and may be changed.
  VecRegs Copy(ValueId id, int vectors, const LinearBlock& block, int32_t item) {
    const bool dies =
        liveness_.block[static_cast<size_t>(id)] == &block && liveness_.last_item[static_cast<size_t>(id)] == item;
    if (dies && home(id).regs.has_value() && home(id).regs->size() == vectors) {
      VecRegs regs = *std::move(home(id).regs);
      Forget(home(id));
      return regs;
    }
    VecRegs regs = v_.New("value", vectors);
    if (constants_[static_cast<size_t>(id)].has_value()) {
      v_.BroadcastConst(regs, *constants_[static_cast<size_t>(id)]);
    } else if (home(id).regs.has_value()) {
      v_.Copy(regs, *home(id).regs);
    } else {
      for (int i = 0; i < vectors; ++i) v_.Load(regs[i], home(id).slot->At());
    }
    return regs;
  }

  // Keeps a value that has just been computed.
  void Keep(ValueId id, VecRegs regs) {
    if (attempt_.spilled.count(id) == 0) {
      home(id).regs.emplace(std::move(regs));
      return;
    }
    home(id).slot.emplace(frame_->Slot(kBytes, "spilled"));
    v_.Store(home(id).slot->At(), regs[0]);
  }

  void EmitExpr(int32_t index, const LinearBlock& block, int32_t item) {
    const LinearExpr& expr = ir_.exprs[static_cast<size_t>(index)];
    switch (expr.op) {
      case LinearOp::kLoad:
        return EmitLoad(expr);
      case LinearOp::kStore:
        return EmitStore(expr, block, item);
      case LinearOp::kConstant:
        constants_[static_cast<size_t>(expr.output)] = expr.bits;
        return;
      case LinearOp::kCount:
        return EmitCount(expr);
      case LinearOp::kCompute:
        return EmitCompute(index, expr, block, item);
      case LinearOp::kBegin:
        return EmitBegin(expr);
      case LinearOp::kStep:
        return EmitStep(expr);
      case LinearOp::kEnd:
        return EmitEnd(expr);
    }
  }

  void EmitCompute(int32_t index, const LinearExpr& expr, const LinearBlock& block, int32_t item) {
    const jit::RowFunction& function = *emitters_[static_cast<size_t>(index)];
    const int vectors = VectorsOf(value(expr.output).axes);
    if (!Has(vectors + function.inputs - 1 + TemporariesOf(index, vectors), expr)) return;
    std::vector<Use> uses(1);
    std::vector<VecGroup> groups(1);
    for (int i = 1; i < function.inputs; ++i) {
      uses.push_back(Get(expr.inputs[static_cast<size_t>(i)]));
      groups.push_back(uses.back().group);
    }
    const ValueId first = expr.inputs.front();
    // Registers that another operand reads are not taken over.
    const bool shared = std::count(expr.inputs.begin(), expr.inputs.begin() + function.inputs, first) > 1;
    VecRegs result = Copy(first, vectors, block, shared ? -1 : item);
    groups[0] = result;
    EmitFunction(v_, function, groups);
    uses.clear();
    Keep(expr.output, std::move(result));
  }

  // Returns the address of vector i of an operand at the present place.
  Address At(int32_t i, const Reg64& pointer, int vector) {
    const LinearOperand& o = operand(i);
    const int bytes = static_cast<int>(BitWidth(o.type) / 8);
    if (!index_.has_value() || (o.axes & AxisBit(ir_.vector_axis)) == 0) return ptr[pointer];
    return ptr[pointer + *index_ * bytes + vector * V::kLanes * bytes];
  }

  bool IsStrided(const LinearOperand& o) const {
    return !o.contiguous && (o.axes & AxisBit(ir_.vector_axis)) != 0 && index_.has_value();
  }

  // The elements that there are of the last vector.
  jit::VecPart<V> Part() { return tail_.has_value() ? jit::VecPart<V>::First(v_, *tail_) : jit::VecPart<V>(); }

  void LoadVector(ElementType memory, bool as_float, const VecGroup& to, const Address& from,
                  const jit::VecPart<V>& part) {
    if (as_float) {
      jit::EmitLoadAsF32(v_, memory, to, from, part);
    } else {
      jit::EmitLoadAsI32(v_, memory, to, from, part);
    }
  }

  void EmitLoad(const LinearExpr& expr) {
    const LinearOperand& o = operand(expr.operand);
    const bool as_float = IsFloat(value(expr.output).type);
    const int vectors = VectorsOf(o.axes);
    if (!Has(vectors + TemporariesOfAccess(o.type, vectors), expr)) return;
    VecRegs regs = v_.New("loaded", vectors);
    const GprReg spare = code_.regs().Gpr("address");
    if (IsStrided(o)) {
      for (int i = 0; i < vectors; ++i) {
        const StackSlot stage = Gather(expr.operand, i);
        LoadVector(o.type, as_float, regs[i], stage.At(), {});
      }
    } else if (index_.has_value() && (o.axes & AxisBit(ir_.vector_axis)) != 0) {
      const Reg64 pointer = Pointer(expr.operand, spare);
      LoadVector(o.type, as_float, regs, At(expr.operand, pointer, 0), Part());
    } else if (as_float) {
      jit::EmitBroadcastAsF32(v_, o.type, regs[0], ptr[Pointer(expr.operand, spare)]);
    } else {
      jit::EmitBroadcastAsI32(v_, o.type, regs[0], ptr[Pointer(expr.operand, spare)]);
    }
    Keep(expr.output, std::move(regs));
  }

  void EmitStore(const LinearExpr& expr, const LinearBlock& block, int32_t item) {
    const LinearOperand& o = operand(expr.operand);
    const ValueId id = expr.inputs.front();
    const int vectors = VectorsOf(o.axes);
    if (!Has(vectors + TemporariesOfAccess(o.type, vectors), expr)) return;
    const VecRegs regs = Copy(id, vectors, block, item);
    const GprReg spare = code_.regs().Gpr("address");
    const bool from_float = IsFloat(value(id).type);
    const auto store = [&](const Address& to, const VecGroup& from, const jit::VecPart<V>& part) {
      if (from_float) {
        jit::EmitStoreF32As(v_, o.type, to, from, jit::StoreOptions::Convert(), part);
      } else {
        jit::EmitStoreI32As(v_, o.type, to, from, jit::StoreOptions::Convert(), part);
      }
    };
    if (IsStrided(o)) {
      for (int i = 0; i < vectors; ++i) {
        const StackSlot stage = frame_->Slot(V::kLanes * 8, "stage");
        store(stage.At(), regs[i], {});
        Scatter(expr.operand, i, stage);
      }
    } else if (index_.has_value() && (o.axes & AxisBit(ir_.vector_axis)) != 0) {
      store(At(expr.operand, Pointer(expr.operand, spare), 0), regs, Part());
    } else {
      store(ptr[Pointer(expr.operand, spare)], regs, jit::VecPart<V>::First(v_, 1));
    }
  }

  // Returns registers that loads and stores of a type take beyond the vectors.
  static int TemporariesOfAccess(ElementType type, int vectors) {
    const int64_t bits = BitWidth(type);
    if (type == ElementType::kF32 || type == ElementType::kI32) return 1;
    return bits == 64 ? 8 : 2 * vectors + 2;
  }

  // Calls move(lane) for each lane of the present vector that there is.
  template <class MoveLane>
  void EachLane(const MoveLane& move) {
    Label end;
    for (int lane = 0; lane < V::kLanes; ++lane) {
      if (tail_.has_value() && lane > 0) {
        code_.cmp(*tail_, lane);
        code_.jle(end);
      }
      move(lane);
    }
    code_.Bind(end);
  }

  // Sets `address` to the first element of vector i of an operand with a stride, and `stride` to that.
  void StridedAddress(int32_t i, int vector, const Reg64& address, const Reg64& stride) {
    LoadStride(stride, i, ir_.vector_axis);
    code_.lea(address, ptr[*index_ + vector * V::kLanes]);
    code_.imul(address, stride);
    const auto it = pointers_.find(i);
    if (it != pointers_.end()) {
      code_.add(address, it->second);
    } else {
      code_.add(address, pointer_slots_.at(i).At());
    }
  }

  // Moves one element between memory and the stage.
  void MoveElement(const Address& to, const Address& from, int bytes) {
    const GprReg element = code_.regs().Gpr("element");
    if (bytes == 1) {
      code_.movzx(element.cvt32(), jit::byte[from.getRegExp()]);
      code_.mov(jit::byte[to.getRegExp()], element.cvt8());
    } else if (bytes == 2) {
      code_.movzx(element.cvt32(), jit::word[from.getRegExp()]);
      code_.mov(jit::word[to.getRegExp()], element.cvt16());
    } else if (bytes == 4) {
      code_.mov(element.cvt32(), from);
      code_.mov(to, element.cvt32());
    } else {
      code_.mov(element, from);
      code_.mov(to, element);
    }
  }

  StackSlot Gather(int32_t i, int vector) {
    StackSlot stage = frame_->Slot(V::kLanes * 8, "stage");
    const GprReg address = code_.regs().Gpr("element_address");
    const GprReg stride = code_.regs().Gpr("stride");
    const int bytes = static_cast<int>(BitWidth(operand(i).type) / 8);
    StridedAddress(i, vector, address, stride);
    if (tail_.has_value()) {
      const VecReg zero = v_.New("zero");
      v_.Zero(VecGroup(zero));
      for (int at = 0; at < V::kLanes * bytes; at += kBytes) v_.Store(stage.At(at), zero);
    }
    EachLane([&](int lane) {
      MoveElement(stage.At(lane * bytes), ptr[address], bytes);
      code_.add(address, stride);
    });
    return stage;
  }

  void Scatter(int32_t i, int vector, const StackSlot& stage) {
    const GprReg address = code_.regs().Gpr("element_address");
    const GprReg stride = code_.regs().Gpr("stride");
    const int bytes = static_cast<int>(BitWidth(operand(i).type) / 8);
    StridedAddress(i, vector, address, stride);
    EachLane([&](int lane) {
      MoveElement(ptr[address], stage.At(lane * bytes), bytes);
      code_.add(address, stride);
    });
  }

  void EmitCount(const LinearExpr& expr) {
    if (!Has(1, expr)) return;
    VecRegs regs = v_.New("count", 1);
    const GprReg product = code_.regs().Gpr("product");
    const GprReg extent = code_.regs().Gpr("extent");
    code_.mov(product.cvt32(), 1);
    for (int axis = 0; axis < static_cast<int>(ir_.axes.size()); ++axis) {
      if ((expr.axes & AxisBit(axis)) == 0) continue;
      LoadExtent(extent, axis);
      code_.imul(product, extent);
    }
    const Xmm low = jit::AsXmm(regs[0]);
    code_.vxorps(low, low, low);
    code_.vcvtsi2ss(low, low, product);
    v_.BroadcastFirst(regs[0], regs[0]);
    Keep(expr.output, std::move(regs));
  }

  // Returns how many registers an accumulator has.
  int AccumulatorsOf(const LinearExpr& expr) const {
    if ((expr.axes & AxisBit(ir_.vector_axis)) != 0) return attempt_.vectors;
    return VectorsOf(value(expr.op == LinearOp::kBegin ? expr.output : expr.inputs.front()).axes);
  }

  void EmitBegin(const LinearExpr& expr) {
    const int count = AccumulatorsOf(expr);
    if (!Has(count, expr)) return;
    VecRegs regs = v_.New("accumulator", count);
    v_.BroadcastConst(regs, ReductionIdentity(expr.reduction, value(expr.output).type));
    Keep(expr.output, std::move(regs));
  }

  // Emits acc = acc OP x.
  void Combine(Reduction reduction, bool is_float, const VecGroup& acc, const VecGroup& x) {
    switch (reduction) {
      case Reduction::kSum:
        is_float ? jit::EmitAdd(v_, acc, x) : jit::EmitAddI32(v_, acc, x);
        break;
      case Reduction::kProduct:
        is_float ? jit::EmitMultiply(v_, acc, x) : jit::EmitMultiplyI32(v_, acc, x);
        break;
      case Reduction::kMaximum:
        is_float ? jit::EmitMaximum(v_, acc, x) : jit::EmitMaximumI32(v_, acc, x);
        break;
      case Reduction::kMinimum:
        is_float ? jit::EmitMinimum(v_, acc, x) : jit::EmitMinimumI32(v_, acc, x);
        break;
    }
  }

  void EmitStep(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const bool is_float = IsFloat(value(accumulator).type);
    const bool along_vectors = (expr.axes & AxisBit(ir_.vector_axis)) != 0;
    // Enough for a reloaded accumulator, the tail's copy, a constant, the mask and the comparison's own.
    if (!Has(2 * vectors_ + 5, expr)) return;
    const bool on_stack = !home(accumulator).regs.has_value();
    Use held = Get(accumulator);
    const Use x = Get(expr.inputs[1]);
    const int vectors = along_vectors ? vectors_ : held.group.size();
    VecGroup acc;
    for (int i = 0; i < vectors; ++i) acc.Append(held.group[i]);
    if (along_vectors && tail_.has_value()) {
      // Elements beyond the end leave the accumulator as it is.
      const VecReg sum = v_.New("tail_sum");
      v_.Copy(VecGroup(sum), VecGroup(acc[0]));
      Combine(expr.reduction, is_float, VecGroup(sum), x.group);
      const typename V::MaskRegister mask = v_.NewMask("tail_mask");
      {
        const GprReg scratch = code_.regs().Gpr("scratch");
        v_.SetMaskFor(mask, *tail_, scratch);
      }
      v_.SelectOne(acc[0], mask, sum, acc[0]);
    } else {
      Combine(expr.reduction, is_float, acc, x.group);
    }
    if (on_stack) v_.Store(home(accumulator).slot->At(), acc[0]);
  }

  void EmitEnd(const LinearExpr& expr) {
    const ValueId accumulator = expr.inputs[0];
    const ElementType type = value(accumulator).type;
    const bool is_float = IsFloat(type);
    if (!Has(5, expr)) return;
    Use acc = Get(accumulator);
    if ((expr.axes & AxisBit(ir_.vector_axis)) == 0) {
      VecRegs result = v_.New("reduced", acc.group.size());
      v_.Copy(result, acc.group);
      if (!is_float) EmitWrap(v_, result, type);
      Keep(expr.output, std::move(result));
      return;
    }
    for (int count = acc.group.size(); count > 1; count = (count + 1) / 2) {
      for (int i = 0; i + (count + 1) / 2 < count; ++i) {
        Combine(expr.reduction, is_float, VecGroup(acc.group[i]), VecGroup(acc.group[i + (count + 1) / 2]));
      }
    }
    v_.ReduceBy(acc.group[0],
                [&](const VecGroup& x, const VecGroup& other) { Combine(expr.reduction, is_float, x, other); });
    VecRegs result = v_.New("reduced", 1);
    v_.Copy(result, VecGroup(acc.group[0]));
    if (!is_float) EmitWrap(v_, result, type);
    Keep(expr.output, std::move(result));
  }

  const LinearIr& ir_;
  const ExprEmitters& emitters_;
  const Liveness& liveness_;
  Temporaries& temporaries_;
  const Attempt& attempt_;
  Assembler& code_;
  V v_;
  AbiFrame* frame_ = nullptr;
  std::vector<GprReg> held_;
  std::vector<VecReg> held_vectors_;
  std::optional<StackSlot> extents_;
  std::optional<StackSlot> strides_;
  std::map<int32_t, GprReg> pointers_;
  std::map<int32_t, StackSlot> pointer_slots_;
  std::vector<Home> homes_;
  std::vector<std::optional<uint32_t>> constants_;
  // Inside of the vector loop: the index of the first element, how many vectors are taken, and in the last vector the
  // number of its elements.
  std::optional<GprReg> index_;
  std::optional<GprReg> tail_;
  int vectors_ = 1;
  int spilled_pointers_ = 0;
  std::optional<ValueId> victim_;
};

template <class V>
absl::StatusOr<jit::CodeBlob> GenerateAtWidth(const LinearIr& ir, const jit::Target& target,
                                              const RegisterLimits& limits, KernelStats* stats) {
  BURIN_ASSIGN_OR_RETURN(const ExprEmitters emitters, FindExprEmitters(ir));
  const Liveness liveness = Liveness::Of(ir);
  Temporaries temporaries;
  const int most = target.Supports(jit::IsaLevel::kAvx512) ? 6 : 3;
  Attempt attempt;
  attempt.vectors = most;
  while (true) {
    Assembler code(ir.name, target.isa());
    std::optional<ValueId> victim;
    int spilled_pointers = 0;
    {
      AbiFrame frame(code);
      KernelEmitter<V> emitter(ir, emitters, liveness, temporaries, attempt, code, target);
      emitter.Emit(frame, limits);
      victim = emitter.victim();
      spilled_pointers = emitter.spilled_pointers();
      frame.Finish();
    }
    if (!victim.has_value()) {
      absl::StatusOr<jit::CodeBlob> blob = std::move(code).Finalize();
      if (blob.ok() || !absl::IsResourceExhausted(blob.status()) || attempt.vectors == 1) {
        if (stats != nullptr) {
          *stats = {attempt.vectors, static_cast<int>(attempt.spilled.size()), spilled_pointers};
        }
        return blob;
      }
    }
    if (attempt.vectors > 1) {
      attempt.vectors = attempt.vectors > 4 ? 4 : attempt.vectors - 1;
    } else if (*victim == kNoValue || !attempt.spilled.insert(*victim).second) {
      return absl::ResourceExhaustedError(
          absl::StrCat("One operation needs more vector registers than there are: ", ir.name));
    }
  }
}

}  // namespace

absl::StatusOr<jit::CodeBlob> GenerateKernel(const LinearIr& ir, const jit::Target& target,
                                             const RegisterLimits& limits, KernelStats* stats) {
  return target.Supports(jit::IsaLevel::kAvx512) ? GenerateAtWidth<jit::VecAvx512>(ir, target, limits, stats)
                                                 : GenerateAtWidth<jit::VecAvx2>(ir, target, limits, stats);
}

}  // namespace burin::snippets
