#include "runtime/executor/stream_arena.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/fake_affinity_testlib.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {
namespace {

using ::testing::Each;
using ::testing::UnorderedElementsAre;

CpuStream Place(int threads, std::vector<int> cpus = {}) {
  CpuStream place;
  place.threads = threads;
  place.cpus = std::move(cpus);
  return place;
}

// Enough threads on machines of one or two CPUs.
class StreamArenaTest : public ::testing::Test {
 private:
  oneapi::tbb::global_control more_threads_{oneapi::tbb::global_control::max_allowed_parallelism, 9};
};

TEST_F(StreamArenaTest, TheCallerAndItsHelpersAreInside) {
  StreamArena arena(Place(3), {901, 5}, false, SystemThreadAffinity());
  EXPECT_EQ(arena.threads(), 3);
  EXPECT_EQ(CurrentStream(901), std::nullopt);
  const std::thread::id here = std::this_thread::get_id();
  arena.Execute([&] {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(CurrentStream(901), 5);
    EXPECT_EQ(oneapi::tbb::this_task_arena::max_concurrency(), 3);
    std::atomic<int> arrived{0};
    Event all;
    Event over[2];
    for (Event& event : over) {
      arena.helpers()->Run([&] {
        EXPECT_EQ(CurrentStream(901), 5);
        EXPECT_NE(std::this_thread::get_id(), here);
        if (++arrived == 2) all.Notify();
        all.Wait();
        event.Notify();
      });
    }
    for (Event& event : over) event.Wait();
  });
  EXPECT_EQ(CurrentStream(901), std::nullopt);
}

TEST_F(StreamArenaTest, HelpersOfGoneArenasAreInNone) {
  for (int round = 0; round < 50; ++round) {
    std::optional<StreamArena> arena;
    arena.emplace(Place(3), StreamName{1000 + round, 0}, false, SystemThreadAffinity());
    Event done;
    arena->helpers()->Run([&] {
      EXPECT_EQ(CurrentStream(1000 + round), 0);
      EXPECT_EQ(CurrentStream(999 + round), std::nullopt);
      done.Notify();
    });
    if (round % 2 == 0) done.Wait();
    arena.reset();
    EXPECT_TRUE(done.has_happened()) << "the destructor waits for tasks";
  }
}

TEST_F(StreamArenaTest, EachStreamOfTwoSocketsIsOnItsOwn) {
  FakeAffinity affinity(CpuSet::FirstCpus(32));
  const std::vector<CpuStream> places = {Place(4, {0, 1, 2, 3}), Place(4, {8, 9, 10, 11})};
  std::vector<std::unique_ptr<StreamArena>> arenas;
  for (int i = 0; i < 2; ++i) {
    arenas.push_back(
        std::make_unique<StreamArena>(places[static_cast<size_t>(i)], StreamName{902, i}, true, &affinity));
  }
  for (int i = 0; i < 2; ++i) {
    std::mutex mutex;
    std::vector<CpuSet> masks;
    std::atomic<int> arrived{0};
    const auto work = [&](int) {
      ++arrived;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (arrived < 4 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      std::lock_guard<std::mutex> lock(mutex);
      masks.push_back(affinity.Current());
      EXPECT_EQ(CurrentStream(902), i);
    };
    arenas[static_cast<size_t>(i)]->Execute(
        [&] { oneapi::tbb::parallel_for(0, 4, work, oneapi::tbb::simple_partitioner()); });
    const int first = 8 * i;
    EXPECT_THAT(masks,
                UnorderedElementsAre(CpuSet({first}), CpuSet({first + 1}), CpuSet({first + 2}), CpuSet({first + 3})));
    EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(32));
  }
  arenas.clear();
  EXPECT_THAT(affinity.All(), Each(CpuSet::FirstCpus(32)));
}

TEST_F(StreamArenaTest, BindsOnlyWhereAsked) {
  FakeAffinity affinity(CpuSet::FirstCpus(4));
  StreamArena free(Place(1, {2}), {903, 0}, false, &affinity);
  free.Execute([&] { EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(4)); });
  StreamArena crowded(Place(2, {2}), {903, 1}, true, &affinity);
  crowded.Execute([&] { EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(4)); });
  EXPECT_EQ(crowded.set_affinity_calls(), 0);
  StreamArena bound(Place(1, {2}), {903, 2}, true, &affinity);
  bound.Execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({2})); });
  EXPECT_EQ(bound.set_affinity_calls(), 2);
}

TEST_F(StreamArenaTest, ArenasInOneAnotherAreAllKnown) {
  StreamArena outer(Place(2), {904, 0}, false, SystemThreadAffinity());
  StreamArena inner(Place(2), {905, 1}, false, SystemThreadAffinity());
  outer.Execute([&] {
    inner.Execute([&] {
      EXPECT_EQ(CurrentStream(904), 0);
      EXPECT_EQ(CurrentStream(905), 1);
      Event done;
      inner.helpers()->Run([&] {
        EXPECT_EQ(CurrentStream(904), std::nullopt) << "a helper is in the inner one alone";
        EXPECT_EQ(CurrentStream(905), 1);
        done.Notify();
      });
      done.Wait();
    });
    EXPECT_EQ(CurrentStream(905), std::nullopt);
    Event done;
    outer.helpers()->Run([&] {
      inner.Execute([&] {
        EXPECT_EQ(CurrentStream(904), 0);
        EXPECT_EQ(CurrentStream(905), 1);
      });
      EXPECT_EQ(CurrentStream(904), 0);
      done.Notify();
    });
    done.Wait();
  });
}

TEST_F(StreamArenaTest, AStreamWithoutThreadsLimitsNothing) {
  StreamArena arena(Place(0), {906, 0}, true, SystemThreadAffinity());
  EXPECT_EQ(arena.threads(), 0);
  EXPECT_EQ(arena.helpers(), nullptr);
  arena.Execute([&] {
    EXPECT_EQ(CurrentStream(906), 0);
    EXPECT_GT(oneapi::tbb::this_task_arena::max_concurrency(), 1);
  });
}

}  // namespace
}  // namespace burin::executor
