#include "jit/emitters/quantise/quantise_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/quantise/fake_quantize.h"
#include "jit/emitters/quantise/quantize.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr LaneKind kF32 = LaneKind::kF32;
constexpr LaneKind kI32 = LaneKind::kI32;

}  // namespace

std::vector<CatalogueEntry> QuantiseCatalogue() {
  return {
      ExactEntry("Dequantize", {kI32, kF32, kI32}, kF32,
                 [](auto& v, Operands o) { EmitDequantize(v, o[0], o[1], o[2]); }),
      ExactEntry("FakeQuantize(17,2,-3,1,5)", {kF32}, kF32,
                 [](auto& v, Operands o) {
                   EmitFakeQuantize(v, o[0], FakeQuantizeLimits<float>{2, -3, 1, 5}, 17);
                 }),
      ExactEntry("FakeQuantize(256)", {kF32, kF32, kF32, kF32, kF32}, kF32,
                 [](auto& v, Operands o) {
                   EmitFakeQuantize(v, o[0], FakeQuantizeLimits<VecGroup>{o[1], o[2], o[3], o[4]}, 256);
                 }),
      ExactEntry("FakeQuantize(256,-1,1,-1,1)", {kF32}, kF32,
                 [](auto& v, Operands o) {
                   EmitFakeQuantize(v, o[0], FakeQuantizeLimits<float>{-1, 1, -1, 1}, 256);
                 }),
      ExactEntry("FakeQuantize(256,0,2.55,0,2.55)", {kF32}, kF32,
                 [](auto& v, Operands o) {
                   EmitFakeQuantize(v, o[0], FakeQuantizeLimits<float>{0, 2.55f, 0, 2.55f}, 256);
                 }),
      ExactEntry("FakeQuantizeLevel(255,-1.5,1.5)", {kF32}, kI32,
                 [](auto& v, Operands o) { EmitFakeQuantizeLevel(v, o[0], -1.5f, 1.5f, 255); }),
      ExactEntry("Quantize(-128,127)", {kF32, kF32, kI32}, kI32,
                 [](auto& v, Operands o) {
                   EmitQuantize(v, o[0], o[1], o[2], QuantizedRange{-128, 127});
                 }),
      ExactEntry("Quantize(0,255)", {kF32, kF32, kI32}, kI32,
                 [](auto& v, Operands o) {
                   EmitQuantize(v, o[0], o[1], o[2], QuantizedRange{0, 255});
                 }),
  };
}

}  // namespace burin::jit
