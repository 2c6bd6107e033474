// Writes what was measured as JSON, with every sample.
//
// Use it for what is evaluated later or compared between machines. Keys: "machine", "limits" where they were measured,
// "peers", "cases"; times in seconds, rates per cycle; a round without an accepted sample is null. Stateless,
// thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_JSON_REPORT_H_
#define BURIN_TOOLS_KERNEL_BENCH_JSON_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "tools/kernel_bench/limits_report.h"
#include "tools/kernel_bench/machine.h"
#include "tools/kernel_bench/measurement.h"

namespace burin::kernel_bench {

// Names a library that took part.
struct PeerVersion {
  std::string name;
  std::string version;
};

// Holds everything of one run.
struct RunResult {
  Machine machine;
  std::optional<LimitsReport> limits;
  bool cold = false;
  std::vector<PeerVersion> peers;
  std::vector<CaseResult> cases;
};

// Returns the text, ending in a newline. What is not UTF-8 in a name becomes a replacement character.
std::string ToJson(const RunResult& run);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_JSON_REPORT_H_
