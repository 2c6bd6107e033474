// Constants, copies and changes of element type.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/float_conversion.h"
#include "ir/ops/bit_cast.h"
#include "ir/ops/convert.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/binding.h"
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
  const ir::Value x = node.Input(0);
  if (!node.ok() || node.TypeOf(x) == type) return node.Finish({x});
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  if (IsFloat(type) && BitWidth(type) == 8) {
    attributes->saturate = node.IntAttribute("saturate", 1) != 0;
    const auto round_mode = ParseEnum<PowerOfTwoRounding>(node.StringAttribute("round_mode", "up"));
    node.Fail(round_mode.status());
    if (round_mode.ok()) attributes->round_mode = *round_mode;
  }
  return node.Finish({node.Add(ir::ConvertOp(), {x}, std::move(attributes))});
}

// Returns the type that the attribute `to` names.
ElementType TypeFromAttribute(NodeContext& node) {
  const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(node.IntAttribute("to", 0));
  node.Fail(type.status());
  return type.ok() ? *type : ElementType::kUndefined;
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

absl::Status TranslateBitCast(NodeContext& node) {
  auto attributes = std::make_unique<ir::BitCastAttributes>();
  attributes->destination_type = TypeFromAttribute(node);
  if (attributes->destination_type == ElementType::kString) return node.Invalid("Strings have no bits to cast");
  return node.Finish({node.Add(ir::BitCastOp(), {node.Input(0)}, std::move(attributes))});
}

absl::Status TranslateCast(NodeContext& node) {
  if (node.since() >= 6) {
    const ElementType type = TypeFromAttribute(node);
    return node.ok() ? CastTo(node, type) : node.status();
  }
  const absl::StatusOr<int64_t> named = DataTypeFromName(node.StringAttribute("to", ""));
  node.Fail(named.status());
  if (!node.ok()) return node.status();
  const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(*named);
  node.Fail(type.status());
  return node.ok() ? CastTo(node, *type) : node.status();
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

absl::Status TranslateIdentity(NodeContext& node) {
  Binding binding;
  binding.container = node.ContainerInput(0);
  if (binding.container == nullptr) binding.value = node.Input(0);
  node.SetBinding(0, std::move(binding));
  return node.status();
}

}  // namespace burin::onnx
