#include "runtime/executor/cpu_allowance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kUnified[] = "1 2 0:3 / /cg rw - cgroup2 cgroup2 rw\n";
const char kSeparate[] =
    "1 2 0:3 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "1 2 0:4 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n";

RecordedFiles Unified(const std::string& path) {
  RecordedFiles files;
  files.Set("/proc/self/cgroup", absl::StrCat("0::", path, "\n"));
  files.Set("/proc/self/mountinfo", kUnified);
  return files;
}

RecordedFiles Separate(const std::string& path) {
  RecordedFiles files;
  files.Set("/proc/self/cgroup", absl::StrCat("2:cpuset:", path, "\n1:cpu,cpuacct:", path, "\n0::/\n"));
  files.Set("/proc/self/mountinfo", kSeparate);
  return files;
}

TEST(CpuAllowanceTest, IsTheAffinityMaskWhereNothingLimits) {
  const CpuAllowance allowance = ReadCpuAllowance(RecordedFiles(), CpuSet({1, 3}));
  EXPECT_EQ(allowance.cpus, CpuSet({1, 3}));
  EXPECT_EQ(allowance.quota_cpus, std::nullopt);
  EXPECT_FALSE(allowance.exclusive);
  EXPECT_THAT(allowance.reasons, ElementsAre("The affinity mask allows CPUs 1,3"));
}

TEST(CpuAllowanceTest, ReadsAQuotaOfVersion2) {
  RecordedFiles files = Unified("/pod");
  files.Set("/cg/pod/cpu.max", "150000 100000\n");
  const CpuAllowance allowance = ReadCpuAllowance(files, CpuSet::FirstCpus(4));
  EXPECT_EQ(allowance.quota_cpus, 1.5);
  EXPECT_THAT(allowance.reasons, Contains("The quota of /cg/pod is 1.5 CPUs"));
  files.Set("/cg/pod/cpu.max", "max 100000\n");
  EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).quota_cpus, std::nullopt);
}

TEST(CpuAllowanceTest, ReadsAQuotaOfVersion1) {
  RecordedFiles files = Separate("/docker/a");
  files.Set("/cg/cpu/docker/a/cpu.cfs_quota_us", "150000\n");
  files.Set("/cg/cpu/docker/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).quota_cpus, 1.5);
  files.Set("/cg/cpu/docker/a/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).quota_cpus, std::nullopt);
}

TEST(CpuAllowanceTest, TakesTheSmallestQuotaOfNestedGroups) {
  RecordedFiles files = Unified("/a/b/c");
  files.Set("/cg/a/b/c/cpu.max", "800000 100000\n");
  files.Set("/cg/a/b/cpu.max", "50000 20000\n");
  files.Set("/cg/a/cpu.max", "max 100000\n");
  EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(16)).quota_cpus, 2.5);
  RecordedFiles separate = Separate("/a/b");
  separate.Set("/cg/cpu/a/cpu.cfs_quota_us", "25000\n");
  separate.Set("/cg/cpu/a/cpu.cfs_period_us", "50000\n");
  separate.Set("/cg/cpu/a/b/cpu.cfs_quota_us", "100000\n");
  separate.Set("/cg/cpu/a/b/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(ReadCpuAllowance(separate, CpuSet::FirstCpus(16)).quota_cpus, 0.5);
}

TEST(CpuAllowanceTest, RestrictsByCpusets) {
  RecordedFiles files = Unified("/pod/in");
  files.Set("/cg/pod/cpuset.cpus.effective", "2-5\n");
  files.Set("/cg/cpuset.cpus.effective", "0-7\n");
  EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).cpus, CpuSet({2, 3}));
  RecordedFiles separate = Separate("/pod");
  separate.Set("/cg/cpuset/pod/cpuset.effective_cpus", "1\n");
  separate.Set("/cg/cpuset/pod/cpuset.cpus", "1-3\n");
  const CpuAllowance allowance = ReadCpuAllowance(separate, CpuSet::FirstCpus(4));
  EXPECT_EQ(allowance.cpus, CpuSet({1}));
  EXPECT_THAT(allowance.reasons, Contains(HasSubstr("/cg/cpuset/pod allows CPUs 1")));
  EXPECT_FALSE(allowance.exclusive);
}

