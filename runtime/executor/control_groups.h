// Where the control groups of the process show their files.
//
// Only finds the folders; what the files in them mean is runtime/executor/cpu_allowance.h. Stateless, hence
// thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_CONTROL_GROUPS_H_
#define BURIN_RUNTIME_EXECUTOR_CONTROL_GROUPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {

// A control group and its visible ancestors under one controller.
struct ControlGroup {
  // Whether the hierarchy is that of version 2.
  bool unified = false;
  // The folders, the process's own group first, then its parents up to where the hierarchy is mounted.
  std::vector<std::string> folders;
};

// Returns the groups of the process for `controller` ("cpu", "cpuset"), from /proc/self/cgroup and
// /proc/self/mountinfo of `files`: that of version 1 where the controller is mounted so, then that of version 2. Where
// the group's path is outside of what is mounted, as in a container without a namespace of its own, the mounted root is
// taken. Malformed lines are passed over.
std::vector<ControlGroup> FindControlGroups(const SystemFiles& files, absl::string_view controller);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_CONTROL_GROUPS_H_
