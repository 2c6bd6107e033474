#include "tools/benchmark/worker/process_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

TEST(ProcessMemoryTest, LinesAreFoundByName) {
  ASSERT_OK_AND_ASSIGN(ProcessMemory memory,
                       ProcessMemory::Parse("Name:\tVmRSS\nVmHWM:\t     300 kB\nVmRSS:\t  200 kB\nThreads:\t1\n"));
  EXPECT_EQ(memory.resident, 200 * 1024);
  EXPECT_EQ(memory.peak, 300 * 1024);
}

TEST(ProcessMemoryTest, OtherFormsAreNamed) {
  EXPECT_THAT(ProcessMemory::Parse("VmHWM: 300 kB\n"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("VmRSS of a process")));
  EXPECT_THAT(ProcessMemory::Parse("VmRSS: 300 kB\nVmHWM: 300 MB\n"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("VmHWM of a process")));
}

TEST(ProcessMemoryTest, WhatWasTouchedCountsUntilThePeakIsReset) {
  constexpr size_t kBytes = 64 << 20;
  ASSERT_OK_AND_ASSIGN(const ProcessMemory before, ProcessMemory::Read());
  EXPECT_GT(before.resident, 0);
  EXPECT_GE(before.peak, before.resident);
  {
    const std::unique_ptr<char[]> block(new char[kBytes]);
    std::memset(block.get(), 1, kBytes);
    ASSERT_OK_AND_ASSIGN(const ProcessMemory meanwhile, ProcessMemory::Read());
    EXPECT_GE(meanwhile.peak, before.resident + static_cast<int64_t>(kBytes) * 9 / 10);
  }
  if (!ProcessMemory::ResetPeak().ok()) GTEST_SKIP() << "The system does not let a process reset its peak";
  ASSERT_OK_AND_ASSIGN(const ProcessMemory after, ProcessMemory::Read());
  EXPECT_LT(after.peak, after.resident + static_cast<int64_t>(kBytes) / 2);
}

}  // namespace
}  // namespace burin::benchmark
