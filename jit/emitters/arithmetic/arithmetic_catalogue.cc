#include "jit/emitters/arithmetic/arithmetic_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/arithmetic/abs.h"
#include "jit/emitters/arithmetic/negative.h"
#include "jit/emitters/arithmetic/sqrt.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr ElementKind kF32 = ElementKind::kF32;

}  // namespace

std::vector<CatalogueEntry> ArithmeticCatalogue() {
  std::vector<CatalogueEntry> catalogue;
  catalogue.push_back(
      {RowFunction::Of("Abs", 1, [](auto& v, Operands o) { EmitAbs(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 0});
  catalogue.push_back({RowFunction::Of("Negative", 1, [](auto& v, Operands o) { EmitNegative(v, o[0]); }),
                       {kF32},
                       kF32,
                       ErrorUnit::kUlp,
                       0});
  catalogue.push_back(
      {RowFunction::Of("Sqrt", 1, [](auto& v, Operands o) { EmitSqrt(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 0});
  return catalogue;
}

}  // namespace burin::jit
