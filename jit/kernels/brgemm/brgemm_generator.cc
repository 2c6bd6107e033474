#include "jit/kernels/brgemm/brgemm_generator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/row_addresses.h"
#include "jit/kernels/brgemm/tap_runs.h"
#include "jit/kernels/brgemm/tile_accumulators.h"
#include "jit/kernels/brgemm/tile_epilogue.h"

namespace burin::jit {
namespace {

// Code of up to this many bytes has no loops over taps: it stays in the level 1 cache of instructions.
constexpr int64_t kMostTapBytes = 16 << 10;

// Of an instruction, about.
constexpr int64_t kInstructionBytes = 7;

// Taps that make a loop.
constexpr int kLeastRun = 3;

// The last steps of a sum that are done row by row.
constexpr int kStoringSteps = 4;

// Registers that elements of A are broadcast to in turn, at most.
constexpr int kMostBroadcasts = 4;

template <class V>
class BrgemmGenerator {
 public:
  BrgemmGenerator(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, Assembler& code)
      : spec_(spec),
        epilogue_(epilogue),
        code_(code),
        frame_(code),
        v_(code),
        embedded_(V::kBits == 512 && (spec.broadcast == BroadcastForm::kEmbedded || spec.vectors == 1)),
        tile_(spec, frame_, v_) {}

