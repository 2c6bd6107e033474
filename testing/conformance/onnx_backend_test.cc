// The ONNX backend test suite on the REFERENCE device, case by case against the checked-in list of what passes.
//
//   BURIN_UPDATE_PASS_LISTS=1 ./bazelw run //testing/conformance:onnx_backend_test
// writes the lists anew, in the source tree.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "testing/conformance/case_runner.h"
#include "testing/conformance/pass_list.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"

namespace burin::conformance {
namespace {

constexpr char kFolder[] = "testing/conformance/";
// What this project promises to hold at least, whatever the lists say.
constexpr int64_t kMinPassed = 500;

void RunSuite(const std::string& root, const std::string& list_name) {
  ASSERT_OK_AND_ASSIGN(const std::vector<Case> cases, FindCases(root));
  const int parallel = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const std::vector<Result> results = RunIsolated(cases, parallel);
  ASSERT_EQ(results.size(), cases.size());

  std::map<Outcome, int64_t> totals;
  for (size_t i = 0; i < cases.size(); ++i) {
    ++totals[results[i].outcome];
    if (results[i].outcome == Outcome::kPassed) continue;
    std::printf("%s %s: %s\n", results[i].outcome == Outcome::kFailed ? "failed" : "op-not-yet", cases[i].name.c_str(),
                results[i].detail.c_str());
  }
  std::printf("%s: %zu cases: %lld passed, %lld failed, %lld op-not-yet\n", list_name.c_str(), cases.size(),
              static_cast<long long>(totals[Outcome::kPassed]), static_cast<long long>(totals[Outcome::kFailed]),
              static_cast<long long>(totals[Outcome::kOpNotYet]));
  EXPECT_GE(totals[Outcome::kPassed], kMinPassed);

  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (std::getenv("BURIN_UPDATE_PASS_LISTS") != nullptr && workspace != nullptr) {
    ASSERT_OK(WriteFileAtomically(absl::StrCat(workspace, "/", kFolder, list_name), MakePassList(cases, results)));
    return;
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> listed, ReadPassList(absl::StrCat(kFolder, list_name)));
  for (const std::string& finding : CompareWithPassList(cases, results, listed)) ADD_FAILURE() << finding;
}

TEST(OnnxBackendTest, DebianSuite) {
  BURIN_SKIP_WITHOUT_ONNX_TEST_DATA();
  RunSuite(*OnnxTestDataDir(), "onnx_debian_pass.txt");
}

TEST(OnnxBackendTest, Suite122) {
  BURIN_SKIP_WITHOUT_CONFORMANCE();
  const std::string archive = *ConformanceDir() + "/onnx-1.22.0-backend-tests.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "there is no onnx-1.22.0-backend-tests.tar.xz";
  const std::string folder = ::testing::TempDir() + "/onnx_1_22";
  std::filesystem::create_directories(folder);
  ASSERT_EQ(std::system(absl::StrCat("tar -xf '", archive, "' -C '", folder, "'").c_str()), 0);
  RunSuite(folder, "onnx_1_22_pass.txt");
}

}  // namespace
}  // namespace burin::conformance
