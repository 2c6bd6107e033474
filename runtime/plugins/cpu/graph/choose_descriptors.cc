#include "runtime/plugins/cpu/graph/choose_descriptors.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "runtime/plugins/cpu/graph/choose_candidates.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/reorder_node.h"

namespace burin::cpu {

namespace {

// Returns what it costs to read a value in layout `to` that is there in layout `from`.
absl::StatusOr<double> ConversionCycles(const ValueDesc& desc, Layout from, Layout to) {
  ValueDesc source = desc;
  ValueDesc destination = desc;
  source.layout = from;
  destination.layout = to;
  if (SameBytes(source, destination)) return 0.0;
  BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(desc));
  return ReorderCycles(static_cast<double>(bytes));
}

// Where a value is used or made by a step.
struct Place {
  int step = 0;
  int port = 0;
};

}  // namespace

absl::Status InitOptimalPrimitiveDescriptors(GraphDraft& draft, const ConfigureContext&) {
  CandidateChoice choice;
  for (const GraphStep& step : draft.steps) {
    std::vector<double>& costs = choice.nodes.emplace_back();
    for (const NodeCandidate& candidate : step.candidates) costs.push_back(candidate.cycles);
  }

  // What comes from outside, and goes there, is row-major: that is a cost of the step alone.
  std::vector<Place> producer(draft.values.size(), {-1, 0});
  for (size_t step = 0; step < draft.steps.size(); ++step) {
    for (size_t port = 0; port < draft.steps[step].outputs.size(); ++port) {
      producer[draft.steps[step].outputs[port]] = {static_cast<int>(step), static_cast<int>(port)};
    }
  }
  for (const int value : draft.results) {
    const Place made = producer[value];
    if (made.step < 0) continue;
    for (size_t i = 0; i < draft.steps[made.step].candidates.size(); ++i) {
      const Layout from = draft.steps[made.step].candidates[i].outputs[made.port];
      BURIN_ASSIGN_OR_RETURN(const double cycles, ConversionCycles(draft.values[value].desc, from, Layout::kRowMajor));
      choice.nodes[made.step][i] += cycles;
    }
  }
  for (size_t reader = 0; reader < draft.steps.size(); ++reader) {
    const GraphStep& step = draft.steps[reader];
    for (size_t port = 0; port < step.inputs.size(); ++port) {
      const int value = step.inputs[port];
      // A node brings a constant into whatever layout it wants when it is prepared.
      if (value < 0 || draft.values[value].is_constant()) continue;
      const ValueDesc& desc = draft.values[value].desc;
      const Place made = producer[value];
      if (made.step < 0) {
        for (size_t i = 0; i < step.candidates.size(); ++i) {
          BURIN_ASSIGN_OR_RETURN(const double cycles,
                                 ConversionCycles(desc, Layout::kRowMajor, step.candidates[i].inputs[port]));
          choice.nodes[reader][i] += cycles;
        }
        continue;
      }
      CandidatePair pair{made.step, static_cast<int>(reader), {}};
      bool matters = false;
      for (const NodeCandidate& from : draft.steps[made.step].candidates) {
        for (const NodeCandidate& to : step.candidates) {
          BURIN_ASSIGN_OR_RETURN(const double cycles, ConversionCycles(desc, from.outputs[made.port], to.inputs[port]));
          pair.costs.push_back(cycles);
          matters = matters || cycles > 0;
        }
      }
      if (matters) choice.pairs.push_back(std::move(pair));
    }
  }

  BURIN_ASSIGN_OR_RETURN(const ChosenCandidates chosen, ChooseCandidates(choice));
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    GraphStep& step = draft.steps[i];
    step.chosen = chosen.chosen[i];
    for (size_t port = 0; port < step.outputs.size(); ++port) {
      draft.values[step.outputs[port]].desc.layout = step.candidates[step.chosen].outputs[port];
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::cpu
