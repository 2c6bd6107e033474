#include "runtime/dev/property_table.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/properties.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::Contains;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::vector<std::string> NamesOfRows(const std::vector<PropertyInfo>& rows) {
  std::vector<std::string> names;
  for (const PropertyInfo& row : rows) names.emplace_back(row.name);
  return names;
}

TEST(PropertyTableTest, IsSortedByNameAndFindsEveryRow) {
  std::string previous;
  for (const PropertyInfo& row : AllProperties()) {
    EXPECT_LT(previous, row.name);
    previous = row.name;
    EXPECT_EQ(FindProperty(row.name), &row);
  }
  for (const char* name : {"", "perf_count", "PERF_COUN", "PERF_COUNTS", "ZZZ", "AAA"}) {
    EXPECT_EQ(FindProperty(name), nullptr) << name;
  }
}

TEST(PropertyTableTest, IdentifiersAreTheNamesInLowerCase) {
#define BURIN_PROPERTY(identifier, text, Type, default_value, allowed, scope, cache_relevant, readers, documentation) \
  EXPECT_EQ(absl::AsciiStrToLower(text), #identifier);                                                                \
  EXPECT_STREQ(identifier.name, text);
#include "runtime/dev/properties.inc"
#undef BURIN_PROPERTY
}

// A value of the row's type that another row's range or type refuses; empty where any text is allowed.
std::vector<std::string> BadValues(const PropertyInfo& row) {
  const std::string type = row.type;
  if (type == "boolean") return {"", "maybe", "2", "YES "};
  if (type == "integer" || type == "number") return {"", "x", "-1", "1e400"};
  if (type == "enumeration") return {"", "maybe", "-1"};
  return {};
}

TEST(PropertyTableTest, EveryRowIsWholeAndChecks) {
  for (const PropertyInfo& row : AllProperties()) {
    SCOPED_TRACE(row.name);
    EXPECT_STRNE(row.readers, "");
    EXPECT_THAT(row.documentation, testing::EndsWith("."));
    EXPECT_FALSE(row.allowed.empty());
    if (row.settable()) {
      EXPECT_OK(row.check(row.name, row.default_value));
      EXPECT_EQ(row.canonical(row.default_value), row.default_value);
    } else {
      EXPECT_STREQ(row.default_value, "") << "a read-only property has no default";
      EXPECT_FALSE(row.cache_relevant) << "a fact is no cause";
    }
    for (const std::string& text : BadValues(row)) {
      EXPECT_THAT(row.check(row.name, text),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.name + std::string(": expected "))));
    }
  }
}

TEST(PropertyTableTest, ARefusalNamesEveryAllowedValue) {
  for (const PropertyInfo& row : AllProperties()) {
    SCOPED_TRACE(row.name);
    if (row.allowed == "any" || std::string(row.type) == "text") continue;  // Words for people.
    const bool range = row.allowed.find("..") != std::string::npos;
    const absl::Status status = row.check(row.name, range ? "-1" : "maybe");
    for (const auto& value : absl::StrSplit(row.allowed, absl::ByAnyChar(", ."), absl::SkipEmpty())) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(value)));
      EXPECT_OK(row.check(row.name, std::string(value)));
    }
  }
}

TEST(PropertyTableTest, RangesIncludeTheirEnds) {
  const PropertyInfo& timeout = *FindProperty(auto_batch_timeout.name);
  EXPECT_OK(timeout.check("T", "0"));
  EXPECT_OK(timeout.check("T", "3600000"));
  EXPECT_THAT(timeout.check("T", "3600001"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Property T: expected an integer from 0 to 3600000, given \"3600001\"")));
  EXPECT_THAT(timeout.check("T", auto_batch_timeout(-1).second), StatusIs(absl::StatusCode::kInvalidArgument));
  const PropertyInfo& batch = *FindProperty(optimal_batch_size.name);
  EXPECT_OK(batch.check("B", "9223372036854775807"));
  EXPECT_THAT(batch.check("B", "0"), StatusIs(absl::StatusCode::kInvalidArgument,
                                              Eq("Property B: expected an integer of at least 1, given \"0\"")));
}

TEST(PropertyTableTest, CanonicalTextIsOnePerValue) {
  EXPECT_EQ(FindProperty("PERF_COUNT")->canonical("true"), "YES");
  EXPECT_EQ(FindProperty("AUTO_BATCH_TIMEOUT")->canonical(" 007"), "7");
  EXPECT_EQ(FindProperty("EXECUTION_DEVICES")->canonical(" A  B "), "A B");
  EXPECT_EQ(FindProperty("DEVICE_ID")->canonical(" A  B "), " A  B ");
}

TEST(PropertyTableTest, TypesAndScopesAsDeclared) {
  EXPECT_STREQ(FindProperty("PERF_COUNT")->type, "boolean");
  EXPECT_EQ(FindProperty("PERF_COUNT")->allowed, "YES, NO");
  EXPECT_STREQ(FindProperty("AUTO_BATCH_TIMEOUT")->type, "integer");
  EXPECT_EQ(FindProperty("AUTO_BATCH_TIMEOUT")->allowed, "0..3600000");
  EXPECT_STREQ(FindProperty("PERFORMANCE_HINT")->type, "enumeration");
  EXPECT_EQ(FindProperty("PERFORMANCE_HINT")->allowed, "LATENCY, THROUGHPUT, CUMULATIVE_THROUGHPUT");
  EXPECT_STREQ(FindProperty("DEVICE_ID")->type, "text");
  EXPECT_EQ(FindProperty("DEVICE_ID")->allowed, "an id, or nothing");
  EXPECT_EQ(FindProperty("NETWORK_NAME")->allowed, "any");
  EXPECT_STREQ(FindProperty("EXECUTION_DEVICES")->type, "list");
  EXPECT_EQ(FindProperty("ENABLE_MMAP")->scope, PropertyScope::kCore);
  EXPECT_EQ(FindProperty("EXECUTION_DEVICES")->scope, PropertyScope::kDeviceAndModel);
  EXPECT_TRUE(FindProperty("ENABLE_MMAP")->settable());
  EXPECT_TRUE(FindProperty("DEVICE_ID")->settable());
  EXPECT_FALSE(FindProperty("NETWORK_NAME")->settable());
  EXPECT_FALSE(FindProperty("DEVICE_TYPE")->settable());
}

TEST(PropertyTableTest, ReadersAreWholeWords) {
  EXPECT_THAT(NamesOfRows(PropertiesReadBy("REFERENCE")), IsSupersetOf({"DEVICE_ID", "PERF_COUNT"}));
  EXPECT_THAT(NamesOfRows(PropertiesReadBy("REFERENCE")), Not(Contains("ENABLE_MMAP")));
  EXPECT_THAT(NamesOfRows(PropertiesReadBy("core")), Contains("ENABLE_MMAP"));
  EXPECT_THAT(NamesOfRows(PropertiesReadBy("core")), Not(Contains("PERF_COUNT")));
  for (const char* nobody : {"", "REF", "REFERENCES", "core REFERENCE", "Core"}) {
    EXPECT_TRUE(PropertiesReadBy(nobody).empty()) << nobody;
  }
}

}  // namespace
}  // namespace burin
