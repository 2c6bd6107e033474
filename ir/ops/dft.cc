// DFT: the discrete Fourier transform along one axis.
//
//   X[k] = sum over n in [0, length) of x[n] exp(-2 pi i n k / length)
//   x[n] = sum over k in [0, length) of X[k] exp(+2 pi i n k / length) / length        inverse
//
// The last axis holds the real and the imaginary part, or a real signal alone. A signal is cut, or continued with
// zeros, to what is transformed. `onesided` stands for real signals, of which X[length - k] is the conjugate of X[k]:
// forward only k in [0, length / 2] are given; the inverse takes these, of which those that are their own conjugates
// count as real, and gives real numbers.
//
// Inputs:  0 data, [..., 1 or 2]; 1 axis, one integer; 2 (optional) length, one integer: by default the size of the
//          axis, for the onesided inverse twice that less two.
// Output:  of the data's type; along the axis length, or length / 2 + 1 where only half is given; the last axis is 2,
//          for the onesided inverse 1. Follows ONNX's DFT-20.
// Constraints:
//   DFT_c1: the data is of a float type and has at least two axes.
//   DFT_c2: its last axis is 1 or 2.
//   DFT_c3: the axis is one integer in [-rank, rank), and not that of the last one.
//   DFT_c4: the length is one integer of at least 0, and the output's sizes are representable.
#include "ir/ops/dft.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns the length of the transform of an axis of that size by default.
Dimension DefaultLength(const DFTAttributes& attributes, const Dimension& size) {
  if (!attributes.inverse || !attributes.onesided) return size;
  return Max((size - Dimension(1)) * Dimension(2), Dimension(0));
}

// Returns the axis, or nullopt where it is not known.
absl::StatusOr<std::optional<int64_t>> Axis(const InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(std::optional<int64_t> axis, ExactIntegerScalar("DFT_c3", context, 1));
  const PartialShape& data = context.input_shape(0);
  if (!axis.has_value() || !data.has_rank()) return std::optional<int64_t>();
  BURIN_ASSIGN_OR_RETURN(axis, WrapAxis("DFT_c3", *axis, data.rank()));
  if (*axis == data.rank() - 1) {
    return ConstraintError("DFT_c3", "the axis is that of the real and the imaginary part");
  }
  return axis;
}

