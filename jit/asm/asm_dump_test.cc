#include "jit/asm/asm_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/file.h"
#include "jit/asm/code_blob.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

CodeBlob Blob(const std::string& name) {
  CodeBlob blob;
  blob.name = name;
  // mov rax, rdi; ret; padding; one constant.
  blob.bytes.assign(68, 0xcc);
  const uint8_t code[] = {0x48, 0x89, 0xf8, 0xc3};
  std::copy(code, code + 4, blob.bytes.begin());
  const uint8_t one[] = {0, 0, 0x80, 0x3f};
  std::copy(one, one + 4, blob.bytes.begin() + 64);
  blob.code_bytes = 4;
  blob.marks = {{3, "leave"}};
  blob.registers = "ymm0 = acc\n";
  return blob;
}

TEST(AsmDumpTest, FileNames) {
  EXPECT_EQ(DumpFileName("gemm_f32-6x16.v1+relu"), "gemm_f32-6x16.v1+relu");
  EXPECT_THAT(DumpFileName("../etc/passwd"), MatchesRegex("_._etc_passwd-[0-9a-f]{32}"));
  EXPECT_THAT(DumpFileName("a b"), MatchesRegex("a_b-[0-9a-f]{32}"));
  EXPECT_THAT(DumpFileName("a/b"), MatchesRegex("a_b-[0-9a-f]{32}"));
  EXPECT_NE(DumpFileName("a/b"), DumpFileName("a b"));
  EXPECT_THAT(DumpFileName(""), MatchesRegex("-[0-9a-f]{32}"));
  const std::string longest(120, 'x');
  EXPECT_EQ(DumpFileName(longest), longest);
  EXPECT_EQ(DumpFileName(longest + "x").size(), 120u + 33u);
}

TEST(AsmDumpTest, WritesCodeAndText) {
  ASSERT_OK(DumpAsm(Blob("copy"), ::testing::TempDir()));
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(::testing::TempDir() + "/copy.bin"));
  EXPECT_EQ(bytes.size(), 68u);
  ASSERT_OK_AND_ASSIGN(const std::string text, ReadFile(::testing::TempDir() + "/copy.s"));
  EXPECT_THAT(text, HasSubstr("; kernel: copy\n"));
  EXPECT_THAT(text, HasSubstr("; ymm0 = acc\n"));
  EXPECT_THAT(text, HasSubstr("; constants\n    40: 3f800000  ; 1\n"));
  EXPECT_THAT(text, AnyOf(HasSubstr("mov rax,rdi\n; leave\n     3:  c3"), HasSubstr("there is no objdump")));
}

TEST(AsmDumpTest, AMissingFolderIsAnError) {
  EXPECT_THAT(DumpAsm(Blob("copy"), "/nonexistent/folder"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace burin::jit
