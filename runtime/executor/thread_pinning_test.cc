#include "runtime/executor/thread_pinning.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/parallel_for.h"
#include "oneapi/tbb/task_arena.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/fake_affinity_testlib.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {
namespace {

using ::testing::Each;
using ::testing::UnorderedElementsAre;

oneapi::tbb::task_arena Arena(int threads) {
  return oneapi::tbb::task_arena(oneapi::tbb::task_arena::constraints{}.set_max_concurrency(threads));
}

// Runs in `arena`, on as many threads at once, what each of them is to say of itself.
template <class Say>
auto OnEachThread(oneapi::tbb::task_arena& arena, int threads, Say say) {
  std::vector<decltype(say())> said;
  std::mutex mutex;
  std::atomic<int> arrived{0};
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        0, threads,
        [&](int) {
          ++arrived;
          // Nobody takes two turns: the turns wait for each other.
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
          while (arrived < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
          std::lock_guard<std::mutex> lock(mutex);
          said.push_back(say());
        },
        oneapi::tbb::simple_partitioner());
  });
  EXPECT_EQ(arrived, threads);
  return said;
}

// Enough threads on machines of one or two CPUs.
class ThreadPinningTest : public ::testing::Test {
 private:
  oneapi::tbb::global_control more_threads_{oneapi::tbb::global_control::max_allowed_parallelism, 9};
};

TEST_F(ThreadPinningTest, EachThreadHasACpuOfItsOwnAndItsMaskBack) {
  FakeAffinity affinity(CpuSet::FirstCpus(32));
  oneapi::tbb::task_arena arena = Arena(4);
  arena.initialize();
  const auto pinning = std::make_unique<ThreadPinning>(arena, std::vector<int>{16, 17, 18, 19}, &affinity);
  EXPECT_THAT(OnEachThread(arena, 4, [&] { return affinity.Current(); }),
              UnorderedElementsAre(CpuSet({16}), CpuSet({17}), CpuSet({18}), CpuSet({19})));
  EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(32));
}

TEST_F(ThreadPinningTest, ThreadsThatAreStillInTheArenaGetTheirMasksBackAtTheEnd) {
  for (int round = 0; round < 20; ++round) {
    FakeAffinity affinity(CpuSet::FirstCpus(32));
    oneapi::tbb::task_arena arena = Arena(4);
    arena.initialize();
    auto pinning = std::make_unique<ThreadPinning>(arena, std::vector<int>{16, 17, 18, 19}, &affinity);
    OnEachThread(arena, 4, [] { return 0; });
    pinning.reset();
    EXPECT_THAT(affinity.All(), Each(CpuSet::FirstCpus(32)));
    EXPECT_EQ(affinity.All().size(), 4u);
  }
}

TEST_F(ThreadPinningTest, AThreadThatIsBoundToAVacantCpuIsLeftAlone) {
  FakeAffinity affinity(CpuSet::FirstCpus(32));
  oneapi::tbb::task_arena arena = Arena(1);
  arena.initialize();
  ThreadPinning pinning(arena, {5, 6}, &affinity);
  ASSERT_TRUE(affinity.Write(0, AffinityMask::Of(6)));
  arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({6})); });
  EXPECT_EQ(pinning.set_calls(), 0);
  EXPECT_EQ(affinity.Current(), CpuSet({6}));

  // Bound to a CPU of another stream it is moved, and moved back.
  ASSERT_TRUE(affinity.Write(0, AffinityMask::Of(7)));
  arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({5})); });
  EXPECT_EQ(pinning.set_calls(), 2);
  EXPECT_EQ(affinity.Current(), CpuSet({7}));

  // Inside, it is not pinned again.
  arena.execute([&] { arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({5})); }); });
  EXPECT_EQ(pinning.set_calls(), 4);
}

TEST_F(ThreadPinningTest, AThreadStaysOnTheCpuThatItRunsOn) {
  FakeAffinity affinity(CpuSet::FirstCpus(8));
  affinity.set_current_cpu(6);
  oneapi::tbb::task_arena arena = Arena(1);
  arena.initialize();
  ThreadPinning pinning(arena, {4, 5, 6}, &affinity);
  arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({6})); });
}

