#include "transformations/rewrite_testlib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/op_def.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "ir/tolerance.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/random_inputs_testlib.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

constexpr int kSamples = 12;
// Of these, inputs that the model refuses are taken for granted.
constexpr int kMaxAttempts = 200;

Pass RuleUnderTest(ir::Rule rule) { return Pass{"RuleUnderTest", "", rule, nullptr}; }
Pass WholeGraphUnderTest(WholeGraphPass pass) { return Pass{"PassUnderTest", "", nullptr, pass}; }

// Returns the distance of 1 from the next number of a float type.
double UnitOf(ElementType type) {
  double unit = 1;
  for (;;) {
    double stored = 0;
    StoreFromDouble(type, &stored, 0, 1 + unit / 2);
    if (LoadAsDouble(type, &stored, 0) == 1) return unit;
    unit /= 2;
  }
}

// Returns how far an output of that type may be from another implementation's, relative to its largest magnitude.
double SumOfTolerances(const ir::Model& model, ElementType type) {
  double sum = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    const ir::Tolerance tolerance = ir::ToleranceFor(node.op().tolerance, type);
    sum += tolerance.ulp * UnitOf(type) + tolerance.relative;
    for (const std::unique_ptr<ir::Model>& body : node.bodies()) sum += SumOfTolerances(*body, type);
  }
  return sum;
}

double LargestMagnitude(const ir::Tensor& tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const double value = std::fabs(LoadAsDouble(tensor.element_type(), tensor.data(), i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

bool SameBits(double actual, double expected) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  return actual == expected && std::signbit(actual) == std::signbit(expected);
}

bool IsNear(double actual, double expected, double bound) {
  if (actual == expected) return true;
  if (std::isnan(expected)) return std::isnan(actual);
  return std::isfinite(expected) && std::isfinite(actual) && std::fabs(actual - expected) <= bound;
}

absl::Status CompareTensors(const ir::Tensor& strided_actual, const ir::Tensor& strided_expected, double relative) {
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor actual, strided_actual.ToDense());
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor expected, strided_expected.ToDense());
  const ElementType type = expected.element_type();
  bool same = actual.element_type() == type && actual.shape() == expected.shape();
  const double bound = IsFloat(type) ? relative * LargestMagnitude(expected) : 0;
  for (int64_t i = 0; same && i < expected.element_count(); ++i) {
    if (IsFloat(type)) {
      const double a = LoadAsDouble(type, actual.data(), i);
      const double e = LoadAsDouble(type, expected.data(), i);
      same = relative > 0 ? IsNear(a, e, bound) : SameBits(a, e);
    } else {
      same = LoadAsInt64(type, actual.data(), i) == LoadAsInt64(type, expected.data(), i);
    }
  }
  if (same) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("an output is ", actual.ToString(64), " instead of ", expected.ToString(64)));
}

// Runs both models on one series of inputs. Returns false where `before` refuses one.
absl::StatusOr<bool> RunBoth(const ir::Model& before, const ir::Model& after,
                             const std::vector<std::vector<ir::Tensor>>& series, const RewriteTestOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator old_evaluator, ir::Evaluator::Create(before));
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator new_evaluator, ir::Evaluator::Create(after));
  ir::MapVariableStore old_variables;
  ir::MapVariableStore new_variables;
  ir::RunOptions old_options;
  ir::RunOptions new_options;
  old_options.variables = &old_variables;
  new_options.variables = &new_variables;
  for (const std::vector<ir::Tensor>& inputs : series) {
    const absl::StatusOr<std::vector<ir::Tensor>> expected = old_evaluator.Run(inputs, old_options);
    if (!expected.ok()) return false;
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> actual, new_evaluator.Run(inputs, new_options));
    if (actual.size() != expected->size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the number of outputs is ", actual.size(), " instead of ", expected->size()));
    }
    for (size_t i = 0; i < actual.size(); ++i) {
      const ElementType type = (*expected)[i].element_type();
      double relative = 0;
      if (options.equivalence == Equivalence::kByTolerances && IsFloat(type)) {
        relative = SumOfTolerances(before, type) + SumOfTolerances(after, type);
      }
      if (const absl::Status same = CompareTensors(actual[i], (*expected)[i], relative); !same.ok()) {
        std::string shapes;
        for (const ir::Tensor& input : inputs) absl::StrAppend(&shapes, input.ToString(64), " ");
        return WithContext(same, absl::StrCat("result ", i, " for inputs ", shapes));
      }
    }
  }
  return true;
}

