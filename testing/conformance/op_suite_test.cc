#include "testing/conformance/op_suite.h"

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/file.h"
#include "testing/conformance/case_runner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::conformance {
namespace {

using ::testing::HasSubstr;

std::string FreshFolder(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// An Elu of -1 and 2, once right and once wrong, and an And of booleans.
constexpr char kTests[] = R"([
  // What is right.
  {
    "name": "Elu", "operator": "Elu", "opset": { "domain": "", "version": 6 },
    "attributes": [{ "name": "alpha", "data": 0, "type": "float" }],
    "cases": [
      { "name": "right",
        "inputs": [{ "data": [-1, 2], "dims": [2], "type": "float32" }],
        "outputs": [{ "data": [0, 2], "dims": [2], "type": "float32" }] },
      { "name": "wrong",
        "inputs": [{ "data": [-1, 2], "dims": [2], "type": "float32" }],
        "outputs": [{ "data": [0, 3], "dims": [2], "type": "float32" }] }
    ]
  },
  { "name": "And", "operator": "And",
    "cases": [
      { "name": "and",
        "inputs": [{ "data": [true, true], "dims": [2], "type": "bool" },
                   { "data": [true, false], "dims": [2], "type": "bool" }],
        "outputs": [{ "data": [true, false], "dims": [2], "type": "bool" }] }
    ]
  }
])";

TEST(OpSuiteTest, CasesRunAsThoseOfTheBackendSuite) {
  const std::string source = FreshFolder("op_suite_source");
  const std::string target = FreshFolder("op_suite_target");
  ASSERT_OK(WriteFileAtomically(source + "/some.jsonc", kTests));
  ASSERT_OK(WriteFileAtomically(source + "/_example.jsonc", "no JSON"));
  ASSERT_OK(WriteOpSuite(source, target));
  ASSERT_OK_AND_ASSIGN(const std::vector<Case> cases, FindCases(target));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].name, "some/0_0");
  EXPECT_EQ(RunCase(cases[0], kOracleDevice).outcome, Outcome::kPassed);
  EXPECT_EQ(cases[1].name, "some/0_1");
  EXPECT_EQ(RunCase(cases[1], kOracleDevice).outcome, Outcome::kFailed);
  EXPECT_EQ(RunCase(cases[2], kOracleDevice).outcome, Outcome::kPassed);
}

TEST(OpSuiteTest, RefusesWhatIsNotOfTheForm) {
  const std::string target = FreshFolder("op_suite_bad");
  const auto refused = [&](const std::string& json, const std::string& reason) {
    EXPECT_THAT(WriteOpTests(json, target), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(reason)));
  };
  refused("{", "list in JSON");
  refused("[{}]", "no cases");
  refused(R"([{"cases": [{"inputs": []}]}])", "0_0");
  refused(R"([{"cases": [{"inputs": [{"type": "float8"}], "outputs": []}]}])", "type that is not known");
  refused(R"([{"cases": [{"inputs": [{"type": "int32", "data": [1], "dims": [2]}], "outputs": []}]}])",
          "other data than dims");
  refused(R"([{"attributes": [{"name": "a", "type": "ints", "data": 1}], "cases": [{"inputs": [], "outputs": []}]}])",
          "another type than its data");
}

}  // namespace
}  // namespace burin::conformance
