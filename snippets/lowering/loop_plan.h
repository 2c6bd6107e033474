// Decides what of a body is computed and in which loops, before there are any.
//
// Use it as the first step of Lower() (lower.h), which places operations accordingly. It says for each node which loops
// it needs and in which order, not which other nodes share them. Depends on the body and the sizes that it declares,
// never on those of a run. Immutable: concurrent use is fine.
#ifndef BURIN_SNIPPETS_LOWERING_LOOP_PLAN_H_
#define BURIN_SNIPPETS_LOWERING_LOOP_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/model.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"

namespace burin::snippets {

class LoopPlan {
 public:
  // `graph` describes `body`; both outlive this. The vector axis is `vector_axis`, or where that is -1 the one along
  // which most elements are accessed side by side, the innermost of several.
  LoopPlan(const BodyGraph& graph, const ir::Model& body, int vector_axis);

  // Return how many axes there are, and along which vectors lie. A graph without axes is of one element, which is taken
  // as a row of one.
  int axis_count() const { return static_cast<int>(reductions_.size()); }
  int vector_axis() const { return vector_axis_; }
  bool one_element() const { return one_element_; }

  // Returns whether a reduction runs along the axis.
  bool IsReduced(int axis) const { return reductions_[static_cast<size_t>(axis)] != 0; }

  // Returns whether a store needs node i. What none needs is not computed.
  bool IsNeeded(int32_t i) const { return needed_[static_cast<size_t>(i)]; }

  // Returns whether node i is a product that only one sum of floats reads: it is added without being rounded first.
  bool IsSummand(int32_t i) const { return is_summand_[static_cast<size_t>(i)]; }

  // Returns the nodes whose values node i computes with: of a sum of products the factors.
  const std::vector<int32_t>& TermsOf(int32_t i) const;

  // Returns the axes along which a node's result, or what a store writes, varies.
  AxisSet AxesOf(const BodyNode& node) const;

  // Returns the axes of the loops in which a node runs, outermost first; there are none over `root_axes`.
  std::vector<int> LoopsOf(const BodyNode& node, AxisSet root_axes) const;

 private:
  void ChooseOrder(int vector_axis);
  void MarkNeeded();
  void FindSummands();

  const BodyNode& node(int32_t i) const { return graph_.nodes[static_cast<size_t>(i)]; }

  const BodyGraph& graph_;
  const ir::Model& body_;
  bool one_element_ = false;
  int vector_axis_ = 0;
  // Of each axis: how many reductions run along it. Then: the axes, outermost first.
  std::vector<int> reductions_;
  std::vector<int> order_;
  // Of each node.
  std::vector<bool> needed_;
  std::vector<bool> is_summand_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_LOOP_PLAN_H_
