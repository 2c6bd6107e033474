// The checked-in list of the cases that pass: it may grow and never shrink.
//
// Stateless, thread-safe.
#ifndef BURIN_TESTING_CONFORMANCE_PASS_LIST_H_
#define BURIN_TESTING_CONFORMANCE_PASS_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "testing/conformance/case_runner.h"

namespace burin::conformance {

// Reads a list: one case name a line, sorted, '#' begins a comment line. InvalidArgument where it is not sorted.
absl::StatusOr<std::vector<std::string>> ReadPassList(const std::string& path);

// Returns what is wrong, a line for each finding: a case that failed, a listed case that did not pass or is gone, and a
// case that passed and is not listed yet.
std::vector<std::string> CompareWithPassList(const std::vector<Case>& cases, const std::vector<Result>& results,
                                             const std::vector<std::string>& listed);

// Returns the text of a list of the cases that passed.
std::string MakePassList(const std::vector<Case>& cases, const std::vector<Result>& results);

}  // namespace burin::conformance

#endif  // BURIN_TESTING_CONFORMANCE_PASS_LIST_H_
