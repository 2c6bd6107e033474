#include "tools/kernel_bench/shared_run.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include "base/check.h"

namespace burin::kernel_bench {
namespace {

using Clock = std::chrono::steady_clock;

// Ranges that each thread takes, where there are as many items.
constexpr int64_t kRangesOfThread = 8;

// Keeps the calling thread on one processor while it lives, as far as the system lets it.
class OnCpu {
 public:
  explicit OnCpu(int cpu) {
    was_known_ = sched_getaffinity(0, sizeof(before_), &before_) == 0;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(cpu), &one);
    (void)sched_setaffinity(0, sizeof(one), &one);
  }
  ~OnCpu() {
    if (was_known_) (void)sched_setaffinity(0, sizeof(before_), &before_);
  }

  OnCpu(const OnCpu&) = delete;
  OnCpu& operator=(const OnCpu&) = delete;

 private:
  cpu_set_t before_;
  bool was_known_ = false;
};

// Has threads wait for work, spinning: they live no longer than a measurement.
class Threads {
 public:
  using Work = std::function<void(int thread)>;

  explicit Threads(const std::vector<int>& cpus) {
    for (size_t i = 1; i < cpus.size(); ++i) {
      members_.emplace_back([this, i, cpu = cpus[i]] {
        const OnCpu on_cpu(cpu);
        Serve(static_cast<int>(i));
      });
    }
  }

  ~Threads() {
    work_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    for (std::thread& member : members_) member.join();
  }

  // Has every thread, the caller as number 0, call `work` once.
  void Run(const Work& work) {
    work_ = &work;
    busy_.store(static_cast<int>(members_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    work(0);
    while (busy_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  }

 private:
  void Serve(int thread) {
    for (int64_t round = 0;; ++round) {
      while (round_.load(std::memory_order_acquire) == round) std::this_thread::yield();
      if (work_ == nullptr) return;
      (*work_)(thread);
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  const Work* work_ = nullptr;
  std::atomic<int64_t> round_{0};
  std::atomic<int> busy_{0};
  std::vector<std::thread> members_;
};

// Returns the seconds of one of `repeats` calls.
template <class Call>
double SecondsOf(int64_t repeats, Call call) {
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < repeats; ++i) call();
  return std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(repeats);
}

}  // namespace

SharedRun MeasureSharedRun(const Entrant& entrant, const SharedRunOptions& options) {
  BURIN_CHECK(options.cpus.size() >= 2) << "processors: " << options.cpus.size();
  BURIN_CHECK(entrant.run_items) << "no items: " << entrant.name;
  const OnCpu on_cpu(options.cpus[0]);
  const auto count = static_cast<int64_t>(options.cpus.size());
  const int64_t range = std::max<int64_t>(1, entrant.items / (count * kRangesOfThread));
  std::atomic<int64_t> next{0};
  const Threads::Work take = [&](int thread) {
    while (true) {
      const int64_t begin = next.fetch_add(range, std::memory_order_relaxed);
      if (begin >= entrant.items) return;
      entrant.run_items(thread, begin, std::min(begin + range, entrant.items));
    }
  };
  Threads threads(options.cpus);
  const auto alone = [&] { entrant.run_items(0, 0, entrant.items); };
  const auto shared = [&] {
    next.store(0, std::memory_order_relaxed);
    threads.Run(take);
  };
  alone();
  shared();
  const double estimate = std::max(SecondsOf(1, alone), 1e-9);
  const int64_t repeats = std::max<int64_t>(1, static_cast<int64_t>(options.seconds_per_sample / estimate));
  const Clock::time_point start = Clock::now();
  std::vector<double> of_one;
  std::vector<double> of_all;
  std::vector<double> gains;
  for (int round = 0; round < options.rounds; ++round) {
    const bool is_late = std::chrono::duration<double>(Clock::now() - start).count() > options.max_seconds;
    if (round >= 3 && is_late) break;
    of_one.push_back(SecondsOf(repeats, alone));
    of_all.push_back(SecondsOf(repeats, shared));
    gains.push_back(of_one.back() / of_all.back());
  }
  SharedRun run;
  run.threads = static_cast<int>(count);
  run.alone_seconds = Median(of_one);
  run.shared_seconds = Median(of_all);
  run.gain = Comparison::OfRatios(gains);
  return run;
}

}  // namespace burin::kernel_bench
