#include "runtime/readers/onnx/external_data.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/file.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

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

  absl::StatusOr<std::shared_ptr<const MappedFile>> Open(absl::string_view location) {
    bool newly_opened = false;
    return ExternalData(folder_).Open(location, &newly_opened);
  }

  std::string outside_;
  std::string folder_;
};

TEST_F(ExternalDataTest, MapsAFileOnce) {
  ExternalData data(folder_);
  bool newly_opened = false;
  ASSERT_OK_AND_ASSIGN(const auto first, data.Open("sub/weights", &newly_opened));
  EXPECT_TRUE(newly_opened);
  EXPECT_EQ(first->Bytes(), "12345678");
  ASSERT_OK_AND_ASSIGN(const auto second, data.Open("sub/weights", &newly_opened));
  EXPECT_FALSE(newly_opened);
  EXPECT_EQ(first, second);
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
  EXPECT_THAT(ExternalData("").Open("weights", &newly_opened), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
