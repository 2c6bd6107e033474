// Draws bodies of Subgraphs, compiles each into one kernel, and compares it with the reference evaluation.
//
//   fuzz_bodies [-bodies N] [-seed S] [-isa LEVEL] [-least COUNT] [-failures N]
//   fuzz_bodies -explain SEED [-isa LEVEL]
//   fuzz_bodies -body FILE [-bodies N] [-seed S] [-isa LEVEL]
//
// Draws the bodies of N seeds from S on, for the machine or one of at most LEVEL. Prints what they consisted of; exits
// with 1 where a kernel was wrong or refused, or where something that must come up was counted less than COUNT times
// (by default 100 from 20,000 bodies on, else 0). The first few failures are printed as small as they fail. A
// kernel that ends the process prints its seed, which -explain does the same for. -body runs a body that FILE has as a
// text, N times on other inputs, infinities and NaN among them, half of the times with few registers.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/fuzz/fuzz_counters.h"
#include "snippets/fuzz/fuzz_run.h"
#include "snippets/testing/body_fuzzer.h"
#include "snippets/testing/random_inputs.h"

namespace burin::snippets {
namespace {

struct Settings {
  uint64_t bodies = 1000;
  uint64_t seed = 1;
  std::string level;
  int64_t least = -1;
  int64_t failures = 3;
  uint64_t explain = 0;
  std::string body;
};

absl::StatusOr<Settings> ParseArguments(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const absl::string_view flag = argv[i];
    if (i + 1 == argc) return absl::InvalidArgumentError(absl::StrCat("A flag without a value: ", flag));
    const absl::string_view value = argv[i + 1];
    bool good = true;
    if (flag == "-bodies") {
      good = absl::SimpleAtoi(value, &settings.bodies);
    } else if (flag == "-seed") {
      good = absl::SimpleAtoi(value, &settings.seed);
    } else if (flag == "-isa") {
      settings.level = std::string(value);
    } else if (flag == "-body") {
      settings.body = std::string(value);
    } else if (flag == "-least") {
      good = absl::SimpleAtoi(value, &settings.least);
    } else if (flag == "-explain") {
      good = absl::SimpleAtoi(value, &settings.explain);
    } else if (flag == "-failures") {
      good = absl::SimpleAtoi(value, &settings.failures);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("An unknown flag: ", flag));
    }
    if (!good) return absl::InvalidArgumentError(absl::StrCat("Not a number: ", flag, " ", value));
  }
  constexpr uint64_t kWholeRun = 20000;
  if (settings.least < 0) settings.least = settings.bodies >= kWholeRun ? 100 : 0;
  return settings;
}

absl::StatusOr<jit::Target> TargetOf(const std::string& level) {
  if (level.empty()) return jit::Target::Host();
  if (setenv("BURIN_MAX_ISA", level.c_str(), 1) != 0) return absl::InternalError("The environment is full");
  return jit::Target::Host();
}

// What a signal handler prints: a kernel that touches what is not its own ends the process.
volatile uint64_t present_seed = 0;

void PrintSeed(int signal_number) {
  char text[] = "A kernel ends the process: seed                     \n";
  size_t at = sizeof(text) - 3;
  for (uint64_t rest = present_seed; rest > 0; rest /= 10) text[at--] = static_cast<char>('0' + rest % 10);
  if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0) _exit(2);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// Runs one body over and over.
absl::Status RunBody(const Settings& settings, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(const std::string text, ReadFile(settings.body));
  DrawnBody drawn;
  BURIN_ASSIGN_OR_RETURN(drawn.body, ir::ParseModel(text));
  drawn.ranges.resize(drawn.body->parameters().size(), InputRange{-4, 4, /*special=*/true});
  drawn.parameter_axes.resize(drawn.ranges.size());
  for (uint64_t seed = settings.seed; seed < settings.seed + settings.bodies; ++seed) {
    drawn.seed = present_seed = seed;
    drawn.limits = seed % 2 == 0 ? kFewRegisters : RegisterLimits();
    const absl::Status status = RunDrawn(drawn, target, nullptr);
    if (!status.ok()) return WithContext(status, absl::StrCat("Seed ", seed));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Run(int argc, char** argv) {
  BURIN_ASSIGN_OR_RETURN(const Settings settings, ParseArguments(argc, argv));
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, TargetOf(settings.level));
  if (settings.explain != 0) {
    std::printf("%s\n", ExplainFailure(settings.explain, target).c_str());
    return 0;
  }
  for (const int signal_number : {SIGSEGV, SIGILL, SIGFPE, SIGBUS}) signal(signal_number, &PrintSeed);
  if (!settings.body.empty()) {
    BURIN_RETURN_IF_ERROR(RunBody(settings, target));
    return 0;
  }
  FuzzCounters counters;
  // By message up to its first value.
  std::map<std::string, std::vector<uint64_t>> failures;
  for (uint64_t seed = settings.seed; seed < settings.seed + settings.bodies; ++seed) {
    present_seed = seed;
    const absl::Status status = RunDrawn(DrawBody(seed), target, &counters);
    if (status.ok()) continue;
    const std::string message = status.ToString();
    failures[absl::IsUnimplemented(status) ? message.substr(0, message.rfind(':')) : "wrong"].push_back(seed);
  }
  std::printf("%s", counters.ToString().c_str());
  for (const auto& [message, seeds] : failures) {
    std::printf("FAILED %zu of %llu: %s\n", seeds.size(), static_cast<unsigned long long>(settings.bodies),
                message.c_str());
    for (size_t i = 0; i < seeds.size() && static_cast<int64_t>(i) < settings.failures; ++i) {
      // The processes that try have none of it to write again.
      std::fflush(stdout);
      std::printf("%s\n", ExplainFailure(seeds[i], target).c_str());
    }
  }
  const std::vector<std::string> rare = counters.Rare(settings.least);
  for (const std::string& name : rare) {
    std::printf("RARE %s: %lld\n", name.c_str(), static_cast<long long>(counters.Get(name)));
  }
  return failures.empty() && rare.empty() ? 0 : 1;
}

}  // namespace
}  // namespace burin::snippets

int main(int argc, char** argv) {
  const absl::StatusOr<int> result = burin::snippets::Run(argc, argv);
  if (result.ok()) return *result;
  std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
  return 2;
}
