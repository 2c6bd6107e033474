#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Value;

// Two expressions that are equal, or nearly.
void GrowEqualExpressions(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat);
  const Value y = g.Operand(x);
  const char* const op = g.AnyOf({"Add", "Multiply", "Subtract", "Divide", "Maximum"});
  const Value first = g.Add(op, {x, y});
  const Value second = g.OneIn(3) ? g.Add(op, {y, x}) : g.Add(op, {x, y});
  const char* const activation = g.AnyOf({"Relu", "Tanh", "Abs"});
  const Value left = g.Add(activation, {first});
  const Value right = g.OneIn(4) ? g.Add("Sigmoid", {second}) : g.Add(activation, {second});
  g.Add(g.AnyOf({"Add", "Subtract", "Equal"}), {left, right});
}

// Equal constants, as exporters write them once per use.
void GrowEqualConstants(GrowingGraph& g) {
  const Value x = g.Pick(Types::kNumeric);
  const double number = static_cast<double>(g.Between(0, 3));
  const Value first = g.Add("Add", {x, g.Scalar(g.TypeOf(x), number)});
  g.Add("Multiply", {first, g.Scalar(g.TypeOf(x), number)});
  g.Add("Add", {x, g.Scalar(g.TypeOf(x), number)});
}

// A few nodes that nobody reads.
void GrowUnread(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat);
  g.Add("Relu", {g.Add("Exp", {x})});
}

// One value read in many ways.
void GrowManyReaders(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny);
  if (g.OneIn(2)) g.AddResult(x);
  g.Add("ShapeOf", {x});
  g.Add("Convert", {x}, {{"destination_type", g.AnyType(Types::kAny)}});
  if (g.RankOf(x) > 0) g.Add("Transpose", {x, g.PlainInts(g.AnyOrder(g.RankOf(x)))});
  g.Add("Reshape", {x, g.Ints({-1})});
  g.Add("Add", {x, x});
}

// A choice whose condition is known.
void GrowKnownSelect(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny);
  g.Add("Select", {g.Scalar(ElementType::kBoolean, static_cast<double>(g.Below(2))), x, g.Operand(x)});
}

constexpr Grower kGrowers[] = {
    {"equal expressions", &GrowEqualExpressions, 3},
    {"equal constants", &GrowEqualConstants, 2},
    {"unread", &GrowUnread},
    {"many readers", &GrowManyReaders, 2},
    {"known select", &GrowKnownSelect},
};

}  // namespace

absl::Span<const Grower> GraphMotifs() { return kGrowers; }

}  // namespace burin::transformations
