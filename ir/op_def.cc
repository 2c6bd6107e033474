#include "ir/op_def.h"

#include <cstdint>

#include "ir/infer_context.h"

namespace burin::ir {

Cost ElementwiseCost(const CostContext& context) {
  Cost cost;
  for (int64_t i = 0; i < context.output_count(); ++i) cost.flops += context.OutputElements(i);
  cost.bytes_read = context.InputBytes();
  cost.bytes_written = context.OutputBytes();
  return cost;
}

Cost CostOf(const OpDef& op, const CostContext& context) {
  return op.cost != nullptr ? op.cost(context) : ElementwiseCost(context);
}

}  // namespace burin::ir
