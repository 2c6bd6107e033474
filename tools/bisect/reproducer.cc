#include "tools/bisect/reproducer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "tools/bisect/comparison.h"
#include "tools/bisect/cut.h"
#include "tools/bisect/difference.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::bisect {
namespace {

using Tensors = absl::flat_hash_map<ir::Value, ir::Tensor>;

// Returns sets of nodes to cut out, each larger than the one before; the whole model is not among them.
std::vector<NodeSet> PartsAround(const Finding& finding) {
  const ir::Model& before = *finding.before;
  NodeSet nodes = {finding.node};
  std::vector<NodeSet> parts;
  if (finding.after != nullptr) {
    const Difference difference = DifferenceOf(before, *finding.after);
    nodes.insert(difference.gone.begin(), difference.gone.end());
    nodes.insert(difference.changed.begin(), difference.changed.end());
    parts.push_back(nodes);
    nodes.insert(difference.rewired.begin(), difference.rewired.end());
    for (const ir::NodeId id : finding.touched) {
      if (before.Contains(id)) nodes.insert(id);
    }
  }
  if (parts.empty() || nodes.size() > parts.back().size()) parts.push_back(nodes);
  int64_t rings = 1;
  while (static_cast<int64_t>(nodes.size()) * 2 < before.node_count()) {
    const size_t size = nodes.size();
    for (int64_t i = 0; i < rings; ++i) nodes = WithRing(before, nodes);
    if (nodes.size() == size) break;
    parts.push_back(nodes);
    rings *= 2;
  }
  return parts;
}

// Evaluates the model and keeps the values that the cuts read.
absl::StatusOr<Tensors> ValuesFor(const std::vector<Cut>& cuts, const ir::Model& model,
                                  const std::vector<ir::Tensor>& inputs) {
  absl::flat_hash_set<ir::Value> wanted;
  for (const Cut& cut : cuts) wanted.insert(cut.inputs.begin(), cut.inputs.end());
  Tensors tensors;
  for (size_t i = 0; i < inputs.size(); ++i) tensors[{model.parameters()[i], 0}] = inputs[i];
  ir::RunOptions run;
  run.observer = [&](const ir::Node& node, int64_t, absl::Span<const ir::Tensor>,
                     absl::Span<const ir::Tensor> outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ir::Value value{node.id(), static_cast<int32_t>(i)};
      if (wanted.contains(value)) tensors[value] = outputs[i];
    }
  };
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(model));
  BURIN_RETURN_IF_ERROR(evaluator.Run(inputs, run).status());
  return tensors;
}

// Returns a reproducer where the pass alone shows the difference on `model`, else nullopt.
std::optional<Reproducer> Shown(std::unique_ptr<ir::Model> model, std::vector<ir::Tensor> inputs,
                                const transformations::Pass& pass, const ir::PassContext& context,
                                const BisectOptions& options) {
  absl::StatusOr<std::vector<ir::Tensor>> expected = options.reference(*model, inputs);
  if (!expected.ok()) return std::nullopt;
  if (Compare(*model, options.candidate(*model, inputs), *expected, options.bound).parts) return std::nullopt;
  const std::unique_ptr<ir::Model> rewritten = model->Clone();
  const transformations::PassGroup group = {&pass};
  transformations::CompileReport report;
  const absl::Status status = transformations::RunPasses(rewritten.get(), {group}, context, {}, &report);
  Parting parting = {true, absl::StrCat("The pass fails: ", status.message(), "\n")};
  if (status.ok()) {
    parting = Compare(*rewritten, options.candidate(*rewritten, inputs), *expected, options.bound);
  }
  if (!parting.parts) return std::nullopt;
  return Reproducer{std::move(model), std::move(inputs), *std::move(expected), parting.how, false};
}

}  // namespace

absl::StatusOr<Reproducer> Reproduce(const Finding& finding, const ir::PassContext& context,
                                     const std::vector<ir::Tensor>& inputs, const BisectOptions& options) {
  std::vector<Cut> cuts;
  for (const NodeSet& part : PartsAround(finding)) {
    // A part that cannot stand alone leaves the turn to a larger one.
    absl::StatusOr<Cut> cut = CutOut(*finding.before, part);
    if (cut.ok()) cuts.push_back(*std::move(cut));
  }
  BURIN_ASSIGN_OR_RETURN(const Tensors tensors, ValuesFor(cuts, *finding.before, inputs));
  for (Cut& cut : cuts) {
    std::vector<ir::Tensor> values;
    for (const ir::Value& value : cut.inputs) values.push_back(tensors.at(value));
    std::optional<Reproducer> shown = Shown(std::move(cut.model), std::move(values), *finding.pass, context, options);
    if (shown.has_value()) return *std::move(shown);
  }
  std::optional<Reproducer> whole = Shown(finding.before->Clone(), inputs, *finding.pass, context, options);
  if (!whole.has_value()) {
    return absl::NotFoundError(
        absl::StrCat("The pass alone shows no difference, not even on the whole model: ", finding.pass->name));
  }
  whole->is_whole = true;
  return *std::move(whole);
}

}  // namespace burin::bisect
