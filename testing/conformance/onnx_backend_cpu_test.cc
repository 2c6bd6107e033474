// The ONNX backend test suite on the CPU device: what passes on REFERENCE passes there.
#include "gtest/gtest.h"
#include "testing/conformance/backend_suite_testlib.h"

namespace burin::conformance {
namespace {

TEST(OnnxBackendCpuTest, DebianSuite) { ExpectDebianSuite("CPU"); }

TEST(OnnxBackendCpuTest, Suite122) { ExpectSuite122("CPU"); }

TEST(OnnxBackendCpuTest, OpSuite) { ExpectOpSuite("CPU"); }

}  // namespace
}  // namespace burin::conformance
