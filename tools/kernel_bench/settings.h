// Turns the options of the command line into settings, and selects cases.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_SETTINGS_H_
#define BURIN_TOOLS_KERNEL_BENCH_SETTINGS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/isa/isa.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/family.h"
#include "tools/options/options.h"

namespace burin::kernel_bench {

// Lists the options.
absl::Span<const options::Option> OptionTable();

// Holds what was asked for.
struct Settings {
  bool list = false;
  bool limits = false;
  bool peers = false;
  bool cold = false;
  bool tune = false;
  bool epilogues = false;
  // Names of families; empty for all of them.
  std::vector<std::string> families;
  // The sets whose cases run; empty for those that families have of themselves.
  std::vector<CaseSet> sets;
  // A regular expression that is found in FAMILY/CASE; "" fits all.
  std::string filter;
  int rounds = 21;
  // How often a sample is tried that is disturbed.
  int attempts = 3;
  // How long a case is measured at most; nullopt for kUsualSeconds, or kDrawnSeconds where shapes are drawn.
  std::optional<double> seconds;
  // How many threads share work, in a measurement besides; 1 for none.
  int threads = 1;
  uint32_t seed = 1;
  std::optional<jit::IsaLevel> max_isa;
  // Where the body of the case fused/body is read as a text; "" for no such case.
  std::string body;
  // Where JSON is written; "" for nowhere.
  std::string json;
  // Whose pairs are measured; empty for all that the process may use.
  std::vector<int> cpus;

  static constexpr double kUsualSeconds = 3;
  static constexpr double kDrawnSeconds = 0.3;

  // Returns whether any cases run: not where the limits alone are asked for.
  bool runs_cases() const { return !limits || !families.empty() || !sets.empty() || !filter.empty(); }

  // Returns how long a case is measured at most.
  double SecondsOfCase() const;

  // Reads the options. InvalidArgument, naming the option, for a value that makes no sense.
  static absl::StatusOr<Settings> Read(const options::Options& given);
};

// Names a case of a family, which outlives it.
struct SelectedCase {
  const Family* family = nullptr;
  std::string name;
};

// Returns the cases that the settings ask for, in the order of `families`. InvalidArgument for a regular expression
// that is none; NotFound, listing what there is, for a family that is not there and where nothing is left.
absl::StatusOr<std::vector<SelectedCase>> SelectCases(const Settings& settings,
                                                      absl::Span<const std::unique_ptr<Family>> families);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_SETTINGS_H_
