#include "base/mapped_file.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

std::string PathOf(const std::string& name) { return ::testing::TempDir() + "/mapped_file_test_" + name; }

TEST(MappedFileTest, MapsTheBytes) {
  std::string bytes(10000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 13);
  ASSERT_OK(WriteFileAtomically(PathOf("bytes"), bytes));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("bytes")));
  EXPECT_EQ(file->size(), bytes.size());
  EXPECT_EQ(file->path(), PathOf("bytes"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file->data()) % 4096, 0u);
  EXPECT_TRUE(file->Bytes() == bytes);
}

TEST(MappedFileTest, OutlivesTheName) {
  ASSERT_OK(WriteFileAtomically(PathOf("gone"), "still here"));
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("gone")));
  ASSERT_OK(WriteFileAtomically(PathOf("gone"), "replaced"));
  EXPECT_EQ(file->Bytes(), "still here");
  ASSERT_EQ(unlink(PathOf("gone").c_str()), 0);
  const std::shared_ptr<const MappedFile> second = file;
  file.reset();
  EXPECT_EQ(second->Bytes(), "still here");
}

TEST(MappedFileTest, EmptyFileHasNoBytes) {
  ASSERT_OK(WriteFileAtomically(PathOf("empty"), ""));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("empty")));
  EXPECT_EQ(file->size(), 0u);
  EXPECT_EQ(file->data(), nullptr);
  EXPECT_EQ(file->Bytes(), "");
}

// Returns how many pages of the mapping that begins there are in memory of this process.
int PresentPages(const void* data) {
  std::ifstream maps("/proc/self/smaps");
  const std::string begin = absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(data)), "-");
  std::string line;
  bool is_it = false;
  while (std::getline(maps, line)) {
    if (absl::StartsWith(line, begin)) is_it = true;
    if (is_it && absl::StartsWith(line, "Rss:")) return std::stoi(line.substr(4)) / 4;
  }
  return -1;
}

TEST(MappedFileTest, GivesBackWholePagesAndReadsThemAgain) {
  std::string bytes(size_t{8} << 12, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  ASSERT_OK(WriteFileAtomically(PathOf("pages"), bytes));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("pages")));
  ASSERT_TRUE(file->Bytes() == bytes);
  ASSERT_EQ(PresentPages(file->data()), 8);
  // Five pages, three of them whole.
  const char* const first = static_cast<const char*>(file->data());
  MappedFile::ReleasePages(first + 4000, 4096 * 4);
  EXPECT_EQ(PresentPages(file->data()), 5);
  EXPECT_TRUE(file->Bytes() == bytes);
}

TEST(MappedFileTest, GivesBackNothingOfOtherMemory) {
  std::string mine(size_t{8} << 12, 'x');
  MappedFile::ReleasePages(mine.data(), mine.size());
  EXPECT_EQ(mine, std::string(mine.size(), 'x'));
  ASSERT_OK(WriteFileAtomically(PathOf("whole"), mine));
  ASSERT_OK_AND_ASSIGN(std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("whole")));
  // More than there is of the mapping: what is behind it may be anybody's.
  ASSERT_TRUE(file->Bytes() == mine);
  MappedFile::ReleasePages(file->data(), file->size() + 1);
  EXPECT_EQ(PresentPages(file->data()), 8);
  const void* const gone = file->data();
  file.reset();
  MappedFile::ReleasePages(gone, mine.size());
}

TEST(MappedFileTest, ReportsWhatCannotBeMapped) {
  EXPECT_THAT(MappedFile::Open(PathOf("none")).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(PathOf("none"))));
  EXPECT_THAT(MappedFile::Open(::testing::TempDir()).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MappedFile::Open("/dev/zero").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(MappedFileDeathTest, IsReadOnly) {
  ASSERT_OK(WriteFileAtomically(PathOf("fixed"), "fixed"));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(PathOf("fixed")));
  EXPECT_DEATH(*static_cast<volatile char*>(const_cast<void*>(file->data())) = 'x', "");
}

}  // namespace
}  // namespace burin
