#include "testing/test_data.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace burin {
namespace {

TEST(TestDataTest, ModelsAreReadable) {
  BURIN_SKIP_WITHOUT_MODELS();
  EXPECT_TRUE(std::filesystem::is_regular_file(*ModelsDir() + "/mnist_burn/model.onnx"));
}

TEST(TestDataTest, ConformanceArchivesAreReadable) {
  BURIN_SKIP_WITHOUT_CONFORMANCE();
  EXPECT_FALSE(std::filesystem::is_empty(*ConformanceDir()));
}

TEST(TestDataTest, OnnxSuiteIsReadable) {
  BURIN_SKIP_WITHOUT_ONNX_TEST_DATA();
  EXPECT_TRUE(std::filesystem::is_regular_file(*OnnxTestDataDir() + "/node/test_relu/model.onnx"));
}

}  // namespace
}  // namespace burin
