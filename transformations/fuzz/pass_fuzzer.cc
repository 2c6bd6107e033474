// Checks all passes on random models and prints what fired: pass_fuzzer [-graphs N] [-seed S] [-steps N] [-report
// FILE].
//
// The status is 0 where no graph was wrong. A wrong one is shrunk and printed as a text with its seed.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "transformations/fuzz/campaign.h"

int main(int argc, char** argv) {
  using burin::transformations::CampaignOptions;
  using burin::transformations::CampaignReport;
  CampaignOptions options;
  int64_t seed = 1;
  int64_t steps = options.steps;
  std::string report_file;
  for (int i = 1; i < argc; i += 2) {
    const absl::string_view name = argv[i];
    const absl::string_view value = i + 1 < argc ? argv[i + 1] : "";
    int64_t* const number = name == "-graphs"  ? &options.graphs
                            : name == "-seed"  ? &seed
                            : name == "-steps" ? &steps
                                               : nullptr;
    if (name == "-report" && !value.empty()) {
      report_file = std::string(value);
    } else if (number == nullptr || !absl::SimpleAtoi(value, number) || *number < 1) {
      std::fprintf(stderr, "usage: %s [-graphs N] [-seed S] [-steps N] [-report FILE]\n", argv[0]);
      return 2;
    }
  }
  options.first_seed = static_cast<uint64_t>(seed);
  options.steps = static_cast<int>(steps);
  const CampaignReport report = burin::transformations::RunCampaign(options);
  const std::string text = report.ToString();
  std::fputs(text.c_str(), stdout);
  if (!report_file.empty()) std::ofstream(report_file) << text;
  return report.failures.empty() ? 0 : 1;
}
