// Makes the constants that steer operations: orders, axes, patterns. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_INTEGER_LIST_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_INTEGER_LIST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"

namespace burin::transformations {

// Returns an i64 tensor of shape [elements.size()]. ResourceExhausted where memory is denied.
absl::StatusOr<ir::Tensor> IntegerList(absl::Span<const int64_t> elements);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_INTEGER_LIST_H_
