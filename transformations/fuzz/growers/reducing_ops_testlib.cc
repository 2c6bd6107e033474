#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/attribute_values.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

void GrowReduction(GrowingGraph& g) {
  const bool logical = g.OneIn(6);
  const Value x = g.Pick(logical ? Types::kBoolean : g.OneIn(3) ? Types::kNumeric : Types::kFloat, 0, 4);
  const char* const op =
      logical ? g.AnyOf({"ReduceLogicalAnd", "ReduceLogicalOr"})
              : g.AnyOf({"ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"});
  std::vector<int64_t> axes = g.AnyAxes(g.RankOf(x));
  if (!axes.empty() && g.OneIn(3)) axes[0] -= g.RankOf(x);
  g.Add(op, {x, axes.size() == 1 && g.OneIn(2) ? g.Int(axes[0]) : g.Ints(axes)}, {{"keep_dims", g.OneIn(2)}});
}

void GrowSoftmax(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 1, 4);
  g.Add(g.AnyOf({"Softmax", "Softmax", "LogSoftmax"}), {x}, {{"axis", g.AnyAxis(g.RankOf(x))}});
}

void GrowNormalization(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 2, 4);
  const ElementType type = g.TypeOf(x);
  const int64_t channels = g.SizeOf(x, 1);
  const auto per_channel = [&] { return g.Weights(type, {channels}); };
  switch (g.Below(5)) {
    case 0:
      g.Add(
          "MVN", {x, g.Ints(g.AnyAxes(g.RankOf(x), 1))},
          {{"normalize_variance", !g.OneIn(4)}, {"eps", 1e-3}, {"eps_mode", g.AnyOf({"inside_sqrt", "outside_sqrt"})}});
      break;
    case 1:
      g.Add("NormalizeL2", {x, g.Ints(g.AnyAxes(g.RankOf(x), 1))},
            {{"eps", 1e-2}, {"eps_mode", g.AnyOf({"add", "max"})}});
      break;
    case 2:
      g.Add("LRN", {x, g.Ints({1})}, {{"size", g.AnyOf({1, 3})}, {"alpha", 0.5}});
      break;
    case 3:
      g.Add("GroupNormalization", {x, per_channel(), per_channel()},
            {{"num_groups", channels % 2 == 0 && channels > 0 ? 2 : 1}, {"epsilon", 1e-3}});
      break;
    default: {
      const Value variance = g.Add("Abs", {per_channel()});
      g.Add("BatchNormInference", {x, per_channel(), per_channel(), per_channel(), variance}, {{"epsilon", 1e-2}});
    }
  }
}

void GrowRecurrence(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const absl::string_view op = g.AnyOf({"RNNSequence", "GRUSequence", "LSTMSequence"});
  const bool both = g.OneIn(3);
  const int64_t batch = g.Between(1, 2);
  const int64_t steps = g.Between(1, 3);
  const int64_t inputs = g.AnySize();
  const int64_t hidden = g.Between(1, 3);
  const int64_t directions = both ? 2 : 1;
  const int64_t gates = op == "LSTMSequence" ? 4 : op == "GRUSequence" ? 3 : 1;
  const bool linear_before_reset = gates == 3 && g.OneIn(2);
  const Shape state = {batch, directions, hidden};
  std::vector<int64_t> lengths(static_cast<size_t>(batch));
  for (int64_t& length : lengths) length = g.OneIn(2) ? steps : g.Below(steps + 1);
  std::vector<Value> operands = {g.Like(type, {batch, steps, inputs}), g.Like(type, state)};
  if (gates == 4) operands.push_back(g.Like(type, state));
  operands.push_back(g.Ints(lengths));
  operands.push_back(g.Weights(type, {directions, gates * hidden, inputs}));
  operands.push_back(g.Weights(type, {directions, gates * hidden, hidden}));
  operands.push_back(g.Constant(type, {directions, (gates + (linear_before_reset ? 1 : 0)) * hidden}));
  std::vector<AttributeValue> attributes = {{"hidden_size", hidden},
                                            {"direction", both ? "bidirectional" : g.AnyOf({"forward", "reverse"})}};
  if (gates == 3) attributes.emplace_back("linear_before_reset", linear_before_reset);
  g.AddAll(op, operands, attributes);
}

constexpr Grower kGrowers[] = {
    {"reduction", &GrowReduction, 5},
    {"softmax", &GrowSoftmax, 2},
    {"normalization", &GrowNormalization, 4},
    {"recurrence", &GrowRecurrence, 2},
};

}  // namespace

absl::Span<const Grower> ReducingOps() { return kGrowers; }

}  // namespace burin::transformations
