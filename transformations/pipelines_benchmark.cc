// Time of the UpToLpt stage by number of nodes; it is to grow in proportion.
#include "transformations/pipelines.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "transformations/driver.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

ir::Value ConstantOf(ir::Model* model, float value) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kF32, {1});
  BURIN_CHECK_OK(tensor);
  *tensor->mutable_data_as<float>() = value;
  return *model->AddConstant(*std::move(tensor));
}

// Returns blocks of a residual network with something to fold, to merge and to drop in each.
std::unique_ptr<ir::Model> Blocks(int64_t nodes) {
  auto model = std::make_unique<ir::Model>("blocks");
  ir::Value at = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{ir::Dimension::Symbol("n"), 64});
  while (model->node_count() < nodes) {
    const ir::Value scale = *model->Add(ir::SqrtOp(), {ConstantOf(model.get(), 4)});
    const ir::Value scaled = *model->Add(ir::MultiplyOp(), {at, scale});
    const ir::Value first = *model->Add(ir::ReluOp(), {scaled});
    const ir::Value second = *model->Add(ir::ReluOp(), {scaled});
    BURIN_CHECK_OK(model->Add(ir::AbsOp(), {first}));
    const ir::Value sum = *model->Add(ir::AddOp(), {first, second});
    at = *model->Add(ir::AddOp(), {sum, at});
  }
  BURIN_CHECK_OK(model->AddResult(at, "out"));
  return model;
}

void UpToLpt(benchmark::State& state) {
  const std::unique_ptr<ir::Model> model = Blocks(state.range(0));
  CompileReport report;
  int64_t passes_ns = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::unique_ptr<ir::Model> copy = model->Clone();
    report = CompileReport();
    state.ResumeTiming();
    BURIN_CHECK_OK(RunPipeline(Stage::kUpToLpt, copy.get(), {}, {}, &report));
    for (const PassReport& pass : report.passes) passes_ns += pass.time_ns;
  }
  state.counters["rewrites"] = static_cast<double>(report.rewrites);
  state.counters["pass_us_per_node"] = static_cast<double>(passes_ns) * 1e-3 / static_cast<double>(state.iterations()) /
                                       static_cast<double>(state.range(0));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(UpToLpt)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace
}  // namespace burin::transformations
