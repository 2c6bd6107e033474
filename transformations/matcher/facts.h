// What is certain of values before the model runs: the questions that patterns and rules ask of ValueInfo.
//
// "Certain" is for every run that the symbols and intervals allow: what these functions cannot prove they deny.
// Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_MATCHER_FACTS_H_
#define BURIN_TRANSFORMATIONS_MATCHER_FACTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::transformations {

// Returns whether the two shapes are the same in every run: equal ranks, and at each place one size or one symbol.
bool MustEqual(const ir::PartialShape& a, const ir::PartialShape& b);

// Returns whether `a` says all that `b` says, or more: a rank where b has one, and at each place an interval inside b's
// and b's symbol where there is no exact size.
bool SaysAsMuchAs(const ir::PartialShape& a, const ir::PartialShape& b);

// Returns the elements of an integer value of rank 0 or 1 where all are known exactly and they are at most
// ir::kMaxPropagatedElements, else nullopt.
std::optional<std::vector<int64_t>> ExactIntegers(const ir::ValueInfo& info);

// Returns the content of a Constant, or null for any other value or none: conversions of weights that are kept are no
// Constants, though inference may know their content.
const ir::Tensor* ConstantOf(const ir::Model& model, ir::Value value);

// Returns whether `value` is the shape of `of` as ShapeOf gives it, perhaps converted to i64.
bool IsShapeOf(const ir::Model& model, ir::Value value, ir::Value of);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_MATCHER_FACTS_H_
