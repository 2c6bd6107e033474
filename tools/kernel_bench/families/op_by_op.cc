#include "tools/kernel_bench/families/op_by_op.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "snippets/decompose/decompose.h"

namespace burin::kernel_bench {
namespace {

using ir::OpCode;

// Returns a body of one operation: its inputs that are not constant are the parameters, in their order, each once.
absl::StatusOr<std::unique_ptr<ir::Model>> BodyOf(const ir::Model& body, const ir::Node& node,
                                                  std::vector<ir::Value>* parameters) {
  auto one = std::make_unique<ir::Model>(node.name());
  std::vector<ir::Value> inputs;
  for (const ir::Value& input : node.inputs()) {
    const ir::ValueInfo& info = body.info(input);
    const auto known = std::find(parameters->begin(), parameters->end(), input);
    if (info.constant.has_value()) {
      BURIN_ASSIGN_OR_RETURN(const ir::Value constant, one->AddConstant(info.constant));
      inputs.push_back(constant);
    } else if (known != parameters->end()) {
      inputs.push_back({one->parameters()[static_cast<size_t>(known - parameters->begin())], 0});
    } else {
      BURIN_ASSIGN_OR_RETURN(const ir::Value parameter, one->AddParameter("", info.type, info.shape));
      parameters->push_back(input);
      inputs.push_back(parameter);
    }
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Value value, one->Add(node.op(), std::move(inputs), node.attributes().Clone()));
  BURIN_RETURN_IF_ERROR(one->AddResult(value, "result").status());
  BURIN_RETURN_IF_ERROR(snippets::Decompose(*one));
  return one;
}

}  // namespace

absl::StatusOr<OpByOp> OpByOp::Create(const ir::Model& body, const jit::Target& target) {
  OpByOp made;
  size_t scratch = 1;
  std::map<ir::NodeId, Place> places;
  for (size_t i = 0; i < body.parameters().size(); ++i) places[body.parameters()[i]] = {Place::Kind::kInput, i};
  std::map<ir::NodeId, size_t> result_of;
  for (size_t i = 0; i < body.results().size(); ++i) result_of[body.node(body.results()[i]).input(0).node] = i;
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body.TopologicalOrder());
  for (const ir::NodeId id : order) {
    const ir::Node& node = body.node(id);
    if (node.code() == OpCode::kParameter || node.code() == OpCode::kConstant || node.code() == OpCode::kResult) {
      continue;
    }
    if (node.output_count() != 1) return absl::UnimplementedError(absl::StrCat("Several outputs: ", node.op().name));
    std::vector<ir::Value> parameters;
    BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> one, BodyOf(body, node, &parameters));
    BURIN_ASSIGN_OR_RETURN(snippets::FusedKernel kernel, snippets::FusedKernel::Create(*one, target, {}));
    Step step;
    for (const ir::Value& parameter : parameters) step.inputs.push_back(places.at(parameter.node));
    const auto result = result_of.find(id);
    if (result != result_of.end()) {
      step.output = {Place::Kind::kOutput, result->second};
    } else {
      const ir::ValueInfo& info = node.output(0);
      BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(info.shape.ToShape()));
      BURIN_ASSIGN_OR_RETURN(const size_t bytes, BytesFor(info.type, count));
      BURIN_ASSIGN_OR_RETURN(AlignedBuffer memory, AlignedBuffer::Create(bytes));
      step.output = {Place::Kind::kBetween, made.between_.size()};
      made.between_.push_back(std::move(memory));
    }
    places[id] = step.output;
    scratch = std::max(scratch, kernel.scratch_bytes());
    step.kernel = std::make_unique<snippets::FusedKernel>(std::move(kernel));
    made.steps_.push_back(std::move(step));
  }
  BURIN_ASSIGN_OR_RETURN(made.scratch_, AlignedBuffer::Create(scratch));
  return made;
}

void OpByOp::Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs) const {
  const auto address = [&](const Place& place) -> void* {
    if (place.kind == Place::Kind::kInput) return const_cast<void*>(inputs[place.index]);
    if (place.kind == Place::Kind::kOutput) return outputs[place.index];
    return const_cast<void*>(between_[place.index].data());
  };
  std::vector<const void*> in;
  for (const Step& step : steps_) {
    in.clear();
    for (const Place& place : step.inputs) in.push_back(address(place));
    void* const out = address(step.output);
    step.kernel->Run(in, absl::MakeConstSpan(&out, 1), const_cast<void*>(scratch_.data()), 0, step.kernel->items());
  }
}

}  // namespace burin::kernel_bench
