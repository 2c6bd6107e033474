#include "runtime/executor/system_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

std::string NewFolder() {
  std::string path = absl::StrCat(::testing::TempDir(), "/system_files_XXXXXX");
  EXPECT_NE(mkdtemp(path.data()), nullptr);
  return path;
}

TEST(SystemFilesTest, ReadsBelowItsRoot) {
  const std::string root = NewFolder();
  ASSERT_OK(WriteFileAtomically(root + "/online", "0-1\n"));
  const RootedSystemFiles files(root);
  EXPECT_EQ(files.Read("/online"), std::string("0-1\n"));
  EXPECT_EQ(files.Read("/absent"), std::nullopt);
  EXPECT_EQ(files.Read("/"), std::nullopt);
}

TEST(SystemFilesTest, ReadsFilesWhoseSizeSaysNothing) {
  const std::optional<std::string> mounts = RootedSystemFiles().Read("/proc/self/mountinfo");
  ASSERT_TRUE(mounts.has_value());
  EXPECT_NE(mounts->find(" - "), std::string::npos);
}

TEST(SystemFilesTest, RefusesWhatIsTooLargeOrNoText) {
  const std::string root = NewFolder();
  ASSERT_OK(WriteFileAtomically(root + "/most", std::string(RootedSystemFiles::kMaxBytes, '1')));
  ASSERT_OK(WriteFileAtomically(root + "/more", std::string(RootedSystemFiles::kMaxBytes + 1, '1')));
  ASSERT_EQ(mkfifo((root + "/pipe").c_str(), 0600), 0);
  const RootedSystemFiles files(root);
  EXPECT_TRUE(files.Read("/most").has_value());
  EXPECT_EQ(files.Read("/more"), std::nullopt);
  EXPECT_EQ(files.Read("/pipe"), std::nullopt);
}

}  // namespace
}  // namespace burin::executor
