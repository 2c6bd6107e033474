// //tools:check: does a device compute what is expected of a model?
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/model.h"
#include "tools/check/checker.h"
#include "tools/check/data_set.h"
#include "tools/check/tolerance.h"
#include "tools/check/widened.h"
#include "tools/options/options.h"

namespace burin::check {
namespace {

constexpr options::Option kOptions[] = {
    {"m", "FILE", "The model. Required."},
    {"d", "DEVICE", "The device to check. Default: the preferred one."},
    {"data", "DIR",
     "A folder with test_data_set_* folders, or one such folder. May be repeated. Default: the model's own folder.",
     true},
    {"ref", "DEVICE", "Compares with this device on seeded inputs (or those of -data) instead of with saved outputs."},
    {"seed", "N", "The seed of the inputs made up for -ref. Default: 1."},
    {"rtol", "X", "Tolerance relative to each output's largest magnitude, for every element type."},
    {"atol", "X", "Absolute tolerance, for every element type; added to the relative one."},
    {"cosine", "MIN", "Judges each output by its cosine similarity alone."},
    {"widen", nullptr,
     "Computes in f32 what the model has in f16 or bf16, on each device: for outputs that were saved by a runtime that "
     "does so, where the device would round after each operation."},
};

constexpr char kUsage[] = "check -m MODEL [-d DEVICE] [-data DIR]... [-ref DEVICE]";

absl::Status OverrideBound(const options::Options& given, Bound* bound) {
  if (given.Has("rtol") || given.Has("atol")) {
    bound->is_explicit = true;
    BURIN_ASSIGN_OR_RETURN(bound->relative, given.Real("rtol", given.Has("atol") ? 0 : bound->relative, 0, 1e30));
    BURIN_ASSIGN_OR_RETURN(bound->absolute, given.Real("atol", 0, 0, 1e30));
  }
  if (given.Has("cosine")) {
    BURIN_ASSIGN_OR_RETURN(bound->min_cosine, given.Real("cosine", 1, -1, 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DataSet>> CollectData(const options::Options& given, const std::string& model_folder,
                                                 const std::vector<Port>& inputs) {
  std::vector<DataSet> data;
  if (given.Has("ref") && !given.Has("data")) {
    BURIN_ASSIGN_OR_RETURN(int64_t seed, given.Integer("seed", 1, 0, INT64_MAX));
    BURIN_ASSIGN_OR_RETURN(DataSet made, MakeDataSet(inputs, static_cast<uint64_t>(seed)));
    data.push_back(std::move(made));
    return data;
  }
  std::vector<std::string> folders = given.All("data");
  if (folders.empty()) folders.push_back(model_folder);
  for (const std::string& folder : folders) {
    BURIN_ASSIGN_OR_RETURN(std::vector<std::string> sets, FindDataSets(folder));
    for (const std::string& set : sets) {
      BURIN_ASSIGN_OR_RETURN(DataSet read, ReadDataSet(set));
      read.name = set;
      data.push_back(std::move(read));
    }
  }
  return data;
}

// Returns whether everything holds.
absl::StatusOr<bool> Check(const options::Options& given) {
  if (!given.Has("m")) return absl::InvalidArgumentError("Option -m is required");
  const std::string path = given.Text("m");
  std::string model_folder = std::filesystem::path(path).parent_path().string();
  if (model_folder.empty()) model_folder = ".";

  Core core;
  BURIN_ASSIGN_OR_RETURN(Model read, core.ReadModel(path));
  Model model = read;
  if (given.Has("widen")) {
    BURIN_ASSIGN_OR_RETURN(std::shared_ptr<ir::Model> widened, Widened(read.graph()));
    model = Model(std::move(widened));
  }
  BURIN_ASSIGN_OR_RETURN(CompiledModel compiled, core.CompileModel(model, given.Text("d")));
  BURIN_ASSIGN_OR_RETURN(std::vector<DataSet> data, CollectData(given, model_folder, compiled.inputs()));

  std::vector<std::string> meta_folders = given.All("data");
  meta_folders.push_back(model_folder);
  BURIN_ASSIGN_OR_RETURN(Bound bound, DefaultBound(read.graph(), meta_folders));
  BURIN_RETURN_IF_ERROR(OverrideBound(given, &bound));
  std::printf("model %s: %s arithmetic%s\n", path.c_str(), ArithmeticName(ClassifyArithmetic(read.graph())),
              given.Has("widen") ? ", computed in f32" : "");

  absl::StatusOr<CompiledModel> reference = absl::NotFoundError("no -ref");
  if (given.Has("ref")) {
    reference = core.CompileModel(model, given.Text("ref"));
    BURIN_RETURN_IF_ERROR(reference.status());
  }
  bool all_hold = true;
  for (DataSet& set : data) {
    if (reference.ok()) {
      BURIN_ASSIGN_OR_RETURN(set.outputs, RunOnce(*reference, set.inputs));
    }
    BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> actual, RunOnce(compiled, set.inputs));
    BURIN_ASSIGN_OR_RETURN(std::vector<Verdict> verdicts, Judge(compiled.outputs(), actual, set.outputs, bound));
    std::printf("%s\n", set.name.c_str());
    for (const Verdict& verdict : verdicts) {
      std::printf("  %s\n", verdict.ToString().c_str());
      all_hold = all_hold && verdict.holds;
    }
  }
  return all_hold;
}

// Exit codes: 0 everything holds, 1 something does not, 2 it could not be checked.
int Main(const std::vector<std::string>& arguments) {
  absl::StatusOr<options::Options> given = options::Options::Parse(kOptions, arguments);
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText(kUsage, kOptions).c_str(), stdout);
    return 0;
  }
  absl::StatusOr<bool> holds = given.ok() ? Check(*given) : absl::StatusOr<bool>(given.status());
  if (!holds.ok()) {
    std::fprintf(stderr, "check: %s\n", holds.status().ToString().c_str());
    return 2;
  }
  std::printf("%s\n", *holds ? "everything holds" : "NOT everything holds");
  return *holds ? 0 : 1;
}

}  // namespace
}  // namespace burin::check

int main(int argc, char** argv) { return burin::check::Main(std::vector<std::string>(argv + 1, argv + argc)); }
