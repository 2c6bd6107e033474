// Time of all passes on whole networks, without the computing of constants: what compilation adds to reading a model.
//
// Counters, of one run: the passes alone, the verification between them, the constants, and the nodes.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "ir/model.h"
#include "tools/models/builtin.h"
#include "transformations/pipelines.h"
#include "transformations/report.h"

namespace burin {
namespace {

void AllPasses(benchmark::State& state, const char* network) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = models::BuildBuiltinModel(network);
  BURIN_CHECK_OK(model);
  double passes_ms = 0;
  double verify_ms = 0;
  double constants_ms = 0;
  transformations::CompileReport report;
  for (auto _ : state) {
    state.PauseTiming();
    const std::unique_ptr<ir::Model> copy = (*model)->Clone();
    report = transformations::CompileReport();
    state.ResumeTiming();
    for (const transformations::Stage stage : {transformations::Stage::kUpToLpt, transformations::Stage::kPostLpt}) {
      BURIN_CHECK_OK(transformations::RunPipeline(stage, copy.get(), {}, {}, &report));
    }
    int64_t passes_ns = -report.constants_ns;
    for (const transformations::PassReport& pass : report.passes) passes_ns += pass.time_ns;
    passes_ms += static_cast<double>(passes_ns) * 1e-6;
    verify_ms += static_cast<double>(report.verify_ns) * 1e-6;
    constants_ms += static_cast<double>(report.constants_ns) * 1e-6;
  }
  const auto mean = benchmark::Counter::kAvgIterations;
  state.counters["passes_ms"] = benchmark::Counter(passes_ms, mean);
  state.counters["verify_ms"] = benchmark::Counter(verify_ms, mean);
  state.counters["constants_ms"] = benchmark::Counter(constants_ms, mean);
  state.counters["nodes_before"] = static_cast<double>(report.nodes_before);
  state.counters["nodes_after"] = static_cast<double>(report.nodes_after);
}

BENCHMARK_CAPTURE(AllPasses, resnet50, "builtin:resnet50(image=64)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(AllPasses, mobilenet_v2, "builtin:mobilenet_v2(image=96)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(AllPasses, bert_base, "builtin:bert_base")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace burin
