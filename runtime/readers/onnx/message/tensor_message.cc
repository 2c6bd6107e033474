#include "runtime/readers/onnx/message/tensor_message.h"

#include "base/status_macros.h"
#include "runtime/readers/onnx/message/field_decoding.h"
#include "runtime/readers/onnx/message/wire_reader.h"

namespace burin::onnx {
namespace {

absl::Status DecodeInto(absl::string_view bytes, StringPair* pair) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetString("StringStringEntryProto", field, &pair->key));
    if (field.number == 2) BURIN_RETURN_IF_ERROR(SetString("StringStringEntryProto", field, &pair->value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, TensorMessage* tensor) {
  constexpr absl::string_view kName = "TensorProto";
  tensor->body = bytes;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(AppendInts(field, budget, &tensor->dims));
        break;
      case 2:
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &tensor->data_type));
        break;
      case 3:
        tensor->has_segment = true;
        break;
      case 8:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &tensor->name));
        break;
      case 9:
        tensor->has_raw_data = true;
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &tensor->raw_data));
        break;
      case 13: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(StringPair * pair, Append(budget, &tensor->external_data));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, pair));
        break;
      }
      case 14: {
        int64_t location = 0;
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &location));
        tensor->is_external = location == 1;
        break;
      }
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status DecodeInto(absl::string_view bytes, ReadBudget* budget, SparseTensorMessage* sparse) {
  constexpr absl::string_view kName = "SparseTensorProto";
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1 || field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
      BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor,
                             Single(budget, field.number == 1 ? &sparse->values : &sparse->indices));
      BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget, tensor));
    } else if (field.number == 3) {
      BURIN_RETURN_IF_ERROR(AppendInts(field, budget, &sparse->dims));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<TensorMessage> DecodeTensor(absl::string_view bytes, ReadBudget* budget) {
  TensorMessage tensor;
  BURIN_RETURN_IF_ERROR(DecodeInto(bytes, budget, &tensor));
  return tensor;
}

}  // namespace burin::onnx
