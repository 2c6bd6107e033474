// Translates ONNX's numbers of element types.
//
// Numbers, not enumerators: a file may use types that are newer than any installed schema. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_DATA_TYPE_H_
#define BURIN_RUNTIME_READERS_ONNX_DATA_TYPE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/element_type.h"

namespace burin::onnx {

// Values of TensorProto.DataType that the reader names.
inline constexpr int64_t kOnnxFloat = 1;
inline constexpr int64_t kOnnxString = 8;

// Returns the element type with this number in TensorProto.DataType. InvalidArgument for a number that ONNX does not
// have, and for 0 (undefined); Unimplemented for complex numbers. Strings give kString.
absl::StatusOr<ElementType> ElementTypeFromOnnx(int64_t data_type);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_DATA_TYPE_H_
