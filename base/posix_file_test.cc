#include "base/posix_file.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(PosixFileTest, ErrorsHaveTheCodesOfTheContract) {
  const std::pair<int, absl::StatusCode> expectations[] = {
      {ENOENT, absl::StatusCode::kNotFound},          {EACCES, absl::StatusCode::kPermissionDenied},
      {EPERM, absl::StatusCode::kPermissionDenied},   {EISDIR, absl::StatusCode::kInvalidArgument},
      {ENOTDIR, absl::StatusCode::kInvalidArgument},  {ENAMETOOLONG, absl::StatusCode::kInvalidArgument},
      {ENOSPC, absl::StatusCode::kResourceExhausted}, {EDQUOT, absl::StatusCode::kResourceExhausted},
      {ENOMEM, absl::StatusCode::kResourceExhausted}, {EMFILE, absl::StatusCode::kResourceExhausted},
      {EFBIG, absl::StatusCode::kResourceExhausted},
  };
  for (const auto& [error_number, code] : expectations) {
    EXPECT_THAT(FileError(error_number, "Cannot do", "some/path"),
                StatusIs(code, StartsWith("Cannot do: some/path: ")));
  }
}

TEST(PosixFileTest, ClosesWhatItOwnsAndNothingElse) {
  const int fd = open("/dev/null", O_RDONLY);
  ASSERT_GE(fd, 0);
  {
    FileDescriptor first(fd);
    FileDescriptor second(std::move(first));
    EXPECT_EQ(first.get(), -1);  // NOLINT(bugprone-use-after-move): the contract says what is left.
    EXPECT_EQ(second.get(), fd);
    EXPECT_EQ(second.Release(), fd);
  }
  EXPECT_GE(fcntl(fd, F_GETFD), 0) << "a released descriptor stays open";
  { FileDescriptor owner(fd); }
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

TEST(PosixFileTest, ReportsWhenDescriptorsAreUsedUp) {
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit none = limit;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const absl::Status status = OpenRegularFile("/proc/self/status").status();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted, AllOf(HasSubstr("/proc/self/status"))));
}

}  // namespace
}  // namespace internal
}  // namespace burin
