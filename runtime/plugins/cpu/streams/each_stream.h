// Does something once in each stream of an executor, in all of them at the same time.
//
// For where a model is prepared, by an executor that nobody else uses yet: what is done in a stream is done by its
// threads, on its CPUs. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_STREAMS_EACH_STREAM_H_
#define BURIN_RUNTIME_PLUGINS_CPU_STREAMS_EACH_STREAM_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/executor/cpu_streams_executor.h"

namespace burin::cpu {

// Runs `body` with the number of each stream, in it, and returns when all are done: the first error by this number. No
// other task or caller may have a stream of `executor` meanwhile. Where there is one stream the calling thread is in
// it, else threads of the executor are.
absl::Status InEachStream(executor::CpuStreamsExecutor& executor, absl::FunctionRef<absl::Status(int stream)> body);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_STREAMS_EACH_STREAM_H_
