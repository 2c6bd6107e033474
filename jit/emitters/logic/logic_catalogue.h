// Lists the emitters of logical and bitwise operations and of the choice by a truth value.
//
// Use EmitterCatalogue() (jit/emitters/catalogue.h) for those of all families. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_LOGIC_LOGIC_CATALOGUE_H_
#define BURIN_JIT_EMITTERS_LOGIC_LOGIC_CATALOGUE_H_

#include <vector>

#include "jit/emitters/catalogue_entry.h"

namespace burin::jit {

// Returns the entries, sorted by name.
std::vector<CatalogueEntry> LogicCatalogue();

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_LOGIC_LOGIC_CATALOGUE_H_
