#include "tools/check/checker.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "runtime/api/infer_request.h"
#include "tools/check/tolerance.h"

namespace burin::check {

namespace {

void ApplyBound(const Bound& bound, ElementType type, Verdict* verdict) {
  const oracle::Comparison& c = verdict->comparison;
  if (bound.min_cosine.has_value()) {
    verdict->bound = absl::StrFormat("cosine >= %g", *bound.min_cosine);
    verdict->holds = c.cosine >= *bound.min_cosine;
    return;
  }
  if (!IsFloat(type) && !bound.is_explicit) {
    verdict->bound = "exact";
    verdict->holds = c.differing == 0;
    return;
  }
  verdict->bound = absl::StrFormat("relative %.3g", bound.relative);
  if (bound.absolute > 0) absl::StrAppendFormat(&verdict->bound, " + absolute %.3g", bound.absolute);
  verdict->holds = c.max_abs_error <= bound.absolute + bound.relative * c.scale;
}

}  // namespace

std::string Verdict::ToString() const {
  return absl::StrCat(holds ? "OK     " : "FAILED ", burin::ToString(port), ": ",
                      problem.empty() ? comparison.ToString() : problem, "; bound: ", bound);
}

absl::StatusOr<std::vector<ir::Tensor>> RunOnce(const CompiledModel& compiled, const std::vector<ir::Tensor>& inputs) {
  if (inputs.size() != compiled.inputs().size()) {
    return absl::InvalidArgumentError(absl::StrCat("The data has ", inputs.size(), " inputs, the model ",
                                                   compiled.inputs().size(), ": ", NamesOf(compiled.inputs())));
  }
  BURIN_ASSIGN_OR_RETURN(InferRequest request, compiled.CreateInferRequest());
  for (size_t i = 0; i < inputs.size(); ++i) BURIN_RETURN_IF_ERROR(request.SetInputTensor(i, inputs[i]));
  BURIN_RETURN_IF_ERROR(request.Infer());
  std::vector<ir::Tensor> outputs;
  for (size_t i = 0; i < compiled.outputs().size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(ir::Tensor output, request.GetOutputTensor(i));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

absl::StatusOr<std::vector<Verdict>> Judge(const std::vector<Port>& ports, const std::vector<ir::Tensor>& actual,
                                           const std::vector<ir::Tensor>& expected, const Bound& bound) {
  if (expected.size() != actual.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The data has ", expected.size(), " outputs, the model ", actual.size(), ": ", NamesOf(ports)));
  }
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < actual.size(); ++i) {
    Verdict verdict;
    verdict.port = ports[i];
    absl::StatusOr<oracle::Comparison> comparison = oracle::Compare(actual[i], expected[i]);
    if (comparison.ok()) {
      verdict.comparison = *comparison;
      ApplyBound(bound, actual[i].element_type(), &verdict);
    } else {
      verdict.problem = std::string(comparison.status().message());
      verdict.bound = "type and shape";
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

absl::StatusOr<Bound> DefaultBound(const ir::Model& model, const std::vector<std::string>& folders) {
  Bound bound;
  bound.relative = DefaultRelativeTolerance(ClassifyArithmetic(model));
  for (const std::string& folder : folders) {
    BURIN_ASSIGN_OR_RETURN(std::optional<double> sensitivity, ReadSensitivity(folder));
    if (sensitivity.has_value()) bound.relative = std::max(bound.relative, 3 * *sensitivity);
  }
  return bound;
}

}  // namespace burin::check