  void Emit() {
    if (spec_.repeated) {
      EmitRepeats();
    } else {
      EmitTile();
    }
    tile_.registers().clear();
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  // Emits the loop over tiles beside each other, whose places are kept on the stack.
  void EmitRepeats() {
    GprReg value = code_.regs().Gpr("value");
    const StackSlot left = frame_.Slot(8, "repeats");
    b_base_.emplace(frame_.Slot(8, "b_base"));
    c_base_.emplace(frame_.Slot(8, "c_base"));
    tile_.SetBase(*c_base_);
    frame_.Load(value, BURIN_ARG_FIELD(BrgemmArgs, repeats));
    code_.mov(left.At(), value);
    frame_.Load(value, BURIN_ARG_FIELD(BrgemmArgs, b));
    code_.mov(b_base_->At(), value);
    frame_.Load(value, BURIN_ARG_FIELD(BrgemmArgs, c));
    code_.mov(c_base_->At(), value);
    value.Return();
    Label next;
    code_.Align(64);
    code_.Bind(next);
    EmitTile();
    for (const StackSlot* const base : {&*b_base_, &*c_base_}) {
      code_.add(qword[base->At().getRegExp()], spec_.vectors * kVectorBytes);
    }
    code_.dec(qword[left.At().getRegExp()]);
    code_.jnz(next);
  }

  void EmitTile() {
    stored_ = false;
    tile_.EmitStart(epilogue_ == nullptr);
    code_.Mark("products");
    const bool sums =
        std::any_of(spec_.taps.begin(), spec_.taps.end(), [&](const BrgemmTap& tap) { return Sums(tap); });
    if (sums) {
      Loop loop(*this);
      loop.Emit();
    }
    tile_.ReturnMask();
    if (epilogue_ == nullptr) {
      if (!stored_) tile_.EmitStores();
    } else {
      EmitEpilogue();
    }
    tile_.ReturnMask();
  }

  // Returns whether the tap may add anything.
  bool Sums(const BrgemmTap& tap) const {
    return spec_.DepthOf(tap) != 0 && (tap.rows & (BrgemmTap::kAllRows >> (32 - spec_.rows))) != 0;
  }

  void EmitEpilogue() {
    code_.Mark("epilogue");
    EmitTileEpilogue(*epilogue_, {spec_.rows, spec_.vectors, spec_.partial}, tile_.registers(), v_, frame_);
  }

  // Emits the sum. Holds the registers that it takes beside the accumulators.
  class Loop {
   public:
    explicit Loop(BrgemmGenerator& generator)
        : g_(generator),
          spec_(generator.spec_),
          code_(generator.code_),
          a_(code_, g_.frame_, spec_.a_rows, spec_.rows, BURIN_ARG_FIELD(BrgemmArgs, a_row_stride), "a"),
          b_(code_.regs().Gpr("b")),
          count_(code_.regs().Gpr("count")) {
      if (!spec_.b_padded) g_.tile_.MakeMask();
      if (!spec_.a_step.has_value()) {
        a_step_.emplace(code_.regs().Gpr("a_step"));
        g_.frame_.Load(*a_step_, BURIN_ARG_FIELD(BrgemmArgs, a_step));
      }
      if (!spec_.b_step.has_value()) {
        b_step_.emplace(code_.regs().Gpr("b_step"));
        g_.frame_.Load(*b_step_, BURIN_ARG_FIELD(BrgemmArgs, b_step));
      }
      if (spec_.prefetch_lines > 0) {
        prefetch_.emplace(code_.regs().Gpr("prefetch"));
        g_.frame_.Load(*prefetch_, BURIN_ARG_FIELD(BrgemmArgs, prefetch));
      }
      // Of one row, whole vectors of B are operands in memory.
      const int loaded = spec_.rows > 1 ? spec_.vectors : (g_.tile_.IsMasked(spec_.vectors - 1) ? 1 : 0);
      for (int i = 0; i < loaded; ++i) b_vectors_.push_back(g_.v_.New("b"));
      if (spec_.rows > 1 && g_.embedded_) return;
      const int free = code_.regs().available(RegClass::kVec);
      for (int i = 0; i < std::clamp(free, 1, kMostBroadcasts); ++i) broadcasts_.push_back(g_.v_.New("a"));
    }

    void Emit() {
      int64_t bytes = 0;
      for (const BrgemmTap& tap : spec_.taps) bytes += TapBytes(tap);
      const bool fits = bytes <= kMostTapBytes;
      const std::vector<TapRun> runs = FindTapRuns(spec_.taps, fits ? std::numeric_limits<int>::max() : kLeastRun);
      for (const TapRun& run : runs) {
        if (&run == &runs.back() && StoresByRow(run)) {
          EmitStoringTap(run.first);
        } else if (run.count == 1) {
          EmitTap(run.first);
        } else {
          EmitRun(run);
        }
      }
    }

   private:
    // Is where the pointers are, in bytes from the arguments; nullopt where only the machine knows.
    struct Position {
      int64_t a = 0;
      int64_t b = 0;
    };

    // Returns about how much code a tap is.
    int64_t TapBytes(const BrgemmTap& tap) const {
      const std::optional<int64_t> depth = spec_.DepthOf(tap);
      const int64_t steps = depth.has_value() ? std::min<int64_t>(*depth, 2 * spec_.unroll) : spec_.unroll;
      return steps * (spec_.rows * spec_.vectors + spec_.rows + spec_.vectors) * kInstructionBytes;
    }

    void PointToStart() {
      a_.Point(BURIN_ARG_FIELD(BrgemmArgs, a));
      if (g_.b_base_.has_value()) {
        code_.mov(b_, g_.b_base_->At());
      } else {
        g_.frame_.Load(b_, BURIN_ARG_FIELD(BrgemmArgs, b));
      }
    }

    // Points to these bytes from the arguments.
    void PointTo(const Position& to) {
      if (!position_.has_value()) {
        PointToStart();
        position_.emplace();
      }
      a_.Advance(to.a - position_->a);
      if (to.b != position_->b) code_.add(b_, static_cast<int>(to.b - position_->b));
      position_ = to;
    }

    // Emits the run as a loop over its taps, whose offsets are kept on the stack.
    void EmitRun(const TapRun& run) {
      const StackSlot a_offset = g_.frame_.Slot(8, "tap_a");
      const StackSlot b_offset = g_.frame_.Slot(8, "tap_b");
      const StackSlot left = g_.frame_.Slot(8, "taps");
      code_.mov(qword[a_offset.At().getRegExp()], static_cast<int>(run.first.a_offset));
      code_.mov(qword[b_offset.At().getRegExp()], static_cast<int>(run.first.b_offset));
      code_.mov(qword[left.At().getRegExp()], run.count);
      Label next;
      code_.Bind(next);
      PointToStart();
      a_.Advance(qword[a_offset.At().getRegExp()]);
      code_.add(b_, qword[b_offset.At().getRegExp()]);
      position_ = Position{run.first.a_offset, run.first.b_offset};
      EmitTap(run.first);
      code_.add(qword[a_offset.At().getRegExp()], static_cast<int>(run.a_distance));
      code_.add(qword[b_offset.At().getRegExp()], static_cast<int>(run.b_distance));
      code_.dec(qword[left.At().getRegExp()]);
      code_.jnz(next);
      position_.reset();
    }

    void EmitTap(const BrgemmTap& tap) {
      if (!g_.Sums(tap)) return;
      rows_ = tap.rows;
      const Position start{tap.a_offset, tap.b_offset};
      if (!spec_.DepthOf(tap).has_value()) {
        PointTo(start);
        EmitDynamicDepth();
        position_.reset();
        return;
      }
      // Of few steps there is no loop, nor need the pointers be there exactly.
      const int64_t depth = *spec_.DepthOf(tap);
      const bool near = position_.has_value() && !a_step_.has_value() && !b_step_.has_value();
      if (depth > spec_.unroll || !near) PointTo(start);
      const int64_t passes = depth > spec_.unroll ? depth / spec_.unroll : 0;
      if (passes > 0) EmitPasses(passes);
      const Position from = {start.a - position_->a, start.b - position_->b};
      const auto rest = static_cast<int>(depth - passes * spec_.unroll);
      if (passes > 0) {
        EmitSteps(rest, {});
        position_->a += passes * spec_.unroll * spec_.a_step.value_or(0);
        position_->b += passes * spec_.unroll * spec_.b_step.value_or(0);
      } else {
        EmitSteps(rest, from);
      }
      if (a_step_.has_value() || b_step_.has_value()) position_.reset();
    }

    // Returns whether the run is a tap whose last steps are done row by row, each being stored as soon as it is whole:
    // data that come right from an FMA are stored beside others, while such as have to be read from the register file
    // take its ports. Not where there are two FMAs a cycle, which leave no room for more loads.
    bool StoresByRow(const TapRun& run) const {
      // Those of C beside those of A.
      const int pointers = spec_.c_rows.empty() ? (spec_.rows + 6) / 7 + 3 : 1;
      if (code_.regs().available(RegClass::kGpr) < std::max(pointers, 2)) return false;
      return g_.embedded_ && g_.epilogue_ == nullptr && spec_.rows > 1 && run.count == 1 && g_.Sums(run.first) &&
             spec_.DepthOf(run.first).value_or(0) >= kStoringSteps && spec_.a_step.has_value() &&
             spec_.b_step.has_value() && !(spec_.partial && !spec_.b_padded);
    }

    void EmitStoringTap(const BrgemmTap& tap) {
      BrgemmTap before = tap;
      const int64_t first = *spec_.DepthOf(tap) - kStoringSteps;
      before.depth = first;
      EmitTap(before);
      rows_ = tap.rows;
      const Position start = {tap.a_offset + first * *spec_.a_step, tap.b_offset + first * *spec_.b_step};
      if (!position_.has_value()) PointTo(start);
      g_.tile_.MakeMask();
      const RowAddresses c = g_.tile_.AddressC();
      const auto vectors = static_cast<size_t>(spec_.vectors);
      std::vector<VecReg> held;
      const bool holds = code_.regs().available(RegClass::kVec) + spec_.vectors >= kStoringSteps * spec_.vectors;
      if (holds) {
        for (size_t i = vectors; i < kStoringSteps * vectors; ++i) held.push_back(g_.v_.New("b"));
      }
      const auto b_of = [&](int step, int vector) -> const VecReg& {
        return step == 0 ? b_vectors_[static_cast<size_t>(vector)]
                         : held[static_cast<size_t>((step - 1) * spec_.vectors + vector)];
      };
      const int64_t a = start.a - position_->a;
      const int64_t b = start.b - position_->b;
      if (holds) {
        for (int step = 0; step < kStoringSteps; ++step) {
          for (int vector = 0; vector < spec_.vectors; ++vector) {
            LoadB(vector, b_of(step, vector), b + step * *spec_.b_step);
          }
        }
      }
      for (int row = 0; row < spec_.rows; ++row) {
        for (int step = 0; step < kStoringSteps; ++step) {
          const VecReg& broadcast = b_vectors_[static_cast<size_t>(step) % vectors];
          if (!holds && HasRow(row)) g_.v_.Broadcast(broadcast, a_.At(row, a + step * *spec_.a_step));
          for (int vector = 0; vector < spec_.vectors; ++vector) {
            const VecReg& accumulator = g_.tile_.At(row, vector);
            if (HasRow(row)) {
              if (holds) {
                g_.v_.MulAdd(accumulator, b_of(step, vector), a_.BroadcastAt(row, a + step * *spec_.a_step));
              } else {
                g_.v_.MulAdd(accumulator, broadcast, AddressB(vector, b + step * *spec_.b_step));
              }
            }
            if (step == kStoringSteps - 1) g_.tile_.EmitStore(row, vector, c.At(row, vector * kVectorBytes));
          }
        }
      }
      g_.stored_ = true;
    }

    void EmitPasses(int64_t passes) {
      if (passes == 1) return EmitPass();
      Label pass;
      code_.mov(count_, passes);
      code_.Align(64);
      code_.Bind(pass);
      EmitPass();
      code_.dec(count_);
      code_.jnz(pass);
    }

    void EmitDynamicDepth() {
      Label pass;
      Label rest;
      Label step;
      Label done;
      g_.frame_.Load(count_, BURIN_ARG_FIELD(BrgemmArgs, depth));
      code_.sub(count_, spec_.unroll);
      code_.jb(rest);
      code_.Align(64);
      code_.Bind(pass);
      EmitPass();
      code_.sub(count_, spec_.unroll);
      code_.jae(pass);
      code_.Bind(rest);
      if (spec_.unroll == 1) return;
      code_.add(count_, spec_.unroll);
      code_.jz(done);
      code_.Bind(step);
      EmitSteps(1, {});
      Advance(1);
      code_.dec(count_);
      code_.jnz(step);
      code_.Bind(done);
    }

    // Emits `unroll` steps, with their share of what is fetched early, and moves the pointers.
    void EmitPass() {
      for (int line = 0; line < spec_.prefetch_lines; ++line) code_.prefetcht1(ptr[*prefetch_ + line * 64]);
      if (prefetch_.has_value()) code_.add(*prefetch_, g_.frame_.Arg(BURIN_ARG_FIELD(BrgemmArgs, prefetch_step)));
      EmitSteps(spec_.unroll, {});
      Advance(spec_.unroll);
    }

    // Moves the pointers by steps whose bytes are known; the others have moved step by step.
    void Advance(int steps) {
      if (spec_.a_step.has_value()) a_.Advance(steps * *spec_.a_step);
      if (spec_.b_step.has_value()) code_.add(b_, static_cast<int>(steps * *spec_.b_step));
    }

    // Emits `count` steps, the first of them `from` the pointers.
    void EmitSteps(int count, const Position& from) {
      for (int i = 0; i < count; ++i) {
        EmitStep(from.a + i * spec_.a_step.value_or(0), from.b + i * spec_.b_step.value_or(0));
        if (a_step_.has_value()) a_.Advance(*a_step_);
        if (b_step_.has_value()) code_.add(b_, *b_step_);
      }
    }

    void EmitStep(int64_t a, int64_t b) {
      if (spec_.rows == 1) return EmitStepOfOneRow(a, b);
      for (int vector = 0; vector < spec_.vectors; ++vector) LoadB(vector, b_vectors_[static_cast<size_t>(vector)], b);
      for (int row = 0; row < spec_.rows; ++row) {
        if (!HasRow(row)) continue;
        if (g_.embedded_) {
          for (int vector = 0; vector < spec_.vectors; ++vector) {
            g_.v_.MulAdd(g_.tile_.At(row, vector), b_vectors_[static_cast<size_t>(vector)], a_.BroadcastAt(row, a));
          }
        } else {
          const VecReg& broadcast = BroadcastA(row, a);
          for (int vector = 0; vector < spec_.vectors; ++vector) {
            g_.v_.MulAdd(g_.tile_.At(row, vector), broadcast, b_vectors_[static_cast<size_t>(vector)]);
          }
        }
      }
    }

    void EmitStepOfOneRow(int64_t a, int64_t b) {
      if (!HasRow(0)) return;
      const VecReg& broadcast = BroadcastA(0, a);
      for (int vector = 0; vector < spec_.vectors; ++vector) {
        if (g_.tile_.IsMasked(vector)) {
          LoadB(vector, b_vectors_[0], b);
          g_.v_.MulAdd(g_.tile_.At(0, vector), broadcast, b_vectors_[0]);
        } else {
          g_.v_.MulAdd(g_.tile_.At(0, vector), broadcast, AddressB(vector, b));
        }
      }
    }

    bool HasRow(int row) const { return ((rows_ >> row) & 1) != 0; }

    Address AddressB(int vector, int64_t b) const { return ptr[b_ + static_cast<int>(b + vector * kVectorBytes)]; }

    void LoadB(int vector, const VecReg& to, int64_t b) { g_.tile_.Load(to, vector, AddressB(vector, b)); }

    // Broadcasts an element of A to the register whose turn it is.
    const VecReg& BroadcastA(int row, int64_t a) {
      const VecReg& to = broadcasts_[next_broadcast_++ % broadcasts_.size()];
      g_.v_.Broadcast(to, a_.At(row, a));
      return to;
    }

    BrgemmGenerator& g_;
    const BrgemmSpec& spec_;
    Assembler& code_;
    RowAddresses a_;
    GprReg b_;
    GprReg count_;
    std::optional<GprReg> a_step_;
    std::optional<GprReg> b_step_;
    std::optional<GprReg> prefetch_;
    std::vector<VecReg> b_vectors_;
    std::vector<VecReg> broadcasts_;
    size_t next_broadcast_ = 0;
    std::optional<Position> position_;
    // Of the present tap.
    uint32_t rows_ = 0;
  };

  const BrgemmSpec& spec_;
  const EpilogueEmitter* const epilogue_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  const bool embedded_;
  TileAccumulators<V> tile_;
  // Whether the loop has stored C.
  bool stored_ = false;
  // Of the present tile, where there are several: the addresses that it takes B and C to be at.
  std::optional<StackSlot> b_base_;
  std::optional<StackSlot> c_base_;
};

}  // namespace

template <class V>
void EmitBrgemm(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, Assembler& code) {
  BrgemmGenerator<V>(spec, epilogue, code).Emit();
}

template void EmitBrgemm<VecAvx2>(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, Assembler& code);
template void EmitBrgemm<VecAvx512>(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, Assembler& code);

}  // namespace burin::jit
