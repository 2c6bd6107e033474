#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/infer_context.h"
#include "ir/ops/op_code.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {

namespace {

// Fills a tensor of f32 with values in [-2, 2), one of integers with small ones.
ir::Tensor RandomTensor(const ir::ValueInfo& info, std::mt19937& random) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(info.type, info.shape.ToShape());
  BURIN_CHECK_OK(tensor.status());
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    if (info.type == ElementType::kF32) {
      tensor->mutable_data_as<float>()[i] = static_cast<float>(random() % 4096) / 1024 - 2;
    } else {
      StoreFromInt64(info.type, tensor->mutable_data(), i, static_cast<int64_t>(random() % 3));
    }
  }
  return *std::move(tensor);
}

// Returns the same values in memory of another layout.
ir::Tensor Moved(const ir::Tensor& tensor, const ValueDesc& from, const ValueDesc& to) {
  absl::StatusOr<ir::Tensor> moved = ir::Tensor::Create(tensor.element_type(), tensor.shape());
  BURIN_CHECK_OK(moved.status());
  const absl::StatusOr<ElementMove> move = MoveBetween(from, to);
  BURIN_CHECK_OK(move.status());
  const absl::StatusOr<std::unique_ptr<const Primitive>> primitive = MakeCopyPrimitive({*move}, HostContext(1));
  BURIN_CHECK_OK(primitive.status());
  std::vector<const void*> in = {tensor.data()};
  std::vector<void*> out = {moved->mutable_data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  (*primitive)->Execute({in, out, nullptr, &team, &errors});
  return *std::move(moved);
}

// Runs the node on `inputs`, in the layouts of `candidate`, with a team of so many threads.
std::vector<ir::Tensor> RunNode(const Node& node, const NodeValues& row_major, const NodeCandidate& candidate,
                                std::vector<ir::Tensor> inputs, int threads) {
  const NodeContext context = HostContext(threads);
  NodeValues values = row_major;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!values.inputs[i].exists || values.inputs[i].constant.has_value()) continue;
    values.inputs[i].desc.layout = candidate.inputs[i];
    if (!SameBytes(row_major.inputs[i].desc, values.inputs[i].desc)) {
      inputs[i] = Moved(inputs[i], row_major.inputs[i].desc, values.inputs[i].desc);
    }
  }
  for (size_t i = 0; i < values.outputs.size(); ++i) values.outputs[i].layout = candidate.outputs[i];
  std::vector<ir::Tensor> outputs;
  for (const ValueDesc& desc : values.outputs) {
    absl::StatusOr<ir::Tensor> output = ir::Tensor::Create(desc.type, desc.shape);
    BURIN_CHECK_OK(output.status());
    outputs.push_back(*std::move(output));
  }
  if (node.ViewOf(0) >= 0) {
    const ir::Tensor& viewed = inputs[node.ViewOf(0)];
    std::memcpy(outputs[0].mutable_data(), viewed.data(), viewed.byte_size());
    return outputs;
  }
  absl::StatusOr<std::unique_ptr<const Primitive>> primitive = node.CreatePrimitive(values, context);
  EXPECT_OK(primitive.status());
  if (!primitive.ok()) return outputs;
  const bool by_reference = (*primitive)->kernel_name() == "reference";
  EXPECT_EQ(by_reference, absl::string_view(node.type_name()) == "Reference");
  absl::StatusOr<AlignedBuffer> scratch =
      AlignedBuffer::Create(static_cast<size_t>((*primitive)->ScratchBytes(threads)));
  BURIN_CHECK_OK(scratch.status());
  std::vector<const void*> in;
  for (const ir::Tensor& input : inputs) in.push_back(input.has_value() ? input.data() : nullptr);
  std::vector<void*> out;
  for (const ir::Tensor& output : outputs) out.push_back(output.mutable_data());
  ThreadPoolExecutor pool(2);
  executor::Team team(threads, &pool);
  RunErrors errors;
  (*primitive)->Execute({in, out, scratch->data(), &team, &errors});
  EXPECT_OK(errors.status());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!SameBytes(values.outputs[i], row_major.outputs[i])) {
      outputs[i] = Moved(outputs[i], values.outputs[i], row_major.outputs[i]);
    }
  }
  return outputs;
}

