// Builds tensors and runs operations in the tests of ir/ops.
//
// For tests only. A builder that gets a number of values other than the shape's element count aborts: that is a mistake
// in the test. Stateless, hence thread-safe.
//
//   ASSERT_OK_AND_ASSIGN(Tensor sum, Evaluate(AddOp(), BinaryAttributes(), {F32({2}, {1, 2}), F32({}, {10})}));
//   ExpectTensorEq(sum, F32({2}, {11, 12}));
#ifndef BURIN_IR_OPS_OP_TESTLIB_H_
#define BURIN_IR_OPS_OP_TESTLIB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {

// Returns a dense tensor of any element type, packed ones included. FloatTensor rounds each value to the type as
// base/element_access.h says; IntTensor wraps integers modulo 2^bits and is exact for 64-bit values.
Tensor FloatTensor(ElementType type, const Shape& shape, const std::vector<double>& values);
Tensor IntTensor(ElementType type, const Shape& shape, const std::vector<int64_t>& values);

// Return a dense tensor of one type.
Tensor F64(const Shape& shape, const std::vector<double>& values);
Tensor F32(const Shape& shape, const std::vector<double>& values);
Tensor F16(const Shape& shape, const std::vector<double>& values);
Tensor BF16(const Shape& shape, const std::vector<double>& values);
Tensor I64(const Shape& shape, const std::vector<int64_t>& values);
Tensor I32(const Shape& shape, const std::vector<int64_t>& values);
Tensor I8(const Shape& shape, const std::vector<int64_t>& values);
Tensor U8(const Shape& shape, const std::vector<int64_t>& values);
Tensor Bool(const Shape& shape, const std::vector<int64_t>& values);

// Returns a one-element tensor of shape [].
Tensor Scalar(ElementType type, double value);

// Returns the elements as double or int64 (base/element_access.h has the rules of conversion).
std::vector<double> Doubles(const Tensor& tensor);
std::vector<int64_t> Ints(const Tensor& tensor);

// Returns a value of known type and shape (as far as the shape says) and unknown content.
ValueInfo Known(ElementType type, const PartialShape& shape);
// Returns a value whose content is known exactly.
ValueInfo Constant(const Tensor& tensor);
// Returns a rank-1 value of type i64 whose elements are known as far as `content` says.
ValueInfo Partial(const PartialValue& content);
// Returns a rank-0 value of type i64 whose element is known as far as `content` says.
ValueInfo PartialScalar(const Dimension& content);

// Infers the outputs by InferOp; a ValueInfo of type kUndefined stands for an absent input.
absl::StatusOr<std::vector<ValueInfo>> Infer(const OpDef& op, const Attributes& attributes,
                                             const std::vector<ValueInfo>& inputs);
// As Infer, for an op with one output.
absl::StatusOr<ValueInfo> InferOne(const OpDef& op, const Attributes& attributes, const std::vector<ValueInfo>& inputs);

// Evaluates an op of one output by EvaluateOp; an empty tensor stands for an absent input.
absl::StatusOr<Tensor> Evaluate(const OpDef& op, const Attributes& attributes, const std::vector<Tensor>& inputs);
// As Evaluate, for an op of any number of outputs.
absl::StatusOr<std::vector<Tensor>> EvaluateAll(const OpDef& op, const Attributes& attributes,
                                                const std::vector<Tensor>& inputs);

// Expects that inference fails with InvalidArgument and a message that contains `label` ("Softmax_c1").
void ExpectInferFails(const OpDef& op, const Attributes& attributes, const std::vector<ValueInfo>& inputs,
                      const std::string& label);

// Expects that the op, of one output, evaluates to `expected`: ExpectTensorEq, or ExpectTensorNear where a tolerance is
// given.
void ExpectEvaluates(const OpDef& op, const Attributes& attributes, const std::vector<Tensor>& inputs,
                     const Tensor& expected, double relative = 0, double absolute = 0);

// Expect the same type, shape and element bits. NaNs count as equal where both are NaN, whatever their bits.
void ExpectTensorEq(const Tensor& actual, const Tensor& expected);
// Expects the same type and shape, and elements within `absolute` + `relative` * |expected|; NaN and infinity must
// agree.
void ExpectTensorNear(const Tensor& actual, const Tensor& expected, double relative, double absolute = 0);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_OP_TESTLIB_H_
