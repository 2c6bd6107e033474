#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "transformations/fuzz/attribute_values.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Value;

// Returns the integer type of the same width and the other kind.
ElementType OtherKind(ElementType type) {
  switch (type) {
    case ElementType::kI8:
      return ElementType::kU8;
    case ElementType::kU8:
      return ElementType::kI8;
    case ElementType::kI16:
      return ElementType::kU16;
    case ElementType::kU16:
      return ElementType::kI16;
    case ElementType::kI32:
      return ElementType::kU32;
    case ElementType::kU32:
      return ElementType::kI32;
    case ElementType::kI64:
      return ElementType::kU64;
    case ElementType::kU64:
      return ElementType::kI64;
    default:
      return type;
  }
}

// Of integers alone: bits of a float show every rounding before it.
void GrowBitCast(GrowingGraph& g) {
  const Value x = g.Pick(Types::kInteger);
  g.Add("BitCast", {x}, {{"destination_type", OtherKind(g.TypeOf(x))}});
}

// Of matrices that nothing has rounded: that of a nearly singular one magnifies what has.
void GrowDeterminant(GrowingGraph& g) {
  const int64_t size = g.Between(1, 3);
  g.Add("Determinant", {g.Parameter(g.AnyType(Types::kFloat), {g.AnySize(), size, size})});
}

void GrowFourierTransform(GrowingGraph& g) {
  const Value x = g.Like(g.AnyType(Types::kFloat), {g.AnySize(), g.AnySize(), g.Between(1, 2)});
  std::vector<Value> inputs = {x, g.Int(g.AnyOf({0, 1, -2, -3}))};
  if (g.OneIn(2)) inputs.push_back(g.Int(g.Between(1, 6)));
  g.Add("DFT", inputs, {{"inverse", g.OneIn(2)}, {"onesided", g.OneIn(2)}});
}

void GrowImageOfBlocks(GrowingGraph& g) {
  const int64_t height = g.Between(2, 4);
  const int64_t width = g.Between(2, 4);
  const int64_t block = g.Between(1, 2);
  const int64_t stride = g.Between(1, 2);
  const int64_t pad = g.Below(2);
  const auto places = [&](int64_t size) { return (size + 2 * pad - block) / stride + 1; };
  const Value x = g.Like(g.AnyType(Types::kNumeric),
                         {g.AnySize(), g.Between(1, 2) * block * block, places(height) * places(width)});
  const std::vector<int64_t> strides = {stride, stride};
  const std::vector<int64_t> pads = {pad, pad};
  g.Add("Col2Im", {x, g.Ints({height, width}), g.Ints({block, block})},
        {{"strides", strides}, {"pads_begin", pads}, {"pads_end", pads}});
}

void GrowRandomNumbers(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  if (BitWidth(type) < 16) return;
  g.Add("RandomUniform", {g.Ints({g.AnySize(), g.AnySize()})}, {{"output_type", type}, {"seed", g.Below(2)}});
}

constexpr Grower kGrowers[] = {
    {"bit cast", &GrowBitCast},
    {"determinant", &GrowDeterminant},
    {"fourier transform", &GrowFourierTransform},
    {"image of blocks", &GrowImageOfBlocks},
    {"random numbers", &GrowRandomNumbers},
};

}  // namespace

absl::Span<const Grower> NumericOps() { return kGrowers; }

}  // namespace burin::transformations
