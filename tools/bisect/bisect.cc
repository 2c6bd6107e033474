// //tools:bisect: after which rewrite do a model's outputs part from the reference?
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "runtime/api/core.h"
#include "runtime/dev/compiled_model.h"
#include "tools/bisect/comparison.h"
#include "tools/bisect/finding_report.h"
#include "tools/bisect/search.h"
#include "tools/check/checker.h"
#include "tools/check/data_set.h"
#include "tools/opt/model_source.h"
#include "tools/opt/optimize.h"
#include "tools/options/options.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"

namespace burin::bisect {
namespace {

constexpr options::Option kOptions[] = {
    {"m", "MODEL", "The model: a file, or builtin:NAME(key=value,...). A reproducer of this tool too. Required."},
    {"d", "DEVICE", "The device that runs the transformed model. Default: REFERENCE."},
    {"data", "DIR",
     "A folder with input_0.pb, ..., or with test_data_set_*, of which the first counts. Default: none, see -seed."},
    {"seed", "N", "The seed of the inputs made up. Default: 1."},
    {"stage", "NAMES", "The stages to run, separated by commas: UpToLpt, PostLpt. Default: all."},
    {"disable_pass", "NAMES", "Passes that do not run, separated by commas."},
    {"rtol", "X", "Tolerance relative to each output's largest magnitude. Default: as //tools:check has it."},
    {"atol", "X", "Absolute tolerance, added to the relative one."},
    {"o", "DIR", "Where the reproducing model and its inputs go. Default: nowhere."},
};

constexpr char kUsage[] = "bisect -m MODEL [-d DEVICE] [-data DIR] [-o DIR]";

absl::StatusOr<check::DataSet> Inputs(const options::Options& given, const ir::Model& model) {
  if (!given.Has("data")) {
    BURIN_ASSIGN_OR_RETURN(const int64_t seed, given.Integer("seed", 1, 0, INT64_MAX));
    return check::MakeDataSet(InputPorts(model), static_cast<uint64_t>(seed));
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<std::string> sets, check::FindDataSets(given.Text("data")));
  return check::ReadDataSet(sets.front());
}

absl::StatusOr<check::Bound> BoundFor(const options::Options& given, const ir::Model& model) {
  const std::string folder = std::filesystem::path(given.Text("m")).parent_path().string();
  std::vector<std::string> folders = given.All("data");
  if (!folder.empty()) folders.push_back(folder);
  BURIN_ASSIGN_OR_RETURN(check::Bound bound, check::DefaultBound(model, folders));
  if (!given.Has("rtol") && !given.Has("atol")) return bound;
  bound.is_explicit = true;
  BURIN_ASSIGN_OR_RETURN(bound.relative, given.Real("rtol", given.Has("atol") ? 0 : bound.relative, 0, 1e30));
  BURIN_ASSIGN_OR_RETURN(bound.absolute, given.Real("atol", 0, 0, 1e30));
  return bound;
}

// Returns the exit code.
absl::StatusOr<int> Run(const options::Options& given) {
  if (!given.Has("m")) return absl::InvalidArgumentError("Option -m is required");
  Core core;
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<ir::Model> model, opt::ReadGraph(&core, given.Text("m")));
  BURIN_ASSIGN_OR_RETURN(const check::DataSet data, Inputs(given, *model));
  BURIN_ASSIGN_OR_RETURN(const std::vector<transformations::Stage> stages, opt::ParseStages(given.Text("stage")));
  std::vector<transformations::PassGroup> groups;
  for (const transformations::Stage stage : stages) {
    const absl::Span<const transformations::PassGroup> of_stage = transformations::GroupsOf(stage);
    groups.insert(groups.end(), of_stage.begin(), of_stage.end());
  }
  const std::string device = given.Text("d", "REFERENCE");
  // Here, since a run that fails later counts as outputs that part.
  BURIN_RETURN_IF_ERROR(core.GetVersions(device).status());
  BisectOptions options;
  options.reference = RunOnDevice(&core, "REFERENCE");
  options.candidate = RunOnDevice(&core, device);
  BURIN_ASSIGN_OR_RETURN(options.bound, BoundFor(given, *model));
  BURIN_ASSIGN_OR_RETURN(options.disabled, opt::ParsePasses(given.Text("disable_pass")));
  options.progress = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  const ir::PassContext context;
  BURIN_ASSIGN_OR_RETURN(const Finding finding, Bisect(*model, groups, context, data.inputs, options));
  std::fputs(Describe(finding).c_str(), stdout);
  if (finding.outcome == Outcome::kHolds) return 0;
  if (finding.outcome == Outcome::kDeviceParts) return 3;
  BURIN_ASSIGN_OR_RETURN(const std::string reproducer,
                         WriteReproducer(finding, context, data.inputs, options, given.Text("o")));
  std::fputs(reproducer.c_str(), stdout);
  return 1;
}

// Exit codes: 0 all rewrites hold, 1 a rewrite parts, 2 it could not be searched, 3 the device parts by itself.
int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<options::Options> given = options::Options::Parse(kOptions, arguments);
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText(kUsage, kOptions).c_str(), stdout);
    return 0;
  }
  const absl::StatusOr<int> code = given.ok() ? Run(*given) : absl::StatusOr<int>(given.status());
  if (!code.ok()) {
    std::fprintf(stderr, "bisect: %s\n", code.status().ToString().c_str());
    return 2;
  }
  return *code;
}

}  // namespace
}  // namespace burin::bisect

int main(int argc, char** argv) { return burin::bisect::Main(std::vector<std::string>(argv + 1, argv + argc)); }
