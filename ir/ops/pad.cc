// Pad: adds elements at the ends of each dimension, or removes them where the number is negative.
//
//   output[o_0, ...] = data[source(o_0), ...], source_d(o) = o - pads_begin[d] where that lies inside data; else by
//   mode constant: pad_value;  edge: the nearest of 0 and size - 1;  reflect: i -> -i and i -> 2 (size - 1) - i;
//   symmetric: i -> -1 - i and i -> 2 size - 1 - i
//
// Inputs: data; pads_begin and pads_end (lists of integers, one per dimension); optional pad_value (one element of
// data's type, default 0). Output: shape[d] = max(pads_begin[d] + data.shape[d] + pads_end[d], 0).
// Constraints:
//   Pad_c1: pads_begin and pads_end are lists of integers with one element per dimension.
//   Pad_c2: pad_value is one element of data's type.
//   Pad_c3: reflect: no pad is above size - 1; symmetric: none is above the size; edge: an empty dimension has no pad.
//   Pad_c4: the output's dimensions are representable.
#include "ir/ops/pad.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Pads beyond this cannot belong to a tensor that exists, and below it sums of two pads and a size do not overflow.
constexpr int64_t kMaxPad = std::numeric_limits<int64_t>::max() / 4;

absl::Status CheckPad(PadMode mode, const Dimension& size, const Dimension& pad) {
  if (pad.min() > kMaxPad || pad.max() < -kMaxPad) {
    return ConstraintError("Pad_c4", absl::StrCat("a pad is too large; pad ", pad.ToString()));
  }
  int64_t largest = kMaxPad;
  if (mode == PadMode::kReflect) largest = std::max<int64_t>(size.max() - 1, 0);
  if (mode == PadMode::kSymmetric) largest = size.max();
  if (mode == PadMode::kEdge && size.max() == 0) largest = 0;
  if (pad.min() > largest) {
    return ConstraintError("Pad_c3", absl::StrCat("a pad is too large for the mode; mode ", EnumName(mode), ", size ",
                                                  size.ToString(), ", pad ", pad.ToString()));
  }
  return absl::OkStatus();
}

absl::StatusOr<PartialShape> OutputShape(PadMode mode, const PartialShape& data, const PartialValue& begin,
                                         const PartialValue& end) {
  PartialShape output;
  for (int64_t d = 0; d < data.rank(); ++d) {
    const Dimension& before = begin[static_cast<size_t>(d)];
    const Dimension& after = end[static_cast<size_t>(d)];
    BURIN_RETURN_IF_ERROR(CheckPad(mode, data[d], before));
    BURIN_RETURN_IF_ERROR(CheckPad(mode, data[d], after));
    const Dimension padded = data[d] + (before + after);
    if (data[d].is_static() && before.is_static() && after.is_static() && !padded.is_static()) {
      return ConstraintError("Pad_c4", absl::StrCat("a dimension is too large; data ", data.ToString()));
    }
    output.Append(padded.min() >= 0 ? padded : Dimension(0, std::max<int64_t>(padded.max(), 0), padded.symbol()));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Pad_c4", output));
  return output;
}

absl::Status CheckPadValue(const InferContext& context) {
  if (!context.has_input(3)) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(context.RequireType("Pad_c2", 3, context.input_type(0)));
  if (!context.input_shape(3).ElementCount().Contains(1)) {
    return ConstraintError("Pad_c2",
                           absl::StrCat("pad_value must be one element; shape ", context.input_shape(3).ToString()));
  }
  return absl::OkStatus();
}

absl::Status InferPad(InferContext& context) {
  BURIN_RETURN_IF_ERROR(CheckPadValue(context));
  Dimension rank;
  const PartialShape& data = context.input_shape(0);
  if (data.has_rank()) rank = Dimension(data.rank());
  for (int64_t i = 1; i <= 2; ++i) {
    BURIN_RETURN_IF_ERROR(context.RequireIntegerType("Pad_c1", i));
    BURIN_RETURN_IF_ERROR(context.RequireRank("Pad_c1", i, 1));
    if (!Intersect(context.input_shape(i).ElementCount(), &rank)) {
      return ConstraintError("Pad_c1", absl::StrCat("one pad per dimension is needed; data ", data.ToString(),
                                                    ", pads ", context.input_shape(i).ToString()));
    }
  }
  PartialShape output = PartialShape::DynamicRank();
  if (rank.is_static()) {
    if (rank.value() > kMaxRank) return ConstraintError("Pad_c1", "too many dimensions");
    const size_t count = static_cast<size_t>(rank.value());
    const PartialValue unknown(count, Dimension::AnyValue());
    const PartialShape known = data.has_rank() ? data : PartialShape::OfRank(rank.value());
    BURIN_ASSIGN_OR_RETURN(
        output, OutputShape(context.attributes<PadAttributes>().pad_mode, known, context.Content(1).value_or(unknown),
                            context.Content(2).value_or(unknown)));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferencePad(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const PadMode mode = context.attributes<PadAttributes>().pad_mode;
  if (output.element_count() == 0) return absl::OkStatus();
  const std::vector<int64_t> begin = context.InputAsInts(1);
  // For each dimension: output index -> position in data, or kOutside.
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  std::vector<std::vector<int64_t>> positions(output.shape().size());
  for (size_t d = 0; d < positions.size(); ++d) {
    for (int64_t o = 0; o < output.shape()[d]; ++o) {
      const int64_t source = PadSourceIndex(mode, o - begin[d], data.shape()[d]);
      positions[d].push_back(source == kOutside ? kOutside : source * strides[d]);
    }
  }
  BURIN_ASSIGN_OR_RETURN(Tensor value, Tensor::CreateZeroed(data.element_type(), {1}));
  if (context.has_input(3)) value = context.input(3);
  return CopyMapped(context, data, positions, value, output);
}

}  // namespace

int64_t PadSourceIndex(PadMode mode, int64_t i, int64_t size) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case PadMode::kConstant:
      return kOutside;
    case PadMode::kEdge:
      return i < 0 ? 0 : size - 1;
    case PadMode::kReflect:
      return i < 0 ? -i : 2 * (size - 1) - i;
    case PadMode::kSymmetric:
      return i < 0 ? -1 - i : 2 * size - 1 - i;
  }
  return kOutside;
}

const OpDef& PadOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kPad, "Pad", "opset12");
    d.min_inputs = 3;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<PadAttributes>;
    d.infer = &InferPad;
    d.reference = &ReferencePad;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
