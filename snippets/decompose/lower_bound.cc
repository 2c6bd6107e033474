#include "snippets/decompose/lower_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/clamp.h"
#include "ir/ops/op_code.h"
#include "ir/tensor.h"

namespace burin::snippets {
namespace {

constexpr double kUnknown = -std::numeric_limits<double>::infinity();

// Values are looked through to this depth: a long chain costs no more, and what is known mostly is so nearby.
constexpr int kMostDepth = 8;

double SmallestOf(const ir::Tensor& tensor) {
  const absl::StatusOr<ir::Tensor> dense = tensor.ToDense();
  if (!dense.ok()) return kUnknown;
  double smallest = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < dense->element_count(); ++i) {
    smallest = std::min(smallest, LoadAsDouble(dense->element_type(), dense->data(), i));
  }
  return smallest;
}

double Bound(const ir::Model& model, ir::Value value, int depth) {
  const ir::ValueInfo& info = model.info(value);
  if (!IsFloat(info.type)) return kUnknown;
  if (info.constant.has_value()) return SmallestOf(info.constant);
  if (depth == 0) return kUnknown;
  const ir::Node& node = model.node(value.node);
  const auto of = [&](int64_t input) { return Bound(model, node.input(input), depth - 1); };
  switch (node.code()) {
    case ir::OpCode::kAbs:
    case ir::OpCode::kExp:
    case ir::OpCode::kRelu:
    case ir::OpCode::kSigmoid:
    case ir::OpCode::kSquaredDifference:
      return 0;
    case ir::OpCode::kAdd:
      return of(0) + of(1);
    case ir::OpCode::kClamp:
      return node.attributes_as<ir::ClampAttributes>().min;
    case ir::OpCode::kConvert:
    case ir::OpCode::kReduceMax:
    case ir::OpCode::kReduceMean:
    case ir::OpCode::kReduceMin:
    case ir::OpCode::kReshape:
    case ir::OpCode::kSqueeze:
    case ir::OpCode::kTranspose:
    case ir::OpCode::kUnsqueeze:
      return of(0);
    case ir::OpCode::kMaximum:
      return std::max(of(0), of(1));
    case ir::OpCode::kMinimum:
      return std::min(of(0), of(1));
    case ir::OpCode::kMultiply: {
      if (node.input(0) == node.input(1)) return 0;
      const double a = of(0);
      const double b = of(1);
      return a >= 0 && b >= 0 ? a * b : kUnknown;
    }
    case ir::OpCode::kReduceSum:
      return of(0) >= 0 ? 0 : kUnknown;
    case ir::OpCode::kSqrt:
      return std::sqrt(std::max(0.0, of(0)));
    default:
      return kUnknown;
  }
}

}  // namespace

double LowerBound(const ir::Model& model, ir::Value value) { return Bound(model, value, kMostDepth); }

}  // namespace burin::snippets
