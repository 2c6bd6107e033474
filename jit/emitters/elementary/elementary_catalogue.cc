#include "jit/emitters/elementary/elementary_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/elementary/cos.h"
#include "jit/emitters/elementary/erf.h"
#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/elementary/log.h"
#include "jit/emitters/elementary/sin.h"
#include "jit/emitters/elementary/tan.h"
#include "jit/emitters/elementary/tanh.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr ElementKind kF32 = ElementKind::kF32;

}  // namespace

std::vector<CatalogueEntry> ElementaryCatalogue() {
  std::vector<CatalogueEntry> catalogue;
  catalogue.push_back(
      {RowFunction::Of("Cos", 1, [](auto& v, Operands o) { EmitCos(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 2.5});
  catalogue.push_back(
      {RowFunction::Of("Erf", 1, [](auto& v, Operands o) { EmitErf(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 1.95});
  catalogue.push_back(
      {RowFunction::Of("Exp", 1, [](auto& v, Operands o) { EmitExp(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 1});
  catalogue.push_back(
      {RowFunction::Of("Log", 1, [](auto& v, Operands o) { EmitLog(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 1});
  catalogue.push_back(
      {RowFunction::Of("Sin", 1, [](auto& v, Operands o) { EmitSin(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 2.5});
  catalogue.push_back(
      {RowFunction::Of("Tan", 1, [](auto& v, Operands o) { EmitTan(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 3.5});
  catalogue.push_back(
      {RowFunction::Of("Tanh", 1, [](auto& v, Operands o) { EmitTanh(v, o[0]); }), {kF32}, kF32, ErrorUnit::kUlp, 6});
  return catalogue;
}

}  // namespace burin::jit
