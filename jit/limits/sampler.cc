#include "jit/limits/sampler.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "base/status_macros.h"
#include "jit/limits/loops.h"

namespace burin::jit {
namespace {

// The rounds that run however long they take.
constexpr int kLeastRounds = 3;
// A clock that changes by more than this share within a sample spoils it.
constexpr double kMaxClockChange = 0.06;

double ThreadSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int64_t Preemptions() {
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// The clock by the fastest of a few runs of a chain that takes a known number of cycles.
double ClockGhz(const RegisterLoop& chain) {
  // About 10 us: long against the reading of the time, short against a sample.
  constexpr int64_t kIterations = 500;
  constexpr int kRuns = 3;
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    chain.Run(kIterations);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    const double cycles = static_cast<double>(kIterations) * chain.instructions_per_iteration();
    best = std::max(best, cycles / std::max(elapsed.count(), 1.0));
  }
  return best;
}

struct Sample {
  double seconds = 0;
  double cycles = 0;
  bool accepted = false;
};

Sample TakeSample(const Contender& contender, int64_t repeats, const Instruments& instruments) {
  const int64_t preemptions = instruments.preemptions();
  const double clock_before = instruments.clock_ghz();
  const double start = instruments.thread_seconds();
  contender.run(repeats);
  const double elapsed = instruments.thread_seconds() - start;
  const double clock_after = instruments.clock_ghz();
  Sample sample;
  sample.seconds = elapsed / static_cast<double>(repeats);
  sample.cycles = sample.seconds * 1e9 * 0.5 * (clock_before + clock_after);
  sample.accepted = instruments.preemptions() == preemptions && elapsed > 0 &&
                    std::abs(clock_after - clock_before) <= kMaxClockChange * clock_before;
  return sample;
}

// The number of repeats that takes about the time of a sample.
int64_t RepeatsFor(const Contender& contender, double seconds, const Instruments& instruments) {
  contender.run(1);
  for (int64_t repeats = 1;; repeats *= 2) {
    const double start = instruments.thread_seconds();
    contender.run(repeats);
    const double elapsed = instruments.thread_seconds() - start;
    // A quarter of a sample is long enough to extrapolate from.
    if (elapsed >= seconds / 4 || repeats > (int64_t{1} << 40)) {
      const double wanted = static_cast<double>(repeats) * seconds / std::max(elapsed, 1e-9);
      return std::max<int64_t>(1, static_cast<int64_t>(wanted));
    }
  }
}

void SampleRound(const Contender& contender, int64_t repeats, int attempts, const Instruments& instruments,
                 Samples& samples) {
  contender.run(1);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Sample sample = TakeSample(contender, repeats, instruments);
    if (sample.accepted) {
      samples.cycles.emplace_back(sample.cycles);
      samples.seconds.emplace_back(sample.seconds);
      return;
    }
    ++samples.rejected;
  }
  samples.cycles.emplace_back(std::nullopt);
  samples.seconds.emplace_back(std::nullopt);
}

}  // namespace

absl::StatusOr<Instruments> Instruments::Host(const IsaSet& isa) {
  LoopSpec spec;
  spec.op = LoopOp::kDependentAdd;
  BURIN_ASSIGN_OR_RETURN(RegisterLoop loop, RegisterLoop::Create(isa, spec));
  // std::function copies what it holds, and a loop cannot be copied.
  const auto chain = std::make_shared<const RegisterLoop>(std::move(loop));
  return Instruments{ThreadSeconds, Preemptions, [chain] { return ClockGhz(*chain); }};
}

int Samples::accepted() const {
  return static_cast<int>(std::count_if(cycles.begin(), cycles.end(),
                                        [](const std::optional<double>& value) { return value.has_value(); }));
}

std::optional<double> Samples::CyclesAt(double quantile) const {
  std::vector<double> sorted;
  for (const std::optional<double>& value : cycles) {
    if (value.has_value()) sorted.push_back(*value);
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  const double place = std::clamp(quantile, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::optional<double> Samples::UnitsPerCycle() const {
  const std::optional<double> quartile = CyclesAt(0.25);
  if (!quartile.has_value()) return std::nullopt;
  return units_per_repeat / *quartile;
}

std::vector<Samples> SampleInterleaved(absl::Span<const Contender> contenders, const SamplerOptions& options,
                                       const Instruments& instruments) {
  std::vector<Samples> results(contenders.size());
  std::vector<int64_t> repeats(contenders.size());
  for (size_t i = 0; i < contenders.size(); ++i) {
    results[i].name = contenders[i].name;
    results[i].units_per_repeat = contenders[i].units_per_repeat;
    repeats[i] = RepeatsFor(contenders[i], options.seconds_per_sample, instruments);
  }
  std::vector<size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937 random(options.seed);
  const double start = instruments.thread_seconds();
  for (int round = 0; round < options.rounds; ++round) {
    if (round >= kLeastRounds && instruments.thread_seconds() - start > options.max_seconds) break;
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) SampleRound(contenders[i], repeats[i], options.attempts, instruments, results[i]);
  }
  return results;
}

}  // namespace burin::jit
