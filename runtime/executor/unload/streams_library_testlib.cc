// A library that runs tasks in streams, for a test that unloads it.

#include <atomic>
#include <memory>

#include "runtime/executor/broker/core_broker.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/executor/stream_cpus.h"

namespace burin::executor {
namespace {

// Runs 150 tasks, in two streams of two threads and as their callbacks; returns how many ran.
int RunTasks() {
  CpuStream stream;
  stream.threads = 2;
  for (int i = 0; i < 2; ++i) stream.cpus.push_back(ReadAffinityMask().cpus()[0]);
  std::atomic<int> runs{0};
  {
    const std::unique_ptr<CpuStreamsExecutor> callbacks = CpuStreamsExecutor::ForCallbacks();
    CpuStreamsExecutor executor({stream, stream}, true);
    for (int i = 0; i < 50; ++i) {
      executor.Run([&] {
        ++runs;
        callbacks->Run([&] { ++runs; });
      });
      executor.Execute([&] { executor.helpers(*executor.GetStreamId())->Run([&] { ++runs; }); });
    }
  }
  return CoreBroker::OfProcess().holdings().empty() ? runs.load() : -1;
}

}  // namespace
}  // namespace burin::executor

// What the test looks up.
extern "C" int BurinRunTasks() { return burin::executor::RunTasks(); }
