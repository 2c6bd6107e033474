#include "transformations/report.h"

#include "absl/strings/str_format.h"

namespace burin::transformations {

const PassReport* CompileReport::Find(absl::string_view name) const {
  for (const PassReport& pass : passes) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

std::string CompileReport::ToString() const {
  int64_t total_ns = 0;
  for (const PassReport& pass : passes) total_ns += pass.time_ns;
  std::string text = absl::StrFormat("%-32s %9s %7s %9s %10s\n", "pass", "rewrites", "refused", "visits", "ms");
  int64_t quiet = 0;
  for (const PassReport& pass : passes) {
    if (pass.rewrites == 0 && pass.refused == 0 && pass.time_ns * 10 < total_ns) {
      ++quiet;
      continue;
    }
    absl::StrAppendFormat(&text, "%-32s %9d %7d %9d %10.3f\n", pass.name, pass.rewrites, pass.refused, pass.visits,
                          static_cast<double>(pass.time_ns) * 1e-6);
  }
  absl::StrAppendFormat(&text, "%d rewrites, %d nodes before, %d after; %d further passes rewrote nothing\n", rewrites,
                        nodes_before, nodes_after, quiet);
  absl::StrAppendFormat(&text, "%.3f ms in passes (%.3f ms of it computing constants), %.3f ms in verification%s\n",
                        static_cast<double>(total_ns) * 1e-6, static_cast<double>(constants_ns) * 1e-6,
                        static_cast<double>(verify_ns) * 1e-6, stopped ? "; stopped on request" : "");
  return text;
}

}  // namespace burin::transformations
