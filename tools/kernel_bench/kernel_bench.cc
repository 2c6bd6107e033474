// //tools:kernel_bench: how fast are the kernels, against what the core can do and against other libraries?
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "tools/kernel_bench/families/families.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/json_report.h"
#include "tools/kernel_bench/measurement.h"
#include "tools/kernel_bench/peer.h"
#include "tools/kernel_bench/run.h"
#include "tools/kernel_bench/settings.h"
#include "tools/options/options.h"
#include "tools/peers/all_peers.h"

namespace burin::kernel_bench {
namespace {

constexpr char kUsage[] = "kernel_bench [-family NAMES] [-case REGEX] [-peers] [-json FILE] | -limits | -list";

enum ExitCode { kDone = 0, kWrongResult = 1, kFailed = 2 };

absl::Status PrintList(const Settings& settings, const std::vector<std::unique_ptr<Family>>& families) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<SelectedCase> cases, SelectCases(settings, families));
  const Family* last = nullptr;
  for (const SelectedCase& selected : cases) {
    const std::string family(selected.family->name());
    if (selected.family != last) {
      std::printf("%s: %s\n", family.c_str(), std::string(selected.family->description()).c_str());
    }
    last = selected.family;
    std::printf("  %s/%s\n", family.c_str(), selected.name.c_str());
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Execute(const options::Options& given) {
  BURIN_ASSIGN_OR_RETURN(const Settings settings, Settings::Read(given));
  std::string body;
  if (!settings.body.empty()) {
    BURIN_ASSIGN_OR_RETURN(body, ReadFile(settings.body));
  }
  const std::vector<std::unique_ptr<Family>> families = AllFamilies(body);
  if (settings.list) {
    BURIN_RETURN_IF_ERROR(PrintList(settings, families));
    return kDone;
  }
  std::vector<std::shared_ptr<Peer>> peers;
  if (settings.peers) {
    BURIN_ASSIGN_OR_RETURN(peers, peers::AllPeers());
  }
  const auto print = [](absl::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  BURIN_ASSIGN_OR_RETURN(const RunResult run, Run(settings, families, peers, print));
  if (!settings.json.empty()) BURIN_RETURN_IF_ERROR(WriteFileAtomically(settings.json, ToJson(run)));
  for (const CaseResult& result : run.cases) {
    if (!result.right()) return kWrongResult;
  }
  return kDone;
}

int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<options::Options> given = options::Options::Parse(OptionTable(), arguments);
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText(kUsage, OptionTable()).c_str(), stdout);
    return kDone;
  }
  const absl::StatusOr<ExitCode> code = given.ok() ? Execute(*given) : given.status();
  if (!code.ok()) {
    std::fprintf(stderr, "kernel_bench: %s\n", code.status().ToString().c_str());
    return kFailed;
  }
  return *code;
}

}  // namespace
}  // namespace burin::kernel_bench

int main(int argc, char** argv) { return burin::kernel_bench::Main(std::vector<std::string>(argv + 1, argv + argc)); }
