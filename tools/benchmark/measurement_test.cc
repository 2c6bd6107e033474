#include "tools/benchmark/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/benchmark/data/inputs.h"

namespace burin::benchmark {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::SizeIs;

std::vector<InferRequest> MakeRequests(const std::shared_ptr<ir::Model>& graph, size_t count) {
  Core core;
  absl::StatusOr<CompiledModel> compiled = core.CompileModel(Model(graph), "REFERENCE");
  EXPECT_OK(compiled);
  std::vector<InferRequest> requests;
  for (size_t i = 0; i < count; ++i) {
    absl::StatusOr<InferRequest> request = compiled->CreateInferRequest();
    EXPECT_OK(request);
    requests.push_back(*std::move(request));
  }
  return requests;
}

// out = relu(in), with in f32[?,4]
std::vector<InferRequest> MakeRequests(size_t count) {
  auto graph = std::make_shared<ir::Model>("relu");
  absl::StatusOr<ir::Value> in = graph->AddParameter("in", ElementType::kF32, ir::PartialShape{ir::Dimension(), 4});
  EXPECT_OK(in);
  absl::StatusOr<ir::Value> out = graph->Add(ir::ReluOp(), {*in});
  EXPECT_OK(out);
  EXPECT_OK(graph->AddResult(*out, "out"));
  return MakeRequests(graph, count);
}

InputSet MakeSet(int64_t batch, ElementType type = ElementType::kF32) {
  InputSet set;
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(type, {batch, 4});
  EXPECT_OK(tensor);
  set.tensors.push_back(*std::move(tensor));
  set.frames = batch;
  return set;
}

void Ignore(double) {}

TEST(MeasurementTest, SyncRunsTheIterationsAskedFor) {
  std::vector<InferRequest> requests = MakeRequests(1);
  double last_share = 0;
  ASSERT_OK_AND_ASSIGN(Measurement measurement,
                       MeasureSync(requests[0], {MakeSet(2), MakeSet(3)}, Plan{5, 0}, [&](double share) {
                         EXPECT_GT(share, last_share);
                         last_share = share;
                       }));
  EXPECT_THAT(measurement.samples, SizeIs(5));
  EXPECT_EQ(measurement.frames, 2 + 3 + 2 + 3 + 2);
  EXPECT_EQ(last_share, 1);
  double sum = 0;
  for (const Sample& sample : measurement.samples) sum += sample.latency_ms;
  EXPECT_EQ(measurement.samples[3].set, 1);
  EXPECT_GE(measurement.duration_ms, sum - 1e-6);  // But for rounding.
  // The request keeps the last set's outputs.
  ASSERT_OK_AND_ASSIGN(ir::Tensor output, requests[0].GetOutputTensor());
  EXPECT_EQ(output.shape(), (ir::Shape{2, 4}));
}

TEST(MeasurementTest, AsyncRunsTheIterationsAskedForOverAllRequests) {
  std::vector<InferRequest> requests = MakeRequests(3);
  ASSERT_OK_AND_ASSIGN(Measurement measurement, MeasureAsync(requests, {MakeSet(2), MakeSet(3)}, Plan{12, 0}, &Ignore));
  EXPECT_THAT(measurement.samples, SizeIs(12));
  EXPECT_THAT(measurement.samples, Each(Field(&Sample::latency_ms, Ge(0))));
  EXPECT_EQ(measurement.frames, 6 * 5);
  EXPECT_GT(measurement.duration_ms, 0);
  for (InferRequest& request : requests) EXPECT_OK(request.GetOutputTensor());
}

TEST(MeasurementTest, TimeEndsIt) {
  std::vector<InferRequest> requests = MakeRequests(2);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_OK_AND_ASSIGN(Measurement sync, MeasureSync(requests[0], {MakeSet(1)}, Plan{0, 0.05}, &Ignore));
  const auto between = std::chrono::steady_clock::now();
  EXPECT_GE(between - start, std::chrono::milliseconds(50));
  EXPECT_GE(sync.samples.size(), 1);
  ASSERT_OK_AND_ASSIGN(Measurement async, MeasureAsync(requests, {MakeSet(1)}, Plan{0, 0.05}, &Ignore));
  EXPECT_GE(std::chrono::steady_clock::now() - between, std::chrono::milliseconds(50));
  EXPECT_GE(async.samples.size(), 2);
}

TEST(MeasurementTest, OneInferenceRunsHoweverShortTheTime) {
  std::vector<InferRequest> requests = MakeRequests(2);
  Plan plan;
  plan.seconds = 1e-9;
  ASSERT_OK_AND_ASSIGN(Measurement sync, MeasureSync(requests[0], {MakeSet(1)}, plan, &Ignore));
  EXPECT_THAT(sync.samples, SizeIs(1));
  ASSERT_OK_AND_ASSIGN(Measurement async, MeasureAsync(requests, {MakeSet(1)}, plan, &Ignore));
  EXPECT_THAT(async.samples, SizeIs(1));
  EXPECT_GT(async.duration_ms, 0);
}

TEST(MeasurementTest, TheFirstLimitEndsIt) {
  std::vector<InferRequest> requests = MakeRequests(1);
  ASSERT_OK_AND_ASSIGN(Measurement few, MeasureSync(requests[0], {MakeSet(1)}, Plan{2, 1000}, &Ignore));
  EXPECT_THAT(few.samples, SizeIs(2));
  const Plan long_or_short = {int64_t{1} << 40, 0.02};
  ASSERT_OK_AND_ASSIGN(Measurement some, MeasureSync(requests[0], {MakeSet(1)}, long_or_short, &Ignore));
  EXPECT_LT(some.samples.size(), size_t{1} << 30);
}

TEST(MeasurementTest, RateIsLimited) {
  std::vector<InferRequest> requests = MakeRequests(2);
  Plan plan;
  plan.iterations = 6;
  plan.max_rate = 40;  // Frames of 2 items: the sixth inference starts after 10 frames, at 250 ms.
  ASSERT_OK_AND_ASSIGN(Measurement sync, MeasureSync(requests[0], {MakeSet(2)}, plan, &Ignore));
  EXPECT_GE(sync.duration_ms, 250);
  ASSERT_OK_AND_ASSIGN(Measurement async, MeasureAsync(requests, {MakeSet(2)}, plan, &Ignore));
  EXPECT_GE(async.duration_ms, 250);
  EXPECT_THAT(async.samples, SizeIs(6));
  // Whoever waits for a turn is no latency.
  for (const Sample& sample : sync.samples) EXPECT_LT(sample.latency_ms, sync.duration_ms / 2);
  // The limit of time holds while waiting.
  plan.iterations = 0;
  plan.seconds = 0.05;
  plan.max_rate = 0.01;
  ASSERT_OK_AND_ASSIGN(Measurement brief, MeasureSync(requests[0], {MakeSet(2)}, plan, &Ignore));
  EXPECT_THAT(brief.samples, SizeIs(1));
}

TEST(MeasurementTest, FillingCopiesTheDataIntoTheRequest) {
  std::vector<InferRequest> requests = MakeRequests(1);
  const std::vector<InputSet> sets = {MakeSet(2)};
  Plan plan;
  plan.iterations = 3;
  ASSERT_OK(MeasureSync(requests[0], sets, plan, &Ignore));
  EXPECT_EQ(requests[0].GetInputTensor(0)->data(), sets[0].tensors[0].data());
  plan.fills_inputs = true;
  ASSERT_OK(MeasureSync(requests[0], sets, plan, &Ignore));
  ASSERT_OK_AND_ASSIGN(ir::Tensor own, requests[0].GetInputTensor(0));
  EXPECT_NE(own.data(), sets[0].tensors[0].data());
  EXPECT_TRUE(ir::BitwiseEqual(own, sets[0].tensors[0]));
  ASSERT_OK(MeasureAsync(requests, {MakeSet(2), MakeSet(3)}, plan, &Ignore));
}

TEST(MeasurementTest, FillingCountsAsLatency) {
  // The model looks at the shape alone, which takes microseconds; copying its 16 MiB takes milliseconds.
  auto graph = std::make_shared<ir::Model>("shape");
  ASSERT_OK_AND_ASSIGN(ir::Value in,
                       graph->AddParameter("in", ElementType::kF32, ir::PartialShape{ir::Dimension(), 4}));
  ASSERT_OK_AND_ASSIGN(ir::Value out, graph->Add(ir::ShapeOfOp(), {in}));
  ASSERT_OK(graph->AddResult(out, "out"));
  std::vector<InferRequest> requests = MakeRequests(graph, 1);
  const std::vector<InputSet> sets = {MakeSet(1 << 20)};
  const auto fastest = [&](bool fills_inputs) {
    Plan plan;
    plan.iterations = 10;
    plan.fills_inputs = fills_inputs;
    absl::StatusOr<Measurement> measurement = MeasureSync(requests[0], sets, plan, &Ignore);
    EXPECT_OK(measurement);
    double least = measurement->samples.front().latency_ms;
    for (const Sample& sample : measurement->samples) least = std::min(least, sample.latency_ms);
    return least;
  };
  EXPECT_GT(fastest(true), fastest(false));
}

TEST(MeasurementTest, ErrorsEndIt) {
  std::vector<InferRequest> requests = MakeRequests(2);
  const std::vector<InputSet> sets = {MakeSet(1), MakeSet(1, ElementType::kI32)};
  EXPECT_THAT(RunOnce(requests[0], sets[1]), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MeasureSync(requests[0], sets, Plan{9, 0}, &Ignore), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MeasureAsync(requests, sets, Plan{9, 0}, &Ignore), StatusIs(absl::StatusCode::kInvalidArgument));
  // The requests are free again.
  EXPECT_OK(RunOnce(requests[0], sets[0]));
  EXPECT_OK(RunOnce(requests[1], sets[0]));
}

}  // namespace
}  // namespace burin::benchmark
