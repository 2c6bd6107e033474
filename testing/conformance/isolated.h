// Runs cases in child processes: RunIsolated of case_runner.h, with what is run as a parameter.
//
// For that and for tests; everything else calls RunIsolated. Not thread-safe: it waits for every child of this process.
#ifndef BURIN_TESTING_CONFORMANCE_ISOLATED_H_
#define BURIN_TESTING_CONFORMANCE_ISOLATED_H_

#include <functional>
#include <vector>

#include "testing/conformance/case_runner.h"

namespace burin::conformance {

// Runs `run` on every case, each in a child process of its own that has `seconds` of time (at least 1); `parallel` at a
// time. Returns the results in the order of the cases, with details cut to 60000 bytes; a child that crashes, hangs or
// exits without a result is kFailed and says so.
std::vector<Result> RunEachIsolated(const std::vector<Case>& cases, int parallel,
                                    const std::function<Result(const Case&)>& run, unsigned seconds);

}  // namespace burin::conformance

#endif  // BURIN_TESTING_CONFORMANCE_ISOLATED_H_
