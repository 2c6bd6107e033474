// Moves the operands of a fused kernel between memory and registers, and keeps their addresses.
//
// Use it in code generation. Addresses are in general registers while there are enough of them, and on the stack
// otherwise. Along the vector axis elements lie side by side, or apart: then they are sorted out of whole vectors where
// they are few elements apart, and else collected one by one. Emits to the vocabulary's assembler; used by one thread.
#ifndef BURIN_SNIPPETS_CODEGEN_OPERAND_ACCESS_H_
#define BURIN_SNIPPETS_CODEGEN_OPERAND_ACCESS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/element_type.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/typed_load.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/spaced_elements.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_memory.h"
#include "snippets/codegen/last_vector.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Is a loop of which two iterations run side by side: its axis, and the buffers that each iteration has of its own
// since it stores into them.
struct SideBySide {
  int axis = 0;
  std::set<int32_t> buffers;
};

// Accesses operands. V is the vector vocabulary.
template <class V>
class OperandAccess {
 public:
  // General registers that stay free for addresses, counts and the emitters' own use.
  static constexpr int kScratchRegisters = 7;

  OperandAccess(const LinearIr& ir, V& v, jit::AbiFrame& frame) : ir_(ir), v_(v), code_(v.code()), frame_(frame) {}

  // Loads the addresses of operands from `table`, which has one for each.
  void LoadPointers(const jit::Reg64& table) {
    for (size_t i = 0; i < ir_.operands.size(); ++i) {
      const auto id = static_cast<int32_t>(i);
      const jit::Address source = jit::qword[table + id * 8];
      jit::GprReg pointer = code_.regs().Gpr("pointer");
      code_.mov(pointer, source);
      if (code_.regs().available(jit::RegClass::kGpr) >= kScratchRegisters) {
        pointers_.emplace(id, std::move(pointer));
      } else {
        slots_.emplace(id, frame_.Slot(8, "pointer"));
        code_.mov(slots_.at(id).At(), pointer);
      }
    }
  }

  // Says where the strides are: the memory that holds their address.
  void SetStrides(const jit::Address& strides) { strides_.emplace(strides); }

  // Says where the index of the first element of the vector axis is: in a register, on the stack, or none: 0.
  void SetIndex(const jit::Reg64& index) { index_.emplace(index); }
  void SetIndexOnStack(const jit::Address& index) { index_on_stack_.emplace(index); }
  void ResetIndex() {
    index_.reset();
    index_on_stack_.reset();
  }

  // Says where what follows is: outside of the vector axis (0), or where so many vectors of a row are taken at a time,
  // the last of which may be incomplete (else null).
  void EnterRow(int vectors, const LastVector<V>* last) {
    row_vectors_ = vectors;
    last_ = last;
  }

  // Return what was said last.
  int row_vectors() const { return row_vectors_; }
  const LastVector<V>* last() const { return last_; }

  // Returns how many vectors a value has here: one stands for all where it does not vary along the vector axis.
  int Vectors(AxisSet axes) const {
    return row_vectors_ > 0 && (axes & AxisBit(ir_.vector_axis)) != 0 ? row_vectors_ : 1;
  }

  // Says that the accesses that follow are for the next iteration of a loop, not the present one.
  void SetAhead(const SideBySide& loop) { ahead_ = loop; }
  void ResetAhead() { ahead_.reset(); }

  // Returns how many addresses are on the stack.
  int on_stack() const { return static_cast<int>(slots_.size()); }

  // Adds `step` to the address of an operand, or subtracts it.
  void Move(int32_t i, const jit::Reg64& step, bool back) {
    const auto it = pointers_.find(i);
    if (it != pointers_.end()) {
      back ? code_.sub(it->second, step) : code_.add(it->second, step);
    } else {
      back ? code_.sub(slots_.at(i).At(), step) : code_.add(slots_.at(i).At(), step);
    }
  }

  // Sets `to` to the stride of an operand along an axis.
  void LoadStride(const jit::Reg64& to, int32_t i, int axis) {
    code_.mov(to, *strides_);
    code_.mov(to, jit::ptr[to + (i * static_cast<int>(ir_.axes.size()) + axis) * 8]);
  }

  // Returns the vector registers that Load() and Store() of `vectors` vectors take beyond these.
  int Temporaries(int32_t i, int vectors) const {
    const ElementType type = operand(i).type;
    if (type == ElementType::kF32 || type == ElementType::kI32) return operand(i).contiguous ? 1 : 2;
    // Of elements that stay wide: masks. What converts them takes more.
    if (IsWide(type)) return 4;
    return BitWidth(type) == 64 ? 8 : 2 * vectors + 2;
  }

