#include "runtime/plugins/cpu/graph/configure.h"

#include "base/status_macros.h"
#include "runtime/plugins/cpu/graph/choose_descriptors.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/edge_conflicts.h"
#include "runtime/plugins/cpu/graph/init_nodes.h"
#include "runtime/plugins/cpu/graph/known_values.h"
#include "runtime/plugins/cpu/graph/resolve_memory.h"
#include "runtime/plugins/cpu/graph/sort_steps.h"

namespace burin::cpu {

absl::Span<const ConfigureStage> ConfigureStages() {
  static constexpr ConfigureStage kStages[] = {
      {"SortTopologically", &SortTopologically},
      {"InitNodes", &InitNodes},
      {"ApplyCommonGraphOptimizations", &ApplyCommonGraphOptimizations},
      {"InitDescriptors", &InitDescriptors},
      {"InitOptimalPrimitiveDescriptors", &InitOptimalPrimitiveDescriptors},
      {"ResolveInplaceDirections", &ResolveInplaceDirections},
      {"ResolveEdgeConflicts", &ResolveEdgeConflicts},
      {"ShareReorders", &ShareReorders},
      {"ApplyImplSpecificGraphOptimizations", &ApplyImplSpecificGraphOptimizations},
      {"SortTopologically", &SortTopologically},
  };
  return kStages;
}

absl::StatusOr<ConfiguredGraph> ConfigureGraph(const ModelPart& part, const ConfigureContext& context) {
  BURIN_ASSIGN_OR_RETURN(GraphDraft draft, DraftFromPart(part));
  for (const ConfigureStage& stage : ConfigureStages()) BURIN_RETURN_IF_ERROR(stage.run(draft, context));
  return ConfiguredGraph(std::move(draft));
}

absl::StatusOr<ConfiguredGraph> ConfigureGraph(const ir::Model& model, const ConfigureContext& context) {
  const KnownValues known = KnownValues::Recorded(model);
  return ConfigureGraph(WholeOf(model, known), context);
}

}  // namespace burin::cpu
