#include "runtime/plugins/cpu/compiled_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/convolution.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/profiling/execution_info.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/slot.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/config.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "runtime/plugins/cpu/pipeline.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/segments/segments_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

const CompiledModel& Cpu(const std::shared_ptr<ICompiledModel>& compiled) {
  return static_cast<const CompiledModel&>(*compiled);
}

// Runs a request of its own `times` times on inputs of `rows`, and compares.
void InferMany(ICompiledModel* compiled, int rows, int times) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  for (int i = 0; i < times; ++i) {
    const ir::Tensor input = Varied({rows, 24}, 100 * rows + i);
    ASSERT_OK(request->SetTensor(kInput, input));
    // Some of them on the executor, which all share.
    ASSERT_OK(i % 2 == 0 ? request->Infer() : request->StartAsync());
    ASSERT_OK(request->Wait());
    ExpectMlp(request->GetTensor(kOutput).value(), input);
  }
}

TEST(CompiledModelTest, TellsItsProperties) {
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERFORMANCE_HINT", "THROUGHPUT"}, {"PERF_COUNT", "YES"}});
  EXPECT_THAT(compiled->GetProperty("NETWORK_NAME"), IsOkAndHolds("mlp"));
  EXPECT_THAT(compiled->GetProperty("EXECUTION_DEVICES"), IsOkAndHolds("CPU"));
  EXPECT_THAT(compiled->GetProperty("PERFORMANCE_HINT"), IsOkAndHolds("THROUGHPUT"));
  EXPECT_THAT(compiled->GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(compiled->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"),
              IsOkAndHolds(std::to_string(Cpu(compiled).streams().streams().size())));
  EXPECT_THAT(compiled->GetProperty("FULL_DEVICE_NAME"),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("FULL_DEVICE_NAME"), HasSubstr("NETWORK_NAME"))));
}

