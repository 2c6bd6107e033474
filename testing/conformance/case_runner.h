// Runs one case of the ONNX backend test suite on a device and says how it ended.
//
// A case is a folder with model.onnx and test_data_set_*; or, for the suite's "light" models, a model file with one
// expected output beside it, whose input is arange(n)/n. Thread-safe.
#ifndef BURIN_TESTING_CONFORMANCE_CASE_RUNNER_H_
#define BURIN_TESTING_CONFORMANCE_CASE_RUNNER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::conformance {

enum class Outcome {
  kPassed,
  kFailed,    // A wrong result, an error of our own, or a model that should have been read.
  kOpNotYet,  // Something in the model is not supported, and the reader or the device says what.
};

struct Result {
  Outcome outcome = Outcome::kFailed;
  std::string detail;  // Why it did not pass.
};

struct Case {
  std::string name;  // "node/test_abs"
  std::string path;  // The folder, or the model file of a light model.
};

// Returns every case below `root`, sorted by name. NotFound where there is none.
absl::StatusOr<std::vector<Case>> FindCases(const std::string& root);

// The device of cases where none is named.
inline constexpr char kOracleDevice[] = "REFERENCE";

// Runs a case in this process.
Result RunCase(const Case& test_case, const std::string& device = kOracleDevice);

// Runs all cases, each in a child process of its own with a limit on time, so that a crash or a hang is one
// case's failure; `parallel` at a time. Returns the results in the order of the cases.
std::vector<Result> RunIsolated(const std::vector<Case>& cases, int parallel,
                                const std::string& device = kOracleDevice);

}  // namespace burin::conformance

#endif  // BURIN_TESTING_CONFORMANCE_CASE_RUNNER_H_
