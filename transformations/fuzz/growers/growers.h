// Every grower: what random graphs are made of.
//
// Operations come by families, with operands that fit them; motifs, the sub-graphs that passes are for, by themes. The
// tables live as long as the process. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_GROWERS_GROWERS_H_
#define BURIN_TRANSFORMATIONS_FUZZ_GROWERS_GROWERS_H_

#include <vector>

#include "absl/types/span.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {

// Operations.
absl::Span<const Grower> ElementwiseOps();
absl::Span<const Grower> MovementOps();
absl::Span<const Grower> IndexingOps();
absl::Span<const Grower> DenseOps();
absl::Span<const Grower> ReducingOps();
absl::Span<const Grower> NumericOps();
absl::Span<const Grower> SamplingOps();
absl::Span<const Grower> ControlFlowOps();

// Motifs.
absl::Span<const Grower> ArithmeticMotifs();
absl::Span<const Grower> MovementMotifs();
absl::Span<const Grower> ShapeMotifs();
absl::Span<const Grower> DenseMotifs();
absl::Span<const Grower> FormulaMotifs();
absl::Span<const Grower> GraphMotifs();

// Returns all of them.
const std::vector<Grower>& AllGrowers();

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_GROWERS_GROWERS_H_
