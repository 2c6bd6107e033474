#include "runtime/executor/control_groups.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {
namespace {

// A mounted hierarchy: the group that is its root here, and the folder where it appears.
struct Mount {
  bool unified;
  std::string root;
  std::string folder;
};

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// Undoes the escapes of /proc/self/mountinfo: a backslash and three octal digits.
std::string Unescape(absl::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 3 < text.size() && IsOctal(text[i + 1]) && IsOctal(text[i + 2]) && IsOctal(text[i + 3]);
    if (escape) {
      result.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
      i += 3;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

bool Lists(absl::string_view list, absl::string_view element) {
  const std::vector<absl::string_view> elements = absl::StrSplit(list, ',');
  return std::find(elements.begin(), elements.end(), element) != elements.end();
}

// Returns the path of the process's group; nullopt where it has none in that hierarchy.
std::optional<std::string> GroupPath(absl::string_view groups, absl::string_view controller, bool unified) {
  for (absl::string_view line : absl::StrSplit(groups, '\n')) {
    // "hierarchy:controllers:path"; of version 2 the controllers are empty. The path may hold colons.
    const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3 || !absl::StartsWith(fields[2], "/")) continue;
    if (unified ? fields[0] == "0" && fields[1].empty() : Lists(fields[1], controller)) return std::string(fields[2]);
  }
  return std::nullopt;
}

// Returns the mounts of the hierarchies that hold `controller`.
std::vector<Mount> FindMounts(absl::string_view mountinfo, absl::string_view controller) {
  std::vector<Mount> mounts;
  for (absl::string_view line : absl::StrSplit(mountinfo, '\n')) {
    // "id parent device root folder options [tags] - type source super-options"
    const std::pair<absl::string_view, absl::string_view> halves = absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    const std::vector<absl::string_view> mount = absl::StrSplit(halves.first, ' ');
    const std::vector<absl::string_view> type = absl::StrSplit(halves.second, ' ');
    if (mount.size() < 6 || type.size() < 3) continue;
    const bool unified = type[0] == "cgroup2";
    if (!unified && (type[0] != "cgroup" || !Lists(type[2], controller))) continue;
    mounts.push_back({unified, Unescape(mount[3]), Unescape(mount[4])});
  }
  return mounts;
}

// Returns the part of `path` below `root`, starting with a slash or empty; nullopt where it is not below.
std::optional<absl::string_view> Below(absl::string_view path, absl::string_view root) {
  path = absl::StripSuffix(path, "/");
  root = absl::StripSuffix(root, "/");
  if (!absl::ConsumePrefix(&path, root)) return std::nullopt;
  if (!path.empty() && path[0] != '/') return std::nullopt;
  // A group outside of the namespace of the process is shown as "/../name".
  if (absl::StrContains(absl::StrCat(path, "/"), "/../")) return std::nullopt;
  return path;
}

// Returns the group at `below` the mounted folder, and its parents.
ControlGroup GroupBelow(const Mount& mount, absl::string_view below) {
  // Linux nests groups as deep as one likes, but a path has 4096 bytes at most.
  constexpr size_t kMaxDepth = 2048;
  ControlGroup group;
  group.unified = mount.unified;
  while (!below.empty() && group.folders.size() < kMaxDepth) {
    group.folders.push_back(absl::StrCat(mount.folder, below));
    below = below.substr(0, below.rfind('/'));
  }
  group.folders.push_back(mount.folder);
  return group;
}

}  // namespace

std::vector<ControlGroup> FindControlGroups(const SystemFiles& files, absl::string_view controller) {
  const std::string groups = files.Read("/proc/self/cgroup").value_or("");
  const std::vector<Mount> mounts = FindMounts(files.Read("/proc/self/mountinfo").value_or(""), controller);
  std::vector<ControlGroup> found;
  for (const bool unified : {false, true}) {
    const std::optional<std::string> path = GroupPath(groups, controller, unified);
    if (!path.has_value()) continue;
    const Mount* best = nullptr;
    std::optional<absl::string_view> below;
    for (const Mount& mount : mounts) {
      if (mount.unified != unified) continue;
      const std::optional<absl::string_view> part = Below(*path, mount.root);
      // The mount that shows most of the group's ancestors; else any.
      if (best == nullptr || (part.has_value() && (!below.has_value() || part->size() > below->size()))) {
        best = &mount;
        below = part;
      }
    }
    if (best != nullptr) found.push_back(GroupBelow(*best, below.value_or("")));
  }
  return found;
}

}  // namespace burin::executor
