// Says what a constant element is in a lane of a vector register.
//
// Use it where a scalar constant of a model becomes part of code. Stateless.
#ifndef BURIN_SNIPPETS_LOWERING_LANE_CONSTANT_H_
#define BURIN_SNIPPETS_LOWERING_LANE_CONSTANT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "ir/tensor.h"

namespace burin::snippets {

// Returns the bits that stand for the first element of `tensor` in registers: f64 and i64 as they are; else in the
// lower half a float of any type as f32, an integer or boolean as a 32-bit integer. Unimplemented, naming the type, for
// elements without lanes (snippets/linear/lane.h).
absl::StatusOr<uint64_t> LaneConstant(const ir::Tensor& tensor);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_LANE_CONSTANT_H_
