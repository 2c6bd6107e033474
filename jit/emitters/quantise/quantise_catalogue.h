// Lists the emitters of quantisation.
//
// Use EmitterCatalogue() (jit/emitters/catalogue.h) for those of all families. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_QUANTISE_QUANTISE_CATALOGUE_H_
#define BURIN_JIT_EMITTERS_QUANTISE_QUANTISE_CATALOGUE_H_

#include <vector>

#include "jit/emitters/catalogue_entry.h"

namespace burin::jit {

// Returns the entries, sorted by name.
std::vector<CatalogueEntry> QuantiseCatalogue();

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_QUANTISE_QUANTISE_CATALOGUE_H_
