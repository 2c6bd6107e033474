#include "runtime/executor/team.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/dev/task_executor.h"

namespace burin::executor {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Long enough that members stay for a whole test.
constexpr TeamPatience kPatient{std::chrono::seconds(60), microseconds(100)};

// Keeps tasks until it is told to run them.
class HeldExecutor final : public ITaskExecutor {
 public:
  ~HeldExecutor() override { RunAll(); }
  void Run(Task task) override { tasks_.push_back(std::move(task)); }

  size_t size() const { return tasks_.size(); }
  // Runs what there is, on the calling thread.
  void RunAll() {
    const std::vector<Task> tasks = std::exchange(tasks_, {});
    for (const Task& task : tasks) task();
  }

 private:
  std::vector<Task> tasks_;
};

void WaitUntilPresent(Team& team, int members) {
  team.Summon();
  while (team.present() != members) std::this_thread::yield();
}

TEST(TeamTest, CountsTheWorksThatAreShared) {
  ThreadPoolExecutor threads(1);
  Team team(2, &threads);
  Team alone(1, nullptr);
  for (const int64_t chunks : {2, 1, 0, 7}) {
    team.Share(chunks, [](int64_t, int) {});
    alone.Share(chunks, [](int64_t, int) {});
  }
  EXPECT_EQ(team.shared_works(), 2U);
  EXPECT_EQ(alone.shared_works(), 0U);
}

TEST(TeamTest, MembersFlushDenormalsWhereTheyAreTold) {
  for (const bool flush : {false, true}) {
    ThreadPoolExecutor threads(1);
    Team team(2, &threads, kPatient, flush);
    WaitUntilPresent(team, 1);
    volatile float smallest = std::numeric_limits<float>::min();
    std::atomic<bool> member_has_begun{false};
    float by_caller = 0;
    float by_member = 0;
    team.Share(2, [&](int64_t, int member) {
      if (member == 1) member_has_begun = true;
      // So that the caller takes one chunk alone.
      while (!member_has_begun) std::this_thread::yield();
      (member == 1 ? by_member : by_caller) = smallest * 0.5f;
    });
    EXPECT_EQ(by_member == 0, flush);
    EXPECT_NE(by_caller, 0.0f);
  }
}

TEST(TeamTest, EachChunkRunsOnce) {
  for (int size = 1; size <= 5; ++size) {
    ThreadPoolExecutor threads(4);
    Team team(size, &threads);
    EXPECT_EQ(team.size(), size);
    for (const int64_t chunks : {0, 1, 2, 3, 4, 5, 6, 17, 1000}) {
      std::vector<int> times(chunks, 0);
      team.Share(chunks, [&](int64_t chunk, int member) {
        EXPECT_GE(member, 0);
        EXPECT_LT(member, size);
        ++times[chunk];
      });
      EXPECT_EQ(times, std::vector<int>(chunks, 1)) << size << " threads";
    }
  }
}

TEST(TeamTest, WorkAfterWorkIsSeenWhole) {
  // Each round reads what all have written in the round before.
  ThreadPoolExecutor threads(3);
  Team team(4, &threads);
  std::vector<int64_t> values(64, 1);
  for (int round = 0; round < 3000; ++round) {
    const int64_t sum = std::accumulate(values.begin(), values.end(), int64_t{0});
    ASSERT_EQ(sum, static_cast<int64_t>(values.size()) * (round + 1));
    team.Share(1 + round % 64, [&](int64_t chunk, int) {
      const int64_t chunks = 1 + round % 64;
      for (size_t i = chunk; i < values.size(); i += chunks) ++values[i];
    });
  }
}

TEST(TeamTest, TheCallerAloneFinishes) {
  HeldExecutor threads;
  Team team(4, &threads);
  int done = 0;
  team.Share(100, [&](int64_t, int member) {
    EXPECT_EQ(member, 0);
    ++done;
  });
  EXPECT_EQ(done, 100);
  // Those who are on their way are not invited again.
  team.Share(100, [&](int64_t, int) { ++done; });
  EXPECT_EQ(threads.size(), 3);
  EXPECT_EQ(done, 200);
}

TEST(TeamTest, NoMoreAreInvitedThanThereAreChunks) {
  HeldExecutor threads;
  Team team(8, &threads);
  team.Share(1, [](int64_t, int) {});
  EXPECT_EQ(threads.size(), 0);
  team.Share(3, [](int64_t, int) {});
  EXPECT_EQ(threads.size(), 2);
  team.Summon();
  EXPECT_EQ(threads.size(), 7);
}

TEST(TeamTest, WhoComesTooLateFindsNobody) {
  HeldExecutor threads;
  {
    Team team(3, &threads);
    team.Summon();
  }
  threads.RunAll();
}

TEST(TeamTest, MembersLeaveAndComeAgain) {
  ThreadPoolExecutor threads(2);
  Team team(3, &threads, {microseconds(10), microseconds(10)});
  for (int round = 0; round < 20; ++round) {
    team.Summon();
    while (team.present() != 0) std::this_thread::yield();
    std::atomic<int> done{0};
    team.Share(8, [&](int64_t, int) { done.fetch_add(1); });
    EXPECT_EQ(done.load(), 8);
  }
}

TEST(TeamTest, MembersWorkBesideTheCaller) {
  ThreadPoolExecutor threads(2);
  Team team(3, &threads, kPatient);
  WaitUntilPresent(team, 2);
  // No chunk ends before each of the three threads is in one.
  std::atomic<int> inside{0};
  std::set<int> members;
  std::mutex mutex;
  team.Share(3, [&](int64_t, int member) {
    inside.fetch_add(1);
    while (inside.load() < 3) std::this_thread::yield();
    const std::lock_guard<std::mutex> lock(mutex);
    members.insert(member);
  });
  EXPECT_EQ(members, (std::set<int>{0, 1, 2}));
}

TEST(TeamTest, EachBeginsWithItsOwnPart) {
  ThreadPoolExecutor threads(2);
  Team team(3, &threads, kPatient);
  WaitUntilPresent(team, 2);
  // A thread that is taken off its core between its look at the work and its claim may begin with another's part, which
  // is rare. By chance it would be right in one round of six.
  constexpr int kRounds = 50;
  int right = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> member_of(3, -1);
    std::atomic<int> inside{0};
    team.Share(3, [&](int64_t chunk, int member) {
      inside.fetch_add(1);
      while (inside.load() < 3) std::this_thread::yield();
      member_of[chunk] = member;
    });
    if (member_of == std::vector<int>{0, 1, 2}) ++right;
  }
  EXPECT_GT(right, kRounds / 2);
}

