#include "jit/emitters/activation/activation_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/activation/elu.h"
#include "jit/emitters/activation/gelu.h"
#include "jit/emitters/activation/hard_sigmoid.h"
#include "jit/emitters/activation/mish.h"
#include "jit/emitters/activation/rectifiers.h"
#include "jit/emitters/activation/relu.h"
#include "jit/emitters/activation/sigmoid.h"
#include "jit/emitters/activation/soft_plus.h"
#include "jit/emitters/activation/soft_sign.h"
#include "jit/emitters/activation/swish.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

// Adds a function of one float, at most `bound` off.
template <class EmitBoth>
void Add(std::vector<CatalogueEntry>& catalogue, const char* name, double bound, EmitBoth emit,
         ErrorUnit unit = ErrorUnit::kUlp) {
  catalogue.push_back({RowFunction::Of(name, 1, emit), {LaneKind::kF32}, LaneKind::kF32, unit, bound});
}

}  // namespace

std::vector<CatalogueEntry> ActivationCatalogue() {
  std::vector<CatalogueEntry> all;
  Add(all, "Celu(1)", 2, [](auto& v, Operands o) { EmitCelu(v, o[0], 1.0f); });
  Add(all, "Elu(1)", 2, [](auto& v, Operands o) { EmitElu(v, o[0], 1.0f); });
  Add(
      all, "GeluErf", 4e-7, [](auto& v, Operands o) { EmitGeluErf(v, o[0]); }, ErrorUnit::kInput);
  Add(
      all, "GeluTanh", 4e-7, [](auto& v, Operands o) { EmitGeluTanh(v, o[0]); }, ErrorUnit::kInput);
  Add(all, "HSigmoid", 2, [](auto& v, Operands o) { EmitHSigmoid(v, o[0]); });
  Add(all, "HSwish", 2.5, [](auto& v, Operands o) { EmitHSwish(v, o[0]); });
  Add(all, "HardSigmoid(0.2,0.5)", 0.5, [](auto& v, Operands o) { EmitHardSigmoid(v, o[0], 0.2f, 0.5f); });
  Add(all, "LeakyRelu(0.01)", 0, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 0.01f); });
  Add(all, "LogSigmoid", 3, [](auto& v, Operands o) { EmitLogSigmoid(v, o[0]); });
  Add(all, "Mish", 3.1, [](auto& v, Operands o) { EmitMish(v, o[0]); });
  all.push_back({RowFunction::Of("PRelu", 2, [](auto& v, Operands o) { EmitPRelu(v, o[0], o[1]); }),
                 {LaneKind::kF32, LaneKind::kF32}});
  Add(all, "Relu", 0, [](auto& v, Operands o) { EmitRelu(v, o[0]); });
  Add(all, "Selu(1.6732632,1.050701)", 3, [](auto& v, Operands o) { EmitSelu(v, o[0], 1.6732632f, 1.050701f); });
  Add(all, "Shrink(0.5,0.5)", 0, [](auto& v, Operands o) { EmitShrink(v, o[0], 0.5f, 0.5f); });
  Add(all, "Sigmoid", 3, [](auto& v, Operands o) { EmitSigmoid(v, o[0]); });
  Add(all, "SoftPlus", 3, [](auto& v, Operands o) { EmitSoftPlus(v, o[0]); });
  Add(all, "SoftSign", 1.5, [](auto& v, Operands o) { EmitSoftSign(v, o[0]); });
  Add(all, "Swish(1)", 4, [](auto& v, Operands o) { EmitSwish(v, o[0], 1.0f); });
  Add(all, "Swish(1.702)", 4, [](auto& v, Operands o) { EmitSwish(v, o[0], 1.702f); });
  Add(all, "ThresholdedRelu(1)", 0, [](auto& v, Operands o) { EmitThresholdedRelu(v, o[0], 1.0f); });
  return all;
}

}  // namespace burin::jit
