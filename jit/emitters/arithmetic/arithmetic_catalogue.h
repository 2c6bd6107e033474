// Lists the emitters of arithmetic: sums, products, quotients, remainders, signs, extremes and the square root.
//
// Use EmitterCatalogue() (jit/emitters/catalogue.h) for those of all families. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_ARITHMETIC_CATALOGUE_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_ARITHMETIC_CATALOGUE_H_

#include <vector>

#include "jit/emitters/catalogue_entry.h"

namespace burin::jit {

// Returns the entries, sorted by name.
std::vector<CatalogueEntry> ArithmeticCatalogue();

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_ARITHMETIC_CATALOGUE_H_
