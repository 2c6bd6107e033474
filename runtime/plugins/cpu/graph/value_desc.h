// What a value of a graph is in memory: its element type, its shape and the order of its elements.
//
// Values have the shapes of the model, whatever the order; kernels see the order through strides. A value type;
// the functions are stateless.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_VALUE_DESC_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_VALUE_DESC_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/shape.h"

namespace burin::cpu {

// The order in which the elements of a value follow each other in memory, without gaps.
enum class Layout : uint8_t {
  // The last dimension's elements side by side: NCHW where dimensions are N, C, H, W.
  kRowMajor,
  // Those of dimension 1, the channels: NHWC. Of ranks from 3 on.
  kChannelsLast,
};

struct ValueDesc {
  ElementType type = ElementType::kUndefined;
  ir::Shape shape;
  Layout layout = Layout::kRowMajor;
};

// Returns the bytes that the elements take. Errors as ir::ElementCount(), and ResourceExhausted above int64.
absl::StatusOr<int64_t> BytesOf(const ValueDesc& desc);

// Returns the distances in bytes between neighbouring elements of each dimension. For types of whole bytes.
ir::ByteStrides StridesOf(const ValueDesc& desc);

// Returns whether two descriptions, of one type and shape, mean the same bytes: equal layouts, or a shape of which the
// order does not matter, such as with one channel, or one pixel.
bool SameBytes(const ValueDesc& a, const ValueDesc& b);

// Prints "f32[1,3,224,224] channels last".
std::string ToString(const ValueDesc& desc);

}  // namespace burin::cpu

namespace burin {

template <>
struct EnumNames<cpu::Layout> {
  static constexpr EnumEntry<cpu::Layout> kEntries[] = {
      {cpu::Layout::kRowMajor, "row-major"},
      {cpu::Layout::kChannelsLast, "channels last"},
  };
};

}  // namespace burin

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_VALUE_DESC_H_
