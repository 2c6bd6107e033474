// Reads the small texts in which Linux describes the machine and the process: /sys, /proc, cgroups.
//
// The one way in which this folder looks at the system, so that tests hand in a recorded tree instead. Not for files
// of users: base/file.h reads those and explains its errors. Implementations are stateless and thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_SYSTEM_FILES_H_
#define BURIN_RUNTIME_EXECUTOR_SYSTEM_FILES_H_

#include <optional>
#include <string>

namespace burin::executor {

// A tree of small texts.
class SystemFiles {
 public:
  virtual ~SystemFiles() = default;

  // Returns the bytes of the file at `path`, an absolute path such as "/sys/devices/system/cpu/online", or nullopt
  // where it is absent, unreadable, not a regular file, or too large to be one of those texts.
  virtual std::optional<std::string> Read(const std::string& path) const = 0;
};

// The files below a folder.
class RootedSystemFiles final : public SystemFiles {
 public:
  // A file with more bytes is not read. The longest text wanted is mountinfo, of some hundred bytes a mount.
  static constexpr int kMaxBytes = 4 << 20;

  // Reads the running system's files; or those below `root`, a folder without a slash at its end.
  explicit RootedSystemFiles(std::string root = "");

  std::optional<std::string> Read(const std::string& path) const override;

 private:
  std::string root_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_SYSTEM_FILES_H_
