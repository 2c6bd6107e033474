#include "jit/asm/executable_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"
#include "jit/asm/asm_dump.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/jit_symbols.h"
#include "jit/debug/code_map.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

CodeBlob ReturnSeven(const std::string& name) {
  CodeBlob blob;
  blob.name = name;
  // mov eax, 7; ret.
  blob.bytes = {0xb8, 7, 0, 0, 0, 0xc3};
  blob.code_bytes = blob.bytes.size();
  return blob;
}

class NoMemory : public CodeMemoryOs {
 public:
  int MemfdCreate(const char*, unsigned int) override {
    errno = EPERM;
    return -1;
  }
};

TEST(ExecutableCodeTest, RunsAndGivesBack) {
  CodeMemory memory;
  {
    ASSERT_OK_AND_ASSIGN(ExecutableCode seven, ExecutableCode::Load(ReturnSeven("seven"), memory));
    EXPECT_EQ(seven.entry<int (*)()>()(), 7);
    EXPECT_EQ(seven.name(), "seven");
    EXPECT_EQ(seven.size(), 6u);
    EXPECT_EQ(seven.memory_bytes(), 64u);
    const ExecutableCode moved = std::move(seven);
    EXPECT_EQ(moved.entry<int (*)()>()(), 7);
    EXPECT_EQ(memory.GetStats().blocks, 1u);
  }
  EXPECT_EQ(memory.GetStats().blocks, 0u);
}

TEST(ExecutableCodeTest, ErrorsNameTheKernel) {
  NoMemory os;
  CodeMemory memory(&os);
  EXPECT_THAT(
      ExecutableCode::Load(ReturnSeven("seven"), memory),
      StatusIs(absl::StatusCode::kPermissionDenied, AllOf(HasSubstr("Kernel seven"), HasSubstr("memfd_create"))));
}

TEST(ExecutableCodeTest, IsInTheMapAsLongAsItLives) {
  CodeMemory memory;
  CodePlace place;
  uintptr_t address = 0;
  {
    CodeBlob blob = ReturnSeven("seven");
    blob.marks = {{5, "leave"}};
    ASSERT_OK_AND_ASSIGN(ExecutableCode loaded, ExecutableCode::Load(blob, memory));
    const ExecutableCode seven = std::move(loaded);
    address = reinterpret_cast<uintptr_t>(seven.address());
    ASSERT_TRUE(CodeMap::Process().Find(address + 5, &place));
    EXPECT_STREQ(place.kernel, "seven");
    EXPECT_STREQ(place.mark, "leave");
    EXPECT_FALSE(CodeMap::Process().Find(address + 6, &place));
  }
  EXPECT_FALSE(CodeMap::Process().Find(address, &place));
}

TEST(ExecutableCodeTest, IsNamedToDebuggersAsLongAsItLives) {
  JitSymbolOptions options;
  options.gdb = true;
  JitSymbols symbols(options);
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode seven, ExecutableCode::Load(ReturnSeven("seven"), memory, symbols));
  EXPECT_EQ(seven.entry<int (*)()>()(), 7);
}

// Runs before anything of this process reads the environment.
class DumpEnvironment : public ::testing::Environment {
 public:
  void SetUp() override { setenv("BURIN_DUMP_ASM", ::testing::TempDir().c_str(), 1); }
};

TEST(ExecutableCodeTest, DumpsWhereAsked) {
  CodeMemory memory;
  ASSERT_OK_AND_ASSIGN(const ExecutableCode seven, ExecutableCode::Load(ReturnSeven("dumped seven"), memory));
  const std::string path = ::testing::TempDir() + "/" + DumpFileName("dumped seven");
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(path + ".bin"));
  EXPECT_EQ(bytes.size(), 6u);
  EXPECT_THAT(ReadFile(path + ".s"), IsOkAndHolds(HasSubstr("; kernel: dumped seven")));
}

const ::testing::Environment* const kDumpEnvironment = ::testing::AddGlobalTestEnvironment(new DumpEnvironment());

}  // namespace
}  // namespace burin::jit
