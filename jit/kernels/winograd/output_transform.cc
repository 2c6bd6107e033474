#include "jit/kernels/winograd/output_transform.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/winograd/transform_factors.h"

namespace burin::jit {
namespace {

constexpr int kSide = 6;

constexpr int kOutputs = 4;

constexpr int64_t kMostDistance = (int64_t{1} << 31) - 1;

// Returns how many rows of A^T m are in registers at a time, so that an epilogue has `vectors` registers beside them.
int RowsOfPass(int vectors, bool wide) {
  // While the first row of a pass is stored it takes four registers, each other one six, and the factors three.
  constexpr int kFactors = 3;
  for (const int rows : {4, 2}) {
    const int free = (wide ? 32 - kFactors : 16) - 4 - (rows - 1) * kSide;
    if (free >= vectors + (wide ? 0 : 1)) return rows;
  }
  return 1;
}

template <class V>
class OutputGenerator {
 public:
  OutputGenerator(const OutputTransformSpec& spec, Assembler& code, const EpilogueEmitter* epilogue)
      : spec_(spec),
        code_(code),
        epilogue_(epilogue),
        frame_(code),
        v_(code),
        factors_(v_, {2.0f, 4.0f, 8.0f}),
        sums_(code.regs().Gpr("sums")),
        vectors_(frame_.Slot(8, "vectors")) {
    if (epilogue == nullptr) {
      output_.emplace(code.regs().Gpr("output"));
    } else {
      places_.emplace(code.regs().Gpr("places"));
      row_.emplace(code.regs().Gpr("row"));
      column_.emplace(code.regs().Gpr("column"));
    }
  }

