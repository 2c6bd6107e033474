#include "snippets/lowering/loop_plan.h"

#include <algorithm>
#include <utility>

#include "base/element_type.h"
#include "ir/ops/op_code.h"

namespace burin::snippets {
namespace {

// What an extent that is not declared is taken for.
constexpr int64_t kTypicalExtent = 256;

}  // namespace

LoopPlan::LoopPlan(const BodyGraph& graph, const ir::Model& body, int vector_axis) : graph_(graph), body_(body) {
  ChooseOrder(vector_axis);
  MarkNeeded();
  FindSummands();
}

// Chooses the vector axis and the order of the loops.
void LoopPlan::ChooseOrder(int vector_axis) {
  std::vector<int64_t> typical = graph_.declared_extents;
  std::replace(typical.begin(), typical.end(), BodyGraph::kUndeclared, kTypicalExtent);
  if (typical.empty()) {
    typical.push_back(1);
    one_element_ = true;
  }
  const size_t count = typical.size();
  reductions_.assign(count, 0);
  std::vector<double> unit_traffic(count, 0);
  for (const BodyNode& n : graph_.nodes) {
    double elements = 1;
    for (size_t axis = 0; axis < count; ++axis) {
      if ((n.reduced & AxisBit(static_cast<int>(axis))) != 0) ++reductions_[axis];
      if ((n.axes & AxisBit(static_cast<int>(axis))) != 0) elements *= static_cast<double>(typical[axis]);
    }
    if (n.unit_axis >= 0) unit_traffic[static_cast<size_t>(n.unit_axis)] += elements;
  }
  int vector = static_cast<int>(count) - 1;
  for (int axis = vector; axis >= 0; --axis) {
    if (unit_traffic[static_cast<size_t>(axis)] > unit_traffic[static_cast<size_t>(vector)]) vector = axis;
  }
  if (vector_axis >= 0) vector = vector_axis;
  vector_axis_ = vector;
  for (int axis = 0; axis < static_cast<int>(count); ++axis) order_.push_back(axis);
  // What is never reduced lies outside, and is shared among threads; the vector axis last among its like.
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
    const auto rank = [&](int axis) {
      return std::make_pair(reductions_[static_cast<size_t>(axis)] != 0, axis == vector);
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return reductions_[static_cast<size_t>(a)] < reductions_[static_cast<size_t>(b)];
  });
}

void LoopPlan::MarkNeeded() {
  needed_.assign(graph_.nodes.size(), false);
  for (size_t i = graph_.nodes.size(); i-- > 0;) {
    if (graph_.nodes[i].kind == BodyNode::Kind::kStore) needed_[i] = true;
    if (!needed_[i]) continue;
    for (const int32_t input : graph_.nodes[i].inputs) needed_[static_cast<size_t>(input)] = true;
  }
}

void LoopPlan::FindSummands() {
  // Of each node: those that read it, once for each time.
  std::vector<std::vector<int32_t>> readers(graph_.nodes.size());
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    if (!needed_[i]) continue;
    for (const int32_t input : graph_.nodes[i].inputs) {
      readers[static_cast<size_t>(input)].push_back(static_cast<int32_t>(i));
    }
  }
  is_summand_.assign(graph_.nodes.size(), false);
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    const BodyNode& n = graph_.nodes[i];
    if (n.kind != BodyNode::Kind::kCompute || !IsFloat(n.type)) continue;
    if (body_.node(n.node).code() != ir::OpCode::kMultiply || readers[i].size() != 1) continue;
    const BodyNode& reader = node(readers[i].front());
    if (reader.kind != BodyNode::Kind::kReduce) continue;
    const ir::OpCode code = body_.node(reader.node).code();
    is_summand_[i] = code == ir::OpCode::kReduceSum || code == ir::OpCode::kReduceMean;
  }
}

const std::vector<int32_t>& LoopPlan::TermsOf(int32_t i) const {
  const BodyNode& n = node(i);
  if (n.kind == BodyNode::Kind::kReduce && IsSummand(n.inputs.front())) return node(n.inputs.front()).inputs;
  return n.inputs;
}

AxisSet LoopPlan::AxesOf(const BodyNode& node) const {
  if (one_element_ && node.kind != BodyNode::Kind::kConstant) return AxisBit(0);
  return node.axes;
}

std::vector<int> LoopPlan::LoopsOf(const BodyNode& node, AxisSet root_axes) const {
  const AxisSet axes = AxesOf(node) | node.reduced;
  const AxisSet looped = axes & ~root_axes;
  std::vector<int> loops;
  for (const int axis : order_) {
    if ((looped & ~node.reduced & AxisBit(axis)) != 0) loops.push_back(axis);
  }
  // A reduction keeps its accumulator in registers: nothing but its own axes lies inside of its loops.
  for (const int axis : order_) {
    if ((looped & node.reduced & AxisBit(axis)) != 0) loops.push_back(axis);
  }
  return loops;
}

}  // namespace burin::snippets
