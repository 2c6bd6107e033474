// The suites of ONNX backend tests, case by case on a device against the checked-in lists of what passes.
//
// The lists are those of REFERENCE: another device passes what that does, no more and no less. For tests; one at a
// time, as it waits for every child of the process.
#ifndef BURIN_TESTING_CONFORMANCE_BACKEND_SUITE_TESTLIB_H_
#define BURIN_TESTING_CONFORMANCE_BACKEND_SUITE_TESTLIB_H_

#include <string>

namespace burin::conformance {

// Run the suite that the Debian package libonnx-testdata installs, and that of the archive of release 1.22; each skips,
// with the reason, where that is absent. With BURIN_UPDATE_PASS_LISTS set, a run on REFERENCE writes the list anew in
// the source tree.
void ExpectDebianSuite(const std::string& device);
void ExpectSuite122(const std::string& device);

// Runs the operator tests of ONNX Runtime in the same way.
void ExpectOpSuite(const std::string& device);

}  // namespace burin::conformance

#endif  // BURIN_TESTING_CONFORMANCE_BACKEND_SUITE_TESTLIB_H_
