// How much memory this process has, and had at most, as the system counts it.
//
// Use it around a step whose memory matters. Not for what one allocation takes: pages that were touched count, whoever
// touched them. May be called from any thread; the highest value is the process's.
#ifndef BURIN_TOOLS_BENCHMARK_WORKER_PROCESS_MEMORY_H_
#define BURIN_TOOLS_BENCHMARK_WORKER_PROCESS_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin::benchmark {

struct ProcessMemory {
  // Resident now, and at most since the start or the last ResetPeak(), in bytes.
  int64_t resident = 0;
  int64_t peak = 0;

  // Reads both. Unimplemented where the system does not tell.
  static absl::StatusOr<ProcessMemory> Read();

  // Reads both from the text of Linux's /proc/PID/status (proc(5)). Unimplemented where a line is missing or of another
  // form.
  static absl::StatusOr<ProcessMemory> Parse(absl::string_view status);

  // Makes what is resident now the highest value. Errors of opening files where the system does not allow it.
  static absl::Status ResetPeak();
};

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_WORKER_PROCESS_MEMORY_H_
