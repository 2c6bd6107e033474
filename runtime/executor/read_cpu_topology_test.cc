#include "runtime/executor/read_cpu_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "runtime/executor/system_files.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kCpu[] = "/sys/devices/system/cpu/";
const char kNode[] = "/sys/devices/system/node/";

RecordedFiles FilesOf(const std::string& name) {
  for (RecordedMachine& machine : RecordedMachines()) {
    if (machine.name == name) return machine.files;
  }
  ADD_FAILURE() << name;
  return RecordedFiles();
}

CpuSet OfKind(const CpuTopology& topology, CoreKind kind) {
  std::vector<int> ids;
  for (const LogicalCpu& cpu : topology.cpus()) {
    if (cpu.kind == kind) ids.push_back(cpu.id);
  }
  return CpuSet(std::move(ids));
}

TEST(ReadCpuTopologyTest, ReadsTheRecordedMachines) {
  const std::map<std::string, std::string> expected = {
      {"laptop", "1 package, 1 NUMA node, 4 cores, 4 CPUs: 0-3"},
      {"desktop", "1 package, 1 NUMA node, 4 cores, 8 CPUs: 0-7"},
      {"server", "2 packages, 2 NUMA nodes, 16 cores, 32 CPUs: 0-31"},
      {"server no smt", "2 packages, 2 NUMA nodes, 16 cores, 16 CPUs: 0-15"},
      {"sub-numa", "2 packages, 4 NUMA nodes, 16 cores, 16 CPUs: 0-15"},
      {"hybrid", "1 package, 1 NUMA node, 12 cores, 16 CPUs: 0-15"},
      {"hybrid lp", "1 package, 1 NUMA node, 14 cores, 18 CPUs: 0-17"},
      {"holes", "1 package, 1 NUMA node, 4 cores, 4 CPUs: 0,2,5,9"},
      {"offline", "1 package, 1 NUMA node, 3 cores, 5 CPUs: 0-2,4,6"},
      {"bare", "1 package, 1 NUMA node, 2 cores, 2 CPUs: 0-1"},
  };
  for (const RecordedMachine& machine : RecordedMachines()) {
    const CpuTopology topology = ReadCpuTopology(machine.files, CpuSet({0}));
    EXPECT_EQ(topology.ToString(), expected.at(machine.name)) << machine.name;
    EXPECT_EQ(topology.notes().empty(), machine.name != "bare") << machine.name;
  }
}

TEST(ReadCpuTopologyTest, PlacesEachCpu) {
  const CpuTopology server = MachineTopology("server");
  EXPECT_EQ(server.Find(25)->package, 1);
  EXPECT_EQ(server.Find(25)->node, 1);
  EXPECT_EQ(server.Find(25)->core, 9);
  EXPECT_EQ(server.Find(25)->thread, 1);
  const CpuTopology sub_numa = MachineTopology("sub-numa");
  EXPECT_EQ(sub_numa.Find(13)->package, 1);
  EXPECT_EQ(sub_numa.Find(13)->node, 3);
  EXPECT_EQ(MachineTopology("offline").offline().ToString(), "3,5,7");
  EXPECT_EQ(MachineTopology("offline").Find(4)->thread, 1);
  EXPECT_EQ(MachineTopology("offline").Find(2)->thread, 0);
}

TEST(ReadCpuTopologyTest, ReadsKindsFromTheFirstSourceThatKnows) {
  const CpuTopology hybrid = MachineTopology("hybrid lp");
  EXPECT_EQ(OfKind(hybrid, CoreKind::kPerformance).ToString(), "0-7");
  EXPECT_EQ(OfKind(hybrid, CoreKind::kEfficiency).ToString(), "8-15");
  EXPECT_EQ(OfKind(hybrid, CoreKind::kLowPower).ToString(), "16-17");
  EXPECT_EQ(hybrid.Find(1)->thread, 1);

  RecordedFiles by_capacity = FilesOf("laptop");
  for (int cpu = 0; cpu < 4; ++cpu) {
    by_capacity.Set(absl::StrCat(kCpu, "cpu", cpu, "/cpu_capacity"), cpu == 3 ? "640\n" : cpu == 2 ? "980\n" : "1024");
    by_capacity.Set(absl::StrCat(kCpu, "cpu", cpu, "/cpufreq/cpuinfo_max_freq"), cpu == 0 ? "1000\n" : "5000\n");
  }
  EXPECT_EQ(OfKind(ReadCpuTopology(by_capacity, CpuSet()), CoreKind::kEfficiency).ToString(), "3");

  RecordedFiles by_frequency = FilesOf("laptop");
  for (int cpu = 0; cpu < 4; ++cpu) {
    by_frequency.Set(absl::StrCat(kCpu, "cpu", cpu, "/cpu_capacity"), "1024\n");
    by_frequency.Set(absl::StrCat(kCpu, "cpu", cpu, "/cpufreq/cpuinfo_max_freq"), cpu < 2 ? "5400000\n" : "3900000\n");
  }
  EXPECT_EQ(OfKind(ReadCpuTopology(by_frequency, CpuSet()), CoreKind::kEfficiency).ToString(), "2-3");

  // Where one CPU does not say how fast it is, nothing follows from the others.
  by_frequency.Remove(absl::StrCat(kCpu, "cpu2/cpufreq/cpuinfo_max_freq"));
  EXPECT_FALSE(ReadCpuTopology(by_frequency, CpuSet()).is_hybrid());
}

