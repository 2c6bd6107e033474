#include "jit/emitters/catalogue.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "jit/emitters/activation/activation_catalogue.h"
#include "jit/emitters/arithmetic/arithmetic_catalogue.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/comparison/comparison_catalogue.h"
#include "jit/emitters/elementary/elementary_catalogue.h"
#include "jit/emitters/logic/logic_catalogue.h"
#include "jit/emitters/quantise/quantise_catalogue.h"
#include "jit/emitters/rounding/rounding_catalogue.h"

namespace burin::jit {
namespace {

std::vector<CatalogueEntry> MakeCatalogue() {
  std::vector<CatalogueEntry> all;
  for (std::vector<CatalogueEntry> (*const family)() :
       {&ActivationCatalogue, &ArithmeticCatalogue, &ComparisonCatalogue, &ElementaryCatalogue, &LogicCatalogue,
        &QuantiseCatalogue, &RoundingCatalogue}) {
    std::vector<CatalogueEntry> entries = family();
    all.insert(all.end(), std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
  }
  std::sort(all.begin(), all.end(),
            [](const CatalogueEntry& a, const CatalogueEntry& b) { return a.function.name < b.function.name; });
  return all;
}

}  // namespace

const std::vector<CatalogueEntry>& EmitterCatalogue() {
  static const auto* const catalogue = new std::vector<CatalogueEntry>(MakeCatalogue());
  return *catalogue;
}

const CatalogueEntry* FindEmitter(absl::string_view name) {
  for (const CatalogueEntry& entry : EmitterCatalogue()) {
    if (entry.function.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace burin::jit
