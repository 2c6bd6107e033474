#include "runtime/plugins/cpu/graph/edge_conflicts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "runtime/plugins/cpu/graph/init_nodes.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/reorder_node.h"

namespace burin::cpu {

namespace {

bool IsReorder(const GraphStep& step) { return step.origin == nullptr; }

// Adds a step that brings `value` into `layout`; returns its output. It runs when its reader could.
absl::StatusOr<int> AddReorder(int value, Layout layout, const std::string& name, int64_t rank, GraphDraft& draft) {
  ValueDesc desc = draft.values[value].desc;
  BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(desc));
  GraphStep step;
  step.node = std::make_shared<ReorderNode>();
  step.name = name;
  step.inputs = {value};
  step.outputs = {static_cast<int>(draft.values.size())};
  step.candidates = {{{desc.layout}, {layout}, 0}};
  step.memory.resize(1);
  step.rank = rank;
  step.cost = {0, static_cast<double>(bytes), static_cast<double>(bytes)};
  desc.layout = layout;
  draft.values.push_back({desc, {}, -1});
  const int output = step.outputs[0];
  draft.steps.push_back(std::move(step));
  return output;
}

// Makes all readers of `from` read `to`.
void Replace(int from, int to, GraphDraft& draft) {
  for (GraphStep& step : draft.steps) {
    for (int& value : step.inputs) {
      if (value == from) value = to;
    }
  }
  for (int& value : draft.results) {
    if (value == from) value = to;
  }
}

}  // namespace

absl::Status ResolveEdgeConflicts(GraphDraft& draft, const ConfigureContext&) {
  const size_t steps = draft.steps.size();
  for (size_t i = 0; i < steps; ++i) {
    for (size_t port = 0; port < draft.steps[i].inputs.size(); ++port) {
      const int value = draft.steps[i].inputs[port];
      if (value < 0 || draft.values[value].is_constant()) continue;
      const GraphStep& step = draft.steps[i];
      ValueDesc wanted = draft.values[value].desc;
      wanted.layout = step.candidates[step.chosen].inputs[port];
      if (SameBytes(draft.values[value].desc, wanted)) continue;
      BURIN_ASSIGN_OR_RETURN(
          const int converted,
          AddReorder(value, wanted.layout, absl::StrCat(step.name, "/reorder_", port), step.rank, draft));
      draft.steps[i].inputs[port] = converted;
    }
  }
  // What a result is a view of is what the user gets.
  const std::vector<int> producers = draft.Producers();
  std::vector<bool> delivered(draft.values.size(), false);
  for (size_t i = 0; i < draft.results.size(); ++i) {
    const int value = draft.results[i];
    const int viewed = draft.Viewed(value, producers);
    ValueDesc wanted = draft.values[value].desc;
    wanted.layout = Layout::kRowMajor;
    if (draft.values[viewed].is_computed() && !delivered[viewed] && SameBytes(draft.values[value].desc, wanted)) {
      delivered[viewed] = true;
      continue;
    }
    BURIN_ASSIGN_OR_RETURN(draft.results[i],
                           AddReorder(value, Layout::kRowMajor, absl::StrCat("result_", i, "/reorder"),
                                      static_cast<int64_t>(steps), draft));
  }
  return absl::OkStatus();
}

absl::Status ShareReorders(GraphDraft& draft, const ConfigureContext&) {
  std::vector<bool> is_result(draft.values.size(), false);
  for (const int value : draft.results) is_result[value] = true;
  std::map<std::pair<int, Layout>, size_t> first;
  std::vector<bool> dropped(draft.steps.size(), false);
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    GraphStep& step = draft.steps[i];
    // Each result has memory of its own.
    if (!IsReorder(step) || is_result[step.outputs[0]]) continue;
    const auto [found, is_new] = first.try_emplace({step.inputs[0], draft.values[step.outputs[0]].desc.layout}, i);
    if (is_new) continue;
    GraphStep& kept = draft.steps[found->second];
    kept.rank = std::min(kept.rank, step.rank);
    Replace(step.outputs[0], kept.outputs[0], draft);
    dropped[i] = true;
  }
  std::vector<GraphStep> kept;
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    if (!dropped[i]) kept.push_back(std::move(draft.steps[i]));
  }
  draft.steps = std::move(kept);
  return absl::OkStatus();
}

absl::Status ApplyImplSpecificGraphOptimizations(GraphDraft& draft, const ConfigureContext& context) {
  const std::vector<int> producers = draft.Producers();
  std::vector<bool> is_result(draft.values.size(), false);
  for (const int value : draft.results) is_result[value] = true;
  for (const GraphStep& step : draft.steps) {
    if (!IsReorder(step) || is_result[step.outputs[0]]) continue;
    const int before = producers[step.inputs[0]];
    if (before < 0 || !IsReorder(draft.steps[before])) continue;
    const int source = draft.steps[before].inputs[0];
    if (SameBytes(draft.values[source].desc, draft.values[step.outputs[0]].desc)) {
      Replace(step.outputs[0], source, draft);
    }
  }
  // What nobody reads any more goes.
  return ApplyCommonGraphOptimizations(draft, context);
}

}  // namespace burin::cpu
