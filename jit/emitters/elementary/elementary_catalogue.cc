#include "jit/emitters/elementary/elementary_catalogue.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/elementary/acos.h"
#include "jit/emitters/elementary/acosh.h"
#include "jit/emitters/elementary/asin.h"
#include "jit/emitters/elementary/asinh.h"
#include "jit/emitters/elementary/atan.h"
#include "jit/emitters/elementary/atanh.h"
#include "jit/emitters/elementary/cos.h"
#include "jit/emitters/elementary/cosh.h"
#include "jit/emitters/elementary/erf.h"
#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/elementary/exp2.h"
#include "jit/emitters/elementary/expm1.h"
#include "jit/emitters/elementary/log.h"
#include "jit/emitters/elementary/log1p.h"
#include "jit/emitters/elementary/power.h"
#include "jit/emitters/elementary/sin.h"
#include "jit/emitters/elementary/sinh.h"
#include "jit/emitters/elementary/tan.h"
#include "jit/emitters/elementary/tanh.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

// Describes a function of floats whose error is counted in ulp.
template <class Emit>
CatalogueEntry Entry(std::string name, int inputs, double bound, const Emit& emit) {
  return {RowFunction::Of(std::move(name), inputs, emit),
          std::vector<LaneKind>(static_cast<size_t>(inputs), LaneKind::kF32), LaneKind::kF32, ErrorUnit::kUlp, bound};
}

}  // namespace

std::vector<CatalogueEntry> ElementaryCatalogue() {
  return {
      Entry("Acos", 1, 2, [](auto& v, Operands o) { EmitAcos(v, o[0]); }),
      Entry("Acosh", 1, 2.5, [](auto& v, Operands o) { EmitAcosh(v, o[0]); }),
      Entry("Asin", 1, 2.5, [](auto& v, Operands o) { EmitAsin(v, o[0]); }),
      Entry("Asinh", 1, 2.5, [](auto& v, Operands o) { EmitAsinh(v, o[0]); }),
      Entry("Atan", 1, 2, [](auto& v, Operands o) { EmitAtan(v, o[0]); }),
      Entry("Atanh", 1, 2.5, [](auto& v, Operands o) { EmitAtanh(v, o[0]); }),
      Entry("Cos", 1, 2.5, [](auto& v, Operands o) { EmitCos(v, o[0]); }),
      Entry("Cosh", 1, 2, [](auto& v, Operands o) { EmitCosh(v, o[0]); }),
      Entry("Erf", 1, 1.95, [](auto& v, Operands o) { EmitErf(v, o[0]); }),
      Entry("Exp", 1, 1, [](auto& v, Operands o) { EmitExp(v, o[0]); }),
      Entry("Exp2", 1, 1, [](auto& v, Operands o) { EmitExp2(v, o[0]); }),
      Entry("Expm1", 1, 1.5, [](auto& v, Operands o) { EmitExpm1(v, o[0]); }),
      Entry("Log", 1, 1, [](auto& v, Operands o) { EmitLog(v, o[0]); }),
      Entry("Log1p", 1, 1, [](auto& v, Operands o) { EmitLog1p(v, o[0]); }),
      Entry("Power", 2, 1, [](auto& v, Operands o) { EmitPower(v, o[0], o[1]); }),
      Entry("Sin", 1, 2.5, [](auto& v, Operands o) { EmitSin(v, o[0]); }),
      Entry("Sinh", 1, 2, [](auto& v, Operands o) { EmitSinh(v, o[0]); }),
      Entry("Tan", 1, 3.5, [](auto& v, Operands o) { EmitTan(v, o[0]); }),
      Entry("Tanh", 1, 6, [](auto& v, Operands o) { EmitTanh(v, o[0]); }),
  };
}

}  // namespace burin::jit
