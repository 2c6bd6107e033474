// Runs what the settings ask for: limits, then case after case.
//
// Use it behind a command line. One thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_RUN_H_
#define BURIN_TOOLS_KERNEL_BENCH_RUN_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/json_report.h"
#include "tools/kernel_bench/peer.h"
#include "tools/kernel_bench/settings.h"

namespace burin::kernel_bench {

// Receives the text of the report, piece by piece.
using Printer = std::function<void(absl::string_view text)>;

// Describes the machine, measures the limits and the selected cases with `peers`, prints each as soon as it is known
// and a summary of several, and returns everything. NotFound and InvalidArgument as SelectCases() says, before anything
// is measured; FailedPrecondition for more threads than processors; else errors of the target, of code generation, and
// of a peer.
absl::StatusOr<RunResult> Run(const Settings& settings, absl::Span<const std::unique_ptr<Family>> families,
                              const std::vector<std::shared_ptr<Peer>>& peers, const Printer& print);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_RUN_H_
