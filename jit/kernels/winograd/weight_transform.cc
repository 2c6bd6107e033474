#include "jit/kernels/winograd/weight_transform.h"

#include <array>
#include <cstddef>
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
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int kTaps = 3;

constexpr int kSide = 6;

constexpr int64_t kMostDistance = (int64_t{1} << 31) - 1;

constexpr int kStepBytes = static_cast<int>(PanelLayout::kStepBytes);

// Works on vectors of double.
template <class V>
class WeightGenerator {
 public:
  WeightGenerator(int64_t plane_step, Assembler& code)
      : plane_step_(plane_step),
        code_(code),
        frame_(code),
        v_(code),
        weights_(code.regs().Gpr("weights")),
        output_(code.regs().Gpr("output")),
        channels_(code.regs().Gpr("channels")) {}

  void Emit() {
    frame_.Load(weights_, BURIN_ARG_FIELD(WeightTransformArgs, weights));
    frame_.Load(output_, BURIN_ARG_FIELD(WeightTransformArgs, output));
    frame_.Load(channels_, BURIN_ARG_FIELD(WeightTransformArgs, channels));
    {
      const GprReg columns = code_.regs().Gpr("columns");
      Label next_channel;
      Label next_columns;
      code_.Bind(next_channel);
      code_.mov(columns, kStepBytes / kVectorBytes);
      code_.Bind(next_columns);
      EmitColumns();
      code_.add(weights_, kVectorBytes);
      code_.add(output_, kVectorBytes);
      code_.dec(columns);
      code_.jnz(next_columns);
      code_.add(weights_, (kTaps * kTaps - 1) * kStepBytes);
      code_.dec(channels_);
      code_.jnz(next_channel);
    }
    frame_.Finish();
  }

 private:
  static constexpr int kVectorBytes = V::kBits / 8;
  // Of the floats that are as many as a vector of double has elements.
  static constexpr int kHalfBytes = kVectorBytes / 2;

  // Returns the register of half the width.
  static Xmm Half(const Xmm& reg) {
    if (V::kBits == 512) return AsYmm(reg);
    return AsXmm(reg);
  }

  Address Repeated(double value) { return code_.Repeated(value, V::kBits / 8); }

  // Calls use(i, value) with each element i of G x, where x is three values. The value may be changed.
  template <class Use>
  void EmitProduct(const Xmm& x0, const Xmm& x1, const Xmm& x2, const Use& use) {
    const VecReg a = v_.New("a");
    const VecReg b = v_.New("b");
    code_.vmulpd(b, x0, Repeated(0.25));
    use(0, b);
    code_.vaddpd(a, x0, x2);
    code_.vaddpd(b, a, x1);
    code_.vmulpd(b, b, Repeated(-1.0 / 6));
    use(1, b);
    code_.vsubpd(b, a, x1);
    code_.vmulpd(b, b, Repeated(-1.0 / 6));
    use(2, b);
    code_.vmovaps(a, x0);
    code_.vfmadd231pd(a, x2, Repeated(4.0));
    code_.vmovaps(b, a);
    code_.vfmadd231pd(b, x1, Repeated(2.0));
    code_.vmulpd(b, b, Repeated(1.0 / 24));
    use(3, b);
    code_.vfnmadd231pd(a, x1, Repeated(2.0));
    code_.vmulpd(a, a, Repeated(1.0 / 24));
    use(4, a);
    code_.vmovaps(b, x2);
    use(5, b);
  }

  // Emits everything for a vector of columns. G g is made column by column, by halves, and goes to the stack.
  void EmitColumns() {
    const StackSlot rows = frame_.Slot(2 * kSide * kTaps * kVectorBytes, "rows");
    const auto place = [&](int half, int row, int column) {
      return rows.At(((half * kSide + row) * kTaps + column) * kVectorBytes);
    };
    for (int half = 0; half < 2; ++half) {
      for (int column = 0; column < kTaps; ++column) {
        std::vector<VecReg> g;
        for (int row = 0; row < kTaps; ++row) {
          g.push_back(v_.New("g"));
          const int offset = (row * kTaps + column) * kStepBytes + half * kHalfBytes;
          code_.vcvtps2pd(g.back(), ptr[weights_ + offset]);
        }
        EmitProduct(g[0], g[1], g[2],
                    [&](int row, const VecReg& value) { code_.vmovupd(place(half, row, column), value); });
      }
    }
    for (int row = 0; row < kSide; ++row) {
      std::vector<VecReg> x;
      for (int column = 0; column < kTaps; ++column) x.push_back(v_.New("x"));
      const auto load = [&](int half) {
        for (int column = 0; column < kTaps; ++column) {
          code_.vmovupd(x[static_cast<size_t>(column)], place(half, row, column));
        }
      };
      std::vector<VecReg> low;
      load(0);
      EmitProduct(x[0], x[1], x[2], [&](int, const VecReg& value) {
        low.push_back(v_.New("low"));
        code_.vcvtpd2ps(Half(low.back()), value);
      });
      // Whole lines are written, which do not leave the cache in between.
      load(1);
      EmitProduct(x[0], x[1], x[2], [&](int column, const VecReg& value) {
        code_.vcvtpd2ps(Half(value), value);
        const VecReg& whole = low[static_cast<size_t>(column)];
        if (V::kBits == 512) {
          code_.vinsertf64x4(AsZmm(whole), AsZmm(whole), Half(value), 1);
        } else {
          code_.vinsertf128(AsYmm(whole), AsYmm(whole), Half(value), 1);
        }
        v_.Store(ptr[output_ + static_cast<int>((row * kSide + column) * plane_step_)], whole);
      });
    }
  }

  const int64_t plane_step_;
  Assembler& code_;
  AbiFrame frame_;
  V v_;
  GprReg weights_;
  GprReg output_;
  GprReg channels_;
};

template <class V>
void Generate(int64_t plane_step, Assembler& code) {
  WeightGenerator<V> generator(plane_step, code);
  generator.Emit();
}

}  // namespace

absl::StatusOr<CodeBlob> GenerateWeightTransform(int64_t plane_step, const IsaSet& isa) {
  if (plane_step < 0 || plane_step > kMostDistance / (kSide * kSide)) {
    return absl::InternalError(absl::StrCat("WeightTransform: results lie too far from each other: ", plane_step));
  }
  Assembler code("winograd_weights", isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    Generate<VecAvx512>(plane_step, code);
  } else {
    Generate<VecAvx2>(plane_step, code);
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit
