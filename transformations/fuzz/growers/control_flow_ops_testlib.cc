#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

constexpr int kMaxDepth = 2;

// Declares a parameter of a body for a value of that shape: as that shape, with its rank alone, or with nothing known.
ir::PartialShape Declared(GrowingGraph& g, const Shape& shape) {
  if (g.OneIn(4)) return ir::PartialShape::DynamicRank();
  if (g.OneIn(4)) return ir::PartialShape::OfRank(static_cast<int64_t>(shape.size()));
  return shape;
}

// A body and where its parameters come from.
struct BodyPlan {
  explicit BodyPlan(GrowingGraph body) : graph(std::move(body)) {}

  // Makes a parameter that takes an outer value.
  Value Capture(GrowingGraph& outer, Value value) {
    const Value parameter = graph.Parameter(Declared(outer, outer.ShapeOf(value)), outer.Witness(value));
    captured.emplace(parameter.node, value);
    return parameter;
  }

  // Returns for each parameter the place of its value among `inputs`, to which it appends; -1 for one captured from
  // nothing. Parameters that growers made are given what they were made for.
  std::vector<int64_t> Connect(GrowingGraph& outer, std::vector<Value>* inputs) {
    std::vector<int64_t> places;
    for (const ir::NodeId id : graph.model().parameters()) {
      const auto it = captured.find(id);
      places.push_back(static_cast<int64_t>(inputs->size()));
      if (it == captured.end()) {
        inputs->push_back(outer.Constant(graph.Witness(Value{id, 0})));
      } else if (it->second.exists()) {
        inputs->push_back(it->second);
      } else {
        places.back() = -1;
      }
    }
    return places;
  }

  GrowingGraph graph;
  absl::flat_hash_map<ir::NodeId, Value> captured;
};

Value Condition(GrowingGraph& g) {
  const Shape shape = g.OneIn(2) ? Shape{} : Shape{1};
  if (g.OneIn(3)) return g.Parameter(ElementType::kBoolean, shape);
  const Value condition = g.Filled(ElementType::kBoolean, shape, static_cast<double>(g.Below(2)));
  return g.OneIn(4) ? g.Add("LogicalNot", {condition}) : condition;
}

void GrowIf(GrowingGraph& g) {
  if (g.depth() >= kMaxDepth) return;
  const int64_t outputs = g.Between(1, 2);
  std::vector<Value> captured = {g.Pick(Types::kAny), g.Pick(Types::kFloat)};
  std::vector<Value> inputs = {Condition(g)};
  std::vector<std::unique_ptr<ir::Model>> bodies;
  std::vector<int64_t> places[2];
  for (std::vector<int64_t>& body_places : places) {
    BodyPlan body(g.Body());
    std::vector<Value> own;
    for (const Value value : captured) own.push_back(body.Capture(g, value));
    body.graph.Grow(static_cast<int>(g.Below(4)));
    for (int64_t i = 0; i < outputs; ++i) {
      // Both bodies give the same type; the shape may differ.
      const ElementType type = g.TypeOf(captured[static_cast<size_t>(i)]);
      Value result = own[static_cast<size_t>(i)];
      for (const Value value : body.graph.values()) {
        if (body.graph.TypeOf(value) == type && g.OneIn(2)) result = value;
      }
      if (g.OneIn(3) && body.graph.Add("Negative", {result}).exists()) result = body.graph.Add("Negative", {result});
      body.graph.AddResult(result);
    }
    body_places = body.Connect(g, &inputs);
    bodies.push_back(body.graph.TakeModel());
  }
  g.AddAll("If", inputs, {{"then_inputs", places[0]}, {"else_inputs", places[1]}}, std::move(bodies));
}

