// What sharing costs, and what teams do to each other.
//
//   fork_join          a work of two chunks, each of which ends when both have begun: the median of single works
//   beside_load        works of 64 chunks of 20 us of register arithmetic by `threads` threads while another process
//                      computes on one of two cores
//   processes          the same works in several processes of 2 threads each, all on the same two cores: their sum
//   executors          the same in two teams of one process
//
// "chunks_per_s" is to be compared with that of other arguments in one run.

#include "runtime/executor/team.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/check.h"
#include "benchmark/benchmark.h"
#include "runtime/dev/task_executor.h"

namespace burin::executor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kChunks = 64;
constexpr double kChunkSeconds = 20e-6;
// Of one measurement; a scheduler's turn is some milliseconds.
constexpr auto kDuration = std::chrono::milliseconds(400);

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Multiplies and adds in registers.
void Compute(int64_t steps) {
  double sum = 1;
  for (int64_t i = 0; i < steps; ++i) {
    sum = sum * 0.999999 + 0.000001;
    benchmark::DoNotOptimize(sum);
  }
}

// Returns how many steps take kChunkSeconds on a core that nobody else uses.
int64_t StepsOfChunk() {
  static const int64_t steps = [] {
    constexpr int64_t kSteps = 20000;
    double least = 1;
    for (int i = 0; i < 200; ++i) {
      const Clock::time_point start = Clock::now();
      Compute(kSteps);
      least = std::min(least, SecondsSince(start));
    }
    return std::max<int64_t>(1, static_cast<int64_t>(kSteps * kChunkSeconds / least));
  }();
  return steps;
}

// Keeps the process on the first two CPUs that it may use, while it lives.
class OnTwoCpus {
 public:
  OnTwoCpus() {
    CPU_ZERO(&before_);
    BURIN_CHECK_EQ(sched_getaffinity(0, sizeof(before_), &before_), 0);
    cpu_set_t two;
    CPU_ZERO(&two);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++cpu) {
      if (!CPU_ISSET(cpu, &before_)) continue;
      CPU_SET(cpu, &two);
      last_ = cpu;
    }
    BURIN_CHECK_EQ(sched_setaffinity(0, sizeof(two), &two), 0);
  }
  ~OnTwoCpus() { sched_setaffinity(0, sizeof(before_), &before_); }

  // Returns the second of them.
  int last() const { return last_; }

 private:
  cpu_set_t before_;
  int last_ = 0;
};

// Shares works for a while; returns chunks per second.
double RunWorks(int threads, Clock::time_point end) {
  const int64_t steps = StepsOfChunk();
  ThreadPoolExecutor pool(1);
  Team team(threads, &pool);
  const Clock::time_point start = Clock::now();
  int64_t chunks = 0;
  while (Clock::now() < end) {
    team.Share(kChunks, [&](int64_t, int) { Compute(steps); });
    chunks += kChunks;
  }
  return static_cast<double>(chunks) / SecondsSince(start);
}

// Starts a process that runs `body`, returning a number of it through a pipe.
template <typename Body>
int StartProcess(Body body) {
  int ends[2];
  BURIN_CHECK_EQ(pipe(ends), 0);
  if (fork() == 0) {
    const double result = body();
    _exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
  }
  close(ends[1]);
  return ends[0];
}

double ReadResult(int end) {
  double result = 0;
  BURIN_CHECK_EQ(read(end, &result, sizeof(result)), static_cast<ssize_t>(sizeof(result)));
  close(end);
  BURIN_CHECK(wait(nullptr) > 0);
  return result;
}

void ForkJoin(benchmark::State& state) {
  const OnTwoCpus cpus;
  ThreadPoolExecutor pool(1);
  Team team(2, &pool);
  std::vector<double> seconds;
  for (auto _ : state) {
    while (team.present() == 0) team.Summon();
    std::atomic<int> inside{0};
    const Clock::time_point start = Clock::now();
    team.Share(2, [&](int64_t, int) {
      inside.fetch_add(1);
      while (inside.load(std::memory_order_acquire) < 2) {
      }
    });
    seconds.push_back(SecondsSince(start));
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["median_ns"] = 1e9 * seconds[seconds.size() / 2];
  state.counters["p90_ns"] = 1e9 * seconds[seconds.size() * 9 / 10];
}
BENCHMARK(ForkJoin)->Name("fork_join");

void BesideLoad(benchmark::State& state) {
  const OnTwoCpus cpus;
  StepsOfChunk();
  const pid_t load = fork();
  if (load == 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpus.last(), &one);
    sched_setaffinity(0, sizeof(one), &one);
    while (true) Compute(1 << 20);
  }
  double chunks = 0;
  for (auto _ : state) chunks += RunWorks(static_cast<int>(state.range(0)), Clock::now() + kDuration);
  kill(load, SIGKILL);
  waitpid(load, nullptr, 0);
  state.counters["chunks_per_s"] = chunks / static_cast<double>(state.iterations());
}
BENCHMARK(BesideLoad)->Name("beside_load/threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void Processes(benchmark::State& state) {
  const OnTwoCpus cpus;
  StepsOfChunk();
  double chunks = 0;
  for (auto _ : state) {
    const Clock::time_point end = Clock::now() + kDuration;
    std::vector<int> results;
    for (int64_t i = 0; i < state.range(0); ++i) results.push_back(StartProcess([&] { return RunWorks(2, end); }));
    for (const int result : results) chunks += ReadResult(result);
  }
  state.counters["chunks_per_s"] = chunks / static_cast<double>(state.iterations());
}
BENCHMARK(Processes)->Name("processes")->Arg(1)->Arg(2)->Arg(4)->UseRealTime()->Unit(benchmark::kMillisecond);

void Executors(benchmark::State& state) {
  const OnTwoCpus cpus;
  StepsOfChunk();
  double chunks = 0;
  for (auto _ : state) {
    const Clock::time_point end = Clock::now() + kDuration;
    std::vector<double> results(state.range(0));
    std::vector<std::thread> callers;
    for (double& result : results) callers.emplace_back([&result, end] { result = RunWorks(2, end); });
    for (std::thread& caller : callers) caller.join();
    for (const double result : results) chunks += result;
  }
  state.counters["chunks_per_s"] = chunks / static_cast<double>(state.iterations());
}
BENCHMARK(Executors)->Name("executors")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace burin::executor
