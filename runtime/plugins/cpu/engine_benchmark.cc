// What an inference costs beside the kernels.
//
//   InferRelu          one Relu of 16 floats through a request that waits: the argument is the number of threads, 0 for
//                      as many as there are
//   StartRelu          the same started and waited for
//   ThousandNodes      a graph of 1,000 tiny operations, none fused with another. "node_ns" is what one takes,
//   "kernel_ns"
//                      what running its kernel alone takes, in the same rounds, "engine_ns" the difference

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/element_type.h"
#include "benchmark/benchmark.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/property_map.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/plugin.h"
#include "snippets/decompose/decompose.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/tokenize/tokenize.h"

namespace burin::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kElements = 16;
constexpr int kNodes = 1000;

// Returns a chain of Relu and Abs in turn.
std::unique_ptr<ir::Model> Chain(int nodes) {
  auto model = std::make_unique<ir::Model>("chain");
  ir::Value value = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{kElements});
  for (int i = 0; i < nodes; ++i) {
    value = *model->Add(i % 2 == 0 ? ir::ReluOp() : ir::AbsOp(), {value}, nullptr, "op" + std::to_string(i));
  }
  model->AddResult(value, "y").value();
  return model;
}

std::unique_ptr<AsyncInferRequest> ReluRequest(int64_t threads) {
  PropertyMap properties = {{"NUM_STREAMS", "1"}};
  if (threads > 0) properties["INFERENCE_NUM_THREADS"] = std::to_string(threads);
  // The request keeps it.
  const std::shared_ptr<ICompiledModel> compiled =
      CreatePlugin("CPU").value()->CompileModel(*Chain(1), properties).value();
  std::unique_ptr<AsyncInferRequest> request = compiled->CreateInferRequest().value();
  BURIN_CHECK_OK(request->Infer());
  return request;
}

void InferRelu(benchmark::State& state) {
  const std::unique_ptr<AsyncInferRequest> request = ReluRequest(state.range(0));
  for (auto _ : state) BURIN_CHECK_OK(request->Infer());
}
BENCHMARK(InferRelu)->Arg(1)->Arg(0);

void StartRelu(benchmark::State& state) {
  const std::unique_ptr<AsyncInferRequest> request = ReluRequest(state.range(0));
  for (auto _ : state) {
    BURIN_CHECK_OK(request->StartAsync());
    BURIN_CHECK_OK(request->Wait());
  }
}
BENCHMARK(StartRelu)->Arg(1)->UseRealTime();

// Is the chain as the engine runs it, and its kernels by themselves.
class ThousandTinyNodes {
 public:
  ThousandTinyNodes() : model_(Chain(kNodes)) {
    snippets::TokenizeOptions options;
    options.single_ops = true;
    BURIN_CHECK_OK(snippets::Tokenize(*model_, options).status());
    const NodeContext context{jit::Target::Host().value(), &jit::CodeCache::Process()};
    std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(model_->id_bound()));
    for (const ir::NodeId id : model_->NodeIds()) {
      const ir::Node& node = model_->node(id);
      if (node.code() == ir::OpCode::kParameter || node.code() == ir::OpCode::kResult) continue;
      nodes[static_cast<size_t>(ir::Index(id))] = MakeNode(node, context).value();
      const std::unique_ptr<ir::Model> body = node.bodies()[0]->Clone();
      BURIN_CHECK_OK(snippets::Decompose(*body));
      kernels_.push_back(snippets::FusedKernel::Create(*body, context.target, {}).value());
    }
    plans_ = std::make_unique<PlanCache>(model_.get(), std::move(nodes), context);
    plan_ = plans_->For({{kElements}}).value();
    graph_ = ReadyGraph::Create(plan_->graph, &arena_).value();
    BURIN_CHECK_EQ(plan_->graph->steps().size(), static_cast<size_t>(kNodes));
  }

  void RunGraph() {
    const void* const inputs[] = {x_};
    void* const outputs[] = {y_};
    ReadyGraph::Run run;
    run.inputs = inputs;
    run.outputs = outputs;
    run.team = &team_;
    BURIN_CHECK_OK(graph_->InferStatic(run));
  }

  // All on the same few lines, as the graph's values are.
  void RunKernels() {
    const void* const inputs[] = {x_};
    void* const outputs[] = {y_};
    for (const snippets::FusedKernel& kernel : kernels_) kernel.Run(inputs, outputs, nullptr, 0, kernel.items());
  }

 private:
  const std::unique_ptr<ir::Model> model_;
  std::vector<snippets::FusedKernel> kernels_;
  std::unique_ptr<PlanCache> plans_;
  std::shared_ptr<const ModelPlan> plan_;
  GraphArena arena_;
  std::unique_ptr<ReadyGraph> graph_;
  executor::Team team_{1, nullptr};
  alignas(64) float x_[kElements] = {-1, 2, -3, 4};
  alignas(64) float y_[kElements] = {};
};

double MedianOf(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void ThousandNodes(benchmark::State& state) {
  ThousandTinyNodes nodes;
  std::vector<double> graph_ns;
  std::vector<double> kernel_ns;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    nodes.RunGraph();
    const Clock::time_point middle = Clock::now();
    nodes.RunKernels();
    const Clock::time_point end = Clock::now();
    graph_ns.push_back(std::chrono::duration<double, std::nano>(middle - start).count() / kNodes);
    kernel_ns.push_back(std::chrono::duration<double, std::nano>(end - middle).count() / kNodes);
  }
  state.counters["node_ns"] = MedianOf(graph_ns);
  state.counters["kernel_ns"] = MedianOf(kernel_ns);
  state.counters["engine_ns"] = MedianOf(graph_ns) - MedianOf(kernel_ns);
}
BENCHMARK(ThousandNodes);

}  // namespace
}  // namespace burin::cpu
