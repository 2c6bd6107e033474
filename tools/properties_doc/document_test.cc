#include "tools/properties_doc/document.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/property_table.h"

namespace burin::properties_doc {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DocumentTest, EveryRowOnceWithItsFacts) {
  const std::string text = PropertiesDocument(AllProperties());
  for (const PropertyInfo& row : AllProperties()) {
    const std::string cell = std::string("\n| `") + row.name + "` |";
    const size_t at = text.find(cell);
    ASSERT_NE(at, std::string::npos) << row.name;
    EXPECT_EQ(text.find(cell, at + 1), std::string::npos) << row.name;
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    EXPECT_THAT(line, HasSubstr(row.type));
    EXPECT_THAT(line, HasSubstr(row.documentation));
    if (row.settable()) {
      EXPECT_THAT(line, HasSubstr(row.allowed));
    }
  }
  EXPECT_THAT(text, EndsWith("|\n"));
}

PropertyInfo Row(PropertyScope scope, bool cache_relevant) {
  return {"NAME", "text", "a|b", "any", scope, cache_relevant, "CPU core", "Says\nwhat.", nullptr, nullptr};
}

TEST(DocumentTest, SettableRowsHaveDefaultAndCacheAndCellsAreEscaped) {
  const PropertyInfo row = Row(PropertyScope::kConfig, true);
  const std::string text = PropertiesDocument({row});
  EXPECT_THAT(text, EndsWith("\n| `NAME` | text | any | `a\\|b` | yes | `CPU`, `core` | Says what. |\n"));
  EXPECT_THAT(text, HasSubstr("## Set on a device or for a compilation"));
  EXPECT_THAT(text, Not(HasSubstr("## Set on the Core")));
}

TEST(DocumentTest, FactsHaveNeitherDefaultNorCache) {
  const PropertyInfo row = Row(PropertyScope::kModel, false);
  EXPECT_THAT(PropertiesDocument({row}), EndsWith("| `NAME` | text | `CPU`, `core` | Says what. |\n"));
}

}  // namespace
}  // namespace burin::properties_doc
