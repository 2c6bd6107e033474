#include "runtime/readers/onnx/message/value_message.h"

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/message/field_decoding.h"
#include "runtime/readers/onnx/message/wire_reader.h"

namespace burin::onnx {
namespace {

absl::Status DecodeInto(absl::string_view bytes, DimensionMessage* dim) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) {
      dim->kind = DimensionMessage::Kind::kValue;
      BURIN_RETURN_IF_ERROR(SetInt("Dimension", field, &dim->value));
    } else if (field.number == 2) {
      dim->kind = DimensionMessage::Kind::kSymbol;
      BURIN_RETURN_IF_ERROR(SetString("Dimension", field, &dim->symbol));
    }
  }
  return absl::OkStatus();
}

absl::Status DecodeShape(absl::string_view bytes, ReadBudget* budget, TypeMessage* type) {
  type->has_shape = true;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number != 1) continue;
    BURIN_RETURN_IF_ERROR(RequireBytes("TensorShapeProto", field));
    BURIN_ASSIGN_OR_RETURN(DimensionMessage * dim, Append(budget, &type->dims));
    BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, dim));
  }
  return absl::OkStatus();
}

absl::Status DecodeTensorType(absl::string_view bytes, ReadBudget* budget, TypeMessage* type) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetInt("TypeProto", field, &type->element_type));
    if (field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes("TypeProto", field));
      BURIN_RETURN_IF_ERROR(DecodeShape(field.bytes, budget, type));
    }
  }
  return absl::OkStatus();
}

absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, TypeMessage* type) {
  using Kind = TypeMessage::Kind;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(RequireBytes("TypeProto", field));
        type->kind = Kind::kTensor;
        BURIN_RETURN_IF_ERROR(DecodeTensorType(field.bytes, budget, type));
        break;
      case 4:
        type->kind = Kind::kSequence;
        break;
      case 5:
        type->kind = Kind::kMap;
        break;
      case 7:
        type->kind = Kind::kOpaque;
        break;
      case 8:
        type->kind = Kind::kSparseTensor;
        break;
      case 9:
        type->kind = Kind::kOptional;
        break;
      default:
        break;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, ValueMessage* value) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetString("ValueInfoProto", field, &value->name));
    if (field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes("ValueInfoProto", field));
      BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget, &value->type));
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::onnx
