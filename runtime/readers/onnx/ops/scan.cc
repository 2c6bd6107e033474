// Scan: loops along tensors, as sub-graphs.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "runtime/readers/onnx/ops/scan_loop.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns element i of an attribute that may be absent, or 0.
absl::StatusOr<int64_t> At(const std::vector<int64_t>& numbers, size_t i, size_t count) {
  if (numbers.empty()) return 0;
  if (numbers.size() != count) {
    return absl::InvalidArgumentError(
        "An attribute of a Scan does not have a number for each of its inputs or outputs");
  }
  return numbers[i];
}

absl::Status ReadInputs(NodeContext& node, const std::vector<ir::Value>& values, const std::vector<int64_t>& axes,
                        const std::vector<int64_t>& directions, std::vector<ScanInput>* inputs) {
  for (size_t i = 0; i < values.size(); ++i) {
    const absl::StatusOr<int64_t> axis = At(axes, i, values.size());
    const absl::StatusOr<int64_t> direction = At(directions, i, values.size());
    if (!axis.ok()) return axis.status();
    if (!direction.ok()) return direction.status();
    inputs->push_back({values[i], *axis, *direction != 0});
  }
  return node.status();
}

absl::Status ReadOutputs(NodeContext& node, size_t count, std::vector<ScanOutput>* outputs) {
  const std::vector<int64_t> axes = node.IntsAttribute("scan_output_axes");
  const std::vector<int64_t> directions = node.IntsAttribute("scan_output_directions");
  for (size_t i = 0; i < count; ++i) {
    const absl::StatusOr<int64_t> axis = At(axes, i, count);
    const absl::StatusOr<int64_t> direction = At(directions, i, count);
    if (!axis.ok()) return axis.status();
    if (!direction.ok()) return direction.status();
    outputs->push_back({*axis, *direction != 0});
  }
  return node.status();
}

// Imports the body for elements of the inputs.
absl::StatusOr<ImportedBody> ImportScanBody(NodeContext& node, const std::vector<ir::ValueInfo>& parameters) {
  const GraphMessage* const graph = node.GraphAttribute("body");
  if (!node.ok()) return node.status();
  return node.bodies().ImportBody(*graph, parameters);
}

ir::ValueInfo TypeAndShape(const ir::ValueInfo& info) {
  ir::ValueInfo copy;
  copy.type = info.type;
  copy.shape = info.shape;
  return copy;
}

// The number of inputs that are scanned: the last ones.
absl::StatusOr<size_t> ScannedCount(NodeContext& node, int64_t most) {
  const int64_t count = node.IntAttribute("num_scan_inputs", 0);
  if (count < 1 || count > most) return absl::InvalidArgumentError("The num_scan_inputs of a Scan is not in range");
  return static_cast<size_t>(count);
}

absl::Status ScanAlongAxes(NodeContext& node) {
  const std::vector<ir::Value> values(node.inputs().begin(), node.inputs().end());
  const absl::StatusOr<size_t> scanned = ScannedCount(node, static_cast<int64_t>(values.size()));
  if (!scanned.ok()) return scanned.status();
  const size_t states = values.size() - *scanned;
  ScanPorts ports;
  ports.states.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(states));
  const absl::Status inputs =
      ReadInputs(node, {values.begin() + static_cast<std::ptrdiff_t>(states), values.end()},
                 node.IntsAttribute("scan_input_axes"), node.IntsAttribute("scan_input_directions"), &ports.inputs);
  if (!inputs.ok()) return inputs;

  std::vector<ir::ValueInfo> parameters;
  for (const ir::Value state : ports.states) parameters.push_back(TypeAndShape(node.Info(state)));
  for (const ScanInput& input : ports.inputs) parameters.push_back(InfoOfElement(node, input));
  if (!node.ok()) return node.status();
  absl::StatusOr<ImportedBody> body = ImportScanBody(node, parameters);
  if (!body.ok()) return body.status();
  if (body->model->results().size() < states) {
    return absl::InvalidArgumentError("The body of a Scan has too few outputs");
  }
  const absl::Status outputs = ReadOutputs(node, body->model->results().size() - states, &ports.outputs);
  if (!outputs.ok()) return outputs;
  ports.captures = body->captures;
  return node.Finish(AddScan(node, std::move(body->model), ports));
}

// Opset 8: every input has a batch before everything else, whose elements are scanned one after the other, each along
// what is then its first axis. That is a scan of scans.
absl::Status ScanBatch(NodeContext& node) {
  if (node.HasInput(0)) return node.Unsupported("sequences of several lengths");
  if (node.input_count() < 2) return node.Invalid("Scan needs an input");
  ScanPorts batch;
  for (const ir::Value value : node.inputs().subspan(1)) batch.inputs.push_back({value, 0, false});
  const absl::StatusOr<size_t> scanned = ScannedCount(node, static_cast<int64_t>(batch.inputs.size()));
  if (!scanned.ok()) return scanned.status();
  const size_t states = batch.inputs.size() - *scanned;
  std::vector<ir::ValueInfo> elements;
  for (const ScanInput& input : batch.inputs) elements.push_back(InfoOfElement(node, input));
  if (!node.ok()) return node.status();

  // The outer body: an element of everything, and what the inner one captures.
  ScanBody outer(node);
  std::vector<ir::Value> values;
  for (const ir::ValueInfo& element : elements) values.push_back(outer.Parameter(element));
  ScanPorts ports;
  ports.states.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(states));
  const absl::Status inputs = ReadInputs(node, {values.begin() + static_cast<std::ptrdiff_t>(states), values.end()}, {},
                                         node.IntsAttribute("directions"), &ports.inputs);
  if (!inputs.ok()) return inputs;
  std::vector<ir::ValueInfo> parameters(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(states));
  for (const ScanInput& input : ports.inputs) parameters.push_back(InfoOfElement(outer.graph(), input));
  if (!outer.graph().ok()) return outer.graph().status();
  absl::StatusOr<ImportedBody> body = ImportScanBody(node, parameters);
  if (!body.ok()) return body.status();
  batch.captures = body->captures;
  for (const ir::Value capture : body->captures) {
    ports.captures.push_back(outer.Parameter(TypeAndShape(node.Info(capture))));
  }
  if (body->model->results().size() < states) {
    return absl::InvalidArgumentError("The body of a Scan has too few outputs");
  }
  ports.outputs.resize(body->model->results().size() - states);
  const std::vector<ir::Value> results = AddScan(outer.graph(), std::move(body->model), ports);
  for (const ir::Value result : results) outer.Result(result);
  batch.outputs.resize(results.size());
  return node.Finish(AddScan(node, outer.Take(), batch));
}

}  // namespace

absl::Status TranslateScan(NodeContext& node) {
  const absl::Status scanned = node.since() < 9 ? ScanBatch(node) : ScanAlongAxes(node);
  node.Fail(scanned);
  return scanned;
}

}  // namespace burin::onnx
