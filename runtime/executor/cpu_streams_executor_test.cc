#include "runtime/executor/cpu_streams_executor.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/fake_affinity_testlib.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/streams_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Returns streams of one thread, nowhere in particular.
std::vector<CpuStream> Streams(int count, int threads = 1) {
  CpuStream stream;
  stream.threads = threads;
  return std::vector<CpuStream>(static_cast<size_t>(count), stream);
}

// Returns one stream on each of `nodes`.
std::vector<CpuStream> StreamsOn(const std::vector<std::optional<int>>& nodes) {
  std::vector<CpuStream> streams = Streams(static_cast<int>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    streams[i].node = nodes[i];
    streams[i].package = nodes[i].has_value() ? std::optional<int>(*nodes[i] / 2) : std::nullopt;
  }
  return streams;
}

TEST(CpuStreamsExecutorTest, EachTaskRunsOnceInAStreamOfItsOwn) {
  constexpr int kTasks = 2000;
  std::vector<std::atomic<int>> runs(kTasks);
  std::atomic<int> busy[3] = {};
  std::atomic<int> shared{0};
  {
    CpuStreamsExecutor executor(Streams(3));
    for (int i = 0; i < kTasks; ++i) {
      executor.Run([&, i] {
        std::atomic<int>& stream = busy[executor.GetStreamId().value()];
        if (++stream != 1) ++shared;
        ++runs[static_cast<size_t>(i)];
        --stream;
      });
    }
  }
  EXPECT_EQ(shared, 0);
  for (const std::atomic<int>& count : runs) ASSERT_EQ(count, 1);
}

TEST(CpuStreamsExecutorTest, StreamsRunAtOnce) {
  CpuStreamsExecutor executor(Streams(3));
  std::atomic<int> arrived{0};
  Event all;
  for (int i = 0; i < 3; ++i) {
    executor.Run([&] {
      if (++arrived == 3) all.Notify();
      all.Wait();
    });
  }
  EXPECT_TRUE(all.WaitFor(std::chrono::seconds(60)));
}

TEST(CpuStreamsExecutorTest, ExecuteStaysOnTheCallingThread) {
  CpuStreamsExecutor executor(Streams(1));
  EXPECT_EQ(executor.GetStreamId(), std::nullopt);
  const std::thread::id here = std::this_thread::get_id();
  executor.Execute([&] {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(executor.GetStreamId(), 0);
  });
  EXPECT_EQ(executor.GetStreamId(), std::nullopt);
}

TEST(CpuStreamsExecutorTest, ExecuteReturnsWhatTheTaskReturns) {
  CpuStreamsExecutor executor(Streams(1));
  EXPECT_OK(executor.Execute([] { return absl::OkStatus(); }));
  EXPECT_THAT(executor.Execute([] { return absl::DataLossError("lost"); }),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("lost")));
  EXPECT_THAT(executor.Execute([]() -> absl::StatusOr<int> { return absl::CancelledError(); }),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(*executor.Execute([] { return std::make_unique<int>(7); }), 7);
}

TEST(CpuStreamsExecutorTest, TasksAndCallersOfOneStreamComeInOrder) {
  CpuStreamsExecutor executor(Streams(1));
  Event begun;
  Event go;
  std::string order;  // Written in the one stream.
  executor.Run([&] {
    begun.Notify();
    go.Wait();
  });
  begun.Wait();
  executor.Run([&] { order += "a"; });
  std::thread caller([&] { executor.Execute([&] { order += "b"; }); });
  // The caller has to stand in line before the next task comes; nobody can see that it does.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  executor.Run([&] { order += "c"; });
  Event done;
  executor.Run([&] { done.Notify(); });
  go.Notify();
  done.Wait();
  caller.join();
  EXPECT_EQ(order, "abc");
}

TEST(CpuStreamsExecutorTest, InAStreamExecuteRunsInPlace) {
  CpuStreamsExecutor executor(Streams(1));
  CpuStreamsExecutor other(Streams(2));
  executor.Execute([&] {
    other.Execute([&] {
      // The one stream of the outer executor is this thread's already.
      executor.Execute([&] {
        EXPECT_EQ(executor.GetStreamId(), 0);
        EXPECT_TRUE(other.GetStreamId().has_value());
      });
    });
    EXPECT_EQ(other.GetStreamId(), std::nullopt);
  });
}