  // Returns whether Store() changes the registers that it stores.
  bool StoreChanges(int32_t i, Lane from) const {
    if (IsWide(from)) return false;
    return operand(i).type != (from == Lane::kFloat ? ElementType::kF32 : ElementType::kI32);
  }

  // Loads vectors of a row, the first of them `first`; in a place outside of the vector axis, or where the operand does
  // not vary along it, the one element there is into all lanes.
  void Load(int32_t i, int first, Lane as, const jit::VecGroup& to) {
    const LinearOperand& o = operand(i);
    if (row_vectors_ == 0 || (o.axes & AxisBit(ir_.vector_axis)) == 0) {
      const Place place = At(i, 0);
      if (IsWide(as)) {
        jit::EmitBroadcastWide(v_, to, place.address);
      } else if (as == Lane::kFloat) {
        jit::EmitBroadcastAsF32(v_, o.type, to[0], place.address);
      } else {
        jit::EmitBroadcastAsI32(v_, o.type, to[0], place.address);
      }
      return;
    }
    const int count = VectorsIn(to, as);
    if (!o.contiguous) {
      for (int k = 0; k < count; ++k) {
        if (LastOf(first + k + 1) == nullptr && IsLane(o.type, as)) {
          LoadApart(i, first + k, to[k]);
          continue;
        }
        const jit::StackSlot stage = Gather(i, first + k, LastOf(first + k + 1));
        LoadVectors(o.type, as, VectorOf(to, as, k), stage.At(), {});
      }
      return;
    }
    const Place place = At(i, first);
    LoadVectors(o.type, as, to, place.address, PartUpTo(first + count));
  }

  // Stores vectors of a row, likewise: outside of the vector axis the first lane. May change them.
  void Store(int32_t i, int first, Lane as, const jit::VecGroup& from) {
    const LinearOperand& o = operand(i);
    if (row_vectors_ == 0 || (o.axes & AxisBit(ir_.vector_axis)) == 0) {
      const Place place = At(i, 0);
      if (IsWide(as)) return jit::EmitStoreFirstWide(v_, place.address, from);
      return StoreVectors(o.type, as, place.address, from, jit::VecPart<V>::First(v_, 1));
    }
    const int count = VectorsIn(from, as);
    if (!o.contiguous) {
      for (int k = 0; k < count; ++k) {
        if (LastOf(first + k + 1) == nullptr && IsLane(o.type, as)) {
          StoreApart(i, first + k, from[k]);
          continue;
        }
        const jit::StackSlot stage = frame_.Slot(V::kLanes * 8, "stage");
        StoreVectors(o.type, as, stage.At(), VectorOf(from, as, k), {});
        Scatter(i, first + k, LastOf(first + k + 1), stage);
      }
      return;
    }
    const Place place = At(i, first);
    StoreVectors(o.type, as, place.address, from, PartUpTo(first + count));
  }

  // Brings lines of vectors of a row closer to the core, of an operand where it is `iterations` iterations of the loop
  // over `axis` later: into the second-level cache, as the first one is full of what is under way. Does nothing where
  // no registers are left: it is but a hint.
  void FetchAhead(int32_t i, int axis, int iterations) {
    constexpr int kLineBytes = 64;
    if (code_.regs().available(jit::RegClass::kGpr) < 2) return;
    const jit::GprReg address = code_.regs().Gpr("ahead");
    const jit::GprReg step = code_.regs().Gpr("step");
    LoadStride(step, i, axis);
    code_.mov(address, step);
    for (int k = 1; k < iterations; ++k) code_.add(address, step);
    AddPointer(address, i);
    if (index_on_stack_.has_value()) {
      code_.mov(step, *index_on_stack_);
    } else {
      code_.mov(step, *index_);
    }
    const int bytes = row_vectors_ * V::kLanes * BytesOf(i);
    for (int offset = 0; offset < bytes; offset += kLineBytes) {
      code_.prefetcht1(jit::ptr[address + step * BytesOf(i) + offset]);
    }
  }

  // Gives all registers and stack back.
  void Release() {
    pointers_.clear();
    slots_.clear();
  }

 private:
  // Is an address, and the register that it needs if any.
  struct Place {
    jit::Address address;
    std::optional<jit::GprReg> spare;
  };

  const LinearOperand& operand(int32_t i) const { return ir_.operands[static_cast<size_t>(i)]; }
  int BytesOf(int32_t i) const { return static_cast<int>(BitWidth(operand(i).type) / 8); }

