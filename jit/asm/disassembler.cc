#include "jit/asm/disassembler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

extern char** environ;

namespace burin::jit {
namespace {

// Closes a descriptor at the end of a scope.
class ScopedFd {
 public:
  explicit ScopedFd(int fd) : fd_(fd) {}
  ScopedFd(const ScopedFd&) = delete;
  ScopedFd& operator=(const ScopedFd&) = delete;
  ~ScopedFd() { Reset(); }

  int get() const { return fd_; }
  void Reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

absl::Status CallError(absl::string_view call, int error_number) {
  return absl::ResourceExhaustedError(absl::StrCat("Cannot disassemble: ", call, ": ", std::strerror(error_number)));
}

absl::Status WriteAll(int fd, absl::Span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CallError("write", errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int fd) {
  std::string text;
  char chunk[16384];
  while (true) {
    const ssize_t got = read(fd, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CallError("read", errno);
    if (got == 0) return text;
    text.append(chunk, static_cast<size_t>(got));
  }
}

// Where the program finds the code: its descriptor of this number.
constexpr int kCodeFd = 3;
constexpr char kCodePath[] = "/proc/self/fd/3";

// Returns what objdump prints of the file `code`.
absl::StatusOr<std::string> RunObjdump(int code) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return CallError("pipe", errno);
  const ScopedFd read_end(ends[0]);
  ScopedFd write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, code, kCodeFd);
  const char* const arguments[] = {"objdump",         "-D",      "-b",   "binary", "-m", "i386:x86-64", "-M", "intel",
                                   "--insn-width=15", kCodePath, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "objdump", &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  const absl::Status not_found = absl::NotFoundError("Cannot disassemble: there is no objdump in PATH");
  if (error == ENOENT) return not_found;
  if (error != 0) return CallError("posix_spawn", error);
  write_end.Reset();
  absl::StatusOr<std::string> text = ReadAll(read_end.get());
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return CallError("waitpid", errno);
  }
  BURIN_RETURN_IF_ERROR(text.status());
  // POSIX allows a system to report what cannot be executed so, as qemu's user mode does.
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return not_found;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return absl::InternalError(absl::StrCat("Cannot disassemble: objdump failed, wait status ", status));
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<DisassembledInstruction>> Disassemble(absl::Span<const uint8_t> code) {
  // Above kCodeFd, so that the copy to that number is another descriptor, which exec() keeps.
  const ScopedFd low(memfd_create("burin-disassembly", MFD_CLOEXEC));
  if (low.get() < 0) return CallError("memfd_create", errno);
  const ScopedFd file(fcntl(low.get(), F_DUPFD_CLOEXEC, kCodeFd + 1));
  if (file.get() < 0) return CallError("fcntl", errno);
  BURIN_RETURN_IF_ERROR(WriteAll(file.get(), code));
  BURIN_ASSIGN_OR_RETURN(const std::string text, RunObjdump(file.get()));
  std::vector<DisassembledInstruction> instructions;
  // "   0:\tc5 fc 58 c1 \tvaddps ymm0,ymm0,ymm1"
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> columns = absl::StrSplit(line, absl::MaxSplits('\t', 2));
    absl::string_view place = absl::StripAsciiWhitespace(columns[0]);
    size_t offset = 0;
    if (columns.size() < 3 || !absl::ConsumeSuffix(&place, ":") || !absl::SimpleHexAtoi(place, &offset)) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(columns[2], absl::ByAnyChar(" \t"), absl::SkipEmpty());
    instructions.push_back({offset, std::string(absl::StripAsciiWhitespace(columns[1])), absl::StrJoin(words, " ")});
  }
  return instructions;
}

}  // namespace burin::jit
