#include "tools/opt/model_source.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "runtime/api/core.h"
#include "testing/gtest/status_matchers.h"

namespace burin::opt {
namespace {

constexpr char kText[] = R"(model "m" {
  %0 "x" = Parameter() {shape = [3]}
  %1 "w" = Constant() {value = f32[3]{1, 2, 0.1}}
  %2 "y" = Add(%0, %1)
  %3 "out" = Result(%2)
})";

TEST(ModelSourceTest, ReadsBackWhatItWrites) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  for (const char* name : {"/model.txt", "/model.bin"}) {
    const std::string path = testing::TempDir() + name;
    ASSERT_OK(WriteGraph(*model, path));
    ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ir::Model> read, ReadGraph(&core, path));
    EXPECT_OK(ir::CompareStructure(*model, *read, {/*compare_names=*/true}));
  }
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(testing::TempDir() + "/model.txt"));
  EXPECT_THAT(text, testing::HasSubstr("Add(%0, %1)"));
}

TEST(ModelSourceTest, BuildsBuiltinNetworks) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ir::Model> model,
                       ReadGraph(&core, "builtin:mobilenet_v2(image=32,width=0.1,classes=10)"));
  EXPECT_GT(model->node_count(), 100);
}

TEST(ModelSourceTest, NamesTheFileThatDoesNotRead) {
  Core core;
  const std::string path = testing::TempDir() + "/broken.txt";
  ASSERT_OK(WriteFileAtomically(path, "model {"));
  EXPECT_THAT(ReadGraph(&core, path), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("broken.txt")));
  const std::string binary = testing::TempDir() + "/broken.bin";
  ASSERT_OK(WriteFileAtomically(binary, "model {"));
  EXPECT_THAT(ReadGraph(&core, binary), StatusIs(absl::StatusCode::kDataLoss, testing::HasSubstr("broken.bin")));
  EXPECT_THAT(ReadGraph(&core, "/no/such.onnx"),
              StatusIs(absl::StatusCode::kNotFound, testing::HasSubstr("/no/such.onnx")));
}

}  // namespace
}  // namespace burin::opt
