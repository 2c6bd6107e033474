// How fields of protobuf messages become members of structs, each size charged before it is allocated.
//
// For the decoders of ONNX's messages beside it. Each function adds to what the target holds, as protobuf merges.
// Errors: InvalidArgument for a field of the wrong wire type, ResourceExhausted where the budget is spent. Not
// thread-safe as far as a budget is shared.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_FIELD_DECODING_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_FIELD_DECODING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/wire_reader.h"

namespace burin::onnx {

// Returns the error for a field that has another wire type than its message says.
absl::Status WrongWireType(absl::string_view message, const WireField& field);

// Returns the float with these bits, in the low half.
float FloatFromBits(uint64_t bits);

absl::Status SetString(absl::string_view message, const WireField& field, absl::string_view* target);
absl::Status SetInt(absl::string_view message, const WireField& field, int64_t* target);
absl::Status RequireBytes(absl::string_view message, const WireField& field);

// Append one number, or a packed list of them.
absl::Status AppendInts(const WireField& field, ReadBudget* budget, std::vector<int64_t>* list);
absl::Status AppendFloats(const WireField& field, ReadBudget* budget, std::vector<float>* list);

// Appends an element to a list and returns it; a growing vector briefly holds its elements twice.
template <class T>
absl::StatusOr<T*> Append(ReadBudget* budget, std::vector<T>* list) {
  BURIN_RETURN_IF_ERROR(budget->Charge(2 * sizeof(T)));
  list->emplace_back();
  return &list->back();
}

// Allocates a message of its own, which a file must not give twice, and returns it.
template <class T>
absl::StatusOr<T*> Single(ReadBudget* budget, std::unique_ptr<T>* message) {
  if (*message != nullptr) return absl::InvalidArgumentError("A message that may be there once is there twice");
  BURIN_RETURN_IF_ERROR(budget->Charge(sizeof(T) + 16));
  *message = std::make_unique<T>();
  return message->get();
}

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_FIELD_DECODING_H_
