// Convolutions and transposed convolutions by their definition: inference, reference evaluation and cost, shared by the
// four convolution ops.
//
// A convolution's filters are [C_out, C_in, spatial...], a transposed one's [C_in, C_out, spatial...]; grouped ops have
// the number of groups in front, and data of groups * C_in channels. Stateless, thread-safe.
//
//   convolution:  y[n, g, oc, o] = sum over ic, k of  x[n, g, ic, o * stride - pad + k * dilation] * w[g, oc, ic, k]
//   transposed:   y[n, g, oc, o] = sum over ic, k, i with o = i * stride - pad + k * dilation
//                                  of  x[n, g, ic, i] * w[g, ic, oc, k]
#ifndef BURIN_IR_OPS_FAMILY_DIRECT_CONVOLUTION_H_
#define BURIN_IR_OPS_FAMILY_DIRECT_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/reference_context.h"

namespace burin::ir {

// Says whether the filters have a leading axis of groups.
enum class Grouping : uint8_t { kNone, kGroups };

// Infers a convolution. Constraints, with `op` in front of each label:
//   <op>_c1: data and filters have one numeric type.
//   <op>_c2: the data has rank 3 to 5, the filters the same (one more with groups).
//   <op>_c3: every list of attributes is empty or has one number per spatial axis, in the range of MakeWindowAxes.
//   <op>_c4: the data's channels are those of the filters (times the groups); there is at least one group.
//   <op>_c5: the window fits into the padded data.
absl::Status InferConvolution(InferContext& context, absl::string_view op, Grouping grouping,
                              const WindowParameters& window);

// Infers a transposed convolution: c1 to c4 as above, and
//   <op>_c5: the output has at least one element along each spatial axis.
//   <op>_c6: input 2, where present, holds one non-negative integer per spatial axis.
//   <op>_c7: output_padding is empty or has one number per spatial axis, in [0, kMaxWindowParameter].
absl::Status InferTransposedConvolution(InferContext& context, absl::string_view op, Grouping grouping,
                                        const WindowParameters& window, const std::vector<int64_t>& output_padding);

// Evaluate by the definition; inference has been successful on the same shapes.
absl::Status ReferenceConvolution(ReferenceContext& context, Grouping grouping, const WindowParameters& window);
absl::Status ReferenceTransposedConvolution(ReferenceContext& context, Grouping grouping,
                                            const WindowParameters& window, const std::vector<int64_t>& output_padding);

// Return the cost: two flops per tap, padding counted as if it were data.
Cost ConvolutionCost(const CostContext& context);
Cost TransposedConvolutionCost(const CostContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_DIRECT_CONVOLUTION_H_