TEST(ReadCpuTopologyTest, TakesTheAffinityMaskWithoutSys) {
  const CpuTopology topology = ReadCpuTopology(RecordedFiles(), CpuSet({3, 4, 9}));
  EXPECT_EQ(topology.ToString(), "1 package, 1 NUMA node, 3 cores, 3 CPUs: 3-4,9");
  EXPECT_THAT(topology.notes(), ElementsAre(HasSubstr("not described")));
  EXPECT_EQ(ReadCpuTopology(RecordedFiles(), CpuSet()).ids().ToString(), "0");
}

TEST(ReadCpuTopologyTest, DoesWithoutAListOfOnlineCpus) {
  RecordedFiles files = FilesOf("offline");
  files.Remove(absl::StrCat(kCpu, "online"));
  const CpuTopology topology = ReadCpuTopology(files, CpuSet({0}));
  EXPECT_EQ(topology.ids().ToString(), "0-2,4,6");
  EXPECT_THAT(topology.notes(), Contains(HasSubstr("present and not offline")));
}

TEST(ReadCpuTopologyTest, ReadsTheOlderNameOfSiblings) {
  RecordedFiles files = FilesOf("desktop");
  for (int cpu = 0; cpu < 8; ++cpu) {
    files.Remove(absl::StrCat(kCpu, "cpu", cpu, "/topology/core_cpus_list"));
    files.Set(absl::StrCat(kCpu, "cpu", cpu, "/topology/thread_siblings_list"),
              absl::StrCat(cpu % 4, ",", cpu % 4 + 4));
  }
  EXPECT_EQ(ReadCpuTopology(files, CpuSet()), MachineTopology("desktop"));
}

TEST(ReadCpuTopologyTest, MendsWhatIsMalformed) {
  RecordedFiles files = FilesOf("server no smt");
  files.Set(absl::StrCat(kCpu, "cpu1/topology/physical_package_id"), "-1\n");
  files.Set(absl::StrCat(kCpu, "cpu2/topology/core_cpus_list"), "rubbish");
  files.Set(absl::StrCat(kCpu, "cpu9/topology/core_cpus_list"), "0,9\n");  // A sibling in another package.
  files.Remove(absl::StrCat(kNode, "node1/cpulist"));
  const CpuTopology topology = ReadCpuTopology(files, CpuSet());
  EXPECT_EQ(topology.core_count(), 16);
  EXPECT_EQ(topology.Find(1)->package, 0);
  EXPECT_EQ(topology.Find(9)->node, 0);
  EXPECT_THAT(topology.notes(), Contains(HasSubstr("package is unknown")));
  EXPECT_THAT(topology.notes(), Contains(HasSubstr("siblings are unknown")));
  EXPECT_THAT(topology.notes(), Contains(HasSubstr("NUMA node is unknown")));
}

TEST(ReadCpuTopologyTest, GivesACpuWithoutNodeThatOfItsPackage) {
  RecordedFiles files = FilesOf("server no smt");
  files.Set(absl::StrCat(kNode, "node1/cpulist"), "8-14\n");
  EXPECT_EQ(ReadCpuTopology(files, CpuSet()).Find(15)->node, 1);
}

// Replaces and removes files at random: whatever is read keeps the invariants.
TEST(ReadCpuTopologyTest, SurvivesRandomDamage) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const char* const texts[] = {"",  "-1",      "0",  "1",          "0-3",   "3-0",
                               ",", "0-65535", "7x", "2147483648", "5,5,6", "99999999999999999999"};
  const std::vector<RecordedMachine> machines = RecordedMachines();
  for (int round = 0; round < 60; ++round) {
    RecordedFiles files = machines[random() % machines.size()].files;
    const std::map<std::string, std::string> originals = files.texts();
    for (const auto& original : originals) {
      // A list of all numbers of CPUs in the place of those online makes rounds slow and tests nothing else.
      if (original.first == absl::StrCat(kCpu, "online") && round > 0) continue;
      if (random() % 4 == 0) files.Set(original.first, texts[random() % (sizeof(texts) / sizeof(texts[0]))]);
      if (random() % 8 == 0) files.Remove(original.first);
    }
    const CpuTopology topology = ReadCpuTopology(files, CpuSet({1}));
    ASSERT_FALSE(topology.cpus().empty());
    std::map<int, std::vector<LogicalCpu>> cores;
    for (const LogicalCpu& cpu : topology.cpus()) cores[cpu.core].push_back(cpu);
    ASSERT_EQ(static_cast<int>(cores.size()), topology.core_count());
    for (const auto& [core, cpus] : cores) {
      ASSERT_LT(core, topology.core_count());
      for (size_t i = 0; i < cpus.size(); ++i) {
        EXPECT_EQ(cpus[i].thread, static_cast<int>(i));
        EXPECT_EQ(cpus[i].package, cpus[0].package);
        EXPECT_EQ(cpus[i].node, cpus[0].node);
        EXPECT_EQ(cpus[i].kind, cpus[0].kind);
      }
    }
  }
}

void MakeFolders(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    mkdir(path.substr(0, slash).c_str(), 0700);
  }
}

TEST(ReadCpuTopologyTest, ReadsATreeOnDisk) {
  std::string root = absl::StrCat(::testing::TempDir(), "/machine_XXXXXX");
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const RecordedFiles files = FilesOf("sub-numa");
  for (const auto& [path, text] : files.texts()) {
    MakeFolders(root + path);
    ASSERT_OK(WriteFileAtomically(root + path, text));
  }
  EXPECT_EQ(ReadCpuTopology(RootedSystemFiles(root), CpuSet()), MachineTopology("sub-numa"));
}

TEST(ReadCpuTopologyTest, ReadsThisMachine) {
  const CpuTopology topology = ReadCpuTopology(RootedSystemFiles(), CpuSet({0}));
  EXPECT_FALSE(topology.cpus().empty());
}

}  // namespace
}  // namespace burin::executor
