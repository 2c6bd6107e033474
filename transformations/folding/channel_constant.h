// What folding asks of constants that stand beside an anchor: whether they hold one number per channel, how to bring
// them to a shape, and whether their numbers may be multiplied without leaving the range of their type.
//
// An anchor is a Convolution, GroupConvolution, ConvolutionBackpropData, GroupConvolutionBackpropData or MatMul: an
// operation with a dense kernel, whose scales go into its weights and whose bias is the one Add below it. For rules
// alone. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FOLDING_CHANNEL_CONSTANT_H_
#define BURIN_TRANSFORMATIONS_FOLDING_CHANNEL_CONSTANT_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::transformations {

// Returns whether the operation is an anchor, or one whose weights are [C_out, ...] or [G, ...] filters.
bool IsAnchor(ir::OpCode code);
bool IsConvolution(ir::OpCode code);

// Returns the axis of an anchor's output that counts channels (filters, columns of the second matrix); nullopt where
// the rank of the output is not known or a MatMul's second input is, or may be, a vector.
std::optional<int64_t> ChannelAxis(const ir::Model& model, const ir::Node& anchor);

// Returns whether the value is a Convert of what is no float: what scales it or subtracts from it dequantises.
bool IsConvertedInteger(const ir::Model& model, ir::Value value);

// An element-wise operation of two inputs on data and a Constant.
struct WithConstant {
  const ir::Node* node = nullptr;
  ir::Value data;
  ir::Value value;
  const ir::Tensor* constant = nullptr;  // The content of `value`.
};

// Finds the Constant among the two inputs of an element-wise node: on the right, or on either side where the operation
// commutes; nullopt where there is none, or nothing else.
std::optional<WithConstant> FindConstant(const ir::Model& model, const ir::Node& node);

// Returns whether NumPy's rule makes of both Constants one that is no larger than the larger one.
bool KeepsSize(const ir::Tensor& a, const ir::Tensor& b);

// Returns the shape in which `constant` stands against data of shape `data` under the rule, with as many dimensions,
// where it holds one number or one per element of axis `axis` and certainly leaves the data's shape as it is. The rank
// of the data must be known.
std::optional<ir::Shape> PerChannelShape(const ir::BroadcastRule& rule, const ir::Shape& constant,
                                         const ir::PartialShape& data, int64_t axis);

// Adds a Reshape of `value` to `shape`, whose dimensions are not 0. ResourceExhausted where memory is denied.
absl::StatusOr<ir::Value> AddReshape(ir::Patch& patch, ir::Value value, const ir::Shape& shape);

// Returns `shape` with 1 in place of all dimensions but `axis`.
ir::Shape OnesBut(const ir::Shape& shape, int64_t axis);

// The magnitudes of a constant's elements.
struct Magnitudes {
  double largest = 0;
  double smallest_but_zero = std::numeric_limits<double>::infinity();
  bool any_zero = false;
  bool finite = true;  // Of an infinity or a NaN nothing else is told.
};

// Reads every element of a constant of a wide float type.
absl::StatusOr<Magnitudes> MagnitudesOf(const ir::Tensor& constant);

// Returns whether arithmetic of the type follows IEEE 754 with at least 16 bits.
bool IsWideFloat(ElementType type);
// Return the largest finite and the smallest normal number of such a type.
double LargestFinite(ElementType type);
double SmallestNormal(ElementType type);

// Returns whether `data` may be multiplied by any number of `factor`: both are finite, no product overflows, and the
// largest number of `data` stays normal, so that what becomes subnormal is off by less than that one's rounding.
bool MayScale(ElementType type, const Magnitudes& data, const Magnitudes& factor);
// As above for dividing by a number of `divisor`, none of which may be 0.
bool MayDivide(ElementType type, const Magnitudes& data, const Magnitudes& divisor);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FOLDING_CHANNEL_CONSTANT_H_
