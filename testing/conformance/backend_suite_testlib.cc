#include "testing/conformance/backend_suite_testlib.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gtest/gtest.h"
#include "testing/conformance/case_runner.h"
#include "testing/conformance/op_suite.h"
#include "testing/conformance/pass_list.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"

namespace burin::conformance {

namespace {

constexpr char kFolder[] = "testing/conformance/";
// Of the backend suites, which have the same cases.
constexpr char kOutOfScope[] = "onnx_out_of_scope.txt";
// What this project promises to hold at least, whatever the lists say.
constexpr int64_t kMinPassed = 500;

// Takes the cases of a list out of `cases`, and expects that they do not pass.
void SetAside(const std::string& list_name, const std::string& device, std::vector<Case>* cases) {
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> names, ReadPassList(absl::StrCat(kFolder, list_name)));
  const auto is_listed = [&](const Case& test_case) {
    return std::binary_search(names.begin(), names.end(), test_case.name);
  };
  const auto aside =
      std::stable_partition(cases->begin(), cases->end(), [&](const Case& test_case) { return !is_listed(test_case); });
  const std::vector<Case> listed(aside, cases->end());
  EXPECT_EQ(listed.size(), names.size()) << list_name << " names a case that is not in the suite";
  cases->erase(aside, cases->end());
  const std::vector<Result> results = RunIsolated(listed, /*parallel=*/1, device);
  for (size_t i = 0; i < listed.size(); ++i) {
    EXPECT_NE(results[i].outcome, Outcome::kPassed)
        << listed[i].name << " passes, and is to be struck off " << list_name;
  }
}

void RunSuite(const std::vector<Case>& cases, const std::string& list_name, const std::string& device) {
  const int parallel = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const std::vector<Result> results = RunIsolated(cases, parallel, device);
  ASSERT_EQ(results.size(), cases.size());

  std::map<Outcome, int64_t> totals;
  for (size_t i = 0; i < cases.size(); ++i) {
    ++totals[results[i].outcome];
    if (results[i].outcome == Outcome::kPassed) continue;
    std::printf("%s %s: %s\n", results[i].outcome == Outcome::kFailed ? "failed" : "op-not-yet", cases[i].name.c_str(),
                results[i].detail.c_str());
  }
  std::printf("%s on %s: %zu cases: %lld passed, %lld failed, %lld op-not-yet\n", list_name.c_str(), device.c_str(),
              cases.size(), static_cast<long long>(totals[Outcome::kPassed]),
              static_cast<long long>(totals[Outcome::kFailed]), static_cast<long long>(totals[Outcome::kOpNotYet]));
  EXPECT_GE(totals[Outcome::kPassed], kMinPassed);

  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (device == kOracleDevice && std::getenv("BURIN_UPDATE_PASS_LISTS") != nullptr && workspace != nullptr) {
    ASSERT_OK(WriteFileAtomically(absl::StrCat(workspace, "/", kFolder, list_name), MakePassList(cases, results)));
    return;
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> listed, ReadPassList(absl::StrCat(kFolder, list_name)));
  for (const std::string& finding : CompareWithPassList(cases, results, listed)) ADD_FAILURE() << finding;
}

void Unpack(const std::string& archive, const std::string& folder) {
  std::filesystem::create_directories(folder);
  ASSERT_EQ(std::system(absl::StrCat("tar -xf '", archive, "' -C '", folder, "'").c_str()), 0);
}

}  // namespace

void ExpectDebianSuite(const std::string& device) {
  BURIN_SKIP_WITHOUT_ONNX_TEST_DATA();
  ASSERT_OK_AND_ASSIGN(std::vector<Case> cases, FindCases(*OnnxTestDataDir()));
  SetAside(kOutOfScope, device, &cases);
  RunSuite(cases, "onnx_debian_pass.txt", device);
}

void ExpectSuite122(const std::string& device) {
  BURIN_SKIP_WITHOUT_CONFORMANCE();
  const std::string archive = *ConformanceDir() + "/onnx-1.22.0-backend-tests.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "there is no onnx-1.22.0-backend-tests.tar.xz";
  const std::string folder = ::testing::TempDir() + "/onnx_1_22";
  Unpack(archive, folder);
  ASSERT_OK_AND_ASSIGN(std::vector<Case> cases, FindCases(folder));
  SetAside(kOutOfScope, device, &cases);
  RunSuite(cases, "onnx_1_22_pass.txt", device);
}

void ExpectOpSuite(const std::string& device) {
  BURIN_SKIP_WITHOUT_CONFORMANCE();
  const std::string archive = *ConformanceDir() + "/ort-op-tests-jsonc.tar.xz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "there is no ort-op-tests-jsonc.tar.xz";
  const std::string folder = ::testing::TempDir() + "/ort_ops";
  Unpack(archive, folder + "/source");
  ASSERT_OK(WriteOpSuite(folder + "/source/ops", folder + "/cases"));
  ASSERT_OK_AND_ASSIGN(std::vector<Case> cases, FindCases(folder + "/cases"));
  SetAside("ort_ops_out_of_scope.txt", device, &cases);
  RunSuite(cases, "ort_ops_pass.txt", device);
}

}  // namespace burin::conformance
