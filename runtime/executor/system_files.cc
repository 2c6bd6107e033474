#include "runtime/executor/system_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace burin::executor {
namespace {

// Reads `fd` to its end. These files have sizes of 0 or of a page, whatever they hold, so the size says nothing.
std::optional<std::string> ReadToEnd(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string bytes;
  char buffer[4096];
  while (true) {
    const ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(count));
    if (bytes.size() > RootedSystemFiles::kMaxBytes) return std::nullopt;
  }
}

}  // namespace

RootedSystemFiles::RootedSystemFiles(std::string root) : root_(std::move(root)) {}

std::optional<std::string> RootedSystemFiles::Read(const std::string& path) const {
  const int fd = open(absl::StrCat(root_, path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return std::nullopt;
  std::optional<std::string> bytes = ReadToEnd(fd);
  close(fd);
  return bytes;
}

}  // namespace burin::executor
