#include "jit/kernels/depthwise/depthwise_strip.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr int64_t kMostDistance = (int64_t{1} << 31) - 1;

constexpr int kMostPixels = 31;

// Is an output that sees an input, by this tap of its row.
struct Use {
  int pixel = 0;
  int tap = 0;
};

// Returns who sees which inputs, by their number in the row from tap 0 of the first output on.
std::map<int64_t, std::vector<Use>> UsesByInput(const DepthwiseStripSpec& spec) {
  std::map<int64_t, std::vector<Use>> uses;
  for (int tap = 0; tap < static_cast<int>(spec.inside.size()); ++tap) {
    for (int pixel = 0; pixel < spec.pixels; ++pixel) {
      if ((spec.inside[static_cast<size_t>(tap)] >> pixel & 1) == 0) continue;
      uses[pixel * spec.stride + tap * spec.dilation].push_back({pixel, tap});
    }
  }
  return uses;
}

template <class V>
class StripGenerator {
 public:
  StripGenerator(const DepthwiseStripSpec& spec, Assembler& code, const EpilogueEmitter* epilogue)
      : spec_(spec),
        code_(code),
        epilogue_(epilogue),
        uses_(UsesByInput(spec)),
        frame_(code),
        v_(code),
        input_(code.regs().Gpr("input")),
        weights_(code.regs().Gpr("weights")),
        vectors_(code.regs().Gpr("vectors")) {
    if (spec.expands) expansions_.emplace(code.regs().Gpr("expansions"));
    if (epilogue == nullptr) {
      output_.emplace(code.regs().Gpr("output"));
    } else {
      places_.emplace(code.regs().Gpr("places"));
      row_.emplace(code.regs().Gpr("row"));
      column_.emplace(code.regs().Gpr("column"));
    }
  }

