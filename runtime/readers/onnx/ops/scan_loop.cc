#include "runtime/readers/onnx/ops/scan_loop.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/loop.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"

namespace burin::onnx {
namespace {

// Replaces the parameters of elements by ones that take slices of size 1, as a Loop gives them.
void SqueezeElements(GraphBuilder& outer, GraphBuilder& inner, const ScanPorts& ports) {
  ir::Model& body = inner.model();
  std::vector<ir::NodeId> parameters = body.parameters();
  for (size_t i = 0; i < ports.inputs.size(); ++i) {
    const ScanInput& input = ports.inputs[i];
    ir::PartialShape shape = outer.ShapeOf(input.value);
    const int64_t axis = outer.NormalizeAxis(input.axis, outer.KnownRank(input.value));
    if (!outer.ok()) return;
    shape[axis] = ir::Dimension(1);
    const size_t place = ports.states.size() + i;
    const ir::Value element{parameters[place], 0};
    const absl::StatusOr<ir::Value> slice =
        body.AddParameter(body.node(element.node).name(), outer.TypeOf(input.value), std::move(shape));
    inner.Fail(slice.status());
    if (!inner.ok()) return;
    body.ReplaceUses(element, inner.Squeeze(*slice, {axis}));
    if (!inner.ok()) return;
    parameters[place] = slice->node;
    body.RemoveNode(element.node);
  }
  inner.Fail(body.SetOrder(std::move(parameters), body.results(), body.sinks()));
}

// Puts a new axis into what becomes a part of an output.
void UnsqueezeResults(GraphBuilder& inner, const ScanPorts& ports, std::vector<int64_t>* axes) {
  ir::Model& body = inner.model();
  const std::vector<ir::NodeId> results = body.results();
  for (size_t i = 0; i < ports.outputs.size() && inner.ok(); ++i) {
    const ir::NodeId result = results[ports.states.size() + i];
    const ir::Value element = body.node(result).input(0);
    const int64_t axis = inner.NormalizeAxis(ports.outputs[i].axis, inner.KnownRank(element) + 1);
    if (!inner.ok()) return;
    body.SetInput(ir::Use{result, 0}, inner.Unsqueeze(element, {axis}));
    axes->push_back(axis);
  }
}

}  // namespace

ir::Value ScanBody::Parameter(const ir::ValueInfo& info) {
  const std::string name = absl::StrCat(graph_.name(), "/parameter", model_->parameters().size());
  const absl::StatusOr<ir::Value> parameter = model_->AddParameter(name, info.type, info.shape);
  graph_.Fail(parameter.status());
  return parameter.ok() ? *parameter : ir::Value::None();
}

void ScanBody::Result(ir::Value value) {
  if (!graph_.ok()) return;
  graph_.Fail(model_->AddResult(value, absl::StrCat(graph_.name(), "/result", model_->results().size())).status());
}

std::unique_ptr<ir::Model> ScanBody::Take() {
  outer_.Fail(graph_.status());
  return std::move(model_);
}

ir::ValueInfo InfoOfElement(GraphBuilder& builder, const ScanInput& input) {
  ir::ValueInfo info;
  info.type = builder.TypeOf(input.value);
  const int64_t rank = builder.KnownRank(input.value);
  const int64_t skipped = builder.NormalizeAxis(input.axis, rank);
  info.shape = ir::PartialShape();
  if (!builder.ok()) return info;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis != skipped) info.shape.Append(builder.ShapeOf(input.value)[axis]);
  }
  return info;
}

std::vector<ir::Value> AddScan(GraphBuilder& builder, std::unique_ptr<ir::Model> body, const ScanPorts& ports) {
  const size_t parameters = ports.states.size() + ports.inputs.size() + ports.captures.size();
  if (!builder.ok()) return {};
  if (ports.inputs.empty()) builder.Fail(absl::InvalidArgumentError("A scan needs an input"));
  if (body->parameters().size() != parameters || body->results().size() != ports.states.size() + ports.outputs.size()) {
    builder.Fail(absl::InvalidArgumentError(
        absl::StrCat("The body of a scan has other inputs or outputs than its node: ", builder.name())));
  }
  if (!builder.ok()) return {};

  GraphBuilder inner(body.get(), &builder.budget(), builder.name(), builder.name());
  SqueezeElements(builder, inner, ports);
  std::vector<int64_t> output_axes;
  UnsqueezeResults(inner, ports, &output_axes);
  // The number of elements alone ends the loop.
  const ir::Value goes_on = inner.Scalar(ElementType::kBoolean, 1);
  if (inner.ok()) inner.Fail(body->AddResult(goes_on, absl::StrCat(builder.name(), "/goes_on")).status());
  if (inner.ok()) inner.Fail(body->InferAll());
  builder.Fail(inner.status());
  if (!builder.ok()) return {};

  auto attributes = std::make_unique<ir::LoopAttributes>();
  const ScanInput& first = ports.inputs[0];
  const int64_t first_axis = builder.NormalizeAxis(first.axis, builder.KnownRank(first.value));
  std::vector<ir::Value> inputs = {builder.SizeOf(first.value, first_axis), builder.Scalar(ElementType::kBoolean, 1)};
  const auto connect = [&](ir::Value value, int64_t back_edge) {
    attributes->parameter_inputs.push_back(static_cast<int64_t>(inputs.size()));
    attributes->back_edges.push_back(back_edge);
    inputs.push_back(value);
  };
  for (size_t i = 0; i < ports.states.size(); ++i) connect(ports.states[i], static_cast<int64_t>(i));
  for (const ScanInput& input : ports.inputs) {
    const int64_t parameter = static_cast<int64_t>(attributes->parameter_inputs.size());
    const int64_t axis = builder.NormalizeAxis(input.axis, builder.KnownRank(input.value));
    const int64_t last = input.reversed ? 0 : -1;
    for (const int64_t number : {parameter, axis, input.reversed ? int64_t{-1} : int64_t{0},
                                 input.reversed ? int64_t{-1} : int64_t{1}, int64_t{1}, last}) {
      attributes->slices.push_back(number);
    }
    connect(input.value, -1);
  }
  for (const ir::Value capture : ports.captures) connect(capture, -1);

  const size_t results = ports.states.size() + ports.outputs.size();
  for (size_t i = 0; i < results; ++i) attributes->output_results.push_back(static_cast<int64_t>(i));
  attributes->condition_result = static_cast<int64_t>(results);
  for (size_t i = 0; i < ports.outputs.size(); ++i) {
    const int64_t output = static_cast<int64_t>(ports.states.size() + i);
    for (const int64_t number : {output, output_axes[i], ports.outputs[i].in_front ? int64_t{-1} : int64_t{1}}) {
      attributes->concatenations.push_back(number);
    }
  }
  if (!builder.ok()) return {};
  std::vector<std::unique_ptr<ir::Model>> bodies;
  bodies.push_back(std::move(body));
  return builder.AddAll(ir::LoopOp(), std::move(inputs), std::move(attributes), std::move(bodies));
}

}  // namespace burin::onnx
