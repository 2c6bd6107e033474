// Range: the numbers from start up to, and without, stop.
//
//   output[i] = start + i * step,  i = 0 .. max(ceil((stop - start) / step), 0) - 1
//
// Inputs: start, stop, step: one number each, of any numeric types; for an integer output_type fractions are cut off
// first. Output: [count].
// Constraints:
//   Range_c1: the inputs are one number each; they and output_type are numeric.
//   Range_c2: step is not 0 (after the fraction is cut off).
//   Range_c3: the inputs are finite, and the count is representable.
#include "ir/ops/range.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

bool IsNumeric(ElementType type) { return IsFloat(type) || IsInteger(type); }

absl::Status CheckInputs(const InferContext& context, ElementType output_type) {
  if (!IsNumeric(output_type)) {
    return ConstraintError("Range_c1", absl::StrCat("output_type must be numeric; got ", Name(output_type)));
  }
  for (int64_t i = 0; i < 3; ++i) {
    if (!IsNumeric(context.input_type(i))) {
      return ConstraintError("Range_c1",
                             absl::StrCat("input ", i, " must be numeric; got ", Name(context.input_type(i))));
    }
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Range_c1", i, 0, 1));
    if (!context.input_shape(i).ElementCount().Contains(1)) {
      return ConstraintError(
          "Range_c1", absl::StrCat("input ", i, " must be one number; shape ", context.input_shape(i).ToString()));
    }
  }
  return absl::OkStatus();
}

// Returns the integer that a number is for an integer output.
absl::StatusOr<absl::int128> IntegerOf(const Tensor& number) {
  const ElementType type = number.element_type();
  if (!IsFloat(type)) {
    const int64_t value = LoadAsInt64(type, number.data(), 0);
    return type == ElementType::kU64 ? absl::int128(static_cast<uint64_t>(value)) : absl::int128(value);
  }
  const double value = std::trunc(LoadAsDouble(type, number.data(), 0));
  if (!(std::abs(value) < 0x1p64)) {
    return ConstraintError("Range_c3", absl::StrCat("a number is too large for an integer; got ", value));
  }
  return absl::int128(value);
}

absl::StatusOr<int64_t> CountOfIntegers(const Tensor& start, const Tensor& stop, const Tensor& step) {
  BURIN_ASSIGN_OR_RETURN(const absl::int128 first, IntegerOf(start));
  BURIN_ASSIGN_OR_RETURN(const absl::int128 last, IntegerOf(stop));
  BURIN_ASSIGN_OR_RETURN(const absl::int128 stride, IntegerOf(step));
  if (stride == 0) return ConstraintError("Range_c2", "step is 0");
  // Forwards in both cases: the length is what lies between, the stride's magnitude divides it.
  const absl::int128 length = stride > 0 ? last - first : first - last;
  const absl::int128 magnitude = stride > 0 ? stride : -stride;
  if (length <= 0) return 0;
  const absl::int128 count = (length - 1) / magnitude + 1;
  if (count >= absl::int128(std::numeric_limits<int64_t>::max())) {
    return ConstraintError("Range_c3", "the count is not representable");
  }
  return static_cast<int64_t>(count);
}

absl::StatusOr<int64_t> CountOfFloats(const Tensor& start, const Tensor& stop, const Tensor& step) {
  const double first = LoadAsDouble(start.element_type(), start.data(), 0);
  const double last = LoadAsDouble(stop.element_type(), stop.data(), 0);
  const double stride = LoadAsDouble(step.element_type(), step.data(), 0);
  if (!std::isfinite(first) || !std::isfinite(last) || !std::isfinite(stride)) {
    return ConstraintError("Range_c3", "a number is not finite");
  }
  if (stride == 0) return ConstraintError("Range_c2", "step is 0");
  const double count = std::ceil((last - first) / stride);
  if (!(count < 0x1p62)) return ConstraintError("Range_c3", "the count is not representable");
  return count <= 0 ? int64_t{0} : static_cast<int64_t>(count);
}

absl::StatusOr<int64_t> CountOf(ElementType output_type, const Tensor& start, const Tensor& stop, const Tensor& step) {
  return IsInteger(output_type) ? CountOfIntegers(start, stop, step) : CountOfFloats(start, stop, step);
}

// Returns the count where start is an exact integer and step is exactly 1, from what is known of stop.
absl::StatusOr<Dimension> CountByOnes(const InferContext& context) {
  for (int64_t i = 0; i < 3; ++i) {
    if (!IsInteger(context.input_type(i))) return Dimension();
  }
  BURIN_ASSIGN_OR_RETURN(const Dimension start, IntegerScalar("Range_c1", context, 0));
  BURIN_ASSIGN_OR_RETURN(const Dimension stop, IntegerScalar("Range_c1", context, 1));
  BURIN_ASSIGN_OR_RETURN(const Dimension step, IntegerScalar("Range_c1", context, 2));
  if (step == Dimension(0)) return ConstraintError("Range_c2", "step is 0");
  // Elements that are u64 travel as int64 and may have wrapped.
  if (step != Dimension(1) || context.input_type(1) == ElementType::kU64) return Dimension();
  const Dimension length = stop - start;
  if (length.min() >= 0) return length;
  return Dimension(0, length.max() < 0 ? 0 : length.max(), length.symbol());
}

absl::Status InferRange(InferContext& context) {
  const ElementType type = context.attributes<RangeAttributes>().output_type;
  BURIN_RETURN_IF_ERROR(CheckInputs(context, type));
  Dimension count;
  const Tensor* start = context.constant(0);
  const Tensor* stop = context.constant(1);
  const Tensor* step = context.constant(2);
  if (start != nullptr && stop != nullptr && step != nullptr) {
    BURIN_ASSIGN_OR_RETURN(const int64_t exact, CountOf(type, *start, *stop, *step));
    count = Dimension(exact);
  } else {
    BURIN_ASSIGN_OR_RETURN(count, CountByOnes(context));
  }
  const PartialShape output({count});
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Range_c3", output));
  context.SetOutput(0, type, output);
  return absl::OkStatus();
}

absl::Status ReferenceRange(ReferenceContext& context) {
  const ElementType type = context.output_type(0);
  BURIN_ASSIGN_OR_RETURN(const int64_t count, CountOf(type, context.input(0), context.input(1), context.input(2)));
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(0, {count}));
  const size_t size = static_cast<size_t>(count);
  if (IsInteger(type)) {
    // Modulo 2^64, as the wider intermediate values wrap when they are stored.
    BURIN_ASSIGN_OR_RETURN(const absl::int128 start, IntegerOf(context.input(0)));
    BURIN_ASSIGN_OR_RETURN(const absl::int128 step, IntegerOf(context.input(2)));
    std::vector<int64_t> values(size);
    for (size_t i = 0; i < size; ++i) {
      values[i] = WrapAdd(static_cast<int64_t>(absl::Int128Low64(start)),
                          WrapMultiply(static_cast<int64_t>(i), static_cast<int64_t>(absl::Int128Low64(step))));
    }
    context.StoreInts(0, values);
    return absl::OkStatus();
  }
  const double start = context.InputAsDoubles(0).front();
  const double step = context.InputAsDoubles(2).front();
  std::vector<double> values(size);
  for (size_t i = 0; i < size; ++i) values[i] = start + static_cast<double>(i) * step;
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

}  // namespace

const OpDef& RangeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRange, "Range", "opset4");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.traits = kDataDependentShape;
    d.make_attributes = &MakeAttributes<RangeAttributes>;
    d.infer = &InferRange;
    d.reference = &ReferenceRange;
    d.tolerance = ToleranceClass::kRounded;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
