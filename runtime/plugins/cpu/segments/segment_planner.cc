#include "runtime/plugins/cpu/segments/segment_planner.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/partial_shape.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "runtime/plugins/cpu/segments/node_grouping.h"

namespace burin::cpu {

namespace {

using ValueSet = absl::flat_hash_set<ir::Value>;

void AddInputs(const ir::Model& model, absl::Span<const ir::NodeId> nodes, ValueSet* values) {
  for (const ir::NodeId id : nodes) {
    for (const ir::Value& input : model.node(id).inputs()) {
      if (input.exists()) values->insert(input);
    }
  }
}

// Returns the part of a model that the graph of a segment is: what `wanted` holds of what it computes are its results.
ModelPart PartOf(const ir::Model& model, const KnownValues& known, const NodeGrouping& grouping,
                 const ValueSet& wanted) {
  ModelPart part{&model, &known, grouping.planned, {}, {}};
  ValueSet inside;
  for (const ir::NodeId id : grouping.planned) {
    for (size_t i = 0; i < known.outputs(id).size(); ++i) {
      const ir::Value value{id, static_cast<int32_t>(i)};
      inside.insert(value);
      if (wanted.contains(value) && !known.IsConstant(value)) part.results.push_back(value);
    }
  }
  ValueSet seen;
  for (const ir::NodeId id : grouping.planned) {
    for (const ir::Value& input : model.node(id).inputs()) {
      if (!input.exists() || inside.contains(input) || known.IsConstant(input)) continue;
      if (seen.insert(input).second) part.inputs.push_back(input);
    }
  }
  return part;
}

// Returns what is known of a tensor: its content too, if that is `content`.
absl::StatusOr<ir::ValueInfo> InfoOf(const ir::Tensor& tensor, bool content) {
  ir::ValueInfo info;
  info.type = tensor.element_type();
  info.shape = ir::PartialShape(tensor.shape());
  if (!content) return info;
  // The tensor is written anew by other inferences.
  BURIN_ASSIGN_OR_RETURN(info.constant, tensor.Copy());
  if (IsInteger(info.type) && tensor.shape().size() <= 1) {
    ir::PartialValue elements;
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      elements.emplace_back(LoadAsInt64(info.type, info.constant.data(), i));
    }
    info.content = std::move(elements);
  }
  return info;
}

}  // namespace

SegmentPlanner::SegmentPlanner(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes,
                               NodeContext context)
    : model_(model), nodes_(std::move(nodes)), context_(std::move(context)) {
  absl::StatusOr<std::vector<ir::NodeId>> order = model->TopologicalOrder();
  BURIN_CHECK_OK(order.status());
  order_ = *std::move(order);
  first_slot_.resize(static_cast<size_t>(model->id_bound()));
  for (const ir::NodeId id : model->NodeIds()) {
    first_slot_[static_cast<size_t>(Index(id))] = slot_count_;
    slot_count_ += static_cast<int>(model->node(id).output_count());
  }
}

absl::StatusOr<ModelPlan> SegmentPlanner::Begin(absl::Span<const ir::Shape> inputs, bool always_segments,
                                                const PlanningHelp& help) const {
  SegmentProgress progress;
  progress.done.resize(static_cast<size_t>(model_->id_bound()));
  bool recorded = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::Value value{model_->parameters()[i], 0};
    ir::ValueInfo info;
    info.type = model_->info(value).type;
    info.shape = ir::PartialShape(inputs[i]);
    recorded = recorded && info.shape == model_->info(value).shape;
    progress.given.emplace(value, std::move(info));
    progress.live.push_back(SlotOf(value));
  }
  // What a model of static shapes has recorded need not be inferred again.
  absl::StatusOr<KnownValues> known =
      recorded ? KnownValues::Recorded(*model_) : KnownValues::Infer(*model_, order_, progress.given);
  BURIN_RETURN_IF_ERROR(known.status());
  ModelPlan plan;
  if (!always_segments) {
    const NodeGrouping grouping = GroupNodes(*model_, order_, progress.done, *known);
    if (grouping.cuts.empty() && grouping.waiting.empty()) {
      BURIN_ASSIGN_OR_RETURN(ConfiguredGraph configured, Configure(WholeOf(*model_, *known)));
      for (const ir::NodeId result : model_->results()) {
        plan.outputs.push_back(known->info(model_->node(result).input(0)).shape.ToShape());
      }
      // The graph then holds the constants alone, and lets them go one by one.
      known = absl::UnknownError("");
      if (help.configured != nullptr && recorded) help.configured();
      NodeContext context = context_;
      context.team = help.team;
      BURIN_ASSIGN_OR_RETURN(plan.graph, GraphPlan::Activate(std::move(configured), context));
      return plan;
    }
  }
  BURIN_ASSIGN_OR_RETURN(plan.segment, Form(*known, std::move(progress)));
  return plan;
}

