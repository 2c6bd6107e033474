#include "transformations/fusion/reduced.h"

#include <algorithm>
#include <utility>

#include "ir/infer_context.h"
#include "ir/ops/family/reduction.h"
#include "transformations/fusion/formula.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {

using ir::OpCode;

Pattern Reduced(OpCode code, const Pattern& data, std::string axes) {
  return Op(code)
      .Input(0, data)
      .Input(1, Any().Capture(std::move(axes)))
      .WithAttributes<ir::ReductionAttributes>(
          "keeps reduced axes", [](const ir::ReductionAttributes& attributes) { return attributes.keep_dims; });
}

Pattern Reciprocal(const Pattern& a) {
  return AnyOf({Quotient(Number(1), a), Op(OpCode::kPower).Input(0, a).Input(1, Number(-1))});
}

std::optional<std::vector<int64_t>> AxesOf(const Match& match, const char* name) {
  std::optional<std::vector<int64_t>> axes = ExactIntegers(match.info(name));
  if (!axes.has_value()) return std::nullopt;
  const ir::PartialShape& shape = match.info("x").shape;
  for (int64_t& axis : *axes) {
    if (axis >= 0) continue;
    if (!shape.has_rank()) return std::nullopt;
    axis += shape.rank();
  }
  std::sort(axes->begin(), axes->end());
  return axes;
}

}  // namespace burin::transformations