  void Emit() {
    EmitLoads();
    Label next;
    Label rest;
    code_.cmp(qword[vectors_.At().getRegExp()], 0);
    code_.je(rest);
    code_.Align(32);
    code_.Bind(next);
    EmitVector(false);
    code_.add(sums_, kVectorBytes);
    if (output_.has_value()) code_.add(*output_, kVectorBytes);
    if (column_.has_value()) code_.add(*column_, V::kLanes);
    code_.dec(qword[vectors_.At().getRegExp()]);
    code_.jnz(next);
    code_.Bind(rest);
    if (spec_.tail > 0) EmitVector(true);
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  using Line = std::vector<VecReg>;

  void EmitLoads() {
    frame_.Load(sums_, BURIN_ARG_FIELD(OutputTransformArgs, vectors));
    code_.mov(vectors_.At(), sums_);
    frame_.Load(sums_, BURIN_ARG_FIELD(OutputTransformArgs, sums));
    if (epilogue_ == nullptr) {
      frame_.Load(*output_, BURIN_ARG_FIELD(OutputTransformArgs, output));
    } else {
      frame_.Load(*places_, BURIN_ARG_FIELD(OutputTransformArgs, places));
      frame_.Load(*row_, BURIN_ARG_FIELD(OutputTransformArgs, row));
      frame_.Load(*column_, BURIN_ARG_FIELD(OutputTransformArgs, column));
    }
    frame_.ReleaseArgs();
  }

  // Emits all of the tile for a vector of channels, or for the tail.
  void EmitVector(bool tail) {
    const int rows = RowsOfPass(epilogue_ != nullptr ? epilogue_->Registers(code_.isa()).vectors : 0, V::kBits == 512);
    if (rows == kOutputs) {
      EmitPass({0, 1, 2, 3}, tail);
    } else if (rows == 2) {
      // Those that are made of the same sums.
      EmitPass({0, 2}, tail);
      EmitPass({1, 3}, tail);
    } else {
      for (int row = 0; row < kOutputs; ++row) EmitPass({row}, tail);
    }
    MoveRow(0);
  }

  void EmitPass(const std::vector<int>& rows, bool tail) {
    std::array<bool, kOutputs> wanted = {};
    bool any = false;
    for (const int row : rows) {
      wanted[static_cast<size_t>(row)] = row < spec_.rows;
      any = any || row < spec_.rows;
    }
    if (!any) return;
    std::array<Line, kOutputs> lines;
    for (int column = 0; column < kSide; ++column) EmitColumn(wanted, column, lines);
    for (int row = 0; row < kOutputs; ++row) {
      Line& line = lines[static_cast<size_t>(row)];
      if (line.empty()) continue;
      EmitLine(line);
      if (epilogue_ == nullptr) {
        EmitStores(row, line, tail);
      } else {
        EmitEpilogue(row, line, tail);
      }
      line.clear();
    }
  }

  Address SumAt(int row, int column) const {
    return ptr[sums_ + static_cast<int>((row * kSide + column) * spec_.plane_step)];
  }

  VecReg Load(int row, int column) {
    VecReg to = v_.New("sum");
    v_.Load(to, SumAt(row, column));
    return to;
  }

  // Adds what a column of sums gives to the rows.
  void EmitColumn(const std::array<bool, kOutputs>& wanted, int column, std::array<Line, kOutputs>& lines) {
    const bool even = wanted[0] || wanted[2];
    const bool odd = wanted[1] || wanted[3];
    VecReg a = Load(1, column);
    VecReg c = Load(3, column);
    std::optional<VecReg> difference;
    std::optional<VecReg> outer_difference;
    {
      const VecReg b = Load(2, column);
      const VecReg d = Load(4, column);
      if (odd && even) {
        difference.emplace(v_.New("difference"));
        outer_difference.emplace(v_.New("difference"));
        v_.Sub(*difference, a, b);
        v_.Sub(*outer_difference, c, d);
      } else if (odd) {
        v_.Sub(a, a, b);
        v_.Sub(c, c, d);
        difference.emplace(std::move(a));
        outer_difference.emplace(std::move(c));
      }
      if (even) {
        v_.Add(a, a, b);
        v_.Add(c, c, d);
      }
    }
    if (wanted[0]) {
      VecReg sum = v_.New("sum");
      v_.Add(sum, a, c);
      v_.Add(sum, sum, SumAt(0, column));
      lines[0].push_back(std::move(sum));
    }
    if (wanted[2]) {
      factors_.MulAdd(a, c, 4);
      lines[2].push_back(std::move(a));
    }
    if (wanted[3]) {
      VecReg sum = v_.New("sum");
      v_.Add(sum, *difference, SumAt(5, column));
      factors_.MulAdd(sum, *outer_difference, 8);
      lines[3].push_back(std::move(sum));
    }
    if (wanted[1]) {
      factors_.MulAdd(*difference, *outer_difference, 2);
      lines[1].push_back(std::move(*difference));
    }
  }

  // Makes the outputs of a row of A^T m, in place of it.
  void EmitLine(Line& m) {
    VecReg sum = v_.New("sum");
    v_.Add(sum, m[1], m[2]);
    v_.Sub(m[1], m[1], m[2]);
    v_.Add(m[2], m[3], m[4]);
    v_.Sub(m[3], m[3], m[4]);
    v_.Add(m[0], m[0], sum);
    v_.Add(m[0], m[0], m[2]);
    factors_.MulAdd(sum, m[2], 4);
    v_.Add(m[5], m[5], m[1]);
    factors_.MulAdd(m[5], m[3], 8);
    factors_.MulAdd(m[1], m[3], 2);
    Line outputs;
    outputs.push_back(std::move(m[0]));
    outputs.push_back(std::move(m[1]));
    outputs.push_back(std::move(sum));
    outputs.push_back(std::move(m[5]));
    m = std::move(outputs);
  }

  void EmitStores(int row, const Line& outputs, bool tail) {
    std::optional<typename V::MaskRegister> mask;
    if (tail) {
      mask.emplace(v_.NewMask("tail"));
      v_.SetMaskFor(*mask, spec_.tail);
    }
    for (int column = 0; column < spec_.columns; ++column) {
      const Address to = ptr[*output_ + static_cast<int>(row * spec_.row_step + column * spec_.pixel_step)];
      if (mask.has_value()) {
        v_.StoreMasked(to, *mask, outputs[static_cast<size_t>(column)]);
      } else {
        v_.Store(to, outputs[static_cast<size_t>(column)]);
      }
    }
  }

  // Makes the register of the epilogue's row that of a row of the tile.
  void MoveRow(int row) {
    if (row_.has_value() && row != present_row_) {
      code_.add(*row_, static_cast<int>((row - present_row_) * spec_.row_pixels));
    }
    present_row_ = row;
  }

  void EmitEpilogue(int row, const Line& outputs, bool tail) {
    MoveRow(row);
    std::optional<GprReg> last;
    if (tail) {
      last.emplace(code_.regs().Gpr("last_columns"));
      code_.mov(*last, spec_.tail);
    }
    // The address of the sums goes to the stack if the epilogue needs its register.
    std::optional<StackSlot> put;
    const int index = sums_.getIdx();
    if (code_.regs().available(RegClass::kGpr) < epilogue_->Registers(code_.isa()).general) {
      put.emplace(frame_.Slot(8, "sums"));
      code_.mov(put->At(), sums_);
      sums_.Return();
    }
    const auto accumulator = [&](int column, int) -> Xmm { return outputs[static_cast<size_t>(column)]; };
    EpilogueTile tile = {spec_.columns, 1, accumulator, *places_, *row_, *column_, {}};
    if (last.has_value()) tile.last_columns.emplace(*last);
    epilogue_->Emit(v_, frame_, tile);
    if (!put.has_value()) return;
    sums_ = code_.regs().GprAt(Reg64(index), "sums");
    code_.mov(sums_, put->At());
  }

  const OutputTransformSpec& spec_;
  Assembler& code_;
  const EpilogueEmitter* const epilogue_;
  AbiFrame frame_;
  V v_;
  const TransformFactors<V> factors_;
  GprReg sums_;
  // How many are left.
  StackSlot vectors_;
  std::optional<GprReg> output_;
  std::optional<GprReg> places_;
  std::optional<GprReg> row_;
  std::optional<GprReg> column_;
  int present_row_ = 0;
};

template <class V>
void Generate(const OutputTransformSpec& spec, Assembler& code, const EpilogueEmitter* epilogue) {
  OutputGenerator<V> generator(spec, code, epilogue);
  generator.Emit();
}

}  // namespace

std::string OutputTransformSpec::Name() const {
  return absl::StrCat("winograd_output_", rows, "x", columns, tail > 0 ? absl::StrCat("_tail", tail) : "");
}

bool OutputTransformSpec::Fits() const {
  if (rows < 1 || rows > kOutputs || columns < 1 || columns > kOutputs || tail < 0) return false;
  if (plane_step < 0 || row_step < 0 || pixel_step < 0 || row_pixels < 0) return false;
  const auto most = static_cast<double>(kMostDistance);
  return (kSide * kSide - 1) * static_cast<double>(plane_step) < most &&
         (kOutputs - 1) * (static_cast<double>(row_step) + static_cast<double>(pixel_step)) < most &&
         (kOutputs - 1) * static_cast<double>(row_pixels) < most;
}

Hash128 OutputTransformSpec::ContentKey(const EpilogueEmitter* epilogue) const {
  Hasher hasher;
  for (const int64_t field :
       {int64_t{rows}, int64_t{columns}, int64_t{tail}, plane_step, row_step, pixel_step, row_pixels}) {
    hasher.UpdateInt(field);
  }
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) hasher.Update(epilogue->content_key());
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateOutputTransform(const OutputTransformSpec& spec, const IsaSet& isa,
                                                 const EpilogueEmitter* epilogue) {
  if (!spec.Fits()) return absl::InternalError(absl::StrCat("OutputTransform: distances do not fit: ", spec.Name()));
  Assembler code(spec.Name(), isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    Generate<VecAvx512>(spec, code, epilogue);
  } else {
    Generate<VecAvx2>(spec, code, epilogue);
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit
