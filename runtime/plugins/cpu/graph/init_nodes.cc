#include "runtime/plugins/cpu/graph/init_nodes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace burin::cpu {

namespace {

absl::Status ErrorOfMissing(const std::vector<std::string>& missing) {
  if (missing.empty()) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("Nodes that the device cannot run, ", missing.size(), ": ", absl::StrJoin(missing, "; ")));
}

}  // namespace

absl::Status InitNodes(GraphDraft& draft, const ConfigureContext& context) {
  std::vector<std::string> missing;
  for (GraphStep& step : draft.steps) {
    absl::StatusOr<std::shared_ptr<const Node>> node = context.make_node(*step.origin, context.node);
    if (!node.ok()) {
      if (node.status().code() != absl::StatusCode::kUnimplemented) return node.status();
      missing.push_back(absl::StrCat(step.name, ": ", node.status().message()));
      continue;
    }
    step.node = *std::move(node);
    if (context.make_fallback == nullptr) continue;
    absl::StatusOr<std::shared_ptr<const Node>> fallback = context.make_fallback(*step.origin, context.node);
    if (fallback.ok()) {
      step.fallback = *std::move(fallback);
    } else if (fallback.status().code() != absl::StatusCode::kUnimplemented) {
      return fallback.status();
    }
  }
  return ErrorOfMissing(missing);
}

absl::Status ApplyCommonGraphOptimizations(GraphDraft& draft, const ConfigureContext&) {
  // From the results backwards, whatever the order of the steps.
  const std::vector<int> producers = draft.Producers();
  std::vector<bool> runs(draft.steps.size(), false);
  std::vector<int> needed = draft.results;
  while (!needed.empty()) {
    const int step = needed.back() < 0 ? -1 : producers[needed.back()];
    needed.pop_back();
    if (step < 0 || runs[step]) continue;
    runs[step] = true;
    needed.insert(needed.end(), draft.steps[step].inputs.begin(), draft.steps[step].inputs.end());
  }
  std::vector<GraphStep> kept;
  for (size_t step = 0; step < draft.steps.size(); ++step) {
    if (runs[step]) kept.push_back(std::move(draft.steps[step]));
  }
  draft.steps = std::move(kept);
  return absl::OkStatus();
}

absl::Status InitDescriptors(GraphDraft& draft, const ConfigureContext& context) {
  std::vector<std::string> missing;
  for (GraphStep& step : draft.steps) {
    const NodeValues values = draft.ValuesOf(step);
    step.candidates = step.node->Candidates(values, context.node);
    step.chosen = 0;
    if (step.candidates.empty() && step.fallback != nullptr) {
      step.node = step.fallback;
      step.candidates = step.node->Candidates(values, context.node);
    }
    if (step.candidates.empty()) {
      missing.push_back(absl::StrCat(step.name, ": ", step.node->type_name(), " has no kernel for its shapes"));
      continue;
    }
    for (const NodeCandidate& candidate : step.candidates) {
      if (candidate.inputs.size() == step.inputs.size() && candidate.outputs.size() == step.outputs.size()) continue;
      return absl::InternalError(absl::StrCat("Node ", step.name, " has a candidate for other inputs or outputs"));
    }
  }
  return ErrorOfMissing(missing);
}

}  // namespace burin::cpu
