#include "testing/conformance/pass_list.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/conformance/case_runner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<Case> kCases = {{"a", ""}, {"b", ""}, {"c", ""}};
const Result kPassed{Outcome::kPassed, ""};
const Result kNotYet{Outcome::kOpNotYet, "no Foo"};
const Result kFailed{Outcome::kFailed, "wrong"};

TEST(PassListTest, AgreementIsSilent) {
  EXPECT_THAT(CompareWithPassList(kCases, {kPassed, kNotYet, kPassed}, {"a", "c"}), IsEmpty());
}

TEST(PassListTest, EveryDifferenceIsAFinding) {
  EXPECT_THAT(CompareWithPassList(kCases, {kPassed, kNotYet, kFailed}, {"b", "x"}),
              ElementsAre("NEW a passes and is not in the list", "LOST b: no Foo", "FAILED c: wrong",
                          "GONE x is listed and not in the suite"));
}

TEST(PassListTest, WhatIsWrittenIsReadBack) {
  const std::string path = ::testing::TempDir() + "/list.txt";
  ASSERT_OK(WriteFileAtomically(path, MakePassList(kCases, {kPassed, kNotYet, kPassed})));
  EXPECT_THAT(ReadPassList(path).value(), ElementsAre("a", "c"));
  ASSERT_OK(WriteFileAtomically(path, "b\na\n"));
  EXPECT_THAT(ReadPassList(path).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::conformance