absl::StatusOr<std::shared_ptr<const Segment>> SegmentPlanner::Next(const Segment& segment,
                                                                    absl::Span<const ir::Tensor> slots) const {
  SegmentProgress progress = segment.progress;
  for (const SegmentFinding& finding : segment.findings) {
    BURIN_ASSIGN_OR_RETURN(progress.given[finding.value],
                           InfoOf(slots[static_cast<size_t>(finding.slot)], finding.content));
  }
  BURIN_ASSIGN_OR_RETURN(const KnownValues known, KnownValues::Infer(*model_, order_, progress.given));
  return Form(known, std::move(progress));
}

absl::StatusOr<ConfiguredGraph> SegmentPlanner::Configure(const ModelPart& part) const {
  const auto node_of = [this](const ir::Node& node, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return nodes_[static_cast<size_t>(Index(node.id()))];
  };
  const auto fallback_of = [](const ir::Node& node, const NodeContext&) { return MakeReferenceNode(node); };
  return ConfigureGraph(part, {node_of, context_, fallback_of});
}

absl::StatusOr<std::shared_ptr<const Segment>> SegmentPlanner::Form(const KnownValues& known,
                                                                    SegmentProgress progress) const {
  const NodeGrouping grouping = GroupNodes(*model_, order_, progress.done, known);
  auto segment = std::make_shared<Segment>();
  segment->id = next_id_.fetch_add(1, std::memory_order_relaxed);
  const auto source_of = [&](ir::Value value) {
    SegmentSource source;
    if (!value.exists()) return source;
    if (known.IsConstant(value)) {
      source.constant = known.info(value).constant;
    } else {
      source.slot = SlotOf(value);
    }
    return source;
  };

  // What is read after the cuts have run, and by them.
  ValueSet later(grouping.wanted.begin(), grouping.wanted.end());
  AddInputs(*model_, grouping.waiting, &later);
  AddInputs(*model_, model_->results(), &later);
  ValueSet wanted = later;
  AddInputs(*model_, grouping.cuts, &wanted);

  std::vector<ir::Value> fresh;
  const ModelPart part = PartOf(*model_, known, grouping, wanted);
  if (!part.results.empty()) {
    BURIN_ASSIGN_OR_RETURN(ConfiguredGraph configured, Configure(part));
    BURIN_ASSIGN_OR_RETURN(segment->graph, GraphPlan::Activate(std::move(configured), context_));
    for (const ir::Value& value : part.inputs) segment->inputs.push_back(SlotOf(value));
    for (const ir::Value& value : part.results) {
      segment->outputs.push_back({SlotOf(value), known.info(value).type, known.info(value).shape.ToShape()});
      fresh.push_back(value);
    }
  }
  for (const ir::NodeId id : grouping.planned) progress.done[static_cast<size_t>(Index(id))] = true;
  for (const ir::NodeId id : grouping.cuts) {
    progress.done[static_cast<size_t>(Index(id))] = true;
    const ir::Node& node = model_->node(id);
    Cut& cut = segment->cuts.emplace_back();
    cut.node = &node;
    for (const ir::Value& input : node.inputs()) cut.inputs.push_back(source_of(input));
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
      const ir::Value value{id, i};
      cut.outputs.push_back(SlotOf(value));
      fresh.push_back(value);
      if (known.info(value).shape.is_dynamic()) {
        segment->findings.push_back({value, SlotOf(value), /*content=*/false});
        continue;
      }
      ir::ValueInfo& info = progress.given[value];
      info.type = known.info(value).type;
      info.shape = known.info(value).shape;
    }
  }
  if (grouping.waiting.empty()) {
    segment->is_last = true;
    segment->findings.clear();
    for (const ir::NodeId result : model_->results()) {
      segment->results.push_back(source_of(model_->node(result).input(0)));
    }
    return segment;
  }
  ValueSet asked;
  for (const ir::Value& value : grouping.wanted) {
    if (asked.insert(value).second) segment->findings.push_back({value, SlotOf(value), /*content=*/true});
  }
  absl::flat_hash_set<int> kept;
  for (const ir::Value& value : later) kept.insert(SlotOf(value));
  for (const ir::Value& value : fresh) progress.live.push_back(SlotOf(value));
  std::sort(progress.live.begin(), progress.live.end());
  const auto dead = std::stable_partition(progress.live.begin(), progress.live.end(),
                                          [&kept](int slot) { return kept.contains(slot); });
  segment->released.assign(dead, progress.live.end());
  progress.live.erase(dead, progress.live.end());
  segment->progress = std::move(progress);
  return segment;
}

}  // namespace burin::cpu
