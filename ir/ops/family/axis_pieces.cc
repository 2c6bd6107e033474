#include "ir/ops/family/axis_pieces.h"

#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/index_space.h"
#include "ir/tensor.h"

namespace burin::ir {

void PropagatePieces(InferContext& context) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  if (!content.has_value()) return;
  auto next = content->begin();
  for (int64_t i = 0; i < context.output_count(); ++i) {
    const PartialShape& shape = context.output(i).shape;
    if (!shape.is_static() || shape.rank() != 1 || shape[0].value() > content->end() - next) return;
    PropagateContent(context, i, PartialValue(next, next + shape[0].value()));
    next += shape[0].value();
  }
}

absl::Status CopyPieces(ReferenceContext& context, int64_t axis) {
  const Tensor& data = context.input(0);
  StridedView source = DenseView(data.shape());
  for (int64_t i = 0; i < context.output_count(); ++i) {
    const Tensor& output = context.output(i);
    BURIN_RETURN_IF_ERROR(CopyBox(context, output.shape(), data, source, output, DenseView(output.shape())));
    source.offset += source.strides[static_cast<size_t>(axis)] * output.shape()[static_cast<size_t>(axis)];
  }
  return absl::OkStatus();
}

}  // namespace burin::ir
