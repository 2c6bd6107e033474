#include "ir/ops/op_testlib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/evaluate_op.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

Tensor NewTensor(ElementType type, const Shape& shape, size_t value_count) {
  absl::StatusOr<Tensor> tensor = Tensor::CreateZeroed(type, shape);
  BURIN_CHECK(tensor.ok()) << tensor.status().ToString();
  BURIN_CHECK(tensor->element_count() == static_cast<int64_t>(value_count))
      << value_count << " values for shape " << ToString(shape);
  return *std::move(tensor);
}

// Expects the same type and shape; returns whether they are, and the dense bytes of both.
bool SameForm(const Tensor& actual, const Tensor& expected, Tensor* dense_actual, Tensor* dense_expected) {
  EXPECT_EQ(actual.has_value(), expected.has_value());
  if (!actual.has_value() || !expected.has_value()) return false;
  EXPECT_EQ(actual.element_type(), expected.element_type());
  EXPECT_EQ(actual.shape(), expected.shape());
  if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) return false;
  absl::StatusOr<Tensor> a = actual.ToDense();
  absl::StatusOr<Tensor> e = expected.ToDense();
  BURIN_CHECK(a.ok() && e.ok()) << "no memory for a dense copy";
  *dense_actual = *std::move(a);
  *dense_expected = *std::move(e);
  return true;
}

}  // namespace

