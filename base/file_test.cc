#include "base/file.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// Gives each test an empty folder of its own.
class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/file_test_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  // Returns the names in the folder, hidden ones included.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    DIR* const directory = opendir(folder_.c_str());
    while (const dirent* const entry = readdir(directory)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    closedir(directory);
    return names;
  }

  std::string folder_;
};

TEST_F(FileTest, RoundTripsBytes) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("a\0b\n", 4), std::string(3 * 1000 * 1000, 'x')}) {
    ASSERT_OK(WriteFileAtomically(Path("f"), bytes));
    ASSERT_OK_AND_ASSIGN(const std::string read, ReadFile(Path("f")));
    EXPECT_TRUE(read == bytes) << bytes.size();
  }
  EXPECT_THAT(Names(), ElementsAre("f"));
}

TEST_F(FileTest, ReadsFilesThatReportNoSize) {
  ASSERT_OK_AND_ASSIGN(const std::string status, ReadFile("/proc/self/status"));
  EXPECT_THAT(status, HasSubstr("Pid:"));
}

TEST_F(FileTest, ReadReportsWhatIsNoReadableFile) {
  EXPECT_THAT(ReadFile(Path("none")), StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
  EXPECT_THAT(ReadFile(folder_), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("directory")));
  EXPECT_THAT(ReadFile("/dev/null"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("regular")));
  EXPECT_THAT(ReadFile(""), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(Path("pipe")), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK(WriteFileAtomically(Path("f"), "x"));
  EXPECT_THAT(ReadFile(Path("f/g")), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(FileTest, ReportsDeniedPermission) {
  ASSERT_OK(WriteFileAtomically(Path("secret"), "x"));
  ASSERT_EQ(chmod(Path("secret").c_str(), 0), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  // The superuser may read and write everything, so the test gives that up for a moment.
  const uid_t user = geteuid();
  constexpr uid_t kNobody = 65534;
  if (user == 0 && seteuid(kNobody) != 0) GTEST_SKIP() << "cannot stop being the superuser";
  const absl::Status read = ReadFile(Path("secret")).status();
  const absl::Status written = WriteFileAtomically(Path("new"), "y");
  if (user == 0) {
    ASSERT_EQ(seteuid(0), 0);
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  EXPECT_THAT(read, StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(written, StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(Names(), ElementsAre("secret"));
}

TEST_F(FileTest, WriteObeysTheMask) {
  const mode_t mask = umask(027);
  const absl::Status written = WriteFileAtomically(Path("f"), "x");
  umask(mask);
  ASSERT_OK(written);
  struct stat info;
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(FileTest, WriteReplacesALinkAndNotItsTarget) {
  ASSERT_OK(WriteFileAtomically(Path("target"), "old"));
  ASSERT_EQ(symlink(Path("target").c_str(), Path("link").c_str()), 0);
  ASSERT_OK(WriteFileAtomically(Path("link"), "new"));
  EXPECT_THAT(ReadFile(Path("link")), IsOkAndHolds("new"));
  EXPECT_THAT(ReadFile(Path("target")), IsOkAndHolds("old"));
}

TEST_F(FileTest, WriteReportsPathsThatCannotBeAndLeavesNothing) {
  ASSERT_EQ(mkdir(Path("folder").c_str(), 0700), 0);
  EXPECT_THAT(WriteFileAtomically(Path("folder"), "x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(WriteFileAtomically(Path("folder/"), "x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(WriteFileAtomically("", "x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(WriteFileAtomically(Path("none/f"), "x"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(WriteFileAtomically(Path(std::string(300, 'n')), "x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Names(), ElementsAre("folder"));
}

TEST_F(FileTest, FailedWriteKeepsTheOldFileAndNoTemporary) {
  ASSERT_OK(WriteFileAtomically(Path("f"), "old"));
  // A limit on file size fails as a full disk does, inside write().
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = WriteFileAtomically(Path("f"), std::string(10000, 'n'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(ReadFile(Path("f")), IsOkAndHolds("old"));
  EXPECT_THAT(Names(), ElementsAre("f"));
}

TEST_F(FileTest, ConcurrentWritersLeaveOneWholeFile) {
  constexpr int kThreads = 4;
  constexpr size_t kSize = 100 * 1000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 5; ++i) EXPECT_OK(WriteFileAtomically(Path("f"), std::string(kSize, 'a' + t)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(Path("f")));
  EXPECT_EQ(bytes, std::string(kSize, bytes.empty() ? ' ' : bytes[0]));
  EXPECT_THAT(Names(), UnorderedElementsAre("f"));
}

}  // namespace
}  // namespace burin
