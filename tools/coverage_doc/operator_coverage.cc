#include "tools/coverage_doc/operator_coverage.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/corpus/container_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/operator_corpus_testlib.h"
#include "runtime/readers/onnx/opset_table.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::coverage_doc {
namespace {

using onnx::SingleNode;

// Returns the tensor with its values in another type.
Tensor InType(const Tensor& tensor, ElementType type) {
  if (IsFloat(type) || type == ElementType::kBoolean) return ir::FloatTensor(type, tensor.shape(), ir::Doubles(tensor));
  return ir::IntTensor(type, tensor.shape(), ir::Ints(tensor));
}

// Returns the node with another type for some inputs, and for the outputs of the type that these had.
SingleNode InType(const SingleNode& node, const std::vector<size_t>& inputs, ElementType type, bool outputs_too) {
  SingleNode changed = node;
  const int old_number = onnx::OnnxNumberOf(node.inputs[inputs[0]].element_type());
  for (const size_t input : inputs) changed.inputs[input] = InType(node.inputs[input], type);
  for (int& output : changed.output_types) {
    if (outputs_too && output == old_number) output = onnx::OnnxNumberOf(type);
  }
  return changed;
}

// Returns the node as a model and the tensors of its inputs.
struct Case {
  Model model;
  std::vector<Tensor> inputs;
};

std::optional<Case> ReadCase(const SingleNode& node) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = onnx::ReadBytes(onnx::FileOf(node));
  if (!model.ok()) return std::nullopt;
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < node.inputs.size() && i < node.variable; ++i) {
    if (node.inputs[i].has_value()) inputs.push_back(node.inputs[i]);
  }
  return Case{Model(std::shared_ptr<ir::Model>(*std::move(model))), std::move(inputs)};
}

// Runs a case once; returns the request, whose profile tells how, or nothing where a step fails.
std::optional<InferRequest> RunOn(Core& core, const char* device, const Case& asked) {
  const absl::StatusOr<CompiledModel> compiled = core.CompileModel(asked.model, device, PropertyMap{perf_count(true)});
  if (!compiled.ok()) return std::nullopt;
  absl::StatusOr<InferRequest> request = compiled->CreateInferRequest();
  if (!request.ok()) return std::nullopt;
  for (size_t i = 0; i < asked.inputs.size(); ++i) {
    if (!request->SetInputTensor(i, asked.inputs[i]).ok()) return std::nullopt;
  }
  if (!request->Infer().ok()) return std::nullopt;
  return *std::move(request);
}

CpuWay WayOnCpu(Core& core, const Case& asked) {
  const std::optional<InferRequest> request = RunOn(core, "CPU", asked);
  if (!request.has_value()) return CpuWay::kRefused;
  const absl::StatusOr<std::vector<ProfilingInfo>> profile = request->GetProfilingInfo();
  if (!profile.ok()) return CpuWay::kRefused;
  bool kernel = false;
  bool reference = false;
  bool only_subgraphs = true;
  for (const ProfilingInfo& node : *profile) {
    // A Reorder only brings values to where the user wants them.
    if (node.status != ProfilingInfo::Status::kExecuted || node.op_type == "Reorder") continue;
    (node.kernel == "reference" ? reference : kernel) = true;
    only_subgraphs = only_subgraphs && node.op_type == "Subgraph";
  }
  if (!kernel && !reference) return CpuWay::kNothing;
  if (kernel && reference) return CpuWay::kMixed;
  return reference ? CpuWay::kReference : only_subgraphs ? CpuWay::kSubgraph : CpuWay::kKernel;
}

// Groups inputs by their types, in the order in which these come.
std::vector<InputGroup> GroupInputs(const SingleNode& node) {
  std::vector<InputGroup> groups;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.inputs[i].has_value()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const InputGroup& group) {
      return node.inputs[group.inputs[0]].element_type() == node.inputs[i].element_type();
    });
    (same == groups.end() ? groups.emplace_back() : *same).inputs.push_back(i);
  }
  return groups;
}

void AskTypes(Core& core, const SingleNode& node, InputGroup* group) {
  for (const ElementType type : kAllElementTypes) {
    if (type == ElementType::kString) continue;
    std::optional<Case> asked = ReadCase(InType(node, group->inputs, type, /*outputs_too=*/true));
    if (!asked.has_value()) asked = ReadCase(InType(node, group->inputs, type, /*outputs_too=*/false));
    if (!asked.has_value() || !RunOn(core, "REFERENCE", *asked).has_value()) continue;
    group->types.push_back({type, WayOnCpu(core, *asked)});
  }
}

// Returns the names of the operations that a model computes by.
std::vector<std::string> OperationsOf(const ir::Model& model) {
  std::set<std::string> names;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::OpCode code = model.node(id).code();
    if (code == ir::OpCode::kParameter || code == ir::OpCode::kResult || code == ir::OpCode::kConstant) continue;
    names.insert(model.node(id).op().name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

OperatorCoverage CoverOperator(Core& core, const std::vector<SingleNode>& forms) {
  const SingleNode& node = forms.front();
  OperatorCoverage coverage;
  coverage.domain = node.domain;
  coverage.op = node.op;
  std::set<int64_t> versions;
  for (const SingleNode& form : forms) {
    versions.insert(form.domain.empty() ? onnx::SchemaVersion(form.op, form.opset) : 1);
  }
  coverage.versions.assign(versions.begin(), versions.end());
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = onnx::ReadBytes(onnx::FileOf(node));
  if (model.ok()) coverage.operations = OperationsOf(**model);
  coverage.groups = GroupInputs(node);
  for (InputGroup& group : coverage.groups) AskTypes(core, node, &group);
  return coverage;
}

std::vector<OperatorCoverage> CoverOperators(Core& core) {
  using Name = std::pair<std::string, std::string>;
  std::map<Name, std::vector<SingleNode>> forms;
  for (const SingleNode& node : onnx::ReadableCorpus()) forms[{node.domain, node.op}].push_back(node);
  std::map<Name, std::set<int64_t>> containers;
  for (const onnx::ContainerFile& file : onnx::ContainerCorpus()) {
    if (!onnx::ReadBytes(file.bytes).ok()) continue;
    for (const std::string& op : file.ops) containers[{"", op}].insert(onnx::SchemaVersion(op, file.opset));
  }
  std::vector<OperatorCoverage> all;
  for (const onnx::TranslatorEntry& entry : onnx::AllTranslators()) {
    const Name name = {std::string(entry.domain), std::string(entry.op)};
    const auto found = forms.find(name);
    if (found != forms.end()) {
      all.push_back(CoverOperator(core, found->second));
      continue;
    }
    OperatorCoverage& coverage = all.emplace_back();
    coverage.domain = name.first;
    coverage.op = name.second;
    const std::set<int64_t>& versions = containers[name];
    coverage.versions.assign(versions.begin(), versions.end());
  }
  return all;
}

}  // namespace burin::coverage_doc
