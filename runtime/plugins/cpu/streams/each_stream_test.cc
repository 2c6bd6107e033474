#include "runtime/plugins/cpu/streams/each_stream.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/barrier.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/executor/stream_cpus.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

std::vector<executor::CpuStream> Streams(int count) { return std::vector<executor::CpuStream>(count); }

TEST(EachStreamTest, EachStreamHasItsTurnOnceAndAllAtATime) {
  executor::CpuStreamsExecutor executor(Streams(4));
  for (int round = 0; round < 20; ++round) {
    absl::Mutex mutex;
    std::multiset<int> streams;
    // Who is alone in it would wait for ever.
    auto* const barrier = new absl::Barrier(4);
    EXPECT_OK(InEachStream(executor, [&](int stream) {
      EXPECT_EQ(executor.GetStreamId(), stream);
      if (barrier->Block()) delete barrier;
      const absl::MutexLock lock(&mutex);
      streams.insert(stream);
      return absl::OkStatus();
    }));
    EXPECT_THAT(streams, ElementsAre(0, 1, 2, 3));
  }
}

TEST(EachStreamTest, OneStreamIsTheCallers) {
  executor::CpuStreamsExecutor executor(Streams(1));
  std::thread::id thread;
  EXPECT_OK(InEachStream(executor, [&](int stream) {
    EXPECT_EQ(executor.GetStreamId(), stream);
    thread = std::this_thread::get_id();
    return absl::OkStatus();
  }));
  EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(EachStreamTest, TheFirstErrorIsReturnedWhenAllAreDone) {
  executor::CpuStreamsExecutor executor(Streams(3));
  std::atomic<int> done{0};
  EXPECT_THAT(InEachStream(executor,
                           [&](int stream) {
                             ++done;
                             if (stream == 1) return absl::InternalError("one");
                             return stream == 2 ? absl::NotFoundError("two") : absl::OkStatus();
                           }),
              StatusIs(absl::StatusCode::kInternal));
  EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace burin::cpu
