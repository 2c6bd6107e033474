#include "runtime/readers/onnx/opset_imports.h"

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

TEST(OpsetImportsTest, FindsVersions) {
  ASSERT_OK_AND_ASSIGN(const OpsetImports imports, OpsetImports::Create({{"ai.onnx", 13}, {"other", 4}}, 8));
  EXPECT_THAT(imports.Version(""), IsOkAndHolds(13));
  EXPECT_THAT(imports.Version("other"), IsOkAndHolds(4));
  EXPECT_THAT(imports.Version("forgotten"), IsOkAndHolds(1));
}

TEST(OpsetImportsTest, OldFilesImportTheFirst) {
  ASSERT_OK_AND_ASSIGN(const OpsetImports old, OpsetImports::Create({}, 2));
  EXPECT_THAT(old.Version(""), IsOkAndHolds(1));
  ASSERT_OK_AND_ASSIGN(const OpsetImports newer, OpsetImports::Create({}, 3));
  EXPECT_THAT(newer.Version(""), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(OpsetImportsTest, RefusesUnknownVersionsAndContradictions) {
  EXPECT_OK(OpsetImports::Create({{"", 27}}, 8));
  EXPECT_THAT(OpsetImports::Create({{"", 28}}, 8), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("28")));
  EXPECT_THAT(OpsetImports::Create({{"", 0}}, 8), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(OpsetImports::Create({{"", 7}, {"ai.onnx", 8}}, 8), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(OpsetImports::Create({{"", 7}, {"ai.onnx", 7}}, 8));
}

}  // namespace
}  // namespace burin::onnx
