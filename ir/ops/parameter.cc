// Parameter (opset1): an input of the model.
//
// No inputs; the output has the attributes' element type and shape.
//   Parameter_c1: the element type is known, and tensors of it are supported.
//   Parameter_c2: the shape has at most kMaxRank dimensions, none of which may be negative.
#include "ir/ops/parameter.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status InferParameter(InferContext& context) {
  const auto& attributes = context.attributes<ParameterAttributes>();
  const ElementType type = attributes.element_type;
  if (KindOf(type) == ElementKind::kNone) {
    return absl::InvalidArgumentError("Parameter_c1: The element type is undefined");
  }
  if (KindOf(type) == ElementKind::kString) {
    return absl::UnimplementedError("Parameter_c1: Tensors of strings are not supported");
  }
  const PartialShape& shape = attributes.shape;
  if (shape.has_rank()) {
    if (shape.rank() > kMaxRank) {
      return absl::InvalidArgumentError(
          absl::StrCat("Parameter_c2: The rank exceeds the maximum of ", kMaxRank, ": ", shape.rank()));
    }
    for (const Dimension& dim : shape.dims()) {
      if (dim.min() < 0 || dim.max() < dim.min()) {
        return absl::InvalidArgumentError(absl::StrCat("Parameter_c2: A dimension is negative: ", shape.ToString()));
      }
    }
  }
  context.SetOutput(0, type, shape);
  return absl::OkStatus();
}

absl::Status ReferenceParameter(ReferenceContext&) {
  return absl::FailedPreconditionError("A Parameter has no value of its own: the caller of the model gives it");
}

Cost CostOfParameter(const CostContext&) { return Cost{}; }

}  // namespace

const OpDef& ParameterOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kParameter, "Parameter", "opset1");
    d.min_inputs = 0;
    d.max_inputs = 0;
    d.traits = kImpure;
    d.make_attributes = &MakeAttributes<ParameterAttributes>;
    d.infer = &InferParameter;
    d.reference = &ReferenceParameter;
    d.cost = &CostOfParameter;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
