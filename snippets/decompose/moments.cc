#include "snippets/decompose/moments.h"

#include "ir/ops/ops.h"

namespace burin::snippets {

ir::Value Centred(Formula& formula, ir::Value x, absl::Span<const int64_t> axes) {
  return formula.Apply(ir::SubtractOp(), {x, formula.Reduce(ir::ReduceMeanOp(), x, axes)});
}

ir::Value Variance(Formula& formula, ir::Value centred, absl::Span<const int64_t> axes) {
  const ir::Value square = formula.Apply(ir::MultiplyOp(), {centred, centred});
  return formula.Reduce(ir::ReduceMeanOp(), square, axes);
}

}  // namespace burin::snippets
