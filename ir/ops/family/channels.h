// Constraints that normalisations share: parameters per channel, and epsilon.
//
// Channels are axis 1 of the data. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_CHANNELS_H_
#define BURIN_IR_OPS_FAMILY_CHANNELS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/infer_context.h"
#include "ir/partial_shape.h"

namespace burin::ir {

// Returns the shape of input 0 with what the other inputs, lists of one number per channel, say of its channels.
// InvalidArgument beginning with `rank_label` for data of rank below 2, with `list_label` for another input that is no
// such list.
absl::StatusOr<PartialShape> ShapeWithChannels(absl::string_view rank_label, absl::string_view list_label,
                                               const InferContext& context);

// Returns InvalidArgument beginning with `label` unless `epsilon` is a finite number of at least 0.
absl::Status RequireEpsilon(absl::string_view label, double epsilon);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_CHANNELS_H_
