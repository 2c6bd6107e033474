// Patterns for reductions within a formula (formula.h), and what their axes are.
//
// For rules of this folder alone. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUSION_REDUCED_H_
#define BURIN_TRANSFORMATIONS_FUSION_REDUCED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/ops/op_code.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {

// Matches a reduction of `data` that keeps the reduced axes with size 1; the axes are captured under the name.
Pattern Reduced(ir::OpCode code, const Pattern& data, std::string axes);

// Matches 1 / a, as a quotient or a power.
Pattern Reciprocal(const Pattern& a);

// Returns the axes captured under the name, those of a value of the rank of the one captured as "x": sorted and, where
// that rank is known, in [0, rank); nullopt where they are not known, or negative for a rank that is not.
std::optional<std::vector<int64_t>> AxesOf(const Match& match, const char* name);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUSION_REDUCED_H_
