#include "tools/kernel_bench/settings.h"

#include <re2/re2.h>

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::kernel_bench {
namespace {

constexpr options::Option kOptions[] = {
    {"family", "NAMES", "The families that run, separated by commas. Default: all."},
    {"set", "NAMES",
     "Runs the cases of these sets, separated by commas: of a model (resnet50, vgg19, mobilenet_v2, yolox, bert, vit, "
     "llama), small, all, or random:SEED, 200 shapes of each family."},
    {"case", "REGEX", "Runs the cases alone in whose FAMILY/CASE this regular expression (RE2) is found."},
    {"list", nullptr, "Lists the cases instead of running them."},
    {"limits", nullptr,
     "Measures what one core can do and which processors share a core; runs cases only where -family or -case is given "
     "too."},
    {"cpus", "NUMBERS",
     "The processors whose pairs -limits measures and -threads runs on, separated by commas. Default: usable ones."},
    {"rounds", "N", "How many samples are taken of each contender. Default: 21."},
    {"attempts", "N", "How often a disturbed sample is tried in a round: more for busy machines. Default: 3."},
    {"seconds", "S", "How long a case is measured at most. Default: 3; 0.3 where shapes are drawn."},
    {"seed", "N", "Of the order of the contenders in the rounds. Default: 1."},
    {"max_isa", "LEVEL", "Takes the machine for one of at most this instruction set level."},
    {"cold", nullptr, "Takes other copies of the buffers at each repeat, which are in no cache."},
    {"threads", "N",
     "Measures too how much faster so many threads are than one, on the first usable processors or those of -cpus."},
    {"tune", nullptr, "Measures too other plans than the one that is chosen, of families that plan."},
    {"epilogues", nullptr, "Measures too kernels that store through an epilogue, of families that have them."},
    {"peers", nullptr, "Measures other libraries too, which tools/peers/README.md says how to install."},
    {"body", "FILE", "Adds the case fused/body: the text of a body that this file has."},
    {"json", "FILE", "Writes everything to this file, with every sample."},
};

constexpr int64_t kMostThreads = 1024;

absl::StatusOr<std::vector<int>> ParseCpus(const std::string& text) {
  std::vector<int> cpus;
  for (const absl::string_view word : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    int cpu = 0;
    if (!absl::SimpleAtoi(word, &cpu) || cpu < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Option -cpus: expected numbers of processors, got: ", text));
    }
    cpus.push_back(cpu);
  }
  return cpus;
}

// The cases of a family's own choice, or those of the sets, each once.
std::vector<std::string> NamesOf(const Family& family, const std::vector<CaseSet>& sets) {
  if (sets.empty()) return family.CaseNames();
  std::vector<std::string> names;
  for (const CaseSet& set : sets) {
    for (const std::string& name : family.CasesOf(set)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

absl::Span<const options::Option> OptionTable() { return kOptions; }

absl::StatusOr<Settings> Settings::Read(const options::Options& given) {
  Settings settings;
  settings.list = given.Has("list");
  settings.limits = given.Has("limits");
  settings.peers = given.Has("peers");
  settings.cold = given.Has("cold");
  settings.tune = given.Has("tune");
  settings.epilogues = given.Has("epilogues");
  settings.families = absl::StrSplit(given.Text("family"), ',', absl::SkipEmpty());
  const std::string sets = given.Text("set");
  for (const absl::string_view name : absl::StrSplit(sets, ',', absl::SkipEmpty())) {
    const absl::StatusOr<CaseSet> set = CaseSet::Parse(name);
    if (!set.ok()) return absl::InvalidArgumentError(absl::StrCat("Option -set: ", set.status().message()));
    settings.sets.push_back(*set);
  }
  settings.filter = given.Text("case");
  settings.body = given.Text("body");
  settings.json = given.Text("json");
  BURIN_ASSIGN_OR_RETURN(const int64_t rounds, given.Integer("rounds", settings.rounds, 1, 100000));
  settings.rounds = static_cast<int>(rounds);
  BURIN_ASSIGN_OR_RETURN(const int64_t attempts, given.Integer("attempts", settings.attempts, 1, 1000));
  settings.attempts = static_cast<int>(attempts);
  if (given.Has("seconds")) {
    BURIN_ASSIGN_OR_RETURN(settings.seconds, given.Real("seconds", kUsualSeconds, 0, 3600));
  }
  BURIN_ASSIGN_OR_RETURN(const int64_t threads, given.Integer("threads", 1, 1, kMostThreads));
  settings.threads = static_cast<int>(threads);
  BURIN_ASSIGN_OR_RETURN(const int64_t seed,
                         given.Integer("seed", settings.seed, 0, std::numeric_limits<uint32_t>::max()));
  settings.seed = static_cast<uint32_t>(seed);
  if (given.Has("max_isa")) {
    const absl::StatusOr<jit::IsaLevel> level = jit::ParseIsaLevel(given.Text("max_isa"));
    if (!level.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("Option -max_isa: ", level.status().message()));
    }
    settings.max_isa = *level;
  }
  BURIN_ASSIGN_OR_RETURN(settings.cpus, ParseCpus(given.Text("cpus")));
  return settings;
}

double Settings::SecondsOfCase() const {
  const bool drawn = std::any_of(sets.begin(), sets.end(), [](const CaseSet& set) { return set.seed.has_value(); });
  return seconds.value_or(drawn ? kDrawnSeconds : kUsualSeconds);
}

absl::StatusOr<std::vector<SelectedCase>> SelectCases(const Settings& settings,
                                                      absl::Span<const std::unique_ptr<Family>> families) {
  const RE2 filter(settings.filter, RE2::Quiet);
  if (!filter.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("Option -case: no regular expression: ", filter.error()));
  }
  for (const std::string& wanted : settings.families) {
    if (std::any_of(families.begin(), families.end(), [&](const auto& family) { return family->name() == wanted; })) {
      continue;
    }
    const auto append_name = [](std::string* out, const auto& family) { absl::StrAppend(out, family->name()); };
    return absl::NotFoundError(absl::StrCat(
        "Option -family: no such family; there are: ", absl::StrJoin(families, ", ", append_name), "; got: ", wanted));
  }
  std::vector<SelectedCase> selected;
  for (const std::unique_ptr<Family>& family : families) {
    const std::string family_name(family->name());
    if (!settings.families.empty() &&
        std::find(settings.families.begin(), settings.families.end(), family_name) == settings.families.end()) {
      continue;
    }
    for (const std::string& name : NamesOf(*family, settings.sets)) {
      if (RE2::PartialMatch(absl::StrCat(family_name, "/", name), filter)) selected.push_back({family.get(), name});
    }
  }
  if (selected.empty()) {
    return absl::NotFoundError(absl::StrCat("Option -case: fits no case (-list lists them), got: ", settings.filter));
  }
  return selected;
}

}  // namespace burin::kernel_bench