TEST(CpuStreamsExecutorTest, NodesAndSockets) {
  CpuStreamsExecutor executor(StreamsOn({0, 3, std::nullopt}));
  EXPECT_EQ(executor.GetNumaNodeId(), std::nullopt);
  EXPECT_EQ(executor.GetSocketId(), std::nullopt);
  std::mutex mutex;
  std::set<int> seen;
  {
    std::atomic<int> arrived{0};
    Event all;
    Event over[3];
    for (Event& event : over) {
      executor.Run([&] {
        const size_t stream = static_cast<size_t>(executor.GetStreamId().value());
        EXPECT_EQ(executor.GetNumaNodeId(), executor.streams()[stream].node);
        EXPECT_EQ(executor.GetSocketId(), executor.streams()[stream].package);
        {
          std::lock_guard<std::mutex> lock(mutex);
          seen.insert(static_cast<int>(stream));
        }
        if (++arrived == 3) all.Notify();
        all.Wait();
        event.Notify();
      });
    }
    for (Event& event : over) event.Wait();
  }
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
}

TEST(CpuStreamsExecutorTest, CallersPreferStreamsOnTheirSocket) {
  std::vector<CpuStream> streams(3);
  for (int i = 0; i < 3; ++i) {
    streams[static_cast<size_t>(i)].package = i == 1 ? 5 : 3;
    streams[static_cast<size_t>(i)].cpus = {10 + i};
  }
  FakeAffinity affinity(CpuSet::FirstCpus(16));
  CpuStreamsExecutor executor(streams, /*pin=*/false, &affinity);
  const auto stream_on = [&](int cpu) {
    affinity.set_current_cpu(cpu);
    return executor.Execute([&] { return *executor.GetStreamId(); });
  };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(stream_on(11), 1);
    EXPECT_NE(stream_on(10), 1);
    EXPECT_NE(stream_on(12), 1);
  }
  // Of one that is nowhere near the streams, the one freed last.
  stream_on(11);
  EXPECT_EQ(stream_on(7), 1);
  EXPECT_EQ(stream_on(-1), 1);
  // The own socket's stream is taken.
  affinity.set_current_cpu(11);
  executor.Execute([&] {
    std::thread other([&] { EXPECT_NE(executor.Execute([&] { return *executor.GetStreamId(); }), 1); });
    other.join();
  });
}

TEST(CpuStreamsExecutorTest, RunOnNumaNodeWaitsForThatNode) {
  std::atomic<int> wrong{0};
  std::atomic<int> runs{0};
  {
    CpuStreamsExecutor executor(StreamsOn({0, 3, 0}));
    for (int i = 0; i < 300; ++i) {
      const int node = i % 2 == 0 ? 0 : 3;
      EXPECT_OK(executor.RunOnNumaNode(node, [&, node] {
        ++runs;
        if (executor.GetNumaNodeId() != node) ++wrong;
      }));
      executor.Run([&] { ++runs; });
    }
    EXPECT_THAT(executor.RunOnNumaNode(1, [] {}),
                StatusIs(absl::StatusCode::kNotFound, HasSubstr("NUMA node 1; those with streams: 0 3")));
  }
  EXPECT_EQ(runs, 600);
  EXPECT_EQ(wrong, 0);
}

TEST(CpuStreamsExecutorTest, TheDestructorRunsWhatIsLeft) {
  std::atomic<int> runs{0};
  {
    CpuStreamsExecutor executor(Streams(2));
    for (int i = 0; i < 200; ++i) {
      executor.Run([&, i] {
        // Tasks may give others until the last one.
        if (i % 10 == 0) executor.Run([&] { ++runs; });
        ++runs;
      });
    }
  }
  EXPECT_EQ(runs, 220);
}