TEST(CompiledModelTest, MakesTheStreamsThatAreAskedFor) {
  const auto one = CompiledOnCpu(*Mlp(3), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  EXPECT_THAT(one->GetProperty("NUM_STREAMS"), IsOkAndHolds("1"));
  EXPECT_THAT(one->GetProperty("INFERENCE_NUM_THREADS"), IsOkAndHolds("1"));
  EXPECT_THAT(one->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds("1"));
  ASSERT_THAT(Cpu(one).streams().streams(), SizeIs(1));
  EXPECT_EQ(Cpu(one).streams().threads(0), 1);
  if (executor::ReadAffinityMask().size() < 2) GTEST_SKIP() << "needs two processors";
  const auto two = CompiledOnCpu(*Mlp(3), {{"NUM_STREAMS", "2"}});
  EXPECT_THAT(two->GetProperty("NUM_STREAMS"), IsOkAndHolds("2"));
  EXPECT_THAT(two->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds("2"));
  EXPECT_THAT(Cpu(two).streams().streams(), SizeIs(2));
}

TEST(CompiledModelTest, TellsWhatWasChosenWhereNothingWasAsked) {
  const auto compiled = CompiledOnCpu(*Mlp(3));
  const executor::CpuStreamsExecutor& streams = Cpu(compiled).streams();
  int threads = 0;
  for (size_t i = 0; i < streams.streams().size(); ++i) threads += streams.threads(static_cast<int>(i));
  EXPECT_THAT(compiled->GetProperty("NUM_STREAMS"), IsOkAndHolds(std::to_string(streams.streams().size())));
  EXPECT_THAT(compiled->GetProperty("INFERENCE_NUM_THREADS"), IsOkAndHolds(std::to_string(threads)));
  EXPECT_THAT(compiled->GetProperty("INFERENCE_PRECISION_HINT"), IsOkAndHolds("f32"));
  const auto pinned = CompiledOnCpu(*Mlp(3), {{"ENABLE_CPU_PINNING", "YES"}, {"INFERENCE_NUM_THREADS", "1"}});
  EXPECT_THAT(pinned->GetProperty("ENABLE_CPU_PINNING"), IsOkAndHolds("YES"));
  EXPECT_THAT(pinned->GetProperty("INFERENCE_NUM_THREADS"), IsOkAndHolds("1"));
}

TEST(CompiledModelTest, EveryListedPropertyCanBeRead) {
  const auto compiled = CompiledOnCpu(*Mlp(3));
  ASSERT_OK_AND_ASSIGN(const std::string text, compiled->GetProperty("SUPPORTED_PROPERTIES"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> entries, supported_properties.Parse(text));
  EXPECT_GE(entries.size(), 10U);
  for (const std::string& entry : entries) {
    EXPECT_OK(compiled->GetProperty(entry.substr(0, entry.find(':')))) << entry;
  }
}

TEST(CompiledModelTest, StreamsInferAtOnceAndDoNotDisturbEachOther) {
  const bool two = executor::ReadAffinityMask().size() >= 2;
  const auto compiled = CompiledOnCpu(*Mlp(ir::Dimension::Symbol("n")), {{"NUM_STREAMS", two ? "2" : "1"}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&compiled, i] { InferMany(compiled.get(), i + 1, 30); });
  for (std::thread& thread : threads) thread.join();
}

TEST(CompiledModelTest, ManyShapesRunInTheSameMemory) {
  const auto compiled = CompiledOnCpu(*Mlp(ir::Dimension::Symbol("n")), {{"NUM_STREAMS", "1"}});
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  constexpr int kShapes = 75;
  for (int i = 0; i < kShapes; ++i) {
    // From the largest down and to the smallest again: memory of a stream that grows, and that does not.
    const int rows = i % 3 == 0 ? i + 1 : kShapes + 1 - i;
    const ir::Tensor input = Varied({rows, 24}, i);
    ASSERT_OK(request->SetTensor(kInput, input));
    ASSERT_OK(request->Infer());
    ExpectMlp(request->GetTensor(kOutput).value(), input);
  }
}

// y = x * w, a convolution of `size` x `size` pixels for which Winograd's method pays.
std::unique_ptr<ir::Model> Convolution(const ir::Dimension& batch, int64_t channels, int64_t size) {
  auto model = std::make_unique<ir::Model>("convolution");
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{batch, channels, size, size});
  const ir::Value w = *model->AddConstant(Varied({channels, channels, 3, 3}, 2), "w");
  auto attributes = std::make_unique<ir::ConvolutionAttributes>();
  attributes->strides = attributes->dilations = attributes->pads_begin = attributes->pads_end = {1, 1};
  const ir::Value y = *model->Add(ir::ConvolutionOp(), {x, w}, std::move(attributes), "convolution");
  model->AddResult(*model->Add(ir::ReluOp(), {y}, nullptr, "relu"), "y").value();
  return model;
}

TEST(CompiledModelTest, AccuracyTakesNoMethodWithLargerErrors) {
  const std::unique_ptr<ir::Model> model = Convolution(1, 128, 56);
  for (const char* hint : {"PERFORMANCE", "ACCURACY"}) {
    const auto compiled = CompiledOnCpu(*model, {{"EXECUTION_MODE_HINT", hint}});
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
    std::string kernels;
    for (const ir::NodeId id : executed->NodeIds()) {
      const ir::RuntimeInfo& info = executed->node(id).runtime_info();
      const auto kernel = info.find(kPrimitiveTypeKey);
      if (kernel != info.end()) kernels += kernel->second + "\n";
    }
    EXPECT_NE(kernels, "");
    EXPECT_EQ(kernels.find("winograd") != std::string::npos, std::string(hint) == "PERFORMANCE") << kernels;
  }
}

TEST(CompiledModelTest, ABatchThatIsNotKnownRunsOnKernels) {
  const std::unique_ptr<ir::Model> model = Convolution(ir::Dimension(), 16, 12);
  const auto compiled = CompiledOnCpu(*model, {{"PERF_COUNT", "YES"}});
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  for (const int64_t batch : {1, 3, 0, 2, 3}) {
    SCOPED_TRACE(batch);
    const ir::Tensor input = Varied({batch, 16, 12, 12}, 7);
    ASSERT_OK(request->SetTensor(kInput, input));
    ASSERT_OK(request->Infer());
    ir::ExpectTensorNear(request->GetTensor(kOutput).value(), Evaluated(*model, {input})[0], 1e-3, 1e-4);
  }
  // One node, of a convolution with its Relu.
  ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> profile, request->GetProfilingInfo());
  int convolutions = 0;
  for (const ProfilingInfo& info : profile) {
    EXPECT_NE(info.kernel, "reference") << info.node_name;
    convolutions += info.op_type == "Convolution" ? 1 : 0;
  }
  EXPECT_EQ(convolutions, 1);
}

