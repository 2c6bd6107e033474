#include "snippets/fuzz/body_shrinker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/ops/op_code.h"

namespace burin::snippets {
namespace {

using ir::OpCode;

// Removes what no result needs, parameters too.
void Tidy(ShrunkBody* shrunk) {
  ir::Model& body = *shrunk->body;
  body.RemoveDeadNodes();
  const std::vector<ir::NodeId> parameters = body.parameters();
  std::vector<InputRange> ranges;
  std::vector<std::vector<int>> axes;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (body.IsRead(parameters[i])) {
      ranges.push_back(shrunk->ranges[i]);
      axes.push_back(shrunk->parameter_axes[i]);
    } else {
      body.RemoveNode(parameters[i]);
    }
  }
  shrunk->ranges = std::move(ranges);
  shrunk->parameter_axes = std::move(axes);
}

ShrunkBody Copy(const ShrunkBody& from) { return {from.body->Clone(), from.ranges, from.parameter_axes}; }

std::optional<ShrunkBody> WithoutResult(const ShrunkBody& from, size_t index) {
  if (from.body->results().size() < 2) return std::nullopt;
  ShrunkBody shrunk = Copy(from);
  shrunk.body->RemoveNode(shrunk.body->results()[index]);
  Tidy(&shrunk);
  return shrunk;
}

bool IsOperation(const ir::Node& node) {
  return node.code() != OpCode::kParameter && node.code() != OpCode::kConstant && node.code() != OpCode::kResult;
}

// Makes the readers of a node read one of its inputs, which is of its type and shape.
std::optional<ShrunkBody> WithInputInstead(const ShrunkBody& from, ir::NodeId id, int64_t input) {
  const ir::Node& node = from.body->node(id);
  const ir::ValueInfo& is = node.output(0);
  const ir::ValueInfo& taken = from.body->info(node.input(input));
  if (is.type != taken.type || !(is.shape == taken.shape)) return std::nullopt;
  ShrunkBody shrunk = Copy(from);
  shrunk.body->ReplaceUses({id, 0}, node.input(input));
  if (!shrunk.body->InferAll().ok()) return std::nullopt;
  Tidy(&shrunk);
  return shrunk;
}

// Makes the readers of a node read a new parameter. Where extents change, it is not known which its own would follow.
std::optional<ShrunkBody> WithParameterInstead(const ShrunkBody& from, ir::NodeId id) {
  for (const std::vector<int>& axes : from.parameter_axes) {
    if (std::any_of(axes.begin(), axes.end(), [](int axis) { return axis >= 0; })) return std::nullopt;
  }
  ShrunkBody shrunk = Copy(from);
  const ir::ValueInfo& info = shrunk.body->node(id).output(0);
  const absl::StatusOr<ir::Value> parameter =
      shrunk.body->AddParameter(absl::StrCat("q", ir::Index(id)), info.type, info.shape);
  if (!parameter.ok()) return std::nullopt;
  shrunk.ranges.emplace_back();
  shrunk.parameter_axes.emplace_back(static_cast<size_t>(info.shape.rank()), -1);
  shrunk.body->ReplaceUses({id, 0}, *parameter);
  if (!shrunk.body->InferAll().ok()) return std::nullopt;
  Tidy(&shrunk);
  return shrunk;
}

// Returns the candidates one step smaller than `from`, the boldest first.
std::vector<ShrunkBody> Smaller(const ShrunkBody& from) {
  std::vector<ShrunkBody> candidates;
  const auto add = [&candidates](std::optional<ShrunkBody> candidate) {
    if (candidate.has_value()) candidates.push_back(*std::move(candidate));
  };
  for (size_t i = 0; i < from.body->results().size(); ++i) add(WithoutResult(from, i));
  for (const ir::NodeId id : from.body->NodeIds()) {
    const ir::Node& node = from.body->node(id);
    if (!IsOperation(node)) continue;
    for (int64_t k = 0; k < node.input_count(); ++k) add(WithInputInstead(from, id, k));
    // The result itself stays computed.
    const ir::NodeId reader = from.body->OnlyReader({id, 0});
    if (reader != ir::NodeId::kNone && from.body->node(reader).code() == OpCode::kResult) continue;
    add(WithParameterInstead(from, id));
  }
  return candidates;
}

}  // namespace

ShrunkBody ShrinkBody(ShrunkBody body, absl::FunctionRef<bool(const ShrunkBody&)> fails) {
  ShrunkBody best = std::move(body);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (ShrunkBody& candidate : Smaller(best)) {
      if (candidate.body->node_count() > best.body->node_count() || !fails(candidate)) continue;
      // A parameter in the place of a lone operation on one leaves as many nodes, but not for ever.
      smaller = candidate.body->node_count() < best.body->node_count();
      if (!smaller) continue;
      best = std::move(candidate);
      break;
    }
  }
  return best;
}

}  // namespace burin::snippets
