// Reads integer inputs (axes, shapes, lengths, indices) during inference, and hands small contents on to outputs.
//
// Every check takes the op's constraint label, with which the error text begins. Use it for inputs that steer an
// operation; not for the data itself. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_INTEGER_INPUT_H_
#define BURIN_IR_OPS_FAMILY_INTEGER_INPUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/partial_shape.h"

namespace burin::ir {

// Returns InvalidArgument with `label` before `text`.
absl::Status ConstraintError(absl::string_view label, absl::string_view text);

// Returns the axis of a tensor of `rank` dimensions, counted from the end where negative. InvalidArgument outside
// [-rank, rank).
absl::StatusOr<int64_t> WrapAxis(absl::string_view label, int64_t axis, int64_t rank);

// Returns the axes in the order given. InvalidArgument outside [-rank, rank) and for an axis named twice.
absl::StatusOr<std::vector<int64_t>> WrapUniqueAxes(absl::string_view label, absl::Span<const int64_t> axes,
                                                    int64_t rank);

// Returns the index into a dimension of `size` elements, counted from the end where negative. InvalidArgument outside
// [-size, size).
absl::StatusOr<int64_t> WrapIndex(absl::string_view label, int64_t index, int64_t size);

// Returns what is known of input `i`, one integer as a scalar or a one-element list (AnyValue() where nothing is).
// InvalidArgument for another type or another number of elements.
absl::StatusOr<Dimension> IntegerScalar(absl::string_view label, const InferContext& context, int64_t i);

// Returns the exact value of such an input, or nullopt where it is not known.
absl::StatusOr<std::optional<int64_t>> ExactIntegerScalar(absl::string_view label, const InferContext& context,
                                                          int64_t i);

// Returns the exact elements of input `i`, a list of integers or one integer as a scalar, or nullopt where they are not
// known. InvalidArgument for another type or a rank above 1.
absl::StatusOr<std::optional<std::vector<int64_t>>> ExactIntegerList(absl::string_view label,
                                                                     const InferContext& context, int64_t i);

// Returns what is known of the elements of such an input, or nullopt where their number is not known.
absl::StatusOr<std::optional<PartialValue>> IntegerList(absl::string_view label, const InferContext& context,
                                                        int64_t i);

// Returns the shape that input `i` spells out, a list of non-negative integers, as far as it is known. InvalidArgument
// for negative elements or more than kMaxRank of them.
absl::StatusOr<PartialShape> ShapeFromInput(absl::string_view label, const InferContext& context, int64_t i);

// Returns the interval of a value that is known to be a dimension; the symbol stays. Values below zero are cut off;
// InvalidArgument where nothing else remains.
absl::StatusOr<Dimension> ToDimension(absl::string_view label, const Dimension& value);

// Returns InvalidArgument where the rank passes kMaxRank or where a dimension computed from hostile numbers is too
// large to exist.
absl::Status RequireRepresentable(absl::string_view label, const PartialShape& shape);

// Returns what is known of input `i`'s elements where values travel: integers of rank 0 or 1.
std::optional<PartialValue> TravellingContent(const InferContext& context, int64_t i);

// Says what is known of output `i`'s elements if values travel through it (integers, rank 0 or 1, few), else nothing.
// The number of elements agrees with the output's shape.
void PropagateContent(InferContext& context, int64_t i, PartialValue content);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_INTEGER_INPUT_H_
