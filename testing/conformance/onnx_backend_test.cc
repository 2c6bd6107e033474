// The ONNX backend test suite on the REFERENCE device, case by case against the checked-in list of what passes.
//
//   BURIN_UPDATE_PASS_LISTS=1 ./bazelw run //testing/conformance:onnx_backend_test
// writes the lists anew, in the source tree.
#include "gtest/gtest.h"
#include "testing/conformance/backend_suite_testlib.h"

namespace burin::conformance {
namespace {

TEST(OnnxBackendTest, DebianSuite) { ExpectDebianSuite("REFERENCE"); }

TEST(OnnxBackendTest, Suite122) { ExpectSuite122("REFERENCE"); }

TEST(OnnxBackendTest, OpSuite) { ExpectOpSuite("REFERENCE"); }

}  // namespace
}  // namespace burin::conformance
