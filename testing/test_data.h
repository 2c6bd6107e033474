// Finds test data that is too large for the tree: real models, conformance archives, the ONNX backend suite. Small data
// of the project's own lies beside its test instead and is named in that test's `data`. Any thread may call these.
//
// A test whose data is absent skips with the reason, so that it is counted:
//
//   BURIN_SKIP_WITHOUT_MODELS();
//   const std::string path = *ModelsDir() + "/mnist_burn/model.onnx";
#ifndef BURIN_TESTING_TEST_DATA_H_
#define BURIN_TESTING_TEST_DATA_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace burin {

// Returns the folder that BURIN_TEST_MODELS named when the test was built: NAME/model.onnx with
// NAME/test_data_set_*/{input,output}_i.pb. nullopt where the variable was unset.
std::optional<std::string> ModelsDir();

// Returns the folder that BURIN_CONFORMANCE named when the test was built: archives of conformance suites. nullopt
// where the variable was unset.
std::optional<std::string> ConformanceDir();

// Returns the folder that BURIN_AMX_VECTORS named when the test was built: recorded results of AMX and AVX-VNNI
// instructions. nullopt where the variable was unset.
std::optional<std::string> AmxVectorsDir();

// Returns the folder of the ONNX backend suite of the Debian package libonnx-testdata: node/test_NAME/model.onnx, and
// simple/ and pytorch-*/ likewise. nullopt where the package is not installed.
std::optional<std::string> OnnxTestDataDir();

}  // namespace burin

// Skips the current test, with the reason, where the data is absent.
#define BURIN_SKIP_WITHOUT_MODELS()                                                        \
  do {                                                                                     \
    if (!::burin::ModelsDir().has_value()) GTEST_SKIP() << "BURIN_TEST_MODELS is not set"; \
  } while (false)
#define BURIN_SKIP_WITHOUT_CONFORMANCE()                                                        \
  do {                                                                                          \
    if (!::burin::ConformanceDir().has_value()) GTEST_SKIP() << "BURIN_CONFORMANCE is not set"; \
  } while (false)
#define BURIN_SKIP_WITHOUT_ONNX_TEST_DATA()                                                           \
  do {                                                                                                \
    if (!::burin::OnnxTestDataDir().has_value()) GTEST_SKIP() << "libonnx-testdata is not installed"; \
  } while (false)

#endif  // BURIN_TESTING_TEST_DATA_H_