TEST(CompiledModelTest, DenormalsAreZerosWhereThatIsAskedFor) {
  const std::unique_ptr<ir::Model> model = ModelOf(R"(model "halves" {
    %0 "x" = Parameter() {element_type = f32, shape = [40000]}
    %1 "half" = Constant() {value = f32[]{0.5}}
    %2 "product" = Multiply(%0, %1)
    %3 "y" = Result(%2)
  })");
  const float smallest = std::numeric_limits<float>::min();
  const ir::Tensor input = ir::F32({40000}, std::vector<double>(40000, smallest));
  for (const char* asked : {"NO", "YES"}) {
    const auto compiled = CompiledOnCpu(*model, {{"CPU_DENORMALS_OPTIMIZATION", asked}});
    EXPECT_THAT(compiled->GetProperty("CPU_DENORMALS_OPTIMIZATION"), IsOkAndHolds(asked));
    ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
    ASSERT_OK(request->SetTensor(kInput, input));
    for (const bool is_async : {false, true}) {
      ASSERT_OK(is_async ? request->StartAsync() : request->Infer());
      ASSERT_OK(request->Wait());
      const ir::Tensor output = request->GetTensor(kOutput).value();
      const float expected = std::string(asked) == "YES" ? 0.0f : smallest / 2;
      const float* const elements = output.data_as<float>();
      EXPECT_EQ(std::count(elements, elements + 40000, expected), 40000) << asked;
    }
  }
}

// Returns what the stages make of the multi-layer perceptron, without streams.
CompilationState StateOf(const Configuration& configuration, const ir::Dimension& rows) {
  CompilationState state;
  state.configuration = &configuration;
  state.plan_only = true;
  state.model = Mlp(rows);
  EXPECT_OK(RunStages(state));
  return state;
}

// Counts how often it is prepared by teams of certain sizes; 0 where nobody helps.
class TeamNode final : public Node {
 public:
  const char* type_name() const override { return "Team"; }
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override {
    const absl::MutexLock lock(&mutex_);
    ++teams_[context.team != nullptr ? context.team->size() : 0];
    return fake_.CreatePrimitive(values, context);
  }
  std::map<int, int> teams() const {
    const absl::MutexLock lock(&mutex_);
    return teams_;
  }

 private:
  const FakeNode fake_;
  mutable absl::Mutex mutex_;
  mutable std::map<int, int> teams_;
};

TEST(CompiledModelTest, TheThreadsOfAStreamPrepareNewShapes) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state = StateOf(configuration, ir::Dimension());
  state.streams.streams.resize(1);
  state.streams.streams[0].threads = 2;
  const auto node = std::make_shared<TeamNode>();
  const std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(state.model->id_bound()), node);
  NodeContext context{jit::Target::Host().value(), &jit::CodeCache::Process(), 1};
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       CompiledModel::Create(std::move(state), nodes, "CPU", configuration, context));
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  for (const int64_t rows : {3, 5, 3}) {
    ASSERT_OK(request->SetTensor(kInput, Varied({rows, 24})));
    ASSERT_OK(request->Infer());
  }
  // Three nodes for each of two shapes.
  EXPECT_THAT(node->teams(), ElementsAre(Pair(2, 6)));
}

