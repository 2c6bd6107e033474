// BitCast: the bits of x, read as another type of the same width.
//
// Values do not count, except that a boolean has only two: any byte but 0 becomes 1.
//
// Input 0: any shape. Output 0: the input's shape, type `destination_type`. Follows ONNX's BitCast-26.
// Constraints:
//   BitCast_c1: both types have elements of a known width, and the same one.
#include "ir/ops/bit_cast.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

absl::Status InferBitCast(InferContext& context) {
  const ElementType from = context.input_type(0);
  const ElementType to = context.attributes<BitCastAttributes>().destination_type;
  if (BitWidth(to) == 0 || BitWidth(from) != BitWidth(to)) {
    return ConstraintError("BitCast_c1",
                           absl::StrCat("types of one width are needed; got ", Name(from), " and ", Name(to)));
  }
  context.SetOutput(0, to, context.input_shape(0));
  return absl::OkStatus();
}

absl::Status ReferenceBitCast(ReferenceContext& context) {
  const Tensor& input = context.input(0);
  const size_t bytes = input.byte_size();
  if (bytes == 0) return absl::OkStatus();
  void* const to = context.output(0).mutable_data();
  if (context.output_type(0) == ElementType::kBoolean) {
    const auto* const from = static_cast<const uint8_t*>(input.data());
    std::transform(from, from + bytes, static_cast<uint8_t*>(to),
                   [](uint8_t byte) { return static_cast<uint8_t>(byte != 0); });
  } else {
    std::memcpy(to, input.data(), bytes);
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& BitCastOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitCast, "BitCast", "internal");
    d.make_attributes = &MakeAttributes<BitCastAttributes>;
    d.infer = &InferBitCast;
    d.reference = &ReferenceBitCast;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
