#include "runtime/dev/task_executor.h"

#include <memory>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

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
    QueueExecutor executor;
    absl::Notification release;
    executor.Run([&] { release.WaitForNotification(); });
    for (int i = 0; i < 10; ++i) executor.Run([&] { ++runs; });
    release.Notify();
  }
  EXPECT_EQ(runs, 10);
}

TEST(TaskExecutorTest, QueueMayBeDestroyedByItsOwnTaskWithTasksLeft) {
  auto executor = std::make_shared<QueueExecutor>();
  absl::Notification go, done;
  QueueExecutor* raw = executor.get();
  raw->Run([holder = executor, &go]() mutable {
    go.WaitForNotification();
    holder.reset();
  });
  raw->Run([&done] { done.Notify(); });
  executor.reset();
  go.Notify();
  done.WaitForNotification();
}

TEST(TaskExecutorTest, QueueWithoutTasksStartsNoThread) { QueueExecutor executor; }

}  // namespace
}  // namespace burin
