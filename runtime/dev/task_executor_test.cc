#include "runtime/dev/task_executor.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/dev/event_testlib.h"

namespace burin {
namespace {

TEST(TaskExecutorTest, ImmediateRunsOnTheCaller) {
  ImmediateExecutor executor;
  std::thread::id seen;
  executor.Run([&] { seen = std::this_thread::get_id(); });
  EXPECT_EQ(seen, std::this_thread::get_id());
}

TEST(TaskExecutorTest, QueueRunsInOrderOnOneOtherThread) {
  std::vector<int> order;
  std::thread::id first, last;
  {
    QueueExecutor executor;
    executor.Run([&] { first = std::this_thread::get_id(); });
    for (int i = 0; i < 100; ++i) executor.Run([&order, i] { order.push_back(i); });
    executor.Run([&] { last = std::this_thread::get_id(); });
  }
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  EXPECT_EQ(first, last);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(TaskExecutorTest, QueueDestructorRunsWhatWasGiven) {
  int runs = 0;
  {
    Event release;
    QueueExecutor executor;
    executor.Run([&] { release.Wait(); });
    for (int i = 0; i < 10; ++i) executor.Run([&] { ++runs; });
    release.Notify();
  }
  EXPECT_EQ(runs, 10);
}

TEST(TaskExecutorTest, QueueMayBeDestroyedByItsOwnTaskWithTasksLeft) {
  auto executor = std::make_shared<QueueExecutor>();
  Event go, done;
  QueueExecutor* raw = executor.get();
  raw->Run([holder = executor, &go]() mutable {
    go.Wait();
    holder.reset();
  });
  raw->Run([&done] { done.Notify(); });
  executor.reset();
  go.Notify();
  done.Wait();
}

TEST(TaskExecutorTest, PoolRunsAsManyAtOnceAsItMayHaveThreads) {
  constexpr int kThreads = 4;
  absl::BlockingCounter all_started(kThreads);
  Event release, fifth_done;
  std::atomic<bool> fifth_ran{false};
  ThreadPoolExecutor executor(kThreads);  // Declared last: its tasks use what stands above.
  for (int i = 0; i < kThreads; ++i) {
    executor.Run([&] {
      all_started.DecrementCount();
      release.Wait();
    });
  }
  all_started.Wait();  // Returns only where all of them run at once.
  executor.Run([&] {
    fifth_ran = true;
    fifth_done.Notify();
  });
  EXPECT_FALSE(fifth_done.WaitFor(std::chrono::milliseconds(20)));
  EXPECT_FALSE(fifth_ran);
  release.Notify();
  fifth_done.Wait();
}

TEST(TaskExecutorTest, PoolStartsTasksInTheOrderInWhichTheyWereGiven) {
  constexpr int kTasks = 1000;
  std::mutex mutex;
  std::vector<int> order;
  {
    // One of the two threads is held, so that the other one takes every task.
    Event held, release;
    ThreadPoolExecutor executor(2);
    executor.Run([&] {
      held.Notify();
      release.Wait();
    });
    held.Wait();
    for (int i = 0; i < kTasks; ++i) {
      executor.Run([&, i] {
        std::lock_guard<std::mutex> lock(mutex);
        order.push_back(i);
      });
    }
    executor.Run([&] { release.Notify(); });
  }
  ASSERT_EQ(order.size(), static_cast<size_t>(kTasks));
  for (int i = 0; i < kTasks; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(TaskExecutorTest, PoolUsesAnIdleThreadBeforeItStartsAnother) {
  std::set<std::thread::id> threads;
  ThreadPoolExecutor executor(8);
  for (int i = 0; i < 50; ++i) {
    Event done;
    executor.Run([&] {
      threads.insert(std::this_thread::get_id());
      done.Notify();
    });
    done.Wait();
    absl::SleepFor(absl::Milliseconds(1));  // The thread has to come back from the task.
  }
  // A thread that is held up on its way back may cause a second one, but not one for every task.
  EXPECT_LT(threads.size(), 8u);
}

TEST(TaskExecutorTest, PoolLosesNothingUnderManyProducers) {
  constexpr int kProducers = 8;
  constexpr int kTasks = 2000;
  std::atomic<int> runs{0};
  {
    ThreadPoolExecutor executor(3);
    std::vector<std::thread> producers;
    for (int i = 0; i < kProducers; ++i) {
      producers.emplace_back([&] {
        for (int j = 0; j < kTasks; ++j) executor.Run([&runs] { ++runs; });
      });
    }
    for (std::thread& producer : producers) producer.join();
  }
  EXPECT_EQ(runs, kProducers * kTasks);
}

TEST(TaskExecutorTest, TasksMayGiveTasksUntilTheDestructorIsDone) {
  std::atomic<int> runs{0};
  {
    ThreadPoolExecutor executor(2);
    for (int i = 0; i < 4; ++i) {
      executor.Run([&] {
        absl::SleepFor(absl::Milliseconds(5));
        executor.Run([&runs] { ++runs; });
      });
    }
  }
  EXPECT_EQ(runs, 4);
}

TEST(TaskExecutorTest, PoolMayBeDestroyedByItsOwnTaskWithTasksLeft) {
  auto executor = std::make_shared<ThreadPoolExecutor>(3);
  Event go, done;
  std::atomic<int> left{7};
  const auto finish = [&] {
    if (--left == 0) done.Notify();
  };
  ThreadPoolExecutor* raw = executor.get();
  raw->Run([holder = executor, &go, &finish]() mutable {
    go.Wait();
    holder.reset();
    finish();
  });
  for (int i = 0; i < 6; ++i) raw->Run(finish);
  executor.reset();
  go.Notify();
  done.Wait();
}

TEST(TaskExecutorTest, QueueWithoutTasksStartsNoThread) { QueueExecutor executor; }

}  // namespace
}  // namespace burin
