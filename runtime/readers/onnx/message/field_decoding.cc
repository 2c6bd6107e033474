#include "runtime/readers/onnx/message/field_decoding.h"

#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace burin::onnx {

absl::Status WrongWireType(absl::string_view message, const WireField& field) {
  return absl::InvalidArgumentError(
      absl::StrCat("A field has the wrong wire type: ", message, " field ", field.number));
}

float FloatFromBits(uint64_t bits) {
  const uint32_t narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof(value));
  return value;
}

absl::Status SetString(absl::string_view message, const WireField& field, absl::string_view* target) {
  if (field.type != WireType::kBytes) return WrongWireType(message, field);
  *target = field.bytes;
  return absl::OkStatus();
}

absl::Status SetInt(absl::string_view message, const WireField& field, int64_t* target) {
  if (field.type != WireType::kVarint) return WrongWireType(message, field);
  *target = static_cast<int64_t>(field.scalar);
  return absl::OkStatus();
}

absl::Status RequireBytes(absl::string_view message, const WireField& field) {
  return field.type == WireType::kBytes ? absl::OkStatus() : WrongWireType(message, field);
}

absl::Status AppendInts(const WireField& field, ReadBudget* budget, std::vector<int64_t>* list) {
  if (field.type == WireType::kVarint) {
    BURIN_ASSIGN_OR_RETURN(int64_t * element, Append(budget, list));
    *element = static_cast<int64_t>(field.scalar);
    return absl::OkStatus();
  }
  if (field.type != WireType::kBytes) return WrongWireType("integer list", field);
  size_t count = 0;
  for (const char c : field.bytes) count += (static_cast<uint8_t>(c) & 0x80) == 0;
  BURIN_RETURN_IF_ERROR(budget->Charge(count * sizeof(int64_t)));
  if (list->empty()) list->reserve(count);
  WireReader reader(field.bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const uint64_t value, reader.Varint());
    list->push_back(static_cast<int64_t>(value));
  }
  return absl::OkStatus();
}

absl::Status AppendFloats(const WireField& field, ReadBudget* budget, std::vector<float>* list) {
  if (field.type == WireType::kFixed32) {
    BURIN_ASSIGN_OR_RETURN(float* element, Append(budget, list));
    *element = FloatFromBits(field.scalar);
    return absl::OkStatus();
  }
  if (field.type != WireType::kBytes || field.bytes.size() % sizeof(float) != 0)
    return WrongWireType("float list", field);
  if (field.bytes.empty()) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(budget->Charge(2 * field.bytes.size()));
  const size_t old_size = list->size();
  list->resize(old_size + field.bytes.size() / sizeof(float));
  std::memcpy(list->data() + old_size, field.bytes.data(), field.bytes.size());
  return absl::OkStatus();
}

}  // namespace burin::onnx
