// If (opset8): evaluates body 0 where the condition holds, else body 1.
//
// Input 0 is the condition, one boolean; further inputs are of any type and shape, and reach the bodies' parameters as
// the port maps say. The outputs are the results of the chosen body. Where the condition is known, only the chosen body
// is looked at; else the outputs' shapes cover what both bodies give.
//   If_c1: the condition is one element of type boolean, of rank 0 or 1.
//   If_c2: each port map names an input for each parameter, and existing results, as many for both bodies and at least
//   one. If_c3: both bodies give the same element type for an output. If_c4: each body accepts the inputs.
#include "ir/ops/if.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

const char* BodyName(size_t body) { return body == 0 ? "then" : "else"; }

const std::vector<int64_t>& InputsOf(const IfAttributes& attributes, size_t body) {
  return body == 0 ? attributes.then_inputs : attributes.else_inputs;
}

// Returns the result of the body that gives each output.
std::vector<int64_t> OutputsOf(const IfAttributes& attributes, size_t body, const Model& model) {
  std::vector<int64_t> outputs = body == 0 ? attributes.then_outputs : attributes.else_outputs;
  if (outputs.empty()) {
    for (size_t i = 0; i < model.results().size(); ++i) outputs.push_back(static_cast<int64_t>(i));
  }
  return outputs;
}

absl::Status CheckPortMap(const InferContext& context, size_t body) {
  const auto& attributes = context.attributes<IfAttributes>();
  const Model& model = *context.bodies()[body];
  const std::vector<int64_t>& inputs = InputsOf(attributes, body);
  if (inputs.size() != model.parameters().size()) {
    return absl::InvalidArgumentError(absl::StrCat("If_c2: The ", BodyName(body), " body has ",
                                                   model.parameters().size(), " parameters, and its port map ",
                                                   inputs.size()));
  }
  for (const int64_t input : inputs) {
    if (input < 1 || !context.has_input(input)) {
      return absl::InvalidArgumentError(
          absl::StrCat("If_c2: The port map of the ", BodyName(body), " body names no input of the node: ", input));
    }
  }
  const std::vector<int64_t> outputs = OutputsOf(attributes, body, model);
  if (outputs.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("If_c2: The ", BodyName(body), " body has no results"));
  }
  for (const int64_t output : outputs) {
    if (output < 0 || output >= static_cast<int64_t>(model.results().size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("If_c2: The port map of the ", BodyName(body), " body names no result of it: ", output));
    }
  }
  return absl::OkStatus();
}

// Returns what is known of each output where this body is chosen.
absl::StatusOr<std::vector<ValueInfo>> InferBody(const InferContext& context, size_t body) {
  const auto& attributes = context.attributes<IfAttributes>();
  const Model& model = *context.bodies()[body];
  std::vector<const ValueInfo*> parameters;
  for (const int64_t input : InputsOf(attributes, body)) parameters.push_back(&context.input(input));
  const absl::StatusOr<std::vector<ValueInfo>> results = model.InferResults(parameters);
  if (!results.ok()) {
    return WithContext(results.status(), absl::StrCat("If_c4: In the ", BodyName(body), " body"));
  }
  std::vector<ValueInfo> outputs;
  for (const int64_t result : OutputsOf(attributes, body, model)) {
    outputs.push_back((*results)[static_cast<size_t>(result)]);
  }
  return outputs;
}

absl::Status InferIf(InferContext& context) {
  const PartialShape& condition = context.input_shape(0);
  if (context.input_type(0) != ElementType::kBoolean || !condition.ElementCount().Contains(1) ||
      (condition.has_rank() && condition.rank() > 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("If_c1: The condition is not one boolean: ", Name(context.input_type(0)), condition.ToString()));
  }
  for (size_t body = 0; body < 2; ++body) BURIN_RETURN_IF_ERROR(CheckPortMap(context, body));
  if (const Tensor* value = context.constant(0)) {
    const size_t chosen = *value->data_as<uint8_t>() != 0 ? 0 : 1;
    BURIN_ASSIGN_OR_RETURN(context.outputs(), InferBody(context, chosen));
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<ValueInfo> then_outputs, InferBody(context, 0));
  BURIN_ASSIGN_OR_RETURN(const std::vector<ValueInfo> else_outputs, InferBody(context, 1));
  if (then_outputs.size() != else_outputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "If_c2: The bodies give different numbers of outputs: ", then_outputs.size(), ", ", else_outputs.size()));
  }
  context.SetOutputCount(static_cast<int64_t>(then_outputs.size()));
  for (size_t i = 0; i < then_outputs.size(); ++i) {
    if (then_outputs[i].type != else_outputs[i].type) {
      return absl::InvalidArgumentError(absl::StrCat("If_c3: The bodies give different element types for output ", i,
                                                     ": ", Name(then_outputs[i].type), ", ",
                                                     Name(else_outputs[i].type)));
    }
    context.SetOutput(static_cast<int64_t>(i), then_outputs[i].type,
                      Hull(then_outputs[i].shape, else_outputs[i].shape));
  }
  return absl::OkStatus();
}

absl::Status ReferenceIf(ReferenceContext& context) {
  const auto& attributes = context.attributes<IfAttributes>();
  BodyRunner* runner = context.environment().body_runner;
  if (runner == nullptr) return absl::FailedPreconditionError("If needs a runner of bodies");
  const size_t body = *context.input(0).data_as<uint8_t>() != 0 ? 0 : 1;
  const Model& model = *context.bodies()[body];
  std::vector<Tensor> inputs;
  for (const int64_t input : InputsOf(attributes, body)) inputs.push_back(context.input(input));
  BURIN_ASSIGN_OR_RETURN(const std::vector<Tensor> results, runner->Run(model, inputs));
  const std::vector<int64_t> outputs = OutputsOf(attributes, body, model);
  for (size_t i = 0; i < outputs.size(); ++i) {
    context.SetOutput(static_cast<int64_t>(i), results[static_cast<size_t>(outputs[i])]);
  }
  return absl::OkStatus();
}

// Counts what goes in and out; the bodies' own work is counted where they run.
Cost CostOfIf(const CostContext& context) { return Cost{0, context.InputBytes(), context.OutputBytes()}; }

}  // namespace

const OpDef& IfOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kIf, "If", "opset8");
    d.max_inputs = -1;
    d.outputs = -1;
    d.bodies = 2;
    // A body may hold any op, those that draw random numbers or set variables included.
    d.traits = kImpure | kDataDependentShape;
    d.make_attributes = &MakeAttributes<IfAttributes>;
    d.infer = &InferIf;
    d.reference = &ReferenceIf;
    d.cost = &CostOfIf;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
