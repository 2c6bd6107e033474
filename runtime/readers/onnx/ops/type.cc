// Constants, copies and changes of element type.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/data_type.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Before opset 6 the type is a name of TensorProto.DataType.
absl::StatusOr<int64_t> DataTypeFromName(absl::string_view name) {
  static constexpr absl::string_view kNames[] = {"UNDEFINED", "FLOAT",  "UINT8",  "INT8",   "UINT16",
                                                 "INT16",     "INT32",  "INT64",  "STRING", "BOOL",
                                                 "FLOAT16",   "DOUBLE", "UINT32", "UINT64"};
  int64_t number = 0;
  for (const absl::string_view known : kNames) {
    if (known == name) return number;
    ++number;
  }
  return absl::InvalidArgumentError(std::string("Unknown element type: ").append(name.data(), name.size()));
}

absl::Status CastTo(NodeContext& node, ElementType type) {
  if (type == ElementType::kString) return node.Unsupported("casts to strings");
  // What lies outside an 8-bit float's range saturates by default, which is how Convert works.
  if (node.IntAttribute("saturate", 1) == 0 && IsFloat(type) && BitWidth(type) == 8) {
    return node.Unsupported("casts to 8-bit floats without saturation");
  }
  if (type == ElementType::kF8E8M0 && node.StringAttribute("round_mode", "up") != "up") {
    return node.Unsupported("casts to float8e8m0 that do not round up");
  }
  return node.Finish({node.Convert(node.Input(0), type)});
}

template <class T>
ir::Tensor MakeTensor(NodeContext& node, ElementType type, const ir::Shape& shape, const T* values, size_t count) {
  const absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(type, shape);
  if (!tensor.ok()) {
    node.Fail(tensor.status());
    return ir::Tensor();
  }
  if (count > 0) std::memcpy(tensor->mutable_data(), values, count * sizeof(T));
  return *tensor;
}

}  // namespace

absl::Status TranslateCast(NodeContext& node) {
  int64_t number = 0;
  if (node.since() < 6) {
    const absl::StatusOr<int64_t> named = DataTypeFromName(node.StringAttribute("to", ""));
    if (!named.ok()) {
      node.Fail(named.status());
      return node.status();
    }
    number = *named;
  } else {
    number = node.IntAttribute("to", 0);
  }
  const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(number);
  if (!type.ok()) {
    node.Fail(type.status());
    return node.status();
  }
  return CastTo(node, *type);
}

absl::Status TranslateCastLike(NodeContext& node) { return CastTo(node, node.TypeOf(node.Input(1))); }

absl::Status TranslateConstant(NodeContext& node) {
  using Type = AttributeMessage::Type;
  if (node.HasAttribute("value")) return node.Finish({node.Constant(node.TensorAttribute("value"))});
  if (node.HasAttribute("value_float")) {
    const float value = static_cast<float>(node.FloatAttribute("value_float", 0));
    return node.Finish({node.Constant(MakeTensor(node, ElementType::kF32, {}, &value, 1))});
  }
  if (node.HasAttribute("value_int")) return node.Finish({node.Int(node.IntAttribute("value_int", 0))});
  if (const AttributeMessage* const floats = node.TypedAttribute("value_floats", Type::kFloats)) {
    const ir::Shape shape = {static_cast<int64_t>(floats->floats.size())};
    return node.Finish(
        {node.Constant(MakeTensor(node, ElementType::kF32, shape, floats->floats.data(), floats->floats.size()))});
  }
  if (node.HasAttribute("value_ints")) return node.Finish({node.Ints(node.IntsAttribute("value_ints"))});
  if (const AttributeMessage* const sparse = node.TypedAttribute("sparse_value", Type::kSparseTensor)) {
    if (sparse->sparse_tensor == nullptr) return node.Invalid("The sparse tensor is missing");
    absl::StatusOr<ir::Tensor> tensor = node.tensors().Import(*sparse->sparse_tensor);
    if (!tensor.ok()) {
      node.Fail(tensor.status());
      return node.status();
    }
    return node.Finish({node.Constant(*std::move(tensor))});
  }
  if (node.HasAttribute("value_string") || node.HasAttribute("value_strings")) return node.Unsupported("strings");
  return node.Invalid("A Constant needs one of its value attributes");
}

// The ratio has no effect: models are read for inference. The mask, where asked for, is true everywhere.
absl::Status TranslateDropout(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() >= 12 && node.HasInput(2)) {
    const std::optional<double> training = node.NumberOf(node.Input(2));
    const std::optional<double> ratio = node.HasInput(1) ? node.NumberOf(node.Input(1)) : 0.5;
    // In training nothing is dropped either where the ratio is zero.
    if (training != 0.0 && ratio != 0.0) return node.Unsupported("training mode");
  }
  if (!node.WantsOutput(1)) return node.Finish({x});
  const bool has_boolean_mask = node.since() >= 10;
  const ElementType mask_type = has_boolean_mask ? ElementType::kBoolean : node.TypeOf(x);
  return node.Finish({x, node.Broadcast(node.Scalar(mask_type, 1), node.SizesOf(x))});
}

absl::Status TranslateIdentity(NodeContext& node) { return node.Finish({node.Input(0)}); }

}  // namespace burin::onnx
