#include "runtime/executor/control_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/executor/recorded_machine_testlib.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RecordedFiles Process(const std::string& cgroup, const std::string& mountinfo) {
  RecordedFiles files;
  files.Set("/proc/self/cgroup", cgroup);
  files.Set("/proc/self/mountinfo", mountinfo);
  return files;
}

TEST(ControlGroupsTest, FindsTheUnifiedHierarchy) {
  const std::vector<ControlGroup> groups =
      FindControlGroups(Process("0::/user.slice/job:1\n",
                                "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"),
                        "cpu");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_TRUE(groups[0].unified);
  EXPECT_THAT(groups[0].folders,
              ElementsAre("/sys/fs/cgroup/user.slice/job:1", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"));
}

TEST(ControlGroupsTest, FindsControllersMountedTogetherAndTheUnifiedOneBeside) {
  const RecordedFiles files = Process("4:cpuset:/\n3:cpu,cpuacct:/docker/abc\n0::/init\n",
                                      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                                      "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                                      "34 31 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  const std::vector<ControlGroup> groups = FindControlGroups(files, "cpu");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_FALSE(groups[0].unified);
  EXPECT_THAT(groups[0].folders, ElementsAre("/sys/fs/cgroup/cpu,cpuacct/docker/abc",
                                             "/sys/fs/cgroup/cpu,cpuacct/docker", "/sys/fs/cgroup/cpu,cpuacct"));
  EXPECT_THAT(groups[1].folders, ElementsAre("/sys/fs/cgroup/unified/init", "/sys/fs/cgroup/unified"));
  EXPECT_THAT(FindControlGroups(files, "cpuset")[0].folders, ElementsAre("/sys/fs/cgroup/cpuset"));
}

TEST(ControlGroupsTest, TakesPathsRelativeToWhatIsMounted) {
  // A container that sees its own group as the root of the mount, but the whole path of the host.
  EXPECT_THAT(FindControlGroups(
                  Process("3:cpu:/docker/abc/in\n", "1 2 0:3 /docker/abc /cg rw - cgroup cgroup rw,cpu\n"), "cpu")[0]
                  .folders,
              ElementsAre("/cg/in", "/cg"));
  // The path is not below the mounted root: by name alone, outside of the namespace, or elsewhere.
  for (const char* path : {"/docker/abcd", "/../other", "/docker/abc/../x", "/else"}) {
    EXPECT_THAT(FindControlGroups(
                    Process(std::string("3:cpu:") + path + "\n", "1 2 0:3 /docker/abc /cg rw - cgroup cgroup rw,cpu\n"),
                    "cpu")[0]
                    .folders,
                ElementsAre("/cg"))
        << path;
  }
}

TEST(ControlGroupsTest, PrefersTheMountThatShowsMostAncestors) {
  EXPECT_THAT(FindControlGroups(Process("0::/a/b\n",
                                        "1 2 0:3 /x /m0 rw - cgroup2 c rw\n"
                                        "1 2 0:3 /a/b /m1 rw - cgroup2 c rw\n"
                                        "1 2 0:3 / /m2 rw - cgroup2 c rw\n"),
                                "cpu")[0]
                  .folders,
              ElementsAre("/m2/a/b", "/m2/a", "/m2"));
}

TEST(ControlGroupsTest, UndoesEscapes) {
  EXPECT_THAT(
      FindControlGroups(Process("0::/\n", "1 2 0:3 / /with\\040space\\1x rw - cgroup2 c rw\n"), "cpu")[0].folders,
      ElementsAre("/with space\\1x"));
}

TEST(ControlGroupsTest, PassesOverWhatIsMalformed) {
  EXPECT_THAT(FindControlGroups(RecordedFiles(), "cpu"), IsEmpty());
  EXPECT_THAT(FindControlGroups(Process("0::/\n", ""), "cpu"), IsEmpty());
  EXPECT_THAT(FindControlGroups(Process("", "1 2 0:3 / /cg rw - cgroup2 c rw\n"), "cpu"), IsEmpty());
  EXPECT_THAT(FindControlGroups(Process("0::\n0\n::\n5:cpu\n", " - \n- cgroup2\n1 2 - cgroup2 c rw\n"), "cpu"),
              IsEmpty());
  EXPECT_THAT(FindControlGroups(Process("3:cpuacct:/\n", "1 2 0:3 / /cg rw - cgroup c rw,cpuacct\n"), "cpu"),
              IsEmpty());
}

}  // namespace
}  // namespace burin::executor
