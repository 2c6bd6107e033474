#include <benchmark/benchmark.h>

#include <cstdint>

namespace burin {
namespace {

void BM_Sum(benchmark::State& state) {
  for (auto _ : state) {
    int64_t sum = 0;
    for (int64_t i = 0; i < state.range(0); ++i) benchmark::DoNotOptimize(sum += i);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Sum)->Arg(64)->Arg(4096);

}  // namespace
}  // namespace burin