TEST(CpuStreamsExecutorTest, ATaskOfItsOwnMayDestroyIt) {
  for (const bool is_caller : {false, true}) {
    auto executor = std::make_unique<CpuStreamsExecutor>(Streams(1));
    Event go;
    Event over;
    std::atomic<int> runs{0};
    const auto destroy = [&] {
      go.Wait();
      executor.reset();
      ++runs;
    };
    std::thread caller;
    if (is_caller) {
      Event begun;
      caller = std::thread([&, target = executor.get()] {
        target->Execute([&] {
          begun.Notify();
          destroy();
        });
      });
      begun.Wait();
    } else {
      executor->Run(destroy);
    }
    for (int i = 0; i < 10; ++i) executor->Run([&] { ++runs; });
    executor->Run([&] { over.Notify(); });
    go.Notify();
    EXPECT_TRUE(over.WaitFor(std::chrono::seconds(60)));
    EXPECT_EQ(runs, 11);
    if (caller.joinable()) caller.join();
  }
}

TEST(CpuStreamsExecutorTest, WhatATaskHoldsGoesBeforeTheStreamDoes) {
  CpuStreamsExecutor executor(Streams(1));
  const auto held = std::make_shared<int>(1);
  executor.Run([held] {});
  executor.Execute([&] { EXPECT_EQ(held.use_count(), 1); });
}

TEST(CpuStreamsExecutorTest, ThreadsOfUsersComeAndGo) {
  CpuStreamsExecutor executor(Streams(2, 2));
  std::atomic<int> runs{0};
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> users;
    for (int i = 0; i < 8; ++i) {
      users.emplace_back([&] {
        for (int k = 0; k < 10; ++k) executor.Execute([&] { ++runs; });
      });
    }
    for (std::thread& user : users) user.join();
  }
  EXPECT_EQ(runs, 1600);
}

TEST(CpuStreamsExecutorTest, CallbacksHaveAThreadAndNoCpus) {
  std::vector<int> order;
  const std::unique_ptr<CpuStreamsExecutor> executor = CpuStreamsExecutor::ForCallbacks();
  EXPECT_EQ(executor->helpers(0), nullptr);
  EXPECT_TRUE(executor->streams()[0].cpus.empty());
  Event done;
  for (int i = 0; i < 5; ++i) executor->Run([&, i] { order.push_back(i); });
  executor->Run([&] { done.Notify(); });
  done.Wait();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
}

// A process that owns its machine is pinned: each stream of a recorded server with two sockets on its own.
TEST(CpuStreamsExecutorTest, StreamsOfARecordedServerAreOnTheirSockets) {
  const CpuTopology server = MachineTopology("server");
  CpuAllowance allowance;
  allowance.cpus = server.ids();
  allowance.exclusive = true;
  StreamsRequest request;
  request.hint = PerformanceHint::kThroughput;
  request.streams_mode = StreamsMode::kNumber;
  request.streams = 4;
  ASSERT_OK_AND_ASSIGN(const StreamsTable table, CalculateStreams(server, allowance, request));
  ASSERT_TRUE(table.cpu_pinning);
  FakeAffinity affinity(server.ids());
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<CpuStreamsExecutor> executor,
                         CpuStreamsExecutor::Create(table, server, &affinity));
    ASSERT_EQ(executor->streams().size(), 4u);
    for (int stream = 0; stream < 4; ++stream) {
      const CpuStream& place = executor->streams()[static_cast<size_t>(stream)];
      EXPECT_EQ(place.package, stream / 2);
      EXPECT_EQ(place.node, stream / 2);
      EXPECT_EQ(CpuSet(place.cpus), CpuSet({4 * stream, 4 * stream + 1, 4 * stream + 2, 4 * stream + 3}));
      EXPECT_EQ(executor->threads(stream), 4);
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_OK(executor->RunOnNumaNode(i % 2, [&, i] {
        const size_t stream = static_cast<size_t>(executor->GetStreamId().value());
        EXPECT_EQ(executor->GetNumaNodeId(), i % 2);
        EXPECT_EQ(executor->GetSocketId(), i % 2);
        EXPECT_EQ(affinity.Current().size(), 1);
        EXPECT_TRUE(affinity.Current().IsSubsetOf(CpuSet(executor->streams()[stream].cpus)));
      }));
    }
  }
  EXPECT_THAT(affinity.All(), Each(server.ids()));
}

