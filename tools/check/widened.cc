#include "tools/check/widened.h"

#include "base/status_macros.h"
#include "ir/rewrite.h"
#include "transformations/driver.h"
#include "transformations/pass_table.h"
#include "transformations/precision/computed_types.h"
#include "transformations/report.h"

namespace burin::check {

absl::StatusOr<std::unique_ptr<ir::Model>> Widened(const ir::Model& model) {
  transformations::ComputedTypes types;
  types.widens_f16 = true;
  types.widens_bf16 = true;
  ir::PassContext context;
  context.Provide<transformations::ComputedTypes>(&types);
  std::unique_ptr<ir::Model> widened = model.Clone();
  transformations::CompileReport report;
  BURIN_RETURN_IF_ERROR(transformations::RunPasses(
      widened.get(), {{&transformations::PassOf(transformations::PassId::kConvertPrecision)}}, context,
      transformations::PipelineOptions(), &report));
  return widened;
}

}  // namespace burin::check
