// Lists the emitters of comparisons and of the tests for NaN and infinity.
//
// Use EmitterCatalogue() (jit/emitters/catalogue.h) for those of all families. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_CATALOGUE_H_
#define BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_CATALOGUE_H_

#include <vector>

#include "jit/emitters/catalogue_entry.h"

namespace burin::jit {

// Returns the entries, sorted by name.
std::vector<CatalogueEntry> ComparisonCatalogue();

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_CATALOGUE_H_
