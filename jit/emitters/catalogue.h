// Lists every element-wise function that can be emitted.
//
// Use it to measure, dump or test all of them. Not for choosing the emitter of an operator, which is called by its
// name. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_CATALOGUE_H_
#define BURIN_JIT_EMITTERS_CATALOGUE_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "jit/emitters/catalogue_entry.h"

namespace burin::jit {

// Returns all entries, sorted by name. Names are unique.
const std::vector<CatalogueEntry>& EmitterCatalogue();

// Returns the entry of that name, or null.
const CatalogueEntry* FindEmitter(absl::string_view name);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CATALOGUE_H_
