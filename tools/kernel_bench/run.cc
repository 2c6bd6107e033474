#include "tools/kernel_bench/run.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "jit/limits/sampler.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/limits_report.h"
#include "tools/kernel_bench/machine.h"
#include "tools/kernel_bench/measurement.h"
#include "tools/kernel_bench/report.h"
#include "tools/kernel_bench/shared_run.h"
#include "tools/kernel_bench/summary.h"

namespace burin::kernel_bench {
namespace {

// Enough to say what the machine gives at this moment.
constexpr int kPeakRounds = 5;

absl::StatusOr<jit::Target> TargetFor(const Settings& settings) {
  return settings.max_isa.has_value() ? jit::Target::Host(*settings.max_isa) : jit::Target::Host();
}

absl::StatusOr<std::string> Peak(const jit::Target& target, const jit::Instruments& instruments) {
  jit::SamplerOptions options;
  options.rounds = kPeakRounds;
  BURIN_ASSIGN_OR_RETURN(const jit::MachineLimits limits, jit::MachineLimits::Measure(target, options, instruments));
  return PeakLine(limits);
}

// Says where threads run, and whether two of them share a core: what they gain is void then.
absl::StatusOr<SharedRunOptions> Sharing(const Settings& settings, const std::vector<int>& usable,
                                         const jit::Target& target, const Printer& print) {
  SharedRunOptions sharing;
  sharing.rounds = settings.rounds;
  sharing.max_seconds = settings.SecondsOfCase();
  if (settings.threads == 1) return sharing;
  sharing.cpus = settings.cpus.empty() ? usable : settings.cpus;
  const auto threads = static_cast<size_t>(settings.threads);
  if (sharing.cpus.size() < threads) {
    return absl::FailedPreconditionError(
        absl::StrCat("Option -threads: there are fewer processors, usable or in -cpus: ", sharing.cpus.size()));
  }
  sharing.cpus.resize(threads);
  BURIN_ASSIGN_OR_RETURN(const std::vector<jit::CoreSharing> pairs, MeasurePairs(target.isa(), sharing.cpus));
  for (const jit::CoreSharing& pair : pairs) {
    print(absl::StrCat("processors    ", pair.ToString(),
                       pair.shared() ? "; VOID for several threads: they share a core" : "", "\n"));
  }
  return sharing;
}

}  // namespace

absl::StatusOr<RunResult> Run(const Settings& settings, absl::Span<const std::unique_ptr<Family>> families,
                              const std::vector<std::shared_ptr<Peer>>& peers, const Printer& print) {
  std::vector<SelectedCase> cases;
  if (settings.runs_cases()) {
    BURIN_ASSIGN_OR_RETURN(cases, SelectCases(settings, families));
  }
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, TargetFor(settings));
  BURIN_ASSIGN_OR_RETURN(const jit::Instruments instruments, jit::Instruments::Host(target.isa()));
  jit::SamplerOptions options;
  options.rounds = settings.rounds;
  options.seed = settings.seed;
  options.attempts = settings.attempts;
  options.max_seconds = settings.SecondsOfCase();
  RunResult run;
  run.cold = settings.cold;
  run.machine = Machine::Describe(target, settings.max_isa, instruments);
  print(run.machine.ToString());
  if (settings.limits) {
    const std::vector<int>& cpus = settings.cpus.empty() ? run.machine.cpus : settings.cpus;
    BURIN_ASSIGN_OR_RETURN(run.limits, LimitsReport::Measure(target, cpus, options, instruments));
    print(absl::StrCat("\n", run.limits->ToString()));
  } else {
    BURIN_ASSIGN_OR_RETURN(const std::string peak, Peak(target, instruments));
    print(absl::StrCat("limits now    ", peak, "\n"));
  }
  for (const std::shared_ptr<Peer>& peer : peers) {
    run.peers.push_back({peer->name(), peer->version()});
    print(absl::StrCat("peer          ", peer->name(), " ", peer->version(), "\n"));
  }
  BURIN_ASSIGN_OR_RETURN(const SharedRunOptions sharing, Sharing(settings, run.machine.cpus, target, print));
  for (const SelectedCase& selected : cases) {
    absl::StatusOr<BenchCase> made = selected.family->MakeCase(
        selected.name, {target, settings.cold, peers, settings.threads, settings.tune, settings.epilogues});
    if (!made.ok()) {
      return WithContext(made.status(), absl::StrCat("Case ", selected.family->name(), "/", selected.name));
    }
    run.cases.push_back(MeasureCase(*made, options, instruments));
    if (settings.threads > 1) MeasureShared(*made, sharing, run.cases.back());
    print(absl::StrCat("\n", FormatCase(run.cases.back())));
  }
  if (run.cases.size() > 1) print(absl::StrCat("\n", FormatSummary(Summarize(run.cases))));
  return run;
}

}  // namespace burin::kernel_bench