  // Returns whether the next iteration of the loop that runs side by side has another place: what varies along its
  // axis, and buffers of its own.
  bool IsAhead(int32_t i) const {
    if (!ahead_.has_value()) return false;
    return (operand(i).axes & AxisBit(ahead_->axis)) != 0 || ahead_->buffers.count(i) != 0;
  }

  // Return what there is of the last of the vectors before `end`: null, or all of it, unless the row ends there.
  const LastVector<V>* LastOf(int end) const { return end >= row_vectors_ ? last_ : nullptr; }
  jit::VecPart<V> PartUpTo(int end) {
    const LastVector<V>* const last = LastOf(end);
    return last != nullptr ? last->Part(v_) : jit::VecPart<V>();
  }

  // Returns whether elements of memory are lanes as they are.
  static bool IsLane(ElementType memory, Lane lane) {
    if (IsWide(lane)) return false;
    return memory == (lane == Lane::kFloat ? ElementType::kF32 : ElementType::kI32);
  }

  // Returns whether elements lie a step apart that an address can have as its scale.
  bool HasScale(int32_t i) const { return operand(i).step == 2; }

  // Load and store a whole vector whose elements lie apart, and are lanes as they are.
  void LoadApart(int32_t i, int vector, const jit::Xmm& to) {
    if (HasScale(i)) return jit::EmitLoadSpaced(v_, to, At(i, vector).address, operand(i).step);
    const jit::GprReg address = code_.regs().Gpr("element_address");
    const jit::GprReg stride = code_.regs().Gpr("stride");
    StridedAddress(i, vector, address, stride);
    if (operand(i).step != 0) {
      jit::EmitLoadSpaced(v_, to, jit::ptr[address], operand(i).step);
    } else {
      jit::EmitLoadStrided(v_, to, address, stride);
    }
  }
  void StoreApart(int32_t i, int vector, const jit::Xmm& from) {
    if (HasScale(i)) return jit::EmitStoreSpaced(v_, At(i, vector).address, from, operand(i).step);
    const jit::GprReg address = code_.regs().Gpr("element_address");
    const jit::GprReg stride = code_.regs().Gpr("stride");
    StridedAddress(i, vector, address, stride);
    if (operand(i).step != 0) {
      jit::EmitStoreSpaced(v_, jit::ptr[address], from, operand(i).step);
    } else {
      jit::EmitStoreStrided(v_, address, stride, from);
    }
  }

  // Returns the address of vector `vector` of an operand at the present place.
  Place At(int32_t i, int vector) {
    const bool varies = (operand(i).axes & AxisBit(ir_.vector_axis)) != 0;
    const int bytes = BytesOf(i) * std::max(1, static_cast<int>(operand(i).step));
    const int displacement = varies ? vector * V::kLanes * bytes : 0;
    const auto it = pointers_.find(i);
    const bool indexed = varies && (index_.has_value() || index_on_stack_.has_value());
    if (it != pointers_.end() && !IsAhead(i) && !(indexed && index_on_stack_.has_value())) {
      if (!indexed) return {jit::ptr[it->second + displacement], std::nullopt};
      return {jit::ptr[it->second + *index_ * bytes + displacement], std::nullopt};
    }
    jit::GprReg spare = code_.regs().Gpr("address");
    if (indexed && index_on_stack_.has_value()) {
      code_.mov(spare, *index_on_stack_);
      if (bytes > 1) code_.shl(spare, bytes == 2 ? 1 : bytes == 4 ? 2 : 3);
      AddPointer(spare, i);
    } else if (it != pointers_.end()) {
      code_.mov(spare, it->second);
    } else {
      code_.mov(spare, slots_.at(i).At());
    }
    if (IsAhead(i)) {
      const jit::GprReg step = code_.regs().Gpr("step");
      LoadStride(step, i, ahead_->axis);
      code_.add(spare, step);
    }
    jit::Address address = indexed && index_.has_value() ? jit::ptr[spare + *index_ * bytes + displacement]
                                                         : jit::ptr[spare + displacement];
    return {address, std::move(spare)};
  }

  void AddPointer(const jit::Reg64& to, int32_t i) {
    const auto it = pointers_.find(i);
    if (it != pointers_.end()) {
      code_.add(to, it->second);
    } else {
      code_.add(to, slots_.at(i).At());
    }
  }

  // Returns how many vectors a group has, and the registers of one of them.
  static int VectorsIn(const jit::VecGroup& group, Lane lane) {
    return group.size() / (IsWide(lane) ? jit::kWideRegs : 1);
  }
  static jit::VecGroup VectorOf(const jit::VecGroup& group, Lane lane, int k) {
    if (!IsWide(lane)) return group[k];
    jit::VecGroup vector = group[jit::kWideRegs * k];
    vector.Append(group[jit::kWideRegs * k + 1]);
    return vector;
  }