Tensor FloatTensor(ElementType type, const Shape& shape, const std::vector<double>& values) {
  Tensor tensor = NewTensor(type, shape, values.size());
  StoreRangeFromDouble(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

Tensor IntTensor(ElementType type, const Shape& shape, const std::vector<int64_t>& values) {
  Tensor tensor = NewTensor(type, shape, values.size());
  StoreRangeFromInt64(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

Tensor F64(const Shape& shape, const std::vector<double>& values) {
  return FloatTensor(ElementType::kF64, shape, values);
}
Tensor F32(const Shape& shape, const std::vector<double>& values) {
  return FloatTensor(ElementType::kF32, shape, values);
}
Tensor F16(const Shape& shape, const std::vector<double>& values) {
  return FloatTensor(ElementType::kF16, shape, values);
}
Tensor BF16(const Shape& shape, const std::vector<double>& values) {
  return FloatTensor(ElementType::kBf16, shape, values);
}
Tensor I64(const Shape& shape, const std::vector<int64_t>& values) {
  return IntTensor(ElementType::kI64, shape, values);
}
Tensor I32(const Shape& shape, const std::vector<int64_t>& values) {
  return IntTensor(ElementType::kI32, shape, values);
}
Tensor I8(const Shape& shape, const std::vector<int64_t>& values) { return IntTensor(ElementType::kI8, shape, values); }
Tensor U8(const Shape& shape, const std::vector<int64_t>& values) { return IntTensor(ElementType::kU8, shape, values); }
Tensor Bool(const Shape& shape, const std::vector<int64_t>& values) {
  return IntTensor(ElementType::kBoolean, shape, values);
}

Tensor Scalar(ElementType type, double value) { return FloatTensor(type, {}, {value}); }

std::vector<double> Doubles(const Tensor& tensor) {
  absl::StatusOr<Tensor> dense = tensor.ToDense();
  BURIN_CHECK(dense.ok()) << dense.status().ToString();
  std::vector<double> values(static_cast<size_t>(dense->element_count()));
  LoadRangeAsDouble(dense->element_type(), dense->data(), 0, dense->element_count(), values.data());
  return values;
}

std::vector<int64_t> Ints(const Tensor& tensor) {
  absl::StatusOr<Tensor> dense = tensor.ToDense();
  BURIN_CHECK(dense.ok()) << dense.status().ToString();
  std::vector<int64_t> values(static_cast<size_t>(dense->element_count()));
  LoadRangeAsInt64(dense->element_type(), dense->data(), 0, dense->element_count(), values.data());
  return values;
}

ValueInfo Known(ElementType type, const PartialShape& shape) {
  ValueInfo info;
  info.type = type;
  info.shape = shape;
  return info;
}

ValueInfo Constant(const Tensor& tensor) {
  ValueInfo info = Known(tensor.element_type(), tensor.shape());
  info.constant = tensor;
  const ElementType type = tensor.element_type();
  if (IsInteger(type) && tensor.shape().size() <= 1 && tensor.element_count() <= kMaxPropagatedElements) {
    info.content.emplace();
    for (const int64_t value : Ints(tensor)) info.content->push_back(value);
  }
  return info;
}

ValueInfo Partial(const PartialValue& content) {
  ValueInfo info = Known(ElementType::kI64, {static_cast<int64_t>(content.size())});
  info.content = content;
  return info;
}

ValueInfo PartialScalar(const Dimension& content) {
  ValueInfo info = Known(ElementType::kI64, {});
  info.content = PartialValue{content};
  return info;
}

absl::StatusOr<std::vector<ValueInfo>> Infer(const OpDef& op, const Attributes& attributes,
                                             const std::vector<ValueInfo>& inputs) {
  std::vector<const ValueInfo*> pointers;
  for (const ValueInfo& info : inputs) pointers.push_back(info.type == ElementType::kUndefined ? nullptr : &info);
  return InferOp(op, attributes, pointers);
}

absl::StatusOr<ValueInfo> InferOne(const OpDef& op, const Attributes& attributes,
                                   const std::vector<ValueInfo>& inputs) {
  absl::StatusOr<std::vector<ValueInfo>> outputs = Infer(op, attributes, inputs);
  if (!outputs.ok()) return outputs.status();
  BURIN_CHECK(outputs->size() == 1u) << outputs->size() << " outputs, expected one";
  return std::move(outputs->front());
}

absl::StatusOr<std::vector<Tensor>> EvaluateAll(const OpDef& op, const Attributes& attributes,
                                                const std::vector<Tensor>& inputs) {
  return EvaluateOp(op, attributes, inputs);
}

absl::StatusOr<Tensor> Evaluate(const OpDef& op, const Attributes& attributes, const std::vector<Tensor>& inputs) {
  absl::StatusOr<std::vector<Tensor>> outputs = EvaluateOp(op, attributes, inputs);
  if (!outputs.ok()) return outputs.status();
  BURIN_CHECK(outputs->size() == 1u) << outputs->size() << " outputs, expected one";
  return std::move(outputs->front());
}

void ExpectInferFails(const OpDef& op, const Attributes& attributes, const std::vector<ValueInfo>& inputs,
                      const std::string& label) {
  EXPECT_THAT(Infer(op, attributes, inputs), StatusIs(absl::StatusCode::kInvalidArgument, ::testing::HasSubstr(label)));
}

void ExpectEvaluates(const OpDef& op, const Attributes& attributes, const std::vector<Tensor>& inputs,
                     const Tensor& expected, double relative, double absolute) {
  const absl::StatusOr<Tensor> output = Evaluate(op, attributes, inputs);
  ASSERT_OK(output);
  if (relative == 0 && absolute == 0) {
    ExpectTensorEq(*output, expected);
  } else {
    ExpectTensorNear(*output, expected, relative, absolute);
  }
}

void ExpectTensorEq(const Tensor& actual, const Tensor& expected) {
  Tensor a;
  Tensor e;
  if (!SameForm(actual, expected, &a, &e)) return;
  if (BitwiseEqual(a, e)) return;
  const ElementType type = a.element_type();
  for (int64_t i = 0; i < a.element_count(); ++i) {
    if (!IsFloat(type)) {
      EXPECT_EQ(LoadAsInt64(type, a.data(), i), LoadAsInt64(type, e.data(), i)) << "element " << i;
      continue;
    }
    const double x = LoadAsDouble(type, a.data(), i);
    const double y = LoadAsDouble(type, e.data(), i);
    if (std::isnan(x) && std::isnan(y)) continue;
    EXPECT_TRUE(x == y && std::signbit(x) == std::signbit(y)) << "element " << i << ": " << x << ", expected " << y;
  }
}

void ExpectTensorNear(const Tensor& actual, const Tensor& expected, double relative, double absolute) {
  Tensor a;
  Tensor e;
  if (!SameForm(actual, expected, &a, &e)) return;
  const ElementType type = a.element_type();
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const double x = LoadAsDouble(type, a.data(), i);
    const double y = LoadAsDouble(type, e.data(), i);
    if (std::isnan(y) || std::isinf(y)) {
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << "element " << i << ": " << x << ", expected " << y;
    } else {
      EXPECT_LE(std::fabs(x - y), absolute + relative * std::fabs(y))
          << "element " << i << ": " << x << ", expected " << y;
    }
  }
}

}  // namespace burin::ir
