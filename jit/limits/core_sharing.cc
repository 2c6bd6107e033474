#include "jit/limits/core_sharing.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "jit/limits/loops.h"

namespace burin::jit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTurn(15);
// About 10 us between two looks at the clock.
constexpr int64_t kIterations = 500;

double ThreadNanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// Runs the loop for one turn and returns the instructions per nanosecond of this thread.
double RunOneTurn(const RegisterLoop& loop) {
  const Clock::time_point end = Clock::now() + kTurn;
  const double start = ThreadNanoseconds();
  int64_t iterations = 0;
  do {
    loop.Run(kIterations);
    iterations += kIterations;
  } while (Clock::now() < end);
  const double elapsed = std::max(ThreadNanoseconds() - start, 1.0);
  return static_cast<double>(iterations) * loop.instructions_per_iteration() / elapsed;
}

// A turn of one thread, which begins when as many threads are ready as take part.
struct Turn {
  const RegisterLoop* loop = nullptr;
  std::atomic<int>* ready = nullptr;
  int participants = 1;
  double rate = 0;
};

void* TakeTurn(void* argument) {
  Turn& turn = *static_cast<Turn*>(argument);
  turn.ready->fetch_add(1);
  while (turn.ready->load() < turn.participants) sched_yield();
  turn.rate = RunOneTurn(*turn.loop);
  return nullptr;
}

// Starts the turn on a thread that runs on `cpu` alone.
absl::StatusOr<pthread_t> Start(int cpu, Turn& turn) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_attr_t attributes;
  pthread_t thread = {};
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    error = pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
    if (error == 0) error = pthread_create(&thread, &attributes, TakeTurn, &turn);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Cannot start a thread on processor ", cpu, ": ", std::strerror(error)));
  }
  return thread;
}

absl::StatusOr<double> RunAlone(const RegisterLoop& loop, int cpu) {
  std::atomic<int> ready{0};
  Turn turn{&loop, &ready, 1};
  BURIN_ASSIGN_OR_RETURN(const pthread_t thread, Start(cpu, turn));
  pthread_join(thread, nullptr);
  return turn.rate;
}

absl::StatusOr<std::array<double, 2>> RunTogether(const RegisterLoop& loop, const int (&cpus)[2]) {
  std::atomic<int> ready{0};
  Turn turns[2] = {{&loop, &ready, 2}, {&loop, &ready, 2}};
  BURIN_ASSIGN_OR_RETURN(const pthread_t first, Start(cpus[0], turns[0]));
  const absl::StatusOr<pthread_t> second = Start(cpus[1], turns[1]);
  // Without the second, the first must not wait for it.
  if (!second.ok()) ready.fetch_add(1);
  pthread_join(first, nullptr);
  if (!second.ok()) return second.status();
  pthread_join(*second, nullptr);
  return std::array<double, 2>{turns[0].rate, turns[1].rate};
}

}  // namespace

double CoreSharing::Ratio() const {
  const double apart = alone[0] + alone[1];
  return apart > 0 ? (together[0] + together[1]) / apart : 0;
}

std::string CoreSharing::ToString() const {
  return absl::StrFormat(
      "processors %d and %d %s: together %.2f of what they do alone (%.2f + %.2f against %.2f + %.2f FMA/ns)", cpus[0],
      cpus[1], shared() ? "share a core" : "have a core each", Ratio(), together[0], together[1], alone[0], alone[1]);
}

std::vector<int> UsableCpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

absl::StatusOr<CoreSharing> MeasureCoreSharing(const IsaSet& isa, int first_cpu, int second_cpu, int rounds) {
  CoreSharing sharing;
  sharing.cpus[0] = first_cpu;
  sharing.cpus[1] = second_cpu;
  const std::vector<int> usable = UsableCpus();
  for (const int cpu : sharing.cpus) {
    if (std::find(usable.begin(), usable.end(), cpu) == usable.end()) {
      return absl::InvalidArgumentError(absl::StrCat("This process may not run on processor: ", cpu));
    }
  }
  if (first_cpu == second_cpu) return absl::InvalidArgumentError("Two different processors are compared");
  LoopSpec spec;
  spec.bits = isa.Supports(IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(const RegisterLoop loop, RegisterLoop::Create(isa, spec));
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 2; ++i) {
      BURIN_ASSIGN_OR_RETURN(const double rate, RunAlone(loop, sharing.cpus[i]));
      sharing.alone[i] = std::max(sharing.alone[i], rate);
    }
    BURIN_ASSIGN_OR_RETURN(const auto rates, RunTogether(loop, sharing.cpus));
    for (int i = 0; i < 2; ++i) sharing.together[i] = std::max(sharing.together[i], rates[static_cast<size_t>(i)]);
  }
  return sharing;
}

}  // namespace burin::jit
