// //tools:opt: what do the passes make of a model?
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/api/core.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/tokenize.h"
#include "tools/opt/model_source.h"
#include "tools/opt/op_counts.h"
#include "tools/opt/optimize.h"
#include "tools/options/options.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"
#include "transformations/rewrite_dump.h"

namespace burin::opt {
namespace {

constexpr options::Option kOptions[] = {
    {"m", "MODEL",
     "The model: a file, or builtin:NAME(key=value,...). A text form (*.txt) or binary form (*.bin) too."},
    {"o", "FILE", "Writes the model that comes out: its text form to *.txt, else the binary form."},
    {"stage", "NAMES", "The stages to run, separated by commas: UpToLpt, PostLpt. Default: all."},
    {"disable_pass", "NAMES", "Passes that do not run, separated by commas."},
    {"stop_after_rewrite", "N", "Makes the first N rewrites alone."},
    {"dump_rewrites", "DIR", "Writes the model before and after each rewrite into this folder."},
    {"explain", "NODE:PASS",
     "Says why the pass does not fire at the node, in the model as it is after the rewrites asked for "
     "(-stop_after_rewrite "
     "0: none). The node by name, by a name of the file's operation, or as %ID."},
    {"dump_fusion", nullptr,
     "Collects operations into Subgraphs afterwards, as a compilation does, and prints each Subgraph, and why what "
     "could "
     "be together is not."},
    {"list_passes", nullptr, "Lists the passes and what they do."},
    {"verify_each_rewrite", nullptr, "Verifies the model after each rewrite instead of after each group of passes."},
    {"op_counts", "DIR",
     "Prints a table instead: for each *.onnx below this folder, its nodes before and after, and the rewrites."},
};

constexpr char kUsage[] = "opt -m MODEL [-o FILE] [-dump_fusion] [-explain NODE:PASS] | -op_counts DIR | -list_passes";

struct Request {
  std::vector<transformations::Stage> stages;
  transformations::PipelineOptions pipeline;
};

absl::StatusOr<Request> ReadRequest(const options::Options& given) {
  Request request;
  BURIN_ASSIGN_OR_RETURN(request.stages, ParseStages(given.Text("stage")));
  BURIN_ASSIGN_OR_RETURN(request.pipeline.disabled, ParsePasses(given.Text("disable_pass")));
  if (given.Has("stop_after_rewrite")) {
    BURIN_ASSIGN_OR_RETURN(request.pipeline.stop_after_rewrite, given.Integer("stop_after_rewrite", 0, 0, INT64_MAX));
  }
  request.pipeline.verify_each_rewrite = given.Has("verify_each_rewrite");
  if (given.Has("dump_rewrites")) {
    const std::string folder = given.Text("dump_rewrites");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return absl::InvalidArgumentError("Option -dump_rewrites: cannot make folder " + folder + ": " + error.message());
    }
    request.pipeline.observer = transformations::DumpRewritesTo(folder);
  }
  return request;
}

absl::Status RunOnModel(const options::Options& given, const Request& request) {
  if (!given.Has("m")) return absl::InvalidArgumentError("Option -m is required");
  Core core;
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<ir::Model> model, ReadGraph(&core, given.Text("m")));
  BURIN_ASSIGN_OR_RETURN(const Optimized optimized, Optimize(*model, request.stages, request.pipeline));
  std::fputs(optimized.report.ToString().c_str(), stdout);
  std::fputs(DescribeChanges(CountOps(*model), CountOps(*optimized.model)).c_str(), stdout);
  if (given.Has("dump_fusion")) {
    snippets::TokenizeOptions tokenize;
    tokenize.dense_anchors = true;
    BURIN_ASSIGN_OR_RETURN(const snippets::FusionReport fusion, snippets::Tokenize(*optimized.model, tokenize));
    std::fputs(fusion.ToString().c_str(), stdout);
  }
  if (given.Has("o")) BURIN_RETURN_IF_ERROR(WriteGraph(*optimized.model, given.Text("o")));
  if (given.Has("explain")) {
    BURIN_ASSIGN_OR_RETURN(const std::string reasons, ExplainAt(*optimized.model, given.Text("explain")));
    std::fputs(reasons.c_str(), stdout);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> FindModels(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().extension() == ".onnx") paths.push_back(entries->path().string());
  }
  if (error) return absl::NotFoundError("Cannot read folder " + folder + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The cells of a row after the first: of the model, or the reason why there are none.
std::string RowOf(Core* core, const std::string& path, const Request& request) {
  constexpr size_t kOpsShown = 5;
  const absl::StatusOr<std::shared_ptr<ir::Model>> model = ReadGraph(core, path);
  const absl::StatusOr<Optimized> optimized =
      model.ok() ? Optimize(**model, request.stages, request.pipeline) : absl::StatusOr<Optimized>(model.status());
  if (!optimized.ok()) {
    // A table cell is one line, and a path of this machine says nothing to a reader.
    return "| | | | " +
           absl::StrReplaceAll(optimized.status().message(), {{path + ": ", ""}, {"|", "\\|"}, {"\n", " "}}) + " |\n";
  }
  const OpCounts before = CountOps(**model);
  const OpCounts after = CountOps(*optimized->model);
  return "| " + std::to_string(before.total) + " | " + std::to_string(after.total) + " | " +
         std::to_string(optimized->report.rewrites) + " | " + SummarizeChanges(before, after, kOpsShown) + " |\n";
}

absl::Status PrintTable(const std::string& folder, const Request& request) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<std::string> paths, FindModels(folder));
  Core core;
  std::fputs("| model | nodes before | nodes after | rewrites | changes |\n| --- | --: | --: | --: | --- |\n", stdout);
  for (const std::string& path : paths) {
    const std::string relative = std::filesystem::path(path).lexically_relative(folder).string();
    const std::string name(absl::StripSuffix(relative, "/model.onnx"));
    std::printf("| %s %s", name.c_str(), RowOf(&core, path, request).c_str());
    std::fflush(stdout);
  }
  return absl::OkStatus();
}

absl::Status Run(const options::Options& given) {
  if (given.Has("list_passes")) {
    std::fputs(ListPasses().c_str(), stdout);
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const Request request, ReadRequest(given));
  if (given.Has("op_counts")) return PrintTable(given.Text("op_counts"), request);
  return RunOnModel(given, request);
}

// Exit codes: 0 done, 2 it could not be done.
int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<options::Options> given = options::Options::Parse(kOptions, arguments);
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText(kUsage, kOptions).c_str(), stdout);
    return 0;
  }
  const absl::Status status = given.ok() ? Run(*given) : given.status();
  if (!status.ok()) {
    std::fprintf(stderr, "opt: %s\n", status.ToString().c_str());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace burin::opt

int main(int argc, char** argv) { return burin::opt::Main(std::vector<std::string>(argv + 1, argv + argc)); }