TEST(TeamTest, ACallerThatWaitedLongSleepsAndIsWoken) {
  ThreadPoolExecutor threads(1);
  Team team(2, &threads, {std::chrono::seconds(60), microseconds(0)});
  WaitUntilPresent(team, 1);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> inside{0};
    int late = 0;
    team.Share(2, [&](int64_t, int member) {
      inside.fetch_add(1);
      while (inside.load() < 2) std::this_thread::yield();
      if (member == 0) return;
      std::this_thread::sleep_for(milliseconds(2));
      late = 1;
    });
    EXPECT_EQ(late, 1);
  }
}

TEST(TeamTest, ABodyThatSharesDoesItAlone) {
  ThreadPoolExecutor threads(2);
  Team team(3, &threads, kPatient);
  WaitUntilPresent(team, 2);
  std::atomic<int> done{0};
  team.Share(9, [&](int64_t, int outer) {
    team.Share(5, [&](int64_t, int inner) {
      EXPECT_EQ(inner, outer);
      done.fetch_add(1);
    });
  });
  EXPECT_EQ(done.load(), 45);
}

TEST(TeamTest, ABodyMayUseAnotherTeam) {
  ThreadPoolExecutor threads(2);
  Team outer(2, &threads);
  std::atomic<int> done{0};
  outer.Share(8, [&](int64_t, int) {
    Team inner(2, &threads);
    inner.Share(4, [&](int64_t, int) { done.fetch_add(1); });
  });
  EXPECT_EQ(done.load(), 32);
}

TEST(TeamTest, NoTwoThreadsHaveOneNumber) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  ThreadPoolExecutor threads(3);
  for (int round = 0; round < 30; ++round) {
    Team team(4, &threads, {microseconds(random() % 100), microseconds(random() % 100)});
    for (int work = 0; work < 50; ++work) {
      std::vector<std::atomic<int>> inside(4);
      team.Share(1 + static_cast<int64_t>(random() % 40), [&](int64_t, int member) {
        EXPECT_EQ(inside[member].fetch_add(1), 0);
        inside[member].fetch_sub(1);
      });
    }
  }
}

TEST(TeamTest, AChildOfForkDoesAllAlone) {
  ThreadPoolExecutor threads(1);
  Team* team = new Team(2, &threads, kPatient);
  WaitUntilPresent(*team, 1);
  const pid_t child = fork();
  if (child == 0) {
    int done = 0;
    for (int round = 0; round < 100; ++round) team->Share(16, [&](int64_t, int) { ++done; });
    delete team;
    _exit(done == 1600 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  delete team;
}

TEST(TeamDeathTest, ATeamHasItsCaller) {
  EXPECT_DEATH(Team(0, nullptr), "a team has its caller");
  EXPECT_DEATH(Team(2, nullptr), "members need threads");
}

}  // namespace
}  // namespace burin::executor
