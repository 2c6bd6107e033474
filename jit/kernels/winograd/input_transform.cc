#include "jit/kernels/winograd/input_transform.h"

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
#include "jit/emitters/vec_group.h"
#include "jit/kernels/winograd/transform_factors.h"

namespace burin::jit {
namespace {

constexpr int kSide = 6;

// From tile to tile, in pixels.
constexpr int kStep = 4;

constexpr int64_t kMostDistance = (int64_t{1} << 31) - 1;

template <class V>
class InputGenerator {
 public:
  InputGenerator(const InputTransformSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        v_(code),
        factors_(v_, {2.0f, 4.0f}),
        input_(code.regs().Gpr("input")),
        output_(code.regs().Gpr("output")) {}

  void Emit() {
    frame_.Load(input_, BURIN_ARG_FIELD(InputTransformArgs, input));
    frame_.Load(output_, BURIN_ARG_FIELD(InputTransformArgs, output));
    const int64_t whole = spec_.channels / V::kLanes;
    if (whole > 0) {
      const GprReg count = code_.regs().Gpr("count");
      Label next;
      code_.mov(count, whole);
      code_.Align(32);
      code_.Bind(next);
      EmitVector();
      code_.add(input_, kVectorBytes);
      code_.add(output_, kVectorBytes);
      code_.dec(count);
      code_.jnz(next);
    }
    const auto rest = static_cast<int>(spec_.channels % V::kLanes);
    if (rest > 0) {
      mask_.emplace(v_.NewMask("rest"));
      v_.SetMaskFor(*mask_, rest);
      EmitVector();
      mask_.reset();
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;

  // Names rows of B^T d that are made of the same sums.
  struct Rows {
    bool has_1_2 = false;
    bool has_3_4 = false;
    bool has_0_5 = false;
  };

  using Line = std::vector<VecReg>;

  // Emits all of the tile for a vector of channels.
  void EmitVector() {
    if (spec_.fetches) EmitFetches();
    EmitRows({true, false, false});
    if (V::kBits == 512) {
      EmitRows({false, true, true});
    } else {
      EmitRows({false, true, false});
      EmitRows({false, false, true});
    }
  }

  // Fetches what the next tile of the row is the first to see, into the level 2 cache.
  void EmitFetches() {
    for (int row = kSide - kStep; row < kSide; ++row) {
      for (int column = kSide; column < kSide + kStep; ++column) {
        code_.prefetcht1(ptr[input_ + static_cast<int>(row * spec_.row_step + column * spec_.pixel_step)]);
      }
    }
  }

  void EmitRows(const Rows& rows) {
    std::array<Line, kSide> lines;
    for (int column = 0; column < kSide; ++column) EmitColumn(rows, column, lines);
    for (int row = 0; row < kSide; ++row) {
      Line& line = lines[static_cast<size_t>(row)];
      if (!line.empty()) EmitLine(row, line);
    }
  }

  VecReg Load(int row, int column) {
    VecReg to = v_.New("pixel");
    const bool inside =
        row >= spec_.rows.begin && row < spec_.rows.end && column >= spec_.columns.begin && column < spec_.columns.end;
    const Address from = ptr[input_ + static_cast<int>(row * spec_.row_step + column * spec_.pixel_step)];
    if (!inside) {
      v_.Zero(VecGroup(to));
    } else if (mask_.has_value()) {
      v_.LoadMasked(to, *mask_, from);
    } else {
      v_.Load(to, from);
    }
    return to;
  }

  VecReg Copy(const VecReg& from) {
    VecReg to = v_.New("copy");
    v_.Copy(VecGroup(to), VecGroup(from));
    return to;
  }

  // Adds what a column of pixels gives to the rows.
  void EmitColumn(const Rows& rows, int column, std::array<Line, kSide>& lines) {
    if (rows.has_1_2) {
      VecReg a = Load(4, column);
      factors_.MulSubtractFrom(a, Load(2, column), 4);
      VecReg b = Load(3, column);
      factors_.MulSubtractFrom(b, Load(1, column), 4);
      VecReg sum = v_.New("sum");
      v_.Add(sum, a, b);
      v_.Sub(a, a, b);
      lines[1].push_back(std::move(sum));
      lines[2].push_back(std::move(a));
    }
    if (!rows.has_3_4 && !rows.has_0_5) return;
    VecReg c = Load(4, column);
    VecReg outer = Load(2, column);
    v_.Sub(c, c, outer);
    if (rows.has_0_5) {
      VecReg first = Load(0, column);
      v_.Sub(outer, first, outer);
    }
    VecReg s = Load(1, column);
    {
      const VecReg third = Load(3, column);
      v_.Sub(s, third, s);
      if (rows.has_0_5) {
        VecReg last = Load(5, column);
        v_.Sub(last, last, third);
        factors_.MulSubtractFrom(last, s, 4);
        lines[5].push_back(std::move(last));
      }
    }
    if (rows.has_0_5) {
      VecReg first = Copy(c);
      factors_.MulAdd(first, outer, 4);
      lines[0].push_back(std::move(first));
    }
    outer.Return();
    if (!rows.has_3_4) return;
    VecReg third = Copy(c);
    factors_.MulAdd(third, s, 2);
    factors_.MulSubtractFrom(c, s, 2);
    lines[3].push_back(std::move(third));
    lines[4].push_back(std::move(c));
  }

  void Store(int row, int column, const VecReg& from) {
    v_.Store(ptr[output_ + static_cast<int>((row * kSide + column) * spec_.plane_step)], from);
  }

  // Emits a row of the result, of a row of B^T d, whose registers it gives back.
  void EmitLine(int row, Line& d) {
    {
      VecReg a = Copy(d[4]);
      factors_.MulSubtractFrom(a, d[2], 4);
      const VecReg b = Copy(d[3]);
      factors_.MulSubtractFrom(b, d[1], 4);
      const VecReg sum = v_.New("sum");
      v_.Add(sum, a, b);
      v_.Sub(a, a, b);
      Store(row, 1, sum);
      Store(row, 2, a);
    }
    v_.Sub(d[4], d[4], d[2]);
    v_.Sub(d[0], d[0], d[2]);
    d[2].Return();
    v_.Sub(d[1], d[3], d[1]);
    v_.Sub(d[5], d[5], d[3]);
    d[3].Return();
    factors_.MulSubtractFrom(d[5], d[1], 4);
    Store(row, 5, d[5]);
    {
      const VecReg first = Copy(d[4]);
      factors_.MulAdd(first, d[0], 4);
      Store(row, 0, first);
    }
    const VecReg third = Copy(d[4]);
    factors_.MulAdd(third, d[1], 2);
    factors_.MulSubtractFrom(d[4], d[1], 2);
    Store(row, 3, third);
    Store(row, 4, d[4]);
    d.clear();
  }

  const InputTransformSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  const TransformFactors<V> factors_;
  GprReg input_;
  GprReg output_;
  std::optional<typename V::MaskRegister> mask_;
};

template <class V>
void Generate(const InputTransformSpec& spec, Assembler& code) {
  InputGenerator<V> generator(spec, code);
  generator.Emit();
}

}  // namespace

std::string InputTransformSpec::Name() const {
  const bool all = rows.count() == kSide && columns.count() == kSide;
  return absl::StrCat("winograd_input_c", channels, all ? "" : absl::StrCat("_", rows.count(), "x", columns.count()));
}

bool InputTransformSpec::Fits() const {
  const auto lies = [](const TapRange& range) {
    return 0 <= range.begin && range.begin <= range.end && range.end <= 6;
  };
  if (channels < 0 || !lies(rows) || !lies(columns)) return false;
  const double input = (kSide + kStep - 1) * (static_cast<double>(row_step) + static_cast<double>(pixel_step));
  const double output = (kSide * kSide - 1) * static_cast<double>(plane_step);
  return row_step >= 0 && pixel_step >= 0 && plane_step >= 0 && input < static_cast<double>(kMostDistance) &&
         output < static_cast<double>(kMostDistance);
}

Hash128 InputTransformSpec::ContentKey() const {
  Hasher hasher;
  for (const int64_t field : {channels, rows.begin, rows.end, columns.begin, columns.end, row_step, pixel_step,
                              plane_step, int64_t{fetches}}) {
    hasher.UpdateInt(field);
  }
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateInputTransform(const InputTransformSpec& spec, const IsaSet& isa) {
  if (!spec.Fits()) return absl::InternalError(absl::StrCat("InputTransform: distances do not fit: ", spec.Name()));
  Assembler code(spec.Name(), isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    Generate<VecAvx512>(spec, code);
  } else {
    Generate<VecAvx2>(spec, code);
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit
