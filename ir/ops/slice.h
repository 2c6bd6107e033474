// Where the elements that Slice takes lie in its data. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_SLICE_H_
#define BURIN_IR_OPS_SLICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"

namespace burin::ir {

// Returns the view under which the output's indices reach the elements of data, of shape `shape`, that are taken. The
// lists, of one length, are the inputs of that name; without input axes they are 0, 1, ...; no step is 0.
// InvalidArgument as Slice_c4 says.
absl::StatusOr<StridedView> SliceView(const Shape& shape, const std::vector<int64_t>& start,
                                      const std::vector<int64_t>& stop, const std::vector<int64_t>& step,
                                      const std::vector<int64_t>& axes);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SLICE_H_
