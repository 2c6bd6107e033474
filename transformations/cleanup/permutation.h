// Permutations of dimensions, as Transposes make them: dimension d of the result is dimension order[d] of the data.
//
// Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_PERMUTATION_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_PERMUTATION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/model.h"

namespace burin::transformations {

using Permutation = std::vector<int64_t>;

// Returns the permutation that a Transpose makes, spelled out; nullopt where it is not known.
std::optional<Permutation> OrderOf(const ir::Model& model, const ir::Node& transpose);

// Returns whether every dimension stays where it is.
bool IsIdentity(const Permutation& order);

// Returns the permutation that takes back `order`.
Permutation Inverse(const Permutation& order);

// Returns what Transposes by `inner` and then by `outer`, of one rank, do together.
Permutation Compose(const Permutation& inner, const Permutation& outer);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_PERMUTATION_H_
