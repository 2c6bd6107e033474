// What Softmax and LogSoftmax share: inference, the walk over the slices along an axis, and the cost.
//
// An op supplies the last step alone, from a slice's maximum and its sum of exponentials. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_SOFTMAX_FAMILY_H_
#define BURIN_IR_OPS_FAMILY_SOFTMAX_FAMILY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/reference_context.h"

namespace burin::ir {

// Infers the data's type and shape. `op` is the op's name; constraints, with it in front of each label:
//   <op>_c1: the data is of a float type.
//   <op>_c2: axis lies in [-rank, rank).
absl::Status InferSoftmaxFamily(InferContext& context, absl::string_view op, int64_t axis);

// Gives an element's result. `shifted` is x - max over the slice, at most 0; `sum` is the sum of exp(shifted) over the
// slice, at least 1 (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018, eq. 2).
using SoftmaxLastStep = double (*)(double shifted, double sum);

// Evaluates by the definition, in double precision. Cancelled where the context is.
absl::Status ReferenceSoftmaxFamily(ReferenceContext& context, int64_t axis, SoftmaxLastStep last_step);

// Returns the cost: a comparison, a subtraction, an exponential, an addition and the last step for each element.
Cost SoftmaxFamilyCost(const CostContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_SOFTMAX_FAMILY_H_
