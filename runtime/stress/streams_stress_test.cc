// Hammers the streams of runtime/executor from many threads at once: tasks and callers, failing ones and cancelled
// ones, executors that are made and destroyed meanwhile, also by their own tasks, helpers, pinning and leases, at
// random.
//
// Every task is counted, every Status compared with what it has to be, no stream is ever in two hands, and each thread
// keeps its mask. Meant for the sanitizers:
//   bazel test --config=tsan --test_env=BURIN_STRESS_SECONDS=60 //runtime/stress:streams_stress_test
// The seed is printed; BURIN_STRESS_SEED sets it. Threads meet differently each time all the same.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/broker/core_broker.h"
#include "runtime/executor/broker/core_sharing.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/stream_cpus.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

constexpr int kThreads = 64;
constexpr int kMostStreams = 4;

int64_t NumberFromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int Between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  bool OneIn(int n) { return Between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

// What all tasks did; outlives them.
struct Counts {
  std::atomic<int64_t> given{0};
  std::atomic<int64_t> done{0};
  std::atomic<int64_t> failed{0};
  std::atomic<int64_t> cancelled{0};
  std::atomic<int64_t> made{0};     // Executors.
  std::atomic<int64_t> doubled{0};  // Streams that two tasks had at once.
};

// An executor, and who is in its streams.
struct Streams {
  Streams(std::vector<CpuStream> streams, bool pin) : executor(std::move(streams), pin) {}

  std::array<std::atomic<int>, kMostStreams> busy{};
  CpuStreamsExecutor executor;  // Goes first: its tasks use the above.
};

// Marks the stream of the calling thread as busy.
class Visit {
 public:
  Visit(Streams* streams, Counts* counts)
      : busy_(&streams->busy[static_cast<size_t>(streams->executor.GetStreamId().value())]) {
    if (busy_->fetch_add(1) != 0) ++counts->doubled;
  }
  ~Visit() { busy_->fetch_sub(1); }

 private:
  std::atomic<int>* const busy_;
};

// An executor that many threads use, and each may replace.
class Slot {
 public:
  std::shared_ptr<Streams> Get() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return streams_;
  }
  std::shared_ptr<Streams> Exchange(std::shared_ptr<Streams> streams) {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(streams_, std::move(streams));
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Streams> streams_;  // Guarded by mutex_.
};

// What all threads share.
struct Shared {
  const CpuSet cpus = ReadAffinityMask();
  std::array<Slot, 4> slots;
  Counts counts;
};

std::shared_ptr<Streams> MakeStreams(Shared* shared, Random* random) {
  std::vector<CpuStream> streams(static_cast<size_t>(random->Between(1, kMostStreams)));
  for (size_t i = 0; i < streams.size(); ++i) {
    streams[i].threads = random->Between(1, 2);
    if (random->OneIn(2)) streams[i].node = static_cast<int>(i) % 2;
    for (int k = 0; k < streams[i].threads; ++k) {
      streams[i].cpus.push_back(
          shared->cpus.cpus()[(i + static_cast<size_t>(k)) % static_cast<size_t>(shared->cpus.size())]);
    }
  }
  ++shared->counts.made;
  return std::make_shared<Streams>(std::move(streams), random->OneIn(2));
}

// Steps of something like an inference: each a task that gives the next; it may fail, or find itself cancelled.
struct Job : std::enable_shared_from_this<Job> {
  std::shared_ptr<Streams> streams;
  Counts* counts = nullptr;
  int steps = 0;
  int failing_step = 0;  // Counted down; 0 for none.
  std::atomic<bool> is_cancelled{false};
  std::promise<absl::Status> result;

  void Start() {
    ++counts->given;
    Streams& target = *streams;
    target.executor.Run([self = shared_from_this()] { self->Step(); });
  }

  void Step() {
    const absl::Status status = streams->executor.Execute([this]() -> absl::Status {
      const Visit visit(streams.get(), counts);
      if (is_cancelled) return absl::CancelledError();
      if (steps == failing_step) return absl::DataLossError("step");
      return absl::OkStatus();
    });
    if (status.ok() && --steps > 0) {
      Start();
    } else {
      result.set_value(status);
    }
    ++counts->done;
  }
};

class Worker {
 public:
  Worker(Shared* shared, uint64_t seed) : shared_(shared), counts_(&shared->counts), random_(seed) {}

  void Step() {
    switch (random_.Between(0, 9)) {
      case 0:
        return Replace();
      case 1:
        return MakeAndDestroy();
      case 2:
        return RunOnNode();
      case 3:
        return LeaseCores();
      case 4:
        return ExecuteInOneAnother();
      case 5:
      case 6:
        return RunJob();
      default:
        return ExecuteAndCheck();
    }
  }

  // Checks that this thread is as free as at first.
  void Inspect() const { EXPECT_EQ(ReadAffinityMask(), shared_->cpus); }

 private:
  Slot* AnySlot() { return &shared_->slots[static_cast<size_t>(random_.Between(0, 3))]; }

  // A task holds a reference, so that the last one may go inside.
  void Give(const std::shared_ptr<Streams>& streams) {
    ++counts_->given;
    streams->executor.Run([streams, counts = counts_] {
      const Visit visit(streams.get(), counts);
      ++counts->done;
    });
  }

  void Replace() {
    if (!random_.OneIn(4)) return ExecuteAndCheck();
    std::shared_ptr<Streams> old = AnySlot()->Exchange(MakeStreams(shared_, &random_));
    for (int i = random_.Between(0, 5); i > 0; --i) Give(old);
  }

  void MakeAndDestroy() {
    const auto runs = std::make_shared<std::atomic<int>>(0);
    const int tasks = random_.Between(0, 20);
    {
      const std::shared_ptr<Streams> streams = MakeStreams(shared_, &random_);
      for (int i = 0; i < tasks; ++i) streams->executor.Run([runs] { ++*runs; });
    }
    EXPECT_EQ(*runs, tasks) << "the destructor waits for tasks";
  }

  void RunOnNode() {
    const std::shared_ptr<Streams> streams = AnySlot()->Get();
    const int node = random_.Between(0, 1);
    ++counts_->given;
    const absl::Status status = streams->executor.RunOnNumaNode(node, [streams, node, counts = counts_] {
      const Visit visit(streams.get(), counts);
      EXPECT_EQ(streams->executor.GetNumaNodeId(), node);
      ++counts->done;
    });
    if (status.ok()) return;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound));
    --counts_->given;
  }

  void LeaseCores() {
    CoreDemand demand;
    if (random_.OneIn(2)) demand.threads = random_.Between(1, 8);
    const absl::StatusOr<CoreLease> lease =
        CoreBroker::OfProcess().Lease("model", CpuTopology::Flat(CpuSet::FirstCpus(8)), demand,
                                      [](const CoreOffer& offer) -> absl::StatusOr<CpuSet> { return offer.cpus; });
    ASSERT_OK(lease.status());
    EXPECT_FALSE(lease->cpus().empty());
    EXPECT_GE(CoreBroker::OfProcess().holdings().size(), 1u);
  }

  // Always in the same order: two threads that each had what the other waits for would wait forever.
  void ExecuteInOneAnother() {
    const std::shared_ptr<Streams> outer = shared_->slots[0].Get();
    const std::shared_ptr<Streams> inner = shared_->slots[1].Get();
    ++counts_->given;
    outer->executor.Execute([&] {
      const Visit outer_visit(outer.get(), counts_);
      if (outer == inner) return;
      inner->executor.Execute([&] {
        const Visit inner_visit(inner.get(), counts_);
        outer->executor.Execute([&] { EXPECT_TRUE(outer->executor.GetStreamId().has_value()); });
      });
    });
    ++counts_->done;
  }

  void RunJob() {
    const auto job = std::make_shared<Job>();
    job->streams = AnySlot()->Get();
    job->counts = counts_;
    job->steps = random_.Between(1, 4);
    const bool fails = random_.OneIn(4);
    if (fails) job->failing_step = random_.Between(1, job->steps);
    std::future<absl::Status> result = job->result.get_future();
    job->Start();
    const bool cancels = random_.OneIn(3);
    if (cancels) job->is_cancelled = true;
    ASSERT_EQ(result.wait_for(std::chrono::minutes(5)), std::future_status::ready) << "a task was lost";
    const absl::Status status = result.get();
    if (absl::IsCancelled(status)) {
      EXPECT_TRUE(cancels);
      ++counts_->cancelled;
    } else if (absl::IsDataLoss(status)) {
      EXPECT_TRUE(fails);
      ++counts_->failed;
    } else {
      EXPECT_OK(status);
      EXPECT_FALSE(fails);
    }
  }

  void ExecuteAndCheck() {
    const std::shared_ptr<Streams> streams = AnySlot()->Get();
    const int code = random_.Between(0, 3);
    ++counts_->given;
    const absl::Status status = streams->executor.Execute([&] {
      const Visit visit(streams.get(), counts_);
      Help(streams.get());
      return absl::Status(static_cast<absl::StatusCode>(code), "as asked for");
    });
    EXPECT_EQ(static_cast<int>(status.code()), code);
    if (!status.ok()) ++counts_->failed;
    ++counts_->done;
  }

  // Gives the helpers of this stream, where it has any, something to do.
  void Help(Streams* streams) {
    const int stream = streams->executor.GetStreamId().value();
    if (streams->executor.helpers(stream) == nullptr || !random_.OneIn(4)) return;
    ++counts_->given;
    // No reference to the streams: these wait for their helpers.
    streams->executor.helpers(stream)->Run([counts = counts_] { ++counts->done; });
  }

  Shared* const shared_;
  Counts* const counts_;
  Random random_;
};