  void LoadVectors(ElementType memory, Lane as, const jit::VecGroup& to, const jit::Address& from,
                   const jit::VecPart<V>& part) {
    if (IsWide(as)) {
      jit::EmitLoadWide(v_, to, from, part);
    } else if (as == Lane::kFloat) {
      jit::EmitLoadAsF32(v_, memory, to, from, part);
    } else {
      jit::EmitLoadAsI32(v_, memory, to, from, part);
    }
  }

  void StoreVectors(ElementType memory, Lane as, const jit::Address& to, const jit::VecGroup& from,
                    const jit::VecPart<V>& part) {
    if (IsWide(as)) {
      jit::EmitStoreWide(v_, to, from, part);
    } else if (as == Lane::kFloat) {
      jit::EmitStoreF32As(v_, memory, to, from, jit::StoreOptions::Convert(), part);
    } else {
      jit::EmitStoreI32As(v_, memory, to, from, jit::StoreOptions::Convert(), part);
    }
  }

  // Calls move(lane) for each lane of a vector that there is.
  template <class MoveLane>
  void EachLane(const LastVector<V>* last, const MoveLane& move) {
    jit::Label end;
    for (int lane = 0; lane < V::kLanes; ++lane) {
      if (last != nullptr) {
        code_.cmp(jit::dword[last->Count().getRegExp()], lane);
        code_.jle(end);
      }
      move(lane);
    }
    code_.Bind(end);
  }

  // Sets `address` to the first element of vector `vector` of an operand with a stride, and `stride` to that.
  void StridedAddress(int32_t i, int vector, const jit::Reg64& address, const jit::Reg64& stride) {
    LoadStride(stride, i, ir_.vector_axis);
    if (index_.has_value()) {
      code_.lea(address, jit::ptr[*index_ + vector * V::kLanes]);
    } else if (index_on_stack_.has_value()) {
      code_.mov(address, *index_on_stack_);
      if (vector > 0) code_.add(address, vector * V::kLanes);
    } else {
      code_.mov(address.cvt32(), vector * V::kLanes);
    }
    code_.imul(address, stride);
    AddPointer(address, i);
    if (IsAhead(i)) {
      LoadStride(stride, i, ahead_->axis);
      code_.add(address, stride);
      LoadStride(stride, i, ir_.vector_axis);
    }
  }

  // Moves one element between memory and the stage.
  void MoveElement(const jit::Address& to, const jit::Address& from, int bytes) {
    const jit::GprReg element = code_.regs().Gpr("element");
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

  jit::StackSlot Gather(int32_t i, int vector, const LastVector<V>* last) {
    jit::StackSlot stage = frame_.Slot(V::kLanes * 8, "stage");
    const jit::GprReg address = code_.regs().Gpr("element_address");
    const jit::GprReg stride = code_.regs().Gpr("stride");
    const int bytes = BytesOf(i);
    StridedAddress(i, vector, address, stride);
    if (last != nullptr) {
      const jit::VecReg zero = v_.New("zero");
      v_.Zero(jit::VecGroup(zero));
      for (int at = 0; at < V::kLanes * bytes; at += V::kBits / 8) v_.Store(stage.At(at), zero);
    }
    EachLane(last, [&](int lane) {
      MoveElement(stage.At(lane * bytes), jit::ptr[address], bytes);
      code_.add(address, stride);
    });
    return stage;
  }

  void Scatter(int32_t i, int vector, const LastVector<V>* last, const jit::StackSlot& stage) {
    const jit::GprReg address = code_.regs().Gpr("element_address");
    const jit::GprReg stride = code_.regs().Gpr("stride");
    const int bytes = BytesOf(i);
    StridedAddress(i, vector, address, stride);
    EachLane(last, [&](int lane) {
      MoveElement(jit::ptr[address], stage.At(lane * bytes), bytes);
      code_.add(address, stride);
    });
  }

  const LinearIr& ir_;
  V& v_;
  jit::Assembler& code_;
  jit::AbiFrame& frame_;
  std::map<int32_t, jit::GprReg> pointers_;
  std::map<int32_t, jit::StackSlot> slots_;
  std::optional<jit::Address> strides_;
  std::optional<jit::Reg64> index_;
  std::optional<jit::Address> index_on_stack_;
  std::optional<SideBySide> ahead_;
  int row_vectors_ = 0;
  const LastVector<V>* last_ = nullptr;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_OPERAND_ACCESS_H_
