#include "jit/asm/jit_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/file.h"
#include "base/logging.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const uint8_t kCode[] = {0x90, 0x90, 0xc3};

JitSymbolOptions OptionsFor(PerfMode perf) {
  JitSymbolOptions options;
  options.perf = perf;
  options.map_dir = ::testing::TempDir();
  options.jitdump_dir = ::testing::TempDir();
  return options;
}

std::string MapPath(pid_t pid) { return absl::StrCat(::testing::TempDir(), "/perf-", pid, ".map"); }
std::string DumpPath() { return absl::StrCat(::testing::TempDir(), "/jit-", getpid(), ".dump"); }

std::string MapLine(absl::Span<const uint8_t> code, absl::string_view name) {
  return absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(code.data())), " ", absl::Hex(code.size()), " ", name,
                      "\n");
}

// Collects the warnings of a scope.
class Warnings {
 public:
  Warnings() {
    SetLogSink([this](LogSeverity, absl::string_view line) { lines_.emplace_back(line); });
  }
  ~Warnings() { SetLogSink(nullptr); }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

TEST(JitSymbolsTest, OffByDefault) {
  unlink(MapPath(getpid()).c_str());
  JitSymbols symbols(OptionsFor(PerfMode::kNone));
  const JitSymbol symbol = symbols.Register("kernel", kCode);
  EXPECT_FALSE(ReadFile(MapPath(getpid())).ok());
}

TEST(JitSymbolsTest, WritesThePerfMap) {
  unlink(MapPath(getpid()).c_str());
  JitSymbols symbols(OptionsFor(PerfMode::kMap));
  const JitSymbol one = symbols.Register("gemm f32 6x16", kCode);
  const JitSymbol two = symbols.Register("bad\nname", absl::MakeConstSpan(kCode, 1));
  EXPECT_THAT(ReadFile(MapPath(getpid())),
              IsOkAndHolds(MapLine(kCode, "gemm f32 6x16") + MapLine(absl::MakeConstSpan(kCode, 1), "bad name")));
}

TEST(JitSymbolsTest, ThreadsWriteWholeLines) {
  unlink(MapPath(getpid()).c_str());
  JitSymbols symbols(OptionsFor(PerfMode::kMap));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&symbols] {
      for (int round = 0; round < 100; ++round) symbols.Register("kernel", kCode);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string expected;
  for (int i = 0; i < 800; ++i) expected += MapLine(kCode, "kernel");
  EXPECT_THAT(ReadFile(MapPath(getpid())), IsOkAndHolds(expected));
}

TEST(JitSymbolsTest, AForkedChildHasItsOwnMap) {
  unlink(MapPath(getpid()).c_str());
  JitSymbols symbols(OptionsFor(PerfMode::kMap));
  symbols.Register("parent", kCode);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    symbols.Register("child", kCode);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_THAT(ReadFile(MapPath(getpid())), IsOkAndHolds(MapLine(kCode, "parent")));
  EXPECT_THAT(ReadFile(MapPath(child)), IsOkAndHolds(MapLine(kCode, "child")));
}

template <class T>
T Take(std::string* bytes) {
  T value = {};
  EXPECT_GE(bytes->size(), sizeof(value));
  std::memcpy(&value, bytes->data(), std::min(sizeof(value), bytes->size()));
  bytes->erase(0, sizeof(value));
  return value;
}

// Fields as in jitdump-specification.txt.
TEST(JitSymbolsTest, WritesJitdump) {
  JitSymbols symbols(OptionsFor(PerfMode::kJitdump));
  symbols.Register("one", kCode);
  symbols.Register("second", kCode);
  ASSERT_OK_AND_ASSIGN(std::string bytes, ReadFile(DumpPath()));
  EXPECT_EQ(Take<uint32_t>(&bytes), 0x4a695444u);
  EXPECT_EQ(Take<uint32_t>(&bytes), 1u);
  EXPECT_EQ(Take<uint32_t>(&bytes), 40u);
  EXPECT_EQ(Take<uint32_t>(&bytes), 62u);
  EXPECT_EQ(Take<uint32_t>(&bytes), 0u);
  EXPECT_EQ(Take<uint32_t>(&bytes), static_cast<uint32_t>(getpid()));
  const auto start = Take<uint64_t>(&bytes);
  EXPECT_EQ(Take<uint64_t>(&bytes), 0u);
  uint64_t index = 0;
  for (const std::string name : {"one", "second"}) {
    EXPECT_EQ(Take<uint32_t>(&bytes), 0u);
    EXPECT_EQ(Take<uint32_t>(&bytes), 56 + name.size() + 1 + sizeof(kCode));
    EXPECT_GE(Take<uint64_t>(&bytes), start);
    EXPECT_EQ(Take<uint32_t>(&bytes), static_cast<uint32_t>(getpid()));
    EXPECT_GT(Take<uint32_t>(&bytes), 0u);
    EXPECT_EQ(Take<uint64_t>(&bytes), reinterpret_cast<uintptr_t>(kCode));
    EXPECT_EQ(Take<uint64_t>(&bytes), reinterpret_cast<uintptr_t>(kCode));
    EXPECT_EQ(Take<uint64_t>(&bytes), sizeof(kCode));
    EXPECT_EQ(Take<uint64_t>(&bytes), index++);
    EXPECT_STREQ(bytes.c_str(), name.c_str());
    bytes.erase(0, name.size() + 1);
    EXPECT_EQ(bytes.substr(0, 3), "\x90\x90\xc3");
    bytes.erase(0, sizeof(kCode));
  }
  EXPECT_EQ(bytes, "");
}

TEST(JitSymbolsTest, WhatCannotBeWrittenIsOneWarning) {
  const Warnings warnings;
  JitSymbolOptions options = OptionsFor(PerfMode::kMap);
  options.map_dir = "/nonexistent/folder";
  JitSymbols symbols(options);
  symbols.Register("one", kCode);
  symbols.Register("two", kCode);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_THAT(warnings.lines()[0], HasSubstr("open: /nonexistent/folder/perf-"));
}

TEST(JitSymbolsTest, LinksAreNotFollowed) {
  const Warnings warnings;
  unlink(DumpPath().c_str());
  const std::string victim = ::testing::TempDir() + "/victim";
  ASSERT_OK(WriteFileAtomically(victim, "precious"));
  ASSERT_EQ(symlink(victim.c_str(), DumpPath().c_str()), 0);
  JitSymbols symbols(OptionsFor(PerfMode::kJitdump));
  symbols.Register("one", kCode);
  EXPECT_EQ(warnings.lines().size(), 1u);
  EXPECT_THAT(ReadFile(victim), IsOkAndHolds(std::string("precious")));
  unlink(DumpPath().c_str());
}

TEST(JitSymbolsTest, GdbSymbolsMoveAndGo) {
  JitSymbolOptions options;
  options.gdb = true;
  JitSymbols symbols(options);
  JitSymbol one = symbols.Register("one", kCode);
  JitSymbol two = symbols.Register("two", kCode);
  one = std::move(two);
  const JitSymbol three = std::move(one);
}

TEST(JitSymbolsTest, ReadsTheEnvironment) {
  const Warnings warnings;
  setenv("BURIN_PERF", "map", 1);
  setenv("BURIN_GDB", "1", 1);
  EXPECT_EQ(JitSymbolOptions::FromEnvironment().perf, PerfMode::kMap);
  EXPECT_TRUE(JitSymbolOptions::FromEnvironment().gdb);
  EXPECT_EQ(JitSymbolOptions::FromEnvironment().map_dir, "/tmp");
  setenv("BURIN_PERF", "jitdump", 1);
  setenv("BURIN_GDB", "0", 1);
  setenv("JITDUMPDIR", "/somewhere", 1);
  EXPECT_EQ(JitSymbolOptions::FromEnvironment().perf, PerfMode::kJitdump);
  EXPECT_EQ(JitSymbolOptions::FromEnvironment().jitdump_dir, "/somewhere");
  EXPECT_FALSE(JitSymbolOptions::FromEnvironment().gdb);
  EXPECT_THAT(warnings.lines(), IsEmpty());
  setenv("BURIN_PERF", "on", 1);
  setenv("BURIN_GDB", "yes", 1);
  const JitSymbolOptions bad = JitSymbolOptions::FromEnvironment();
  EXPECT_EQ(bad.perf, PerfMode::kNone);
  EXPECT_FALSE(bad.gdb);
  EXPECT_THAT(warnings.lines(), ElementsAre(HasSubstr("BURIN_PERF"), HasSubstr("BURIN_GDB")));
  for (const char* name : {"BURIN_PERF", "BURIN_GDB", "JITDUMPDIR"}) unsetenv(name);
  EXPECT_EQ(JitSymbolOptions::FromEnvironment().perf, PerfMode::kNone);
}

}  // namespace
}  // namespace burin::jit