absl::StatusOr<std::unique_ptr<ir::Model>> RunPass(const Pass& pass, const ir::Model& before,
                                                   const RewriteTestOptions& options, CompileReport* report) {
  std::unique_ptr<ir::Model> after = before.Clone();
  const PassGroup groups[] = {{&pass}};
  PipelineOptions pipeline;
  pipeline.verify_each_rewrite = true;
  const ir::PassContext none;
  BURIN_RETURN_IF_ERROR(
      RunPasses(after.get(), groups, options.context != nullptr ? *options.context : none, pipeline, report));
  return after;
}

}  // namespace

absl::Status CheckEquivalent(const ir::Model& before, const ir::Model& after, const RewriteTestOptions& options) {
  for (const std::vector<ir::Tensor>& inputs : options.inputs) {
    BURIN_ASSIGN_OR_RETURN(const bool ran, RunBoth(before, after, {inputs, inputs}, options));
    if (!ran) return absl::InvalidArgumentError("the model before refuses the inputs given");
  }
  int accepted = 0;
  for (int seed = 0; accepted < kSamples && seed < kMaxAttempts; ++seed) {
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    RandomInputOptions random_options;
    random_options.min_integer = options.min_integer;
    random_options.max_integer = options.max_integer;
    random_options.special_floats = options.special_floats && seed % 2 == 1;
    std::vector<std::vector<ir::Tensor>> series = {RandomInputs(random, before, random_options)};
    // Only a second run sees what the first one assigned.
    if (!before.variables().empty()) series.push_back(RandomInputs(random, before, random_options));
    const absl::StatusOr<bool> ran = RunBoth(before, after, series, options);
    if (!ran.ok()) return WithContext(ran.status(), absl::StrCat("Seed ", seed));
    accepted += *ran ? 1 : 0;
  }
  if (accepted == 0 && options.inputs.empty()) {
    return absl::FailedPreconditionError("the model before refuses every random input");
  }
  return absl::OkStatus();
}

absl::Status CheckRewrites(const Pass& pass, absl::string_view before, absl::string_view after,
                           const RewriteTestOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> old_model, ir::ParseModel(before));
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> wanted, ir::ParseModel(after));
  CompileReport report;
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> rewritten, RunPass(pass, *old_model, options, &report));
  BURIN_ASSIGN_OR_RETURN(const std::string text, ir::PrintModel(*rewritten));
  if (report.rewrites == 0) return absl::InvalidArgumentError(absl::StrCat("The pass did not fire on\n", text));
  ir::StructuralOptions structural;
  structural.compare_names = options.compare_names;
  if (const absl::Status same = ir::CompareStructure(*rewritten, *wanted, structural); !same.ok()) {
    return WithContext(same, absl::StrCat("The pass gives another model than expected:\n", text));
  }
  // The comparison by structure sees what results reach alone.
  if (rewritten->node_count() != wanted->node_count()) {
    return absl::InvalidArgumentError(absl::StrCat("The pass leaves ", rewritten->node_count(), " nodes instead of ",
                                                   wanted->node_count(), ":\n", text));
  }
  return WithContext(CheckEquivalent(*old_model, *rewritten, options),
                     absl::StrCat("The pass changes what is computed:\n", text));
}

absl::Status CheckUnchanged(const Pass& pass, absl::string_view text, const RewriteTestOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> model, ir::ParseModel(text));
  CompileReport report;
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> rewritten, RunPass(pass, *model, options, &report));
  if (report.rewrites == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const std::string after, ir::PrintModel(*rewritten));
  return absl::InvalidArgumentError(absl::StrCat("The pass fired where it should not, giving\n", after));
}

void ExpectRewrites(ir::Rule rule, absl::string_view before, absl::string_view after,
                    const RewriteTestOptions& options) {
  EXPECT_OK(CheckRewrites(RuleUnderTest(rule), before, after, options));
}

void ExpectRewrites(WholeGraphPass pass, absl::string_view before, absl::string_view after,
                    const RewriteTestOptions& options) {
  EXPECT_OK(CheckRewrites(WholeGraphUnderTest(pass), before, after, options));
}

void ExpectUnchanged(ir::Rule rule, absl::string_view text, const RewriteTestOptions& options) {
  EXPECT_OK(CheckUnchanged(RuleUnderTest(rule), text, options));
}

void ExpectUnchanged(WholeGraphPass pass, absl::string_view text, const RewriteTestOptions& options) {
  EXPECT_OK(CheckUnchanged(WholeGraphUnderTest(pass), text, options));
}

}  // namespace burin::transformations