TEST(StreamsStressTest, NothingIsLostUnderManyThreads) {
  const int64_t seconds = NumberFromEnvironment("BURIN_STRESS_SECONDS", 3);
  const int64_t seed = NumberFromEnvironment("BURIN_STRESS_SEED", static_cast<int64_t>(std::random_device()()));
  std::cout << "seed " << seed << ", " << seconds << " s, " << kThreads << " threads" << std::endl;

  Shared shared;
  Random random(static_cast<uint64_t>(seed));
  for (Slot& slot : shared.slots) slot.Exchange(MakeStreams(&shared, &random));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Worker worker(&shared, static_cast<uint64_t>(seed) * kThreads + static_cast<uint64_t>(i));
      while (std::chrono::steady_clock::now() < end && !::testing::Test::HasFailure()) worker.Step();
      worker.Inspect();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Slot& slot : shared.slots) slot.Exchange(nullptr);

  // Executors that a task of their own destroyed run the rest by themselves.
  const Counts& counts = shared.counts;
  const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (counts.done < counts.given && std::chrono::steady_clock::now() < late) std::this_thread::yield();
  EXPECT_EQ(counts.done, counts.given);
  EXPECT_EQ(counts.doubled, 0);
  EXPECT_TRUE(CoreBroker::OfProcess().holdings().empty());
  std::cout << counts.done << " tasks, " << counts.failed << " failed, " << counts.cancelled << " cancelled, "
            << counts.made << " executors" << std::endl;
  // Far fewer would mean that the threads waited for each other.
  EXPECT_GT(counts.done, 100 * seconds);
  EXPECT_GT(counts.failed, 0);
  EXPECT_GT(counts.made, 4);
}

}  // namespace
}  // namespace burin::executor
