#include "runtime/dev/plugin_abi.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;

// What a library compiled here would say.
const AbiDescription* OwnAbi() { BURIN_RETURN_PLUGIN_ABI; }

std::vector<AbiField> HostFields() {
  return std::vector<AbiField>(HostAbi().fields, HostAbi().fields + HostAbi().field_count);
}

AbiDescription Describe(const std::vector<AbiField>& fields) {
  return AbiDescription{HostAbi().format, static_cast<uint32_t>(fields.size()), fields.data()};
}

TEST(PluginAbiTest, AProgramAgreesWithItself) {
  EXPECT_OK(CheckAbi(HostAbi(), HostAbi()));
  EXPECT_OK(CheckAbi(HostAbi(), *OwnAbi()));
  EXPECT_NE(HostAbi().fields, OwnAbi()->fields);
}

TEST(PluginAbiTest, FieldsHaveNamesOfTheirOwnAndValues) {
  std::set<std::string> names;
  for (const AbiField& field : HostFields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    if (field.text != nullptr) {
      EXPECT_STRNE(field.text, "");
    } else if (std::strncmp(field.name, "sizeof", 6) == 0) {
      EXPECT_GT(field.number, 0u) << field.name;
    }
  }
  EXPECT_EQ(names.count("Burin version"), 1u);
  EXPECT_EQ(names.count("sizeof ir::Model"), 1u);
}

TEST(PluginAbiTest, EachFieldThatDiffersIsReportedWithBothValues) {
  for (size_t i = 0; i < HostFields().size(); ++i) {
    std::vector<AbiField> fields = HostFields();
    if (fields[i].text != nullptr) {
      fields[i].text = "something else";
    } else {
      fields[i].number += 1;
    }
    const absl::Status status = CheckAbi(HostAbi(), Describe(fields));
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                                 AllOf(HasSubstr("ABI mismatch: "), HasSubstr(fields[i].name),
                                       HasSubstr("this program "), HasSubstr("the library "), Not(HasSubstr("; ")))));
  }
}

TEST(PluginAbiTest, ReportsEveryDifference) {
  const AbiField ours[] = {{"compiler", "gcc 12", 0}, {"same", nullptr, 1}, {"sizeof X", nullptr, 8}, {"old", "a", 0}};
  const AbiField theirs[] = {
      {"sizeof X", nullptr, 16}, {"compiler", "clang 14", 0}, {"same", nullptr, 1}, {"new", "b", 0}};
  EXPECT_THAT(CheckAbi({1, 4, ours}, {1, 4, theirs}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       Eq("ABI mismatch: compiler: this program \"gcc 12\", the library \"clang 14\"; sizeof X: this "
                          "program 8, the library 16; old: this program \"a\", the library nothing; new: this program "
                          "nothing, the library \"b\"")));
}

TEST(PluginAbiTest, ATextIsNoNumber) {
  const AbiField ours[] = {{"a", nullptr, 1}};
  const AbiField theirs[] = {{"a", "1", 0}};
  EXPECT_THAT(CheckAbi({1, 1, ours}, {1, 1, theirs}), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(PluginAbiTest, ADescriptionOfAnotherFormatIsNotRead) {
  const AbiDescription other = {HostAbi().format + 1, 1000, nullptr};
  EXPECT_THAT(CheckAbi(HostAbi(), other),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("format of the ABI description")));
}

TEST(PluginAbiTest, ADescriptionWithoutFieldsLacksAll) {
  EXPECT_THAT(CheckAbi(HostAbi(), Describe({})),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("the library nothing")));
}

}  // namespace
}  // namespace burin
