// RandomUniform: numbers spread evenly over [0, 1).
//
//   output[i] = (the p leading bits of the i-th draw of the stream `seed`) / 2^p       i: row-major position
//
// with p the digits of output_type's significand, so that each number is exact and never 1. A draw is 32 bits of
// Philox4x32-10 with the seed as the key and the number of the block of four words as the counter; for f64 it is 64
// bits, the low half first.
//
// The numbers are a function of seed, type and position alone: each run of a model sees the same ones, on every device.
// The operation is therefore pure. That it is folded, merged with another of the same seed, type and shape, or
// duplicated changes nothing; nodes that are to differ are given different seeds by whoever makes them.
//
// Input 0: the output's shape, a list of integers. Output 0: that shape, of output_type. OpenVINO's operation has
// bounds as inputs, and its numbers change from run to run. Constraints:
//   RandomUniform_c1: the input is a list of non-negative integers, a shape that is representable.
//   RandomUniform_c2: output_type is f16, bf16, f32 or f64.
#include "ir/ops/random_uniform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/philox.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

bool IsDrawn(ElementType type) { return IsFloat(type) && BitWidth(type) >= 16; }

absl::Status InferRandomUniform(InferContext& context) {
  const ElementType type = context.attributes<RandomUniformAttributes>().output_type;
  if (!IsDrawn(type)) {
    return ConstraintError("RandomUniform_c2",
                           absl::StrCat("output_type must be f16, bf16, f32 or f64; got ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(context.RequireRank("RandomUniform_c1", 0, 1));
  BURIN_ASSIGN_OR_RETURN(PartialShape shape, ShapeFromInput("RandomUniform_c1", context, 0));
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

absl::Status ReferenceRandomUniform(ReferenceContext& context) {
  const auto seed = static_cast<uint64_t>(context.attributes<RandomUniformAttributes>().seed);
  const std::array<uint32_t, 2> key = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  const Tensor& output = context.output(0);
  const ElementType type = output.element_type();
  const int digits = SignificandDigits(type);
  const size_t words_per_draw = digits > 32 ? 2 : 1;
  const double unit = std::ldexp(1.0, -digits);

  // A whole number of blocks of words, drawn and stored together.
  constexpr size_t kDraws = 1024;
  std::vector<double> values(kDraws);
  const auto count = static_cast<size_t>(output.element_count());
  for (size_t begin = 0; begin < count; begin += kDraws) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const size_t end = std::min(count, begin + kDraws);
    std::array<uint32_t, 4> words = {};
    for (size_t i = begin; i < end; ++i) {
      const uint64_t word = uint64_t{i} * words_per_draw;
      if (word % 4 == 0) {
        const uint64_t block = word / 4;
        words = Philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), 0, 0}, key);
      }
      uint64_t draw = words[word % 4];
      if (words_per_draw == 2) draw |= uint64_t{words[word % 4 + 1]} << 32;
      const int bits = words_per_draw == 2 ? 64 : 32;
      values[i - begin] = static_cast<double>(draw >> (bits - digits)) * unit;
    }
    StoreRangeFromDouble(type, output.mutable_data(), static_cast<int64_t>(begin), static_cast<int64_t>(end - begin),
                         values.data());
  }
  return absl::OkStatus();
}

// Ten rounds of two products and four exclusive ors for each block of four words, and the conversion.
Cost RandomUniformCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 17 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& RandomUniformOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRandomUniform, "RandomUniform", "internal");
    d.make_attributes = &MakeAttributes<RandomUniformAttributes>;
    d.infer = &InferRandomUniform;
    d.reference = &ReferenceRandomUniform;
    d.cost = &RandomUniformCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
