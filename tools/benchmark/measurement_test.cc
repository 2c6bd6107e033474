#include "tools/benchmark/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <numeric>
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
#include "tools/benchmark/inputs.h"

namespace burin::benchmark {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::SizeIs;

// out = relu(in), with in f32[?,4]
std::vector<InferRequest> MakeRequests(size_t count) {
  auto graph = std::make_shared<ir::Model>("relu");
  absl::StatusOr<ir::Value> in = graph->AddParameter("in", ElementType::kF32, ir::PartialShape{ir::Dimension(), 4});
  EXPECT_OK(in);
  absl::StatusOr<ir::Value> out = graph->Add(ir::ReluOp(), {*in});
  EXPECT_OK(out);
  EXPECT_OK(graph->AddResult(*out, "out"));
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
                       MeasureSync(requests[0], {MakeSet(2), MakeSet(3)}, Limits{5, 0}, [&](double share) {
                         EXPECT_GT(share, last_share);
                         last_share = share;
                       }));
  EXPECT_THAT(measurement.latencies_ms, SizeIs(5));
  EXPECT_EQ(measurement.frames, 2 + 3 + 2 + 3 + 2);
  EXPECT_EQ(last_share, 1);
  const double sum = std::accumulate(measurement.latencies_ms.begin(), measurement.latencies_ms.end(), 0.0);
  EXPECT_GE(measurement.duration_ms, sum - 1e-6);  // But for rounding.
  // The request keeps the last set's outputs.
  ASSERT_OK_AND_ASSIGN(ir::Tensor output, requests[0].GetOutputTensor());
  EXPECT_EQ(output.shape(), (ir::Shape{2, 4}));
}

TEST(MeasurementTest, AsyncRunsTheIterationsAskedForOverAllRequests) {
  std::vector<InferRequest> requests = MakeRequests(3);
  ASSERT_OK_AND_ASSIGN(Measurement measurement,
                       MeasureAsync(requests, {MakeSet(2), MakeSet(3)}, Limits{12, 0}, &Ignore));
  EXPECT_THAT(measurement.latencies_ms, SizeIs(12));
  EXPECT_THAT(measurement.latencies_ms, Each(Ge(0)));
  EXPECT_EQ(measurement.frames, 6 * 5);
  EXPECT_GT(measurement.duration_ms, 0);
  for (InferRequest& request : requests) EXPECT_OK(request.GetOutputTensor());
}

TEST(MeasurementTest, TimeEndsIt) {
  std::vector<InferRequest> requests = MakeRequests(2);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_OK_AND_ASSIGN(Measurement sync, MeasureSync(requests[0], {MakeSet(1)}, Limits{0, 0.05}, &Ignore));
  const auto between = std::chrono::steady_clock::now();
  EXPECT_GE(between - start, std::chrono::milliseconds(50));
  EXPECT_GE(sync.latencies_ms.size(), 1);
  ASSERT_OK_AND_ASSIGN(Measurement async, MeasureAsync(requests, {MakeSet(1)}, Limits{0, 0.05}, &Ignore));
  EXPECT_GE(std::chrono::steady_clock::now() - between, std::chrono::milliseconds(50));
  EXPECT_GE(async.latencies_ms.size(), 2);
}

TEST(MeasurementTest, TheFirstLimitEndsIt) {
  std::vector<InferRequest> requests = MakeRequests(1);
  ASSERT_OK_AND_ASSIGN(Measurement few, MeasureSync(requests[0], {MakeSet(1)}, Limits{2, 1000}, &Ignore));
  EXPECT_THAT(few.latencies_ms, SizeIs(2));
  const Limits long_or_short = {int64_t{1} << 40, 0.02};
  ASSERT_OK_AND_ASSIGN(Measurement some, MeasureSync(requests[0], {MakeSet(1)}, long_or_short, &Ignore));
  EXPECT_LT(some.latencies_ms.size(), size_t{1} << 30);
}

TEST(MeasurementTest, ErrorsEndIt) {
  std::vector<InferRequest> requests = MakeRequests(2);
  const std::vector<InputSet> sets = {MakeSet(1), MakeSet(1, ElementType::kI32)};
  EXPECT_THAT(RunOnce(requests[0], sets[1]), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MeasureSync(requests[0], sets, Limits{9, 0}, &Ignore), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MeasureAsync(requests, sets, Limits{9, 0}, &Ignore), StatusIs(absl::StatusCode::kInvalidArgument));
  // The requests are free again.
  EXPECT_OK(RunOnce(requests[0], sets[0]));
  EXPECT_OK(RunOnce(requests[1], sets[0]));
}

}  // namespace
}  // namespace burin::benchmark
