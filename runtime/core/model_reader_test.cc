#include "runtime/core/model_reader.h"

#include <string>

#include "absl/status/status.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

std::string Write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_OK(WriteFileAtomically(path, bytes));
  return path;
}

TEST(ModelReaderTest, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(ReadModelFile("/no/such/file.onnx", "").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/file.onnx")));
  EXPECT_THAT(ReadModelFile(::testing::TempDir(), "").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadModelFile(Write("empty", ""), "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
  EXPECT_THAT(ReadModelFile(Write("text.onnx", "hello, this is no model"), "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelReaderTest, RecognisesWhatItCannotReadYet) {
  EXPECT_THAT(ReadModelFile(Write("ir.onnx", "\n <?xml version=\"1.0\"?><net/>"), "").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("OpenVINO IR")));
}

}  // namespace
}  // namespace burin
