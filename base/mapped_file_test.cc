#include "base/mapped_file.h"

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
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
