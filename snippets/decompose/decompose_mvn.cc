// MVN(x) => d * (1 / divisor), d = x - ReduceMean(x)
//
// The divisor is Sqrt(ReduceMean(d * d) + eps), or Sqrt(ReduceMean(d * d)) + eps (eps_mode outside_sqrt), and its
// reciprocal one division per slice; without normalize_variance there is none.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/mvn.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/moments.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeMVN(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kMVN) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  const auto& attributes = node.attributes_as<ir::MVNAttributes>();
  Formula f(model, node);
  const ir::Value centred = Centred(f, f.Input(0), axes);
  if (!attributes.normalize_variance) return std::move(f).ReplaceWith(centred);
  ir::Value divisor = Variance(f, centred, axes);
  const ir::Value epsilon = f.Epsilon(attributes.eps);
  if (attributes.eps_mode == ir::MVNEpsMode::kInsideSqrt) {
    divisor = f.Apply(ir::SqrtOp(), {f.Apply(ir::AddOp(), {divisor, epsilon})});
  } else {
    divisor = f.Apply(ir::AddOp(), {f.Apply(ir::SqrtOp(), {divisor}), epsilon});
  }
  const ir::Value reciprocal = f.Apply(ir::DivideOp(), {f.Number(1), divisor});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {centred, reciprocal}));
}

}  // namespace burin::snippets
