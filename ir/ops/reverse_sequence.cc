// ReverseSequence: reverses the first elements of each sequence of a batch.
//
//   output[b, s, ...] = s < L_b ? data[b, L_b - 1 - s, ...] : data[b, s, ...]    b at batch_axis, s at seq_axis
//
// Inputs: data; seq_lengths L (a list of numbers, one per batch). Output: of data's shape.
// Constraints:
//   ReverseSequence_c1: batch_axis and seq_axis lie in [-rank, rank) and differ; data has 2 dimensions or more.
//   ReverseSequence_c2: seq_lengths is a list with one number per batch.
//   ReverseSequence_c3: each length lies in [0, size of seq_axis].
#include "ir/ops/reverse_sequence.h"

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

struct Axes {
  int64_t batch;
  int64_t sequence;
};

absl::StatusOr<Axes> WrapAxes(const ReverseSequenceAttributes& attributes, int64_t rank) {
  BURIN_ASSIGN_OR_RETURN(const int64_t batch, WrapAxis("ReverseSequence_c1", attributes.batch_axis, rank));
  BURIN_ASSIGN_OR_RETURN(const int64_t sequence, WrapAxis("ReverseSequence_c1", attributes.seq_axis, rank));
  if (batch == sequence) return ConstraintError("ReverseSequence_c1", "batch_axis and seq_axis are the same");
  return Axes{batch, sequence};
}

absl::Status InferReverseSequence(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("ReverseSequence_c1", 0, 2, kMaxRank));
  const ElementType length_type = context.input_type(1);
  if (!IsInteger(length_type) && !IsFloat(length_type)) {
    return ConstraintError("ReverseSequence_c2", absl::StrCat("seq_lengths must be numbers; got ", Name(length_type)));
  }
  BURIN_RETURN_IF_ERROR(context.RequireRank("ReverseSequence_c2", 1, 1));
  PartialShape output = context.input_shape(0);
  if (output.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const Axes axes, WrapAxes(context.attributes<ReverseSequenceAttributes>(), output.rank()));
    if (!Intersect(context.input_shape(1).ElementCount(), &output[axes.batch])) {
      return ConstraintError("ReverseSequence_c2",
                             absl::StrCat("one length per batch is needed; data ", output.ToString(), ", seq_lengths ",
                                          context.input_shape(1).ToString()));
    }
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceReverseSequence(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const Shape& shape = data.shape();
  BURIN_ASSIGN_OR_RETURN(const Axes axes,
                         WrapAxes(context.attributes<ReverseSequenceAttributes>(), static_cast<int64_t>(shape.size())));
  const std::vector<int64_t> lengths = context.InputAsInts(1);
  const size_t sequence = static_cast<size_t>(axes.sequence);
  for (const int64_t length : lengths) {
    if (length < 0 || length > shape[sequence]) {
      return ConstraintError("ReverseSequence_c3", absl::StrCat("a length is outside the sequence; size ",
                                                                shape[sequence], ", length ", length));
    }
  }
  const StridedView whole = DenseView(shape);
  for (int64_t b = 0; b < static_cast<int64_t>(lengths.size()); ++b) {
    const int64_t length = lengths[static_cast<size_t>(b)];
    const int64_t batch_offset = b * whole.strides[static_cast<size_t>(axes.batch)];
    Shape box = shape;
    box[static_cast<size_t>(axes.batch)] = 1;
    box[sequence] = length;
    StridedView target = whole;
    target.offset = batch_offset;
    StridedView source = target;
    source.offset += (length - 1) * whole.strides[sequence];
    source.strides[sequence] = -whole.strides[sequence];
    BURIN_RETURN_IF_ERROR(CopyBox(context, box, data, source, output, target));
    // The rest of the sequence stays in place.
    box[sequence] = shape[sequence] - length;
    target.offset = batch_offset + length * whole.strides[sequence];
    BURIN_RETURN_IF_ERROR(CopyBox(context, box, data, target, output, target));
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& ReverseSequenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReverseSequence, "ReverseSequence", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<ReverseSequenceAttributes>;
    d.infer = &InferReverseSequence;
    d.reference = &ReferenceReverseSequence;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