absl::Status InferDFT(InferContext& context) {
  const auto& attributes = context.attributes<DFTAttributes>();
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("DFT_c1", 0));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("DFT_c1", 0, 2, kMaxRank));
  BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> axis, Axis(context));
  std::optional<Dimension> length;
  if (context.has_input(2)) {
    BURIN_ASSIGN_OR_RETURN(const Dimension value, IntegerScalar("DFT_c4", context, 2));
    BURIN_ASSIGN_OR_RETURN(length, ToDimension("DFT_c4", value));
  }
  const PartialShape& data = context.input_shape(0);
  PartialShape output = data;
  if (data.has_rank()) {
    const int64_t last = data.rank() - 1;
    if (!data[last].MayEqual(Dimension(1, 2))) {
      return ConstraintError("DFT_c2", absl::StrCat("the last axis must be 1 or 2; shape ", data.ToString()));
    }
    output[last] = attributes.inverse && attributes.onesided ? 1 : 2;
    for (int64_t d = 0; d < last; ++d) {
      if (axis.has_value() && d != *axis) continue;
      Dimension size = length.has_value() ? *length : DefaultLength(attributes, data[d]);
      if (attributes.onesided && !attributes.inverse) size = FloorDiv(size, 2) + Dimension(1);
      output[d] = axis.has_value() ? size : Hull(data[d], size);
    }
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("DFT_c4", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

struct Complex {
  double real = 0;
  double imaginary = 0;
};

Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

// Transforms signals of one length, in memory that is lent for one evaluation.
class Transformer {
 public:
  static absl::StatusOr<Transformer> Create(const ReferenceContext& context, int64_t length, bool inverse) {
    Transformer transformer(&context, length);
    for (Complex** const buffer :
         {&transformer.roots_, &transformer.signal_, &transformer.spectrum_, &transformer.terms_}) {
      // Sizes of this order pass every limit of memory, and their bytes do not fit into an integer.
      if (length > int64_t{1} << 48) return absl::ResourceExhaustedError(absl::StrCat("DFT of length ", length));
      BURIN_ASSIGN_OR_RETURN(void* const memory, context.scratch().Lend(static_cast<size_t>(length) * sizeof(Complex)));
      *buffer = static_cast<Complex*>(memory);
    }
    // exp(+-2 pi i k / length), turned by whole quarters last, which makes those exact.
    for (int64_t k = 0; k < length; ++k) {
      const int64_t quarters = 4 * k / length;
      const double angle =
          std::acos(0.0) * static_cast<double>(4 * k - quarters * length) / static_cast<double>(length);
      Complex root = {std::cos(angle), std::sin(angle)};
      for (int64_t turn = 0; turn < quarters; ++turn) root = {-root.imaginary, root.real};
      if (!inverse) root.imaginary = -root.imaginary;
      transformer.roots_[k] = root;
    }
    return transformer;
  }

  // The signal, to be filled in, and its transform after Run().
  Complex* signal() { return signal_; }
  const Complex* spectrum() const { return spectrum_; }

  absl::Status Run() { return Transform(0, 1, length_, spectrum_); }

 private:
  Transformer(const ReferenceContext* context, int64_t length) : context_(context), length_(length) {}

  // Transforms the `count` elements first, first + step, ... of the signal, where count * step is the length. With p
  // the least prime that divides count, and m = count / p:
  //   out[k] = sum over r < p of exp(+-2 pi i r k / count) * (transform of elements r, r + p, ...)[k mod m]
  // which is the definition itself where count is a prime.
  absl::Status Transform(int64_t first, int64_t step, int64_t count, Complex* out) {
    if (count == 1) {
      out[0] = signal_[first];
      return absl::OkStatus();
    }
    int64_t p = 2;
    while (p * p <= count && count % p != 0) ++p;
    if (count % p != 0) p = count;
    const int64_t m = count / p;
    for (int64_t r = 0; r < p; ++r) {
      BURIN_RETURN_IF_ERROR(Transform(first + r * step, step * p, m, out + r * m));
    }
    for (int64_t j = 0; j < m; ++j) {
      for (int64_t r = 0; r < p; ++r) terms_[r] = out[r * m + j];
      for (int64_t k = j; k < count; k += m) {
        BURIN_RETURN_IF_ERROR(context_->CheckCancelled());
        out[k] = SumOfTerms(p, k * step);
      }
    }
    return absl::OkStatus();
  }

  // Returns the sum over r < p of terms[r] * root^(r * turn), turn < length.
  Complex SumOfTerms(int64_t p, int64_t turn) const {
    Complex sum = terms_[0];
    int64_t power = 0;
    for (int64_t r = 1; r < p; ++r) {
      power += turn;
      if (power >= length_) power -= length_;
      const Complex term = terms_[r] * roots_[power];
      sum.real += term.real;
      sum.imaginary += term.imaginary;
    }
    return sum;
  }

  const ReferenceContext* context_;
  int64_t length_;
  Complex* roots_ = nullptr;
  Complex* signal_ = nullptr;
  Complex* spectrum_ = nullptr;
  Complex* terms_ = nullptr;
};

// Sets elements [half + 1, length) of a spectrum to the conjugates of those before, and makes real what is its own
// conjugate.
void Mirror(Complex* spectrum, int64_t length) {
  spectrum[0].imaginary = 0;
  if (length % 2 == 0) spectrum[length / 2].imaginary = 0;
  for (int64_t k = length / 2 + 1; k < length; ++k) {
    spectrum[k] = {spectrum[length - k].real, -spectrum[length - k].imaginary};
  }
}

absl::Status ReferenceDFT(ReferenceContext& context) {
  const auto& attributes = context.attributes<DFTAttributes>();
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  Shape shape = context.input(0).shape();
  const int64_t parts = shape.back();
  shape.pop_back();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("DFT_c3", context.InputAsInts(1).front(), static_cast<int64_t>(shape.size()) + 1));
  const AxisSplit split = SplitAtAxis(shape, axis);
  const int64_t outputs = context.output(0).shape()[static_cast<size_t>(axis)];
  const int64_t output_parts = context.output(0).shape().back();
  const bool mirrored = attributes.inverse && attributes.onesided;
  const int64_t length =
      context.has_input(2) ? context.InputAsInts(2).front() : DefaultLength(attributes, split.length).value();
  std::vector<double> results(static_cast<size_t>(context.output(0).element_count()), 0);
  if (length == 0) {
    context.StoreDoubles(0, results);
    return absl::OkStatus();
  }
  const std::vector<double> data = context.InputAsDoubles(0);
  const int64_t taken = std::min(split.length, mirrored ? length / 2 + 1 : length);
  const double scale = attributes.inverse ? 1 / static_cast<double>(length) : 1;
  BURIN_ASSIGN_OR_RETURN(Transformer transformer, Transformer::Create(context, length, attributes.inverse));
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      Complex* const signal = transformer.signal();
      std::fill(signal, signal + length, Complex());
      for (int64_t n = 0; n < taken; ++n) {
        const double* const from =
            &data[static_cast<size_t>(((outer * split.length + n) * split.inner + inner) * parts)];
        signal[n] = {from[0], parts == 2 ? from[1] : 0};
      }
      if (mirrored) Mirror(signal, length);
      BURIN_RETURN_IF_ERROR(transformer.Run());
      for (int64_t k = 0; k < outputs; ++k) {
        double* const to = &results[static_cast<size_t>(((outer * outputs + k) * split.inner + inner) * output_parts)];
        const Complex value = transformer.spectrum()[k];
        to[0] = value.real * scale;
        if (output_parts == 2) to[1] = value.imaginary * scale;
      }
    }
  }
  context.StoreDoubles(0, results);
  return absl::OkStatus();
}

// About 5 log2(length) for each element of the output, where the length is a product of small primes.
Cost DFTCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const double elements = context.OutputElements(0);
  cost.flops = 5 * elements * std::log2(std::max(elements, 2.0));
  return cost;
}

}  // namespace

const OpDef& DFTOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kDFT, "DFT", "internal");
    d.min_inputs = 2;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<DFTAttributes>;
    d.infer = &InferDFT;
    d.reference = &ReferenceDFT;
    d.cost = &DFTCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