// Two streams on two sockets that the machine need not have.
TEST(CompiledModelTest, GraphIIsThatOfStreamI) {
  const Configuration configuration = DefaultConfiguration("CPU");
  CompilationState state = StateOf(configuration, 3);
  std::vector<executor::LogicalCpu> cpus(2);
  for (int i = 0; i < 2; ++i) {
    executor::LogicalCpu& cpu = cpus[static_cast<size_t>(i)];
    cpu.id = cpu.core = i;
    cpu.package = cpu.node = 3 + i;
  }
  const executor::CpuTopology topology(cpus);
  executor::StreamsRow row;
  row.streams = 1;
  row.threads_per_stream = 1;
  std::vector<executor::StreamsRow> rows(2, row);
  rows[0].node = rows[0].package = 3;
  rows[1].node = rows[1].package = 4;
  ASSERT_OK_AND_ASSIGN(state.streams.streams, executor::AssignCpus(rows, topology));
  state.numa_nodes = 2;
  const std::vector<std::shared_ptr<const Node>> nodes = NodesOf(*state.model);
  NodeContext context{jit::Target::Host().value(), &jit::CodeCache::Process(), 1};
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       CompiledModel::Create(std::move(state), nodes, "CPU", configuration, context));

  std::vector<executor::Team*> teams(2);
  std::vector<PlanCache*> plans(2);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) {
      absl::Notification done;
      ASSERT_OK(Cpu(compiled).streams().RunOnNumaNode(3 + i, [&] {
        EXPECT_EQ(Cpu(compiled).streams().GetStreamId(), i);
        EXPECT_EQ(Cpu(compiled).streams().GetSocketId(), 3 + i);
        executor::Team* const team = Cpu(compiled).GetGraph().team();
        if (round == 0) {
          teams[static_cast<size_t>(i)] = team;
          plans[static_cast<size_t>(i)] = &Cpu(compiled).GetPlans();
        }
        EXPECT_EQ(team, teams[static_cast<size_t>(i)]);
        EXPECT_EQ(&Cpu(compiled).GetPlans(), plans[static_cast<size_t>(i)]);
        done.Notify();
      }));
      done.WaitForNotification();
    }
  }
  EXPECT_NE(teams[0], teams[1]);
  EXPECT_NE(plans[0], plans[1]);
  // A request goes from one to the other.
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&compiled] { InferMany(compiled.get(), 3, 10); });
  for (std::thread& thread : threads) thread.join();
}

TEST(CompiledModelTest, DescribesWhatRuns) {
  // A model of static shapes knows its kernels before it runs, another one its nodes.
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERF_COUNT", "YES"}});
  ASSERT_THAT(Cpu(compiled).running(), SizeIs(3));
  for (const ProfilingInfo& info : Cpu(compiled).running()) {
    EXPECT_FALSE(info.kernel.empty()) << info.node_name;
    EXPECT_EQ(info.precision, "f32") << info.node_name;
    EXPECT_GT(info.flops, 0) << info.node_name;
    EXPECT_GT(info.bytes, 0) << info.node_name;
  }
  EXPECT_THAT(Cpu(CompiledOnCpu(*Mlp(ir::Dimension()))).running(), SizeIs(3));
}

TEST(CompiledModelTest, TheRuntimeModelTellsTimesKernelsAndOriginalNames) {
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERF_COUNT", "YES"}});
  InferMany(compiled.get(), 3, 1);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
  std::vector<std::string> names;
  for (const ProfilingInfo& step : Cpu(compiled).running()) {
    const ir::NodeId id = executed->FindNode(step.node_name);
    ASSERT_NE(id, ir::NodeId::kNone) << step.node_name;
    const ir::RuntimeInfo& info = executed->node(id).runtime_info();
    EXPECT_NE(info.at(kExecTimeKey), "not_executed") << step.node_name;
    EXPECT_EQ(info.at(kPrimitiveTypeKey), step.kernel);
    names.push_back(info.at(kOriginalLayersNamesKey));
  }
  EXPECT_THAT(names, ElementsAre("first,relu,hidden", "second,logits", "softmax"));
}

TEST(CompiledModelTest, HasAHostContextAndOutlivesItsHandle) {
  std::shared_ptr<ICompiledModel> compiled = CompiledOnCpu(*Mlp(3));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> context, compiled->GetContext());
  EXPECT_EQ(context->device_name(), "CPU");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  compiled.reset();
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(request->SetTensor(kInput, input));
  ASSERT_OK(request->Infer());
  ExpectMlp(request->GetTensor(kOutput).value(), input);
}

}  // namespace
}  // namespace burin::cpu
