#include "snippets/tokenize/anchor/checked_epilogues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

// Asks about an epilogue of one operation, which has this name.
absl::Status Check(CheckedEpilogues* checked, absl::string_view op, absl::string_view name) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> epilogue = ir::ParseModel(absl::StrCat(
      "model \"\" {\n  %0 \"accumulators\" = Parameter() {element_type = f32, shape = [rows, columns]}\n  %1 \"", name,
      "\" = ", op, "\n  %2 \"out\" = Result(%1)\n}"));
  EXPECT_OK(epilogue.status());
  return checked->Check(**epilogue);
}

TEST(CheckedEpilogues, CompilesEachStructureOnce) {
  CheckedEpilogues checked;
  EXPECT_EQ(checked.compiled(), 0);
  EXPECT_OK(Check(&checked, "Exp(%0)", "first"));
  EXPECT_EQ(checked.compiled(), 1);
  EXPECT_OK(Check(&checked, "Exp(%0)", "second"));
  EXPECT_EQ(checked.compiled(), 1);
  EXPECT_OK(Check(&checked, "Abs(%0)", "first"));
  EXPECT_EQ(checked.compiled(), 2);
  EXPECT_OK(Check(&checked, "Exp(%0)", "third"));
  EXPECT_EQ(checked.compiled(), 2);
}

TEST(CheckedEpilogues, AttributesCount) {
  CheckedEpilogues checked;
  EXPECT_OK(Check(&checked, "Convert(%0) {destination_type = f16}", "half"));
  EXPECT_OK(Check(&checked, "Convert(%0) {destination_type = bf16}", "half"));
  EXPECT_EQ(checked.compiled(), 2);
}

TEST(CheckedEpilogues, TellsEachItsOwnReason) {
  CheckedEpilogues checked;
  const auto refused = [](const char* reason) { return StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)); };
  // Nothing is remembered of what cannot be compiled.
  EXPECT_THAT(Check(&checked, "Convert(%0) {destination_type = f64}", "wide"), refused("type f64"));
  EXPECT_THAT(Check(&checked, "Convert(%0) {destination_type = f64}", "wide"), refused("type f64"));
  EXPECT_EQ(checked.compiled(), 2);
}

}  // namespace
}  // namespace burin::snippets
