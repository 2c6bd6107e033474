#include "transformations/fuzz/case_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/fuzz/perturbed_run.h"
#include "transformations/fuzz/result_comparison.h"
#include "transformations/pass_table.h"
#include "transformations/pipelines.h"

namespace burin::transformations {
namespace {

// Within this many units of the largest magnitude, a difference is what a few roundings make.
constexpr double kRoundingUnits = 16;
// Disturbed runs: how many, by how much each value, and how far beyond them an output may be.
constexpr int kDisturbedRuns = 8;
constexpr double kDisturbanceUnits = 4;
constexpr double kSensitivityFactor = 8;

// Returns the passes that no stage runs, in one group for the rules and one for each other.
std::vector<PassGroup> UnstagedGroups() {
  absl::flat_hash_set<std::string> staged;
  for (const Stage stage : {Stage::kUpToLpt, Stage::kPostLpt}) {
    for (const PassGroup& group : GroupsOf(stage)) {
      for (const Pass* pass : group) staged.insert(pass->name);
    }
  }
  std::vector<PassGroup> groups(1);
  for (const Pass& pass : AllPasses()) {
    if (staged.contains(pass.name)) continue;
    if (pass.rule != nullptr) {
      groups[0].push_back(&pass);
    } else {
      groups.push_back({&pass});
    }
  }
  if (groups[0].empty()) groups.erase(groups.begin());
  return groups;
}

absl::Status Optimise(const FuzzCase& fuzz_case, const CheckOptions& options, ir::Model* model, CompileReport* report) {
  static const auto* const unstaged = new std::vector<PassGroup>(UnstagedGroups());
  PipelineOptions pipeline;
  pipeline.verify_each_rewrite = true;
  pipeline.stop_after_rewrite = options.stop_after_rewrite;
  pipeline.observer = options.observer;
  if (fuzz_case.mode == FuzzMode::kExact) {
    for (const Pass& pass : AllPasses()) {
      if (pass.accuracy != Accuracy::kExact) pipeline.disabled.emplace_back(pass.name);
    }
  }
  const ir::PassContext context;
  BURIN_RETURN_IF_ERROR(RunPasses(model, options.first_groups, context, pipeline, report, AllPasses()));
  BURIN_RETURN_IF_ERROR(RunPipeline(Stage::kUpToLpt, model, context, pipeline, report));
  for (const std::vector<PassGroup>* groups : {unstaged, &options.extra_groups}) {
    BURIN_RETURN_IF_ERROR(RunPasses(model, *groups, context, pipeline, report, AllPasses()));
  }
  return RunPipeline(Stage::kPostLpt, model, context, pipeline, report);
}

absl::StatusOr<RunSeries> Run(const ir::Model& model, const RunSeries& inputs) {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(model));
  ir::MapVariableStore variables;
  ir::RunOptions options;
  options.variables = &variables;
  RunSeries outputs;
  for (const std::vector<ir::Tensor>& once : inputs) {
    BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, evaluator.Run(once, options));
    outputs.push_back(std::move(results));
  }
  return outputs;
}

// Returns for each output of each run how far disturbed runs are from `expected`; all infinite where one refuses.
std::vector<std::vector<double>> Sensitivity(const ir::Model& model, const RunSeries& inputs,
                                             const RunSeries& expected) {
  std::vector<std::vector<double>> distances;
  for (const std::vector<ir::Tensor>& results : expected) distances.emplace_back(results.size(), 0);
  std::mt19937_64 random(1);
  for (int i = 0; i < kDisturbedRuns; ++i) {
    const absl::StatusOr<RunSeries> disturbed = PerturbedRun(model, inputs, kDisturbanceUnits, random);
    for (size_t run = 0; run < expected.size(); ++run) {
      for (size_t k = 0; k < expected[run].size(); ++k) {
        const double distance = disturbed.ok() ? DistanceInUnits((*disturbed)[run][k], expected[run][k])
                                               : std::numeric_limits<double>::infinity();
        distances[run][k] = std::max(distances[run][k], distance);
      }
    }
  }
  return distances;
}

std::string Describe(const FuzzCase& fuzz_case, size_t sample, size_t result, const ir::Tensor& actual,
                     const ir::Tensor& expected) {
  std::string text = absl::StrCat("result ", result, " is ", actual.ToString(64), " instead of ", expected.ToString(64),
                                  " for inputs");
  for (const ir::Tensor& input : fuzz_case.samples[sample][0]) absl::StrAppend(&text, " ", input.ToString(64));
  return text;
}

// Compares on one sample; kRefused where `before` refuses it.
CheckResult CompareOn(const FuzzCase& fuzz_case, const ir::Model& after, size_t sample) {
  CheckResult result;
  const RunSeries& inputs = fuzz_case.samples[sample];
  const absl::StatusOr<RunSeries> expected = Run(*fuzz_case.model, inputs);
  if (!expected.ok()) {
    result.verdict = Verdict::kRefused;
    return result;
  }
  result.sample = static_cast<int64_t>(sample);
  const absl::StatusOr<RunSeries> actual = Run(after, inputs);
  const bool rounding = fuzz_case.mode == FuzzMode::kRounding;
  std::vector<std::vector<double>> sensitivity;
  for (size_t run = 0; run < expected->size(); ++run) {
    for (size_t k = 0; k < (*expected)[run].size(); ++k) {
      double distance = std::numeric_limits<double>::infinity();
      if (actual.ok()) {
        distance = rounding ? DistanceInUnits((*actual)[run][k], (*expected)[run][k])
                            : (SameElements((*actual)[run][k], (*expected)[run][k]) ? 0 : distance);
      }
      if (distance <= (rounding ? kRoundingUnits : 0)) continue;
      if (rounding && sensitivity.empty()) sensitivity = Sensitivity(*fuzz_case.model, inputs, *expected);
      const bool explained = rounding && distance <= kSensitivityFactor * sensitivity[run][k];
      if (explained && result.verdict == Verdict::kSensitive) continue;
      result.verdict = explained ? Verdict::kSensitive : Verdict::kWrong;
      result.what = actual.ok() ? Describe(fuzz_case, sample, k, (*actual)[run][k], (*expected)[run][k])
                                : absl::StrCat("refused after the passes alone: ", actual.status().ToString());
      if (!explained) return result;
    }
  }
  return result;
}

}  // namespace

CheckResult CheckCase(const FuzzCase& fuzz_case, const CheckOptions& options) {
  CheckResult total;
  const std::unique_ptr<ir::Model> after = fuzz_case.model->Clone();
  if (const absl::Status status = Optimise(fuzz_case, options, after.get(), &total.report); !status.ok()) {
    total.verdict = Verdict::kWrong;
    total.what = status.ToString();
    return total;
  }
  total.verdict = Verdict::kRefused;
  for (size_t sample = 0; sample < fuzz_case.samples.size(); ++sample) {
    CheckResult one = CompareOn(fuzz_case, *after, sample);
    if (one.verdict == Verdict::kRefused) continue;
    ++total.compared;
    if (total.verdict == Verdict::kRefused) total.verdict = Verdict::kSame;
    if (one.verdict == Verdict::kSame) continue;
    total.verdict = one.verdict;
    total.what = std::move(one.what);
    total.sample = one.sample;
    if (one.verdict == Verdict::kWrong) break;
  }
  return total;
}

}  // namespace burin::transformations