TEST(CpuStreamsExecutorTest, ThreadsThatABoundTaskMakesAreNotBound) {
  const CpuSet all = ReadAffinityMask();
  std::vector<CpuStream> streams = Streams(1);
  streams[0].cpus = {all.cpus().back()};
  CpuStreamsExecutor bound(streams, true);
  CpuStreamsExecutor inner(streams, true);
  CpuSet seen[2];
  Event done[2];
  std::unique_ptr<CpuStreamsExecutor> made[2];
  const auto make = [&](size_t i) {
    EXPECT_EQ(ReadAffinityMask(), CpuSet(streams[0].cpus));
    made[i] = CpuStreamsExecutor::ForCallbacks();
    made[i]->Run([&, i] {
      seen[i] = ReadAffinityMask();
      done[i].Notify();
    });
  };
  bound.Execute([&] {
    make(0);
    inner.Execute([&] { make(1); });
  });
  for (size_t i = 0; i < 2; ++i) {
    done[i].Wait();
    EXPECT_EQ(seen[i], all) << i;
  }
}

// Of one thread, which may not leave its CPU; queued tasks follow one another without another change of masks.
TEST(CpuStreamsExecutorTest, TasksInARowAreBoundOnce) {
  const CpuSet all = ReadAffinityMask();
  std::vector<CpuStream> streams = Streams(1);
  streams[0].cpus = {all.cpus().back()};
  CpuStreamsExecutor executor(streams, true);
  executor.Execute([&] { EXPECT_EQ(ReadAffinityMask(), CpuSet(streams[0].cpus)); });
  EXPECT_EQ(ReadAffinityMask(), all);
  const int64_t before = executor.set_affinity_calls();
  EXPECT_EQ(before, all.size() == 1 ? 0 : 2);
  Event begun;
  Event go;
  Event done;
  executor.Run([&] {
    begun.Notify();
    go.Wait();
  });
  begun.Wait();
  for (int i = 0; i < 10; ++i) {
    executor.Run([&] { EXPECT_EQ(ReadAffinityMask(), CpuSet(streams[0].cpus)); });
  }
  executor.Run([&] { done.Notify(); });
  go.Notify();
  done.Wait();
  executor.Execute([] {});
  EXPECT_EQ(executor.set_affinity_calls() - before, 2 * before) << "once for the tasks, once for the caller";
}

#if !defined(__SANITIZE_THREAD__)  // Which refuses threads in the child of a process with threads.
// Runs `body` in a forked child, which is killed where it hangs; returns whether it returned true.
bool InFork(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 7 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

bool Works(CpuStreamsExecutor* executor) {
  std::atomic<int> runs{0};
  executor->Execute([&] { ++runs; });
  Event done;
  executor->Run([&] {
    ++runs;
    done.Notify();
  });
  done.Wait();
  return runs == 2 && executor->RunOnNumaNode(9, [] {}).code() == absl::StatusCode::kNotFound;
}

TEST(CpuStreamsExecutorTest, AForkedChildDoesNotHang) {
  auto executor = std::make_unique<CpuStreamsExecutor>(Streams(2, 2));
  // The executor's mutex and oneTBB's locks are held most of the time.
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&, i] {
      while (!stop) {
        if (i == 0) CpuStreamsExecutor(Streams(1, 2)).Execute([] {});
        executor->Execute([] {});
        Event done;
        executor->Run([&] { done.Notify(); });
        done.Wait();
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(InFork([&] {
      if (!Works(executor.get())) return false;
      Event helped;
      executor->helpers(0)->Run([&] { helped.Notify(); });
      helped.Wait();
      executor.reset();
      CpuStreamsExecutor own(Streams(2, 2));
      return own.threads(0) == 1 && own.helpers(0) == nullptr && Works(&own);
    })) << i;
  }
  stop = true;
  for (std::thread& user : users) user.join();
  EXPECT_TRUE(Works(executor.get()));
}

TEST(CpuStreamsExecutorTest, ATaskMayFork) {
  CpuStreamsExecutor executor(Streams(1));
  EXPECT_TRUE(executor.Execute([&] { return InFork([&] { return Works(&executor); }); }));
}
#endif

}  // namespace
}  // namespace burin::executor