// A loop over a state, with the trip count mostly known, at times slices of an input, and at times joined outputs.
void GrowLoop(GrowingGraph& g) {
  if (g.depth() >= kMaxDepth) return;
  const Value state = g.Pick(Types::kNumeric, 0, 3);
  const Value invariant = g.Pick(Types::kAny);
  const Value sliced = g.Pick(Types::kAny, 1, 3);
  const bool slices = g.OneIn(2);
  const int64_t axis = g.AnyAxis(g.RankOf(sliced));
  const int64_t size = g.SizeOf(sliced, axis);
  const int64_t trips = slices && (size > 0 || g.OneIn(2)) ? std::min<int64_t>(size, 4) : g.AnyOf({0, 1, 2, 3});
  std::vector<Value> inputs = {g.OneIn(4) ? g.Int(trips) : g.PlainInt(trips),
                               g.Filled(ElementType::kBoolean, {}, g.OneIn(12) ? 0 : 1)};

  BodyPlan body(g.Body());
  if (g.OneIn(2)) {
    // The number of the iteration.
    const Value first = g.PlainInt(0, g.AnyType(Types::kIndex));
    body.captured.emplace(body.graph.Parameter(ir::PartialShape(), g.Witness(first)).node, Value::None());
  }
  const Value own_state = body.Capture(g, state);
  body.Capture(g, invariant);
  Value part = Value::None();
  if (slices) {
    Shape shape = g.ShapeOf(sliced);
    shape[static_cast<size_t>(axis < 0 ? axis + g.RankOf(sliced) : axis)] = 1;
    const Value example = g.Constant(g.TypeOf(sliced), shape);
    part = body.graph.Parameter(Declared(g, shape), g.Witness(example));
    body.captured.emplace(part.node, sliced);
  }
  body.graph.Grow(static_cast<int>(g.Below(3)));
  Value next = body.graph.Add(g.AnyOf({"Add", "Multiply", "Maximum"}), {own_state, body.graph.Operand(own_state)});
  if (part.exists() && g.OneIn(2) && body.graph.TypeOf(part) == body.graph.TypeOf(own_state)) {
    next = body.graph.Add("Add", {next.exists() ? next : own_state, part});
  }
  if (!next.exists()) next = own_state;
  const Value goes_on = body.graph.Filled(ElementType::kBoolean, {}, g.OneIn(12) ? 0 : 1);
  const Value joined = part.exists() && g.OneIn(2) ? part : body.graph.Pick(Types::kAny, 1, 3);
  body.graph.AddResult(goes_on);
  body.graph.AddResult(next);
  body.graph.AddResult(joined);

  const std::vector<int64_t> places = body.Connect(g, &inputs);
  std::vector<int64_t> back_edges(places.size(), -1);
  std::vector<int64_t> slice_numbers;
  for (size_t i = 0; i < places.size(); ++i) {
    const ir::NodeId id = body.graph.model().parameters()[i];
    if (id == own_state.node) back_edges[i] = 1;
    if (part.exists() && id == part.node) {
      slice_numbers = {static_cast<int64_t>(i), axis, g.OneIn(6) ? -1 : 0, g.OneIn(6) ? -1 : 1, 1, -1};
      if (slice_numbers[3] == -1) slice_numbers = {static_cast<int64_t>(i), axis, -1, -1, 1, 0};
    }
  }
  std::vector<int64_t> output_results = {1};
  std::vector<int64_t> concatenations;
  if (g.OneIn(2)) {
    output_results.push_back(2);
    concatenations = {1, 0, g.OneIn(4) ? -1 : 1};
  }
  std::vector<std::unique_ptr<ir::Model>> bodies;
  bodies.push_back(body.graph.TakeModel());
  g.AddAll("Loop", inputs,
           {{"parameter_inputs", places},
            {"back_edges", back_edges},
            {"slices", slice_numbers},
            {"condition_result", 0},
            {"output_results", output_results},
            {"concatenations", concatenations}},
           std::move(bodies));
}

void GrowVariable(GrowingGraph& g) {
  // Bodies have no variables: they are the model's.
  if (g.depth() > 0) return;
  const Value x = g.Pick(Types::kAny, 0, 3);
  const std::string id = absl::StrCat("state", g.values().size());
  g.AddVariable(id);
  const Value old = g.Add("ReadValue", {x}, {{"variable_id", id}, {"variable_type", g.TypeOf(x)}});
  const Value next = g.TypeOf(x) == ElementType::kBoolean ? x : g.Add("Add", {old, x});
  g.Add("Assign", {next}, {{"variable_id", id}});
}

constexpr Grower kGrowers[] = {
    {"if", &GrowIf, 3},
    {"loop", &GrowLoop, 3},
    {"variable", &GrowVariable},
};

}  // namespace

absl::Span<const Grower> ControlFlowOps() { return kGrowers; }

}  // namespace burin::transformations
