// Writes a formula in place of a node: the edit that a decomposition makes, in terms of arithmetic.
//
// The formula computes in the node's own element type, or in f32 where that is a narrower float: inputs are converted
// as they are read, and the result once at the end. Not for edits that keep the node. Not thread-safe.
//
//   Formula f(model, node);
//   const Value x = f.Input(0);
//   const Value e = f.Apply(ExpOp(), {f.Apply(SubtractOp(), {x, f.Reduce(ReduceMaxOp(), x, axes)})});
//   return f.ReplaceWith(f.Apply(DivideOp(), {e, f.Reduce(ReduceSumOp(), e, axes)}));
#ifndef BURIN_SNIPPETS_DECOMPOSE_FORMULA_H_
#define BURIN_SNIPPETS_DECOMPOSE_FORMULA_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/rewrite.h"

namespace burin::snippets {

class Formula {
 public:
  // Starts a formula for output 0 of `node`, whose element type is that of its input 0. Both outlive the formula.
  Formula(const ir::Model& model, const ir::Node& node);

  // Returns the element type that the formula computes in.
  ElementType type() const { return type_; }

  // Returns input `i` of the node in the type of the formula.
  ir::Value Input(int64_t i);
  // Returns a value of the node's type in the type of the formula.
  ir::Value Widen(ir::Value value);
  // Returns the value, which has type `from`, in type `to`: itself where they are the same.
  ir::Value Convert(ir::Value value, ElementType from, ElementType to);

  // Returns a constant of rank 0, rounded to the type of the formula.
  ir::Value Number(double value);
  // As Number, for what is added to a sum of squares lest its root be 0: an `epsilon` above 0 stays above 0.
  ir::Value Epsilon(double epsilon);
  // Returns a constant list of i64, for axes and patterns.
  ir::Value Integers(absl::Span<const int64_t> values);

  // Adds an operation of one output.
  ir::Value Apply(const ir::OpDef& op, std::vector<ir::Value> inputs,
                  std::unique_ptr<ir::Attributes> attributes = nullptr);
  // Adds a reduction that keeps the reduced dimensions; over no axes, nothing. Axes are sorted and not negative.
  ir::Value Reduce(const ir::OpDef& op, ir::Value value, absl::Span<const int64_t> axes);
  // Drop and insert dimensions of extent 1; nothing for no axes. Axes are those of the longer shape.
  ir::Value Squeeze(ir::Value value, absl::Span<const int64_t> axes);
  ir::Value Unsqueeze(ir::Value value, absl::Span<const int64_t> axes);

  // Returns the edit that makes the node's readers read `value`, which has the type of the formula, rounded to the
  // node's own type.
  ir::Patch ReplaceWith(ir::Value value) &&;
  // As ReplaceWith, for a value that has the node's type already.
  ir::Patch ReplaceWithFinished(ir::Value value) &&;
  // Returns the edit that makes these inputs alone read `value`, which has the node's type.
  ir::Patch RewireTo(absl::Span<const ir::Use> uses, ir::Value value) &&;
  // Returns the value in the node's own type.
  ir::Value Narrow(ir::Value value) { return Convert(value, type_, node_type_); }

 private:
  const ir::Node& node_;
  ElementType node_type_;
  ElementType type_;
  ir::Patch patch_;
  // The constants that there are already: equal ones are one node.
  std::vector<std::pair<double, ir::Value>> numbers_;
  std::vector<std::pair<std::vector<int64_t>, ir::Value>> lists_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_FORMULA_H_