TEST_F(ThreadPinningTest, ArenasInOneAnotherGiveBackWhatTheyFound) {
  FakeAffinity affinity(CpuSet::FirstCpus(8));
  oneapi::tbb::task_arena outer = Arena(1);
  oneapi::tbb::task_arena inner = Arena(1);
  outer.initialize();
  inner.initialize();
  ThreadPinning pin_outer(outer, {2}, &affinity);
  ThreadPinning pin_inner(inner, {3}, &affinity);
  outer.execute([&] {
    inner.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet({3})); });
    EXPECT_EQ(affinity.Current(), CpuSet({2}));
  });
  EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(8));
}

TEST_F(ThreadPinningTest, TheMaskBeforeBindingIsThatOfTheOutermostArena) {
  FakeAffinity affinity(CpuSet::FirstCpus(8));
  oneapi::tbb::task_arena arenas[3] = {Arena(1), Arena(1), Arena(1)};
  std::unique_ptr<ThreadPinning> pinnings[3];
  for (int i = 0; i < 3; ++i) {
    arenas[i].initialize();
    pinnings[i] = std::make_unique<ThreadPinning>(arenas[i], std::vector<int>{i}, &affinity);
  }
  const auto mask = [&] { return MaskBeforeBinding(&affinity).value_or(AffinityMask()).ToCpuSet(); };
  EXPECT_EQ(mask(), CpuSet());
  arenas[0].execute([&] {
    EXPECT_EQ(mask(), CpuSet::FirstCpus(8));
    arenas[1].execute([&] {
      arenas[2].execute([&] { EXPECT_EQ(mask(), CpuSet::FirstCpus(8)); });
      EXPECT_EQ(mask(), CpuSet::FirstCpus(8));
    });
    EXPECT_EQ(mask(), CpuSet::FirstCpus(8));
    // A task that sets its own mask has it.
    ASSERT_TRUE(affinity.Write(0, AffinityMask::Of(CpuSet({5, 6}))));
    EXPECT_EQ(mask(), CpuSet());
  });
  EXPECT_EQ(mask(), CpuSet());
}

TEST_F(ThreadPinningTest, ARefusedCpuChangesNothing) {
  FakeAffinity affinity(CpuSet::FirstCpus(4));
  oneapi::tbb::task_arena arena = Arena(1);
  arena.initialize();
  ThreadPinning pinning(arena, {9}, &affinity);
  arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(4)); });
  arena.execute([&] { EXPECT_EQ(affinity.Current(), CpuSet::FirstCpus(4)); });
  EXPECT_EQ(pinning.set_calls(), 2) << "nothing was bound, so nothing is restored";
}

TEST_F(ThreadPinningTest, MoreThreadsThanCpusLeaveTheRestAlone) {
  FakeAffinity affinity(CpuSet::FirstCpus(8));
  oneapi::tbb::task_arena arena = Arena(3);
  arena.initialize();
  const ThreadPinning pinning(arena, {1, 2}, &affinity);
  EXPECT_THAT(OnEachThread(arena, 3, [&] { return affinity.Current(); }),
              UnorderedElementsAre(CpuSet({1}), CpuSet({2}), CpuSet::FirstCpus(8)));
}

TEST_F(ThreadPinningTest, TheKernelAgrees) {
  const CpuSet all = ReadAffinityMask();
  const int threads = std::min(all.size(), 4);
  const std::vector<int> cpus(all.cpus().begin(), all.cpus().begin() + threads);
  oneapi::tbb::task_arena arena = Arena(threads);
  arena.initialize();
  auto pinning = std::make_unique<ThreadPinning>(arena, cpus, SystemThreadAffinity());
  std::set<int> used;
  for (const CpuSet& mask : OnEachThread(arena, threads, [] { return ReadAffinityMask(); })) {
    ASSERT_EQ(mask.size(), 1);
    used.insert(mask.cpus()[0]);
  }
  EXPECT_THAT(used, ::testing::ElementsAreArray(cpus));
  EXPECT_EQ(ReadAffinityMask(), all);
  pinning.reset();
  EXPECT_THAT(OnEachThread(arena, threads, [] { return ReadAffinityMask(); }), Each(all));
}

}  // namespace
}  // namespace burin::executor
