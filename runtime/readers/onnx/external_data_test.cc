#include "runtime/readers/onnx/external_data.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/element_type.h"
#include "base/file.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

class ExternalDataTest : public ::testing::Test {
 protected:
  void SetUp() override {
    outside_ = ::testing::TempDir() + "/external_data_test";
    folder_ = outside_ + "/model";
    mkdir(outside_.c_str(), 0755);
    mkdir(folder_.c_str(), 0755);
    mkdir((folder_ + "/sub").c_str(), 0755);
    ASSERT_OK(WriteFileAtomically(outside_ + "/secret", "secret"));
    ASSERT_OK(WriteFileAtomically(folder_ + "/sub/weights", "12345678"));
  }

  absl::StatusOr<ExternalBytes> Open(absl::string_view location, bool use_mmap = true) {
    bool newly_opened = false;
    return ExternalData({folder_, use_mmap}).Open(location, &newly_opened);
  }

  std::string outside_;
  std::string folder_;
};

TEST_F(ExternalDataTest, MapsAFileOnce) {
  for (const bool use_mmap : {false, true}) {
    ExternalData data({folder_, use_mmap});
    bool newly_opened = false;
    ASSERT_OK_AND_ASSIGN(const ExternalBytes first, data.Open("sub/weights", &newly_opened));
    EXPECT_TRUE(newly_opened);
    EXPECT_EQ(first.bytes, "12345678");
    ASSERT_OK_AND_ASSIGN(const ExternalBytes second, data.Open("sub/weights", &newly_opened));
    EXPECT_FALSE(newly_opened);
    EXPECT_EQ(first.owner, second.owner);
    EXPECT_EQ(first.bytes.data(), second.bytes.data());
  }
}

TEST_F(ExternalDataTest, FilesReadIntoMemoryMayChange) {
  ASSERT_OK(WriteFileAtomically(folder_ + "/changing", "before"));
  ASSERT_OK_AND_ASSIGN(const ExternalBytes read, Open("changing", /*use_mmap=*/false));
  ASSERT_OK_AND_ASSIGN(const ExternalBytes mapped, Open("changing", /*use_mmap=*/true));
  std::fstream(folder_ + "/changing", std::ios::in | std::ios::out) << "behind";
  EXPECT_EQ(read.bytes, "before");
  EXPECT_EQ(mapped.bytes, "behind");
}

TEST_F(ExternalDataTest, ATensorStandsForOneFileOfAnyName) {
  char content[] = "12345678";
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, ir::Tensor::View(ElementType::kU8, {8}, content));
  ExternalData data({"", true, tensor});
  bool newly_opened = false;
  ASSERT_OK_AND_ASSIGN(const ExternalBytes first, data.Open("/any/../name", &newly_opened));
  EXPECT_TRUE(newly_opened);
  EXPECT_EQ(first.bytes, "12345678");
  EXPECT_EQ(first.bytes.data(), content);
  EXPECT_EQ(first.owner, tensor.storage());
  EXPECT_OK(data.Open("/any/../name", &newly_opened));
  EXPECT_FALSE(newly_opened);
  EXPECT_THAT(data.Open("other", &newly_opened),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/any/../name, other")));
  EXPECT_THAT(ExternalData({"", true, tensor}).Open("", &newly_opened), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(ExternalDataTest, RefusesPathsOutside) {
  EXPECT_THAT(Open("../secret"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open("sub/../../secret"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open("sub/../sub/weights"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open(outside_ + "/secret"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open(absl::string_view("sub\0x", 5)), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open("."), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open("sub"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Open("absent"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ExternalDataTest, RefusesLinksThatLeadOut) {
  const std::string link = folder_ + "/link";
  unlink(link.c_str());
  ASSERT_EQ(symlink((outside_ + "/secret").c_str(), link.c_str()), 0);
  EXPECT_THAT(Open("link"), StatusIs(absl::StatusCode::kInvalidArgument));
  const std::string folder_link = folder_ + "/up";
  unlink(folder_link.c_str());
  ASSERT_EQ(symlink("..", folder_link.c_str()), 0);
  EXPECT_THAT(Open("up/secret"), StatusIs(absl::StatusCode::kInvalidArgument));
  const std::string inside = folder_ + "/inside";
  unlink(inside.c_str());
  ASSERT_EQ(symlink("sub/weights", inside.c_str()), 0);
  EXPECT_OK(Open("inside"));
}

TEST_F(ExternalDataTest, NeedsAFolder) {
  bool newly_opened = false;
  EXPECT_THAT(ExternalData({}).Open("weights", &newly_opened),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("names the file: weights")));
}

}  // namespace
}  // namespace burin::onnx
