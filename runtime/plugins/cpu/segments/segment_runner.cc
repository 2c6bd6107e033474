#include "runtime/plugins/cpu/segments/segment_runner.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/ops/if.h"
#include "ir/ops/op_code.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"

namespace burin::cpu {

namespace {

using Clock = std::chrono::steady_clock;

int64_t Nanoseconds(Clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

// Tells of the steps of a graph.
class GraphObserver final : public StepObserver {
 public:
  GraphObserver(const GraphPlan& plan, SegmentObserver* observer) : plan_(plan), observer_(observer) {}
  void Ran(size_t step, int64_t nanoseconds) override { observer_->RanStep(plan_.steps()[step], nanoseconds); }

 private:
  const GraphPlan& plan_;
  SegmentObserver* const observer_;
};

// Runs an If without inferring its bodies anew, as ir::EvaluateOp() would: they are planned for these shapes.
absl::StatusOr<std::vector<ir::Tensor>> EvaluateIf(const ir::Node& node, const std::vector<ir::Tensor>& inputs,
                                                   ir::BodyRunner* bodies) {
  const auto& attributes = node.attributes_as<ir::IfAttributes>();
  if (inputs[0].element_count() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("If_c1: The condition is not one boolean: ", ir::ToString(inputs[0].shape())));
  }
  const bool holds = *inputs[0].data_as<uint8_t>() != 0;
  std::vector<ir::Tensor> arguments;
  for (const int64_t input : holds ? attributes.then_inputs : attributes.else_inputs) {
    arguments.push_back(inputs[static_cast<size_t>(input)]);
  }
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, bodies->Run(*node.bodies()[holds ? 0 : 1], arguments));
  const std::vector<int64_t>& taken = holds ? attributes.then_outputs : attributes.else_outputs;
  if (taken.empty()) return results;
  std::vector<ir::Tensor> outputs;
  for (const int64_t result : taken) outputs.push_back(results[static_cast<size_t>(result)]);
  return outputs;
}

const ir::Tensor& TensorOf(const SegmentSource& source, const std::vector<ir::Tensor>& slots) {
  return source.slot < 0 ? source.constant : slots[static_cast<size_t>(source.slot)];
}

}  // namespace

// Runs the bodies of an operation by segments of their own.
class SegmentRunner::Bodies final : public ir::BodyRunner {
 public:
  Bodies(SegmentRunner* runner, const SegmentRunner::Run& run) : runner_(runner), run_(run) {}

  absl::StatusOr<std::vector<ir::Tensor>> Run(const ir::Model& body, absl::Span<const ir::Tensor> inputs) override {
    std::vector<ir::Tensor> dense(inputs.size());
    std::vector<ir::Shape> shapes(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      BURIN_ASSIGN_OR_RETURN(dense[i], inputs[i].ToDense());
      shapes[i] = inputs[i].shape();
    }
    SegmentRunner::Run run = run_;
    run.plans = &run_.plans->ForBody(body);
    run.inputs = dense;
    run.observer = nullptr;
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const ModelPlan> plan, run.plans->For(shapes));
    std::vector<ir::Tensor> results;
    BURIN_RETURN_IF_ERROR(runner_->Infer(run, plan->segment, &results));
    return results;
  }

 private:
  SegmentRunner* const runner_;
  const SegmentRunner::Run& run_;
};

absl::StatusOr<std::shared_ptr<SegmentRunner::Ready>> SegmentRunner::ReadyFor(
    const std::shared_ptr<const Segment>& segment) {
  const auto found = ready_of_.find(segment.get());
  if (found != ready_of_.end()) {
    if (found->second != ready_.begin()) ready_.splice(ready_.begin(), ready_, found->second);
    return ready_.front();
  }
  auto ready = std::make_shared<Ready>();
  ready->segment = segment;
  if (segment->graph != nullptr) {
    BURIN_ASSIGN_OR_RETURN(ready->graph, ReadyGraph::Create(segment->graph, arena_));
  }
  for (const SegmentOutput& output : segment->outputs) ready->pools.emplace_back(output.type, output.shape);
  ready->inputs.resize(segment->inputs.size());
  ready->outputs.resize(segment->outputs.size());
  ready_.push_front(ready);
  ready_of_.emplace(segment.get(), ready_.begin());
  Forget();
  return ready;
}

// Lets go of what was used longest ago, as long as there is too much.
void SegmentRunner::Forget() {
  while (ready_.size() > 1 && (ready_.size() > kMostReady || bytes_ > kMostBytes)) {
    bytes_ -= ready_.back()->bytes;
    ready_of_.erase(ready_.back()->segment.get());
    ready_.pop_back();
    arena_->Trim();
  }
}

absl::Status SegmentRunner::RunGraph(const Run& run, Ready& ready, std::vector<ir::Tensor>& slots) {
  const Segment& segment = *ready.segment;
  for (size_t i = 0; i < segment.inputs.size(); ++i) {
    ready.inputs[i] = slots[static_cast<size_t>(segment.inputs[i])].data();
  }
  int64_t bytes = segment.graph->bytes();
  for (size_t i = 0; i < segment.outputs.size(); ++i) {
    ir::Tensor& tensor = slots[static_cast<size_t>(segment.outputs[i].slot)];
    BURIN_ASSIGN_OR_RETURN(tensor, ready.pools[i].Take());
    ready.outputs[i] = tensor.mutable_data();
    bytes += ready.pools[i].bytes();
  }
  if (ready_of_.contains(&segment)) {
    bytes_ += bytes - ready.bytes;
    ready.bytes = bytes;
  }
  ReadyGraph::Run graph_run;
  graph_run.inputs = ready.inputs;
  graph_run.outputs = ready.outputs;
  graph_run.team = run.team;
  graph_run.cancelled = run.cancelled;
  if (run.observer == nullptr) return ready.graph->InferStatic(graph_run);
  GraphObserver observer(*segment.graph, run.observer);
  graph_run.observer = &observer;
  return ready.graph->InferStatic(graph_run);
}

absl::Status SegmentRunner::RunCut(const Run& run, const Cut& cut, std::vector<ir::Tensor>& slots) {
  const ir::Node& node = *cut.node;
  const Clock::time_point before = run.observer != nullptr ? Clock::now() : Clock::time_point();
  std::vector<ir::Tensor> inputs;
  inputs.reserve(cut.inputs.size());
  for (const SegmentSource& source : cut.inputs) inputs.push_back(TensorOf(source, slots));
  ir::HeapScratchAllocator scratch;
  Bodies bodies(this, run);
  ir::ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.cancelled = run.cancelled;
  environment.body_runner = &bodies;
  environment.variables = run.variables;
  absl::StatusOr<std::vector<ir::Tensor>> outputs =
      node.code() == ir::OpCode::kIf ? EvaluateIf(node, inputs, &bodies)
                                     : ir::EvaluateOp(node.op(), node.attributes(), inputs, environment, node.bodies());
  if (!outputs.ok()) {
    return WithContext(outputs.status(), absl::StrCat("Node '", node.name(), "' (", node.op().name, ")"));
  }
  for (size_t i = 0; i < cut.outputs.size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(slots[static_cast<size_t>(cut.outputs[i])], (*outputs)[i].ToDense());
  }
  if (run.observer != nullptr) run.observer->RanCut(node, Nanoseconds(Clock::now() - before));
  return absl::OkStatus();
}

absl::Status SegmentRunner::RunSegments(const Run& run, const std::shared_ptr<const Segment>& first, Frame& frame,
                                        std::vector<ir::Tensor>* results) {
  std::shared_ptr<const Segment> segment = first;
  while (true) {
    if (segment->graph != nullptr) {
      // Held, because bodies may make the runner forget it.
      BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Ready> ready, ReadyFor(segment));
      BURIN_RETURN_IF_ERROR(RunGraph(run, *ready, frame.slots));
    }
    for (const Cut& cut : segment->cuts) BURIN_RETURN_IF_ERROR(RunCut(run, cut, frame.slots));
    if (segment->is_last) break;
    BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const Segment> next, run.plans->Next(*segment, frame.slots, &frame.key));
    for (const int slot : segment->released) frame.slots[static_cast<size_t>(slot)] = ir::Tensor();
    segment = std::move(next);
  }
  results->clear();
  for (const SegmentSource& source : segment->results) results->push_back(TensorOf(source, frame.slots));
  return absl::OkStatus();
}

absl::Status SegmentRunner::Infer(const Run& run, const std::shared_ptr<const Segment>& first,
                                  std::vector<ir::Tensor>* results) {
  std::unique_ptr<Frame>& kept = frames_[run.plans];
  if (kept == nullptr) {
    kept = std::make_unique<Frame>();
    kept->slots.resize(static_cast<size_t>(run.plans->slot_count()));
  }
  // Bodies make the table grow.
  Frame& frame = *kept;
  const std::vector<ir::NodeId>& parameters = run.plans->model().parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    frame.slots[static_cast<size_t>(run.plans->SlotOf({parameters[i], 0}))] = run.inputs[i];
  }
  const absl::Status status = RunSegments(run, first, frame, results);
  for (ir::Tensor& tensor : frame.slots) tensor = ir::Tensor();
  return status;
}

}  // namespace burin::cpu
