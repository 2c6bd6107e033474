#include "transformations/fuzz/growers/growers.h"

namespace burin::transformations {

const std::vector<Grower>& AllGrowers() {
  static const auto* const growers = [] {
    auto* const all = new std::vector<Grower>();
    for (const absl::Span<const Grower> family :
         {ElementwiseOps(), MovementOps(), IndexingOps(), DenseOps(), ReducingOps(), NumericOps(), SamplingOps(),
          ControlFlowOps(), ArithmeticMotifs(), MovementMotifs(), ShapeMotifs(), DenseMotifs(), FormulaMotifs(),
          GraphMotifs()}) {
      all->insert(all->end(), family.begin(), family.end());
    }
    return all;
  }();
  return *growers;
}

}  // namespace burin::transformations