TEST(CpuAllowanceTest, IgnoresACpusetThatContradictsTheMask) {
  RecordedFiles files = Unified("/");
  for (const char* text : {"8-9\n", "\n", "rubbish\n"}) {
    files.Set("/cg/cpuset.cpus.effective", text);
    EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).cpus, CpuSet::FirstCpus(4)) << text;
  }
}

TEST(CpuAllowanceTest, KnowsWhenTheCpusAreItsAlone) {
  RecordedFiles files = Unified("/pod");
  files.Set("/cg/pod/cpuset.cpus.effective", "2-3\n");
  for (const auto& [partition, exclusive] :
       {std::make_pair("member", false), std::make_pair("root", true), std::make_pair("isolated", true),
        std::make_pair("root invalid (Cpu list in cpuset.cpus is empty)", false)}) {
    files.Set("/cg/pod/cpuset.cpus.partition", absl::StrCat(partition, "\n"));
    EXPECT_EQ(ReadCpuAllowance(files, CpuSet::FirstCpus(4)).exclusive, exclusive) << partition;
  }
  // Exclusive in version 1 lets the parent's processes in.
  RecordedFiles separate = Separate("/pod");
  separate.Set("/cg/cpuset/pod/cpuset.cpus", "1-3\n");
  separate.Set("/cg/cpuset/pod/cpuset.cpu_exclusive", "1\n");
  EXPECT_FALSE(ReadCpuAllowance(separate, CpuSet::FirstCpus(4)).exclusive);
  RecordedFiles isolated;
  isolated.Set("/sys/devices/system/cpu/isolated", "2-3\n");
  EXPECT_TRUE(ReadCpuAllowance(isolated, CpuSet({2, 3})).exclusive);
  EXPECT_FALSE(ReadCpuAllowance(isolated, CpuSet({1, 2})).exclusive);
}

TEST(CpuAllowanceTest, SurvivesRandomTexts) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const char* const texts[] = {"",        "-1",           "max",    "0 0",   "1 0",           "nan nan",
                               "inf 1",   "1e308 1e-308", "100000", "0-3,,", "200000 100000", "-5 10",
                               "0-65535", "\\040",        "2-9"};
  const auto pick = [&] { return std::string(texts[random() % (sizeof(texts) / sizeof(texts[0]))]); };
  for (int round = 0; round < 500; ++round) {
    RecordedFiles files = random() % 2 == 0 ? Unified("/a") : Separate("/a");
    for (const char* path : {"/cg/a/cpu.max", "/cg/cpu.max", "/cg/a/cpuset.cpus.effective",
                             "/cg/cpu/a/cpu.cfs_quota_us", "/cg/cpu/a/cpu.cfs_period_us", "/cg/cpuset/a/cpuset.cpus"}) {
      files.Set(path, pick());
    }
    const CpuAllowance allowance = ReadCpuAllowance(files, CpuSet::FirstCpus(4));
    EXPECT_FALSE(allowance.cpus.empty());
    EXPECT_TRUE(allowance.cpus.IsSubsetOf(CpuSet::FirstCpus(4)));
    if (allowance.quota_cpus.has_value()) {
      EXPECT_GT(*allowance.quota_cpus, 0);
      EXPECT_LT(*allowance.quota_cpus, 1e300);
    }
  }
}

TEST(CpuAllowanceTest, ReadsTheMaskOfTheCallingThread) {
  const CpuSet all = ReadAffinityMask();
  ASSERT_FALSE(all.empty());
  CpuSet narrowed;
  std::thread([&] {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(static_cast<size_t>(all.cpus().back()), &mask);
    ASSERT_EQ(sched_setaffinity(0, sizeof(mask), &mask), 0);
    narrowed = ReadAffinityMask();
  }).join();
  EXPECT_EQ(narrowed, CpuSet({all.cpus().back()}));
}

TEST(CpuAllowanceTest, ReadsThisProcess) {
  const CpuSet affinity = ReadAffinityMask();
  const CpuAllowance allowance = ReadCpuAllowance(RootedSystemFiles(), affinity);
  EXPECT_TRUE(allowance.cpus.IsSubsetOf(affinity));
  EXPECT_FALSE(allowance.cpus.empty());
}

}  // namespace
}  // namespace burin::executor