void ExpectNear(const ir::Tensor& actual, const ir::Tensor& expected, double relative) {
  if (relative == 0 || expected.element_type() != ElementType::kF32) {
    EXPECT_EQ(actual.ContentHash(), expected.ContentHash());
    return;
  }
  double largest = 0;
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(expected.data_as<float>()[i])));
  }
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    EXPECT_NEAR(actual.data_as<float>()[i], expected.data_as<float>()[i], relative * largest) << "element " << i;
  }
}

}  // namespace

NodeContext HostContext(int threads) {
  absl::StatusOr<jit::Target> target = jit::Target::Host();
  BURIN_CHECK_OK(target.status());
  return {*std::move(target), &jit::CodeCache::Process(), threads};
}

std::unique_ptr<ir::Model> ParseOrDie(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  BURIN_CHECK_OK(model.status());
  return *std::move(model);
}

const ir::Node& OnlyNode(const ir::Model& model) {
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::OpCode code = model.node(id).code();
    if (code == ir::OpCode::kConstant || code == ir::OpCode::kParameter || code == ir::OpCode::kResult) continue;
    return model.node(id);
  }
  BURIN_CHECK(false) << "the model computes nothing";
  return model.node(model.NodeIds()[0]);
}

void ExpectNode(absl::string_view text, const std::string& type_name, double relative) {
  SCOPED_TRACE(std::string(text));
  const std::unique_ptr<ir::Model> model = ParseOrDie(text);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::vector<ir::Tensor> parameters;
  for (const ir::NodeId id : model->parameters()) parameters.push_back(RandomTensor(model->node(id).output(0), random));
  const absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(*model);
  ASSERT_OK(evaluator.status());
  const absl::StatusOr<std::vector<ir::Tensor>> expected = evaluator->Run(parameters);
  ASSERT_OK(expected.status());

  const ir::Node& node = OnlyNode(*model);
  const absl::StatusOr<std::shared_ptr<const Node>> made = MakeNode(node, HostContext(1));
  ASSERT_OK(made.status());
  EXPECT_EQ((*made)->type_name(), type_name);
  NodeValues values;
  std::vector<ir::Tensor> inputs;
  for (const ir::Value& value : node.inputs()) {
    NodeInput& input = values.inputs.emplace_back();
    ir::Tensor& tensor = inputs.emplace_back();
    if (!value.exists()) continue;
    const ir::ValueInfo& info = model->info(value);
    input.exists = true;
    if (model->node(value.node).code() == ir::OpCode::kConstant) {
      input.constant = info.constant;
      tensor = info.constant;
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (model->parameters()[i] == value.node) tensor = parameters[i];
    }
    input.desc = {info.type, tensor.shape(), Layout::kRowMajor};
  }
  for (const ir::ValueInfo& info : node.outputs()) {
    values.outputs.push_back({info.type, info.shape.ToShape(), Layout::kRowMajor});
  }
  const std::vector<NodeCandidate> candidates = (*made)->Candidates(values, HostContext(1));
  ASSERT_FALSE(candidates.empty());
  for (size_t c = 0; c < candidates.size(); ++c) {
    SCOPED_TRACE(::testing::Message() << "candidate " << c);
    ASSERT_EQ(candidates[c].inputs.size(), values.inputs.size());
    ASSERT_EQ(candidates[c].outputs.size(), values.outputs.size());
    const std::vector<ir::Tensor> alone = RunNode(**made, values, candidates[c], inputs, 1);
    const std::vector<ir::Tensor> together = RunNode(**made, values, candidates[c], inputs, 3);
    for (size_t i = 0; i < expected->size(); ++i) {
      ExpectNear(alone[i], (*expected)[i], relative);
      EXPECT_EQ(alone[i].ContentHash(), together[i].ContentHash()) << "bits depend on the number of threads";
    }
  }
}

}  // namespace burin::cpu
