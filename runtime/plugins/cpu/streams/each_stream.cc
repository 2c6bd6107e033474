#include "runtime/plugins/cpu/streams/each_stream.h"

#include <cstddef>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "base/status_macros.h"

namespace burin::cpu {

absl::Status InEachStream(executor::CpuStreamsExecutor& executor, absl::FunctionRef<absl::Status(int stream)> body) {
  const size_t count = executor.streams().size();
  if (count == 1) return executor.Execute([&] { return body(0); });
  std::vector<absl::Status> statuses(count);
  // A stream that is done is free for another task: none may be done before all have one.
  absl::Mutex mutex;
  size_t begun = 0;
  const auto all_have_begun = [&] { return begun == count; };
  absl::BlockingCounter running(static_cast<int>(count));
  for (size_t i = 0; i < count; ++i) {
    executor.Run([&] {
      {
        const absl::MutexLock lock(&mutex);
        ++begun;
        mutex.Await(absl::Condition(&all_have_begun));
      }
      const int stream = *executor.GetStreamId();
      statuses[static_cast<size_t>(stream)] = body(stream);
      running.DecrementCount();
    });
  }
  running.Wait();
  for (const absl::Status& status : statuses) BURIN_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace burin::cpu
