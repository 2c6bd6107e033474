#include "testing/conformance/isolated.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/conformance/case_runner.h"

namespace burin::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Far more than any of these cases takes, however loaded the machine.
constexpr unsigned kPatience = 60;

// Does what the case's path says.
Result Obey(const Case& test_case) {
  if (test_case.path == "pass") return {Outcome::kPassed, ""};
  if (test_case.path == "later") return {Outcome::kOpNotYet, "no Foo"};
  if (test_case.path == "abort") std::abort();
  if (test_case.path == "exit") _exit(3);
  if (test_case.path == "exit quietly") _exit(0);
  if (test_case.path == "hang") {
    while (true) pause();
  }
  return {Outcome::kFailed, absl::StrCat("wrong: ", test_case.path)};
}

TEST(IsolatedTest, GivesEachCaseItsOwnResult) {
  const std::vector<Case> cases = {{"a", "pass"},         {"b", "abort"}, {"c", "later"}, {"d", "exit"},
                                   {"e", "exit quietly"}, {"f", "other"}, {"g", "pass"}};
  for (const int parallel : {1, 3, 20}) {
    const std::vector<Result> results = RunEachIsolated(cases, parallel, &Obey, kPatience);
    ASSERT_EQ(results.size(), cases.size());
    EXPECT_EQ(results[0].outcome, Outcome::kPassed);
    EXPECT_EQ(results[0].detail, "");
    EXPECT_EQ(results[1].outcome, Outcome::kFailed);
    EXPECT_EQ(results[1].detail, "crashes with signal 6");
    EXPECT_EQ(results[2].outcome, Outcome::kOpNotYet);
    EXPECT_EQ(results[2].detail, "no Foo");
    EXPECT_EQ(results[3].outcome, Outcome::kFailed);
    EXPECT_EQ(results[3].detail, "ends without a result, exit status 3");
    EXPECT_EQ(results[4].outcome, Outcome::kFailed);
    EXPECT_EQ(results[4].detail, "ends without a result, exit status 0");
    EXPECT_EQ(results[5].outcome, Outcome::kFailed);
    EXPECT_EQ(results[5].detail, "wrong: other");
    EXPECT_EQ(results[6].outcome, Outcome::kPassed);
  }
}

TEST(IsolatedTest, AHangIsThatCasesFailure) {
  const std::vector<Result> results = RunEachIsolated({{"a", "hang"}}, 1, &Obey, 1);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[0].detail, "hangs: no result within 1 s");
}

TEST(IsolatedTest, NothingOfACaseReachesTheNext) {
  int runs = 0;
  const auto count = [&runs](const Case&) { return Result{Outcome::kFailed, absl::StrCat("run ", ++runs)}; };
  const std::vector<Result> results = RunEachIsolated({{"a", ""}, {"b", ""}}, 1, count, kPatience);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].detail, "run 1");
  EXPECT_EQ(results[1].detail, "run 1");
  EXPECT_EQ(runs, 0);
}

TEST(IsolatedTest, LongDetailsAreCutAndDoNotBlock) {
  const auto talk = [](const Case&) { return Result{Outcome::kFailed, std::string(1 << 20, 'x')}; };
  const std::vector<Result> results = RunEachIsolated({{"a", ""}}, 1, talk, kPatience);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[0].detail, std::string(60000, 'x'));
}

TEST(IsolatedTest, NoCasesGiveNoResults) { EXPECT_THAT(RunEachIsolated({}, 4, &Obey, kPatience), IsEmpty()); }

TEST(IsolatedTest, RunsRealCases) {
  const std::vector<Result> results = RunIsolated({{"a", "/no/such/case.onnx"}}, 1);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_THAT(results[0].detail, HasSubstr("/no/such/case.onnx"));
}

}  // namespace
}  // namespace burin::conformance
