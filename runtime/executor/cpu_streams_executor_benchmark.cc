// What it costs to enter a stream, on the calling thread and by the queue.
#include "runtime/executor/cpu_streams_executor.h"

#include <future>
#include <vector>

#include "benchmark/benchmark.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/stream_cpus.h"

namespace burin::executor {
namespace {

std::vector<CpuStream> OneStream(int threads) {
  CpuStream stream;
  stream.threads = threads;
  for (int i = 0; i < threads; ++i) {
    const std::vector<int> cpus = ReadAffinityMask().cpus();
    stream.cpus.push_back(cpus[static_cast<size_t>(i) % cpus.size()]);
  }
  return {stream};
}

// Enters and leaves. Arguments: threads of the stream, whether they are bound.
void BM_Execute(benchmark::State& state) {
  CpuStreamsExecutor executor(OneStream(static_cast<int>(state.range(0))), state.range(1) != 0);
  for (auto _ : state) executor.Execute([] {});
}
BENCHMARK(BM_Execute)->ArgNames({"threads", "bound"})->Args({0, 0})->Args({1, 0})->Args({2, 0})->Args({1, 1});

// Gives a task and waits for it.
void BM_RunAndWait(benchmark::State& state) {
  CpuStreamsExecutor executor(OneStream(1), state.range(0) != 0);
  for (auto _ : state) {
    std::promise<void> done;
    executor.Run([&] { done.set_value(); });
    done.get_future().wait();
  }
}
BENCHMARK(BM_RunAndWait)->ArgName("bound")->Arg(0)->Arg(1)->UseRealTime();

// Gives a thousand tasks at once. Time is that of all.
void BM_RunMany(benchmark::State& state) {
  CpuStreamsExecutor executor(OneStream(1), state.range(0) != 0);
  for (auto _ : state) {
    for (int i = 0; i < 999; ++i) executor.Run([] {});
    std::promise<void> done;
    executor.Run([&] { done.set_value(); });
    done.get_future().wait();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(BM_RunMany)->ArgName("bound")->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace burin::executor
