#include "jit/emitters/catalogue.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(CatalogueTest, IsSortedByUniqueNames) {
  const std::vector<CatalogueEntry>& catalogue = EmitterCatalogue();
  ASSERT_FALSE(catalogue.empty());
  for (size_t i = 1; i < catalogue.size(); ++i) {
    EXPECT_LT(catalogue[i - 1].function.name, catalogue[i].function.name);
  }
}

TEST(CatalogueTest, FindsEntries) {
  for (const CatalogueEntry& entry : EmitterCatalogue()) EXPECT_EQ(FindEmitter(entry.function.name), &entry);
  EXPECT_EQ(FindEmitter("Exq"), nullptr);
}

// On any machine: generating needs none of the instructions.
TEST(CatalogueTest, EveryEntryCanBeGeneratedAtEachWidth) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(level)));
    for (const CatalogueEntry& entry : EmitterCatalogue()) {
      EXPECT_OK(RowKernel::Generate(entry.function, target).status()) << entry.function.name << " " << level;
    }
  }
}

}  // namespace
}  // namespace burin::jit
