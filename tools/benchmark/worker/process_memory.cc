#include "tools/benchmark/worker/process_memory.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace burin::benchmark {

namespace {

// Returns the bytes of a line such as "VmRSS:	  1234 kB".
absl::StatusOr<int64_t> BytesOf(absl::string_view status, absl::string_view field) {
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::ByAnyChar(": \t"), absl::SkipEmpty());
    int64_t kibibytes = 0;
    if (words.size() != 3 || words[0] != field || words[2] != "kB" || !absl::SimpleAtoi(words[1], &kibibytes)) continue;
    return kibibytes * 1024;
  }
  return absl::UnimplementedError(absl::StrCat("The system does not tell ", field, " of a process"));
}

}  // namespace

absl::StatusOr<ProcessMemory> ProcessMemory::Read() {
  BURIN_ASSIGN_OR_RETURN(const std::string status, ReadFile("/proc/self/status"));
  return Parse(status);
}

absl::StatusOr<ProcessMemory> ProcessMemory::Parse(absl::string_view status) {
  ProcessMemory memory;
  BURIN_ASSIGN_OR_RETURN(memory.resident, BytesOf(status, "VmRSS"));
  BURIN_ASSIGN_OR_RETURN(memory.peak, BytesOf(status, "VmHWM"));
  return memory;
}

absl::Status ProcessMemory::ResetPeak() {
  // A file of the system's, which can only be written in place.
  constexpr char kPath[] = "/proc/self/clear_refs";
  std::FILE* const file = std::fopen(kPath, "w");
  if (file == nullptr) return absl::PermissionDeniedError(absl::StrCat("Cannot open file: ", kPath));
  const bool written = std::fputs("5", file) >= 0;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) return absl::UnimplementedError(absl::StrCat("Cannot write file: ", kPath));
  return absl::OkStatus();
}

}  // namespace burin::benchmark