  void Emit() {
    frame_.Load(input_, BURIN_ARG_FIELD(DepthwiseStripArgs, input));
    frame_.Load(weights_, BURIN_ARG_FIELD(DepthwiseStripArgs, weights));
    frame_.Load(vectors_, BURIN_ARG_FIELD(DepthwiseStripArgs, vectors));
    if (expansions_.has_value()) frame_.Load(*expansions_, BURIN_ARG_FIELD(DepthwiseStripArgs, expansions));
    if (epilogue_ == nullptr) {
      frame_.Load(*output_, BURIN_ARG_FIELD(DepthwiseStripArgs, output));
    } else {
      frame_.Load(*places_, BURIN_ARG_FIELD(DepthwiseStripArgs, places));
      frame_.Load(*row_, BURIN_ARG_FIELD(DepthwiseStripArgs, row));
      frame_.Load(*column_, BURIN_ARG_FIELD(DepthwiseStripArgs, column));
    }
    if (spec_.vectors > 1) EmitLoop(spec_.vectors);
    EmitLoop(1);
    if (spec_.tail > 0) {
      Label done;
      code_.cmp(qword[frame_.args() + BURIN_ARG_FIELD(DepthwiseStripArgs, tail).offset], 0);
      code_.je(done);
      EmitVectors(1, true);
      code_.Bind(done);
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  int RowWeightBytes() const { return static_cast<int>(spec_.kernel_width) * kVectorBytes; }
  int PlaneWeightBytes() const { return static_cast<int>(spec_.kernel_height) * RowWeightBytes(); }
  int WeightBytes() const { return static_cast<int>(spec_.kernel_depth) * PlaneWeightBytes(); }

  // Emits the loop that does `count` vectors at a time.
  void EmitLoop(int count) {
    Label next;
    Label done;
    code_.Bind(next);
    code_.cmp(vectors_, count);
    code_.jl(done);
    EmitVectors(count, false);
    code_.sub(vectors_, count);
    code_.jmp(next);
    code_.Bind(done);
  }

  // Emits the whole window for `count` vectors, or for the tail, and goes on to those behind.
  void EmitVectors(int count, bool tail) {
    {
      const VecRegs accumulators = v_.New("accumulator", spec_.pixels * count);
      for (int i = 0; i < accumulators.size(); ++i) v_.Zero(accumulators[i]);
      std::optional<typename V::MaskRegister> mask;
      if (tail) {
        mask.emplace(v_.NewMask("tail"));
        v_.SetMaskFor(*mask, spec_.tail);
      }
      if (spec_.expands) {
        EmitExpanded(accumulators);
      } else {
        EmitWindow(input_, accumulators, count, mask, nullptr);
      }
      if (epilogue_ != nullptr) {
        mask.reset();
        EmitEpilogue(accumulators, count, tail);
      } else {
        EmitStores(accumulators, count, mask);
      }
    }
    if (expansions_.has_value()) {
      code_.add(*expansions_, static_cast<int>(sizeof(DepthwiseExpansion)) + kVectorBytes);
    } else {
      code_.add(input_, count * kVectorBytes);
    }
    code_.add(weights_, count * WeightBytes());
    if (output_.has_value()) code_.add(*output_, count * kVectorBytes);
    if (column_.has_value()) code_.add(*column_, count * V::kLanes);
  }

  // Emits the window of a vector whose elements share inputs.
  void EmitExpanded(const VecRegs& accumulators) {
    const GprReg from = code_.regs().Gpr("from");
    const VecReg indices = v_.New("indices");
    std::optional<typename V::MaskRegister> mask(v_.NewMask("inputs"));
    {
      const GprReg scratch = code_.regs().Gpr("scratch");
      code_.mov(from, ptr[*expansions_ + static_cast<int>(offsetof(DepthwiseExpansion, count))]);
      v_.SetMaskFor(*mask, from, scratch);
    }
    code_.mov(from, ptr[*expansions_ + static_cast<int>(offsetof(DepthwiseExpansion, offset))]);
    code_.add(from, input_);
    v_.Load(indices, ptr[*expansions_ + static_cast<int>(sizeof(DepthwiseExpansion))]);
    EmitWindow(from, accumulators, 1, mask, &indices);
  }

  // Emits all rows of the window. Inputs are those of `mask`, if any, permuted by `indices`, if any.
  void EmitWindow(const Reg64& from, const VecRegs& accumulators, int count,
                  const std::optional<typename V::MaskRegister>& mask, const VecReg* indices) {
    const auto emit_row = [&](const Reg64& input, int64_t offset, const Reg64& weights, int weight_offset,
                              bool fetches) {
      EmitRow({input, offset, weights, weight_offset, count, accumulators, mask, indices, fetches});
    };
    if (spec_.unrolled) {
      for (int64_t plane = 0; plane < spec_.planes; ++plane) {
        for (int64_t row = 0; row < spec_.rows; ++row) {
          emit_row(from, plane * spec_.plane_step + row * spec_.row_step, weights_,
                   static_cast<int>(plane) * PlaneWeightBytes() + static_cast<int>(row) * RowWeightBytes(),
                   row >= spec_.rows - spec_.fetched_rows);
        }
      }
      return;
    }
    Label next_plane;
    Label next_row;
    Label done;
    const StackSlot plane_input = frame_.Slot(8, "plane_input");
    const StackSlot plane_weights = frame_.Slot(8, "plane_weights");
    const StackSlot planes = frame_.Slot(8, "planes");
    const GprReg row_input = code_.regs().Gpr("row_input");
    const GprReg row_weights = code_.regs().Gpr("row_weights");
    const GprReg rows = code_.regs().Gpr("rows");
    code_.cmp(qword[frame_.args() + BURIN_ARG_FIELD(DepthwiseStripArgs, rows).offset], 0);
    code_.je(done);
    frame_.Load(rows, BURIN_ARG_FIELD(DepthwiseStripArgs, planes));
    code_.test(rows, rows);
    code_.jz(done);
    code_.mov(planes.At(), rows);
    code_.mov(row_input, from);
    code_.mov(row_weights, weights_);
    code_.Bind(next_plane);
    code_.mov(plane_input.At(), row_input);
    code_.mov(plane_weights.At(), row_weights);
    frame_.Load(rows, BURIN_ARG_FIELD(DepthwiseStripArgs, rows));
    code_.Align(32);
    code_.Bind(next_row);
    emit_row(row_input, 0, row_weights, 0, spec_.fetched_rows > 0);
    code_.add(row_input, frame_.Arg(BURIN_ARG_FIELD(DepthwiseStripArgs, row_step)));
    code_.add(row_weights, RowWeightBytes());
    code_.dec(rows);
    code_.jnz(next_row);
    code_.mov(row_input, plane_input.At());
    code_.mov(row_weights, plane_weights.At());
    code_.add(row_input, frame_.Arg(BURIN_ARG_FIELD(DepthwiseStripArgs, plane_step)));
    code_.add(row_weights, PlaneWeightBytes());
    code_.dec(qword[planes.At().getRegExp()]);
    code_.jnz(next_plane);
    code_.Bind(done);
  }

  // Is a row of the window, for some vectors.
  struct Row {
    const Reg64& input;
    int64_t offset;
    const Reg64& weights;
    int weight_offset;
    int count;
    const VecRegs& accumulators;
    const std::optional<typename V::MaskRegister>& mask;
    const VecReg* indices;
    // Whether what the next row of the output sees is fetched.
    bool fetches;
  };

  void EmitRow(const Row& row) {
    const int weights = static_cast<int>(spec_.kernel_width) * row.count;
    if (weights + 2 <= code_.regs().available(RegClass::kVec)) {
      EmitRowByInputs(row);
    } else {
      EmitRowByTaps(row);
    }
  }

  Address InputAt(const Row& row, int64_t number, int vector) const {
    return ptr[row.input + static_cast<int>(row.offset + number * spec_.input_step + vector * kVectorBytes)];
  }

  Address WeightAt(const Row& row, int tap, int vector) const {
    return ptr[row.weights + (row.weight_offset + tap * kVectorBytes + vector * WeightBytes())];
  }

  const VecReg& AccumulatorOf(const Row& row, int pixel, int vector) const {
    return row.accumulators[pixel * row.count + vector];
  }

  // Fetches what the next row of the output sees here, unless the next strip does so.
  void EmitFetch(const Row& row, int64_t number, int vector) {
    const int64_t last = (spec_.pixels - 1) * spec_.stride + (spec_.kernel_width - 1) * spec_.dilation;
    if (!row.fetches || number + spec_.pixels * spec_.stride <= last) return;
    const int64_t offset = row.offset + spec_.fetch_step + number * spec_.input_step + vector * kVectorBytes;
    code_.prefetcht1(ptr[row.input + static_cast<int>(offset)]);
  }

  void EmitInput(const VecReg& to, const Row& row, int64_t number, int vector) {
    const Address from = InputAt(row, number, vector);
    if (row.mask.has_value()) {
      v_.LoadMasked(to, *row.mask, from);
    } else {
      v_.Load(to, from);
    }
    if (row.indices != nullptr) v_.Lookup(to, *row.indices, to);
  }

  // Emits a row whose weights stay in registers: each input is loaded once.
  void EmitRowByInputs(const Row& row) {
    std::vector<std::optional<VecReg>> weights(static_cast<size_t>(spec_.kernel_width * row.count));
    for (int tap = 0; tap < spec_.kernel_width; ++tap) {
      if (spec_.inside[static_cast<size_t>(tap)] == 0) continue;
      for (int vector = 0; vector < row.count; ++vector) {
        std::optional<VecReg>& weight = weights[static_cast<size_t>(tap * row.count + vector)];
        weight.emplace(v_.New("weight"));
        v_.Load(*weight, WeightAt(row, tap, vector));
      }
    }
    for (const auto& [number, uses] : uses_) {
      for (int vector = 0; vector < row.count; ++vector) {
        EmitFetch(row, number, vector);
        const auto weight_of = [&](const Use& use) -> const VecReg& {
          return *weights[static_cast<size_t>(use.tap * row.count + vector)];
        };
        if (uses.size() == 1 && !row.mask.has_value() && row.indices == nullptr) {
          const Use& use = uses.front();
          v_.MulAdd(AccumulatorOf(row, use.pixel, vector), weight_of(use), InputAt(row, number, vector));
          continue;
        }
        const VecReg input = v_.New("input");
        EmitInput(input, row, number, vector);
        for (const Use& use : uses) v_.MulAdd(AccumulatorOf(row, use.pixel, vector), weight_of(use), input);
      }
    }
  }

  // Emits a row with more taps than there are registers: each input is loaded for each output that sees it.
  void EmitRowByTaps(const Row& row) {
    const VecReg weight = v_.New("weight");
    for (int tap = 0; tap < spec_.kernel_width; ++tap) {
      const uint32_t inside = spec_.inside[static_cast<size_t>(tap)];
      if (inside == 0) continue;
      for (int vector = 0; vector < row.count; ++vector) {
        v_.Load(weight, WeightAt(row, tap, vector));
        for (int pixel = 0; pixel < spec_.pixels; ++pixel) {
          if ((inside >> pixel & 1) == 0) continue;
          const int64_t number = pixel * spec_.stride + tap * spec_.dilation;
          const VecReg& accumulator = AccumulatorOf(row, pixel, vector);
          if (!row.mask.has_value() && row.indices == nullptr) {
            v_.MulAdd(accumulator, weight, InputAt(row, number, vector));
            continue;
          }
          const VecReg input = v_.New("input");
          EmitInput(input, row, number, vector);
          v_.MulAdd(accumulator, weight, input);
        }
      }
    }
  }

  void EmitStores(const VecRegs& accumulators, int count, const std::optional<typename V::MaskRegister>& mask) {
    for (int pixel = 0; pixel < spec_.pixels; ++pixel) {
      for (int vector = 0; vector < count; ++vector) {
        const Address to = ptr[*output_ + static_cast<int>(pixel * spec_.output_step + vector * kVectorBytes)];
        const VecReg& accumulator = accumulators[pixel * count + vector];
        if (mask.has_value()) {
          v_.StoreMasked(to, *mask, accumulator);
        } else {
          v_.Store(to, accumulator);
        }
      }
    }
  }

  void EmitEpilogue(const VecRegs& accumulators, int count, bool tail) {
    std::optional<GprReg> last;
    if (tail) {
      last.emplace(code_.regs().Gpr("last_columns"));
      code_.mov(*last, spec_.tail);
    }
    // The registers of the loop go to the stack as far as the epilogue needs them.
    struct Put {
      GprReg* reg;
      int index;
      StackSlot slot;
    };
    std::vector<Put> put;
    const int needed = epilogue_->Registers(code_.isa()).general;
    for (GprReg* const reg : {&weights_, &input_, &vectors_}) {
      if (code_.regs().available(RegClass::kGpr) >= needed) break;
      put.push_back({reg, reg->getIdx(), frame_.Slot(8, "loop")});
      code_.mov(put.back().slot.At(), *reg);
      reg->Return();
    }
    const auto accumulator = [&](int row, int vector) -> Xmm { return accumulators[row * count + vector]; };
    EpilogueTile tile = {spec_.pixels, count, accumulator, *places_, *row_, *column_, {}};
    if (last.has_value()) tile.last_columns.emplace(*last);
    epilogue_->Emit(v_, frame_, tile);
    for (Put& one : put) {
      *one.reg = code_.regs().GprAt(Reg64(one.index), "loop");
      code_.mov(*one.reg, one.slot.At());
    }
  }

  const DepthwiseStripSpec& spec_;
  Assembler& code_;
  const EpilogueEmitter* const epilogue_;
  const std::map<int64_t, std::vector<Use>> uses_;
  AbiFrame frame_;
  V v_;
  GprReg input_;
  GprReg weights_;
  GprReg vectors_;
  std::optional<GprReg> expansions_;
  std::optional<GprReg> output_;
  std::optional<GprReg> places_;
  std::optional<GprReg> row_;
  std::optional<GprReg> column_;
};

template <class V>
void Generate(const DepthwiseStripSpec& spec, Assembler& code, const EpilogueEmitter* epilogue) {
  StripGenerator<V> generator(spec, code, epilogue);
  generator.Emit();
}

}  // namespace

std::string DepthwiseStripSpec::Name() const {
  return absl::StrCat("depthwise_", pixels, "x", vectors, "_of_",
                      kernel_depth > 1 ? absl::StrCat(kernel_depth, "x") : "", kernel_height, "x", kernel_width,
                      stride > 1 ? absl::StrCat("_s", stride) : "", expands ? "_expands" : "", unrolled ? "" : "_rows");
}

bool DepthwiseStripSpec::Fits() const {
  if (pixels < 1 || pixels > kMostPixels || vectors < 1 || (expands && vectors > 1)) return false;
  if (static_cast<int64_t>(inside.size()) != kernel_width) return false;
  // All in double: the sums are far from what it does not hold, or too large anyway.
  const auto magnitude = [](int64_t value) {
    return value < 0 ? -static_cast<double>(value) : static_cast<double>(value);
  };
  const double across = (pixels - 1) * static_cast<double>(stride) +
                        static_cast<double>(kernel_width - 1) * static_cast<double>(dilation);
  double input = across * magnitude(input_step) + magnitude(fetch_step) + vectors * 64;
  if (unrolled) {
    input += static_cast<double>(planes) * magnitude(plane_step) + static_cast<double>(rows) * magnitude(row_step);
  }
  const double output = pixels * magnitude(output_step) + vectors * 64;
  const double weights = static_cast<double>(kernel_depth) * static_cast<double>(kernel_height) *
                         static_cast<double>(kernel_width) * 64 * (vectors + 1);
  const auto most = static_cast<double>(kMostDistance);
  return input < most && output < most && weights < most;
}

Hash128 DepthwiseStripSpec::ContentKey(const EpilogueEmitter* epilogue) const {
  Hasher hasher;
  for (const int64_t field :
       {int64_t{pixels}, int64_t{vectors}, int64_t{tail}, int64_t{expands}, kernel_depth, kernel_height, kernel_width,
        stride, dilation, int64_t{unrolled}, fetched_rows, fetch_step}) {
    hasher.UpdateInt(field);
  }
  for (const uint32_t bits : inside) hasher.UpdateInt(bits);
  if (unrolled) {
    for (const int64_t field : {planes, rows, plane_step, row_step}) hasher.UpdateInt(field);
  }
  hasher.UpdateInt(input_step);
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) {
    hasher.Update(epilogue->content_key());
  } else {
    hasher.UpdateInt(output_step);
  }
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateDepthwiseStrip(const DepthwiseStripSpec& spec, const IsaSet& isa,
                                                const EpilogueEmitter* epilogue) {
  if (!spec.Fits()) return absl::InternalError(absl::StrCat("A strip that is no kernel: ", spec.Name()));
  Assembler code(spec.Name(), isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    Generate<VecAvx512>(spec, code, epilogue);
  } else {
    Generate<VecAvx2>(spec, code, epilogue);
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit
