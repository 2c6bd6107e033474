// Operators with sub-graphs. What a sub-graph reads of the graphs around it becomes an input of the node.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/if.h"
#include "ir/ops/loop.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/binding.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Adds the captures of a body to a node's inputs and tells which inputs its parameters take.
void AppendCaptures(const ImportedBody& body, std::vector<ir::Value>* inputs, std::vector<int64_t>* port_map) {
  for (const ir::Value capture : body.captures) {
    port_map->push_back(static_cast<int64_t>(inputs->size()));
    inputs->push_back(capture);
  }
}

ir::ValueInfo TypeAndShape(ElementType type, ir::PartialShape shape) {
  ir::ValueInfo info;
  info.type = type;
  info.shape = std::move(shape);
  return info;
}

const ir::ValueInfo& InfoOfResult(const ir::Model& body, size_t result) {
  return body.info(body.node(body.results()[result]).input(0));
}

// Imports the body of a loop so that the values carried from one iteration to the next keep within the shapes that the
// body was imported for: those of the first iteration where the body keeps them, else ones that cover what it makes of
// them.
absl::StatusOr<ImportedBody> ImportLoopBody(NodeContext& node, const GraphMessage& graph) {
  std::vector<ir::ValueInfo> inputs = {TypeAndShape(ElementType::kI64, ir::PartialShape()),
                                       TypeAndShape(ElementType::kBoolean, ir::PartialShape())};
  const size_t carried = static_cast<size_t>(node.input_count()) - 2;
  for (size_t i = 0; i < carried; ++i) {
    const ir::Value value = node.Input(static_cast<int64_t>(i) + 2);
    inputs.push_back(TypeAndShape(node.TypeOf(value), node.ShapeOf(value)));
  }
  if (!node.ok()) return node.status();
  for (int attempt = 0;; ++attempt) {
    absl::StatusOr<ImportedBody> body = node.bodies().ImportBody(graph, inputs);
    if (!body.ok()) return body.status();
    if (body->model->results().size() < 1 + carried) {
      return absl::InvalidArgumentError("The body of a Loop has too few outputs");
    }
    bool is_stable = true;
    for (size_t i = 0; i < carried; ++i) {
      const ir::PartialShape& result = InfoOfResult(*body->model, 1 + i).shape;
      const ir::PartialShape cover = ir::Hull(inputs[2 + i].shape, result);
      if (cover == inputs[2 + i].shape) continue;
      is_stable = false;
      // Shapes that keep growing end with nothing known.
      inputs[2 + i].shape = attempt == 0 ? cover : ir::PartialShape::DynamicRank();
    }
    if (is_stable) return body;
  }
}

// Puts an axis in front of what each iteration adds to an output.
absl::Status AddScanAxes(NodeContext& node, size_t first_scan, ir::Model* body) {
  GraphBuilder builder(body, &node.budget(), node.name(), node.name());
  const std::vector<ir::NodeId> results = body->results();
  for (size_t i = first_scan; i < results.size(); ++i) {
    const ir::Value slice = builder.Unsqueeze(body->node(results[i]).input(0), {0});
    if (!builder.ok()) return builder.status();
    body->SetInput(ir::Use{results[i], 0}, slice);
  }
  return body->InferAll();
}

// Makes a branch part of the graph around it.
absl::Status TakeBranch(NodeContext& node, const GraphMessage& branch) {
  absl::StatusOr<std::vector<Binding>> outputs = node.bodies().InlineBody(branch, {}, node.name());
  if (!outputs.ok()) {
    node.Fail(outputs.status());
    return node.status();
  }
  for (size_t i = 0; i < outputs->size(); ++i) node.SetBinding(static_cast<int64_t>(i), std::move((*outputs)[i]));
  return node.status();
}

}  // namespace

// Where the condition is known, the branch that is not taken need not even be supported.
absl::Status TranslateIf(NodeContext& node) {
  const GraphMessage* const branches[] = {node.GraphAttribute("then_branch"), node.GraphAttribute("else_branch")};
  if (!node.ok()) return node.status();
  if (const std::optional<double> condition = node.NumberOf(node.Input(0))) {
    return TakeBranch(node, *branches[*condition != 0 ? 0 : 1]);
  }
  auto attributes = std::make_unique<ir::IfAttributes>();
  std::vector<ir::Value> inputs = {node.Input(0)};
  std::vector<std::unique_ptr<ir::Model>> bodies;
  for (int i = 0; i < 2; ++i) {
    absl::StatusOr<ImportedBody> body = node.bodies().ImportBody(*branches[i], {});
    if (!body.ok()) {
      node.Fail(body.status());
      return node.status();
    }
    AppendCaptures(*body, &inputs, i == 0 ? &attributes->then_inputs : &attributes->else_inputs);
    bodies.push_back(std::move(body->model));
  }
  return node.Finish(node.AddAll(ir::IfOp(), std::move(inputs), std::move(attributes), std::move(bodies)));
}

// The body takes the iteration's number, the condition and the carried values, and gives the condition, the carried
// values, and what is appended to each scan output.
absl::Status TranslateLoop(NodeContext& node) {
  if (node.input_count() < 2) return node.Invalid("Loop needs a trip count and a condition, which may be absent");
  const GraphMessage* const graph = node.GraphAttribute("body");
  if (!node.ok()) return node.status();
  absl::StatusOr<ImportedBody> body = ImportLoopBody(node, *graph);
  if (!body.ok()) {
    node.Fail(body.status());
    return node.status();
  }
  const size_t carried = static_cast<size_t>(node.input_count()) - 2;
  // Without a trip count the condition alone ends the loop.
  const ir::Value trip_count = node.HasInput(0) ? node.ToScalar(node.Input(0)) : node.Int(-1);
  const ir::Value condition = node.HasInput(1) ? node.ToScalar(node.Input(1)) : node.Scalar(ElementType::kBoolean, 1);
  auto attributes = std::make_unique<ir::LoopAttributes>();
  std::vector<ir::Value> inputs = {trip_count, condition, condition};
  attributes->parameter_inputs = {-1, 2};
  attributes->back_edges = {-1, 0};
  for (size_t i = 0; i < carried; ++i) {
    attributes->parameter_inputs.push_back(static_cast<int64_t>(inputs.size()));
    attributes->back_edges.push_back(static_cast<int64_t>(1 + i));
    inputs.push_back(node.Input(static_cast<int64_t>(i) + 2));
  }
  AppendCaptures(*body, &inputs, &attributes->parameter_inputs);
  attributes->back_edges.resize(attributes->parameter_inputs.size(), -1);
  attributes->condition_result = 0;
  const size_t results = body->model->results().size();
  for (size_t i = 1; i < results; ++i) {
    attributes->output_results.push_back(static_cast<int64_t>(i));
    if (i <= carried) continue;
    for (const int64_t number : {static_cast<int64_t>(i) - 1, int64_t{0}, int64_t{1}}) {
      attributes->concatenations.push_back(number);
    }
  }
  if (!node.ok()) return node.status();
  const absl::Status scanned = AddScanAxes(node, 1 + carried, body->model.get());
  if (!scanned.ok()) {
    node.Fail(scanned);
    return node.status();
  }
  std::vector<std::unique_ptr<ir::Model>> bodies;
  bodies.push_back(std::move(body->model));
  return node.Finish(node.AddAll(ir::LoopOp(), std::move(inputs), std::move(attributes), std::move(bodies)));
}

}  // namespace burin::onnx
