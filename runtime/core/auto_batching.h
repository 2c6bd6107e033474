// Decides whether a model is compiled for BATCH in front of the device that was asked for.
//
// BATCH gathers concurrent requests into one run, which pays where a device takes less time per item for several. A
// pure function of its arguments, thread-safe.
#ifndef BURIN_RUNTIME_CORE_AUTO_BATCHING_H_
#define BURIN_RUNTIME_CORE_AUTO_BATCHING_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/core/compile_options.h"

namespace burin {

// Answers a property of the device that was asked for; NotFound where it has none of that name.
using DevicePropertyQuery = absl::FunctionRef<absl::StatusOr<std::string>(const std::string& name)>;

// Returns the device name to compile for: "BATCH:NAME(n)" where BATCH is registered, the device is no virtual one,
// batching is allowed (`allowed`), the hint is THROUGHPUT (PERFORMANCE_HINT of the call, else of the device) and n, the
// device's OPTIMAL_BATCH_SIZE, is above 1; empty where the name stays as it is. The device is asked only where the rest
// would have it batched. Errors of the device, other than NotFound, and of a hint that is none.
absl::StatusOr<std::string> ApplyAutoBatching(const CompileOptions& options, bool batch_registered, bool allowed,
                                              DevicePropertyQuery device_property);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_AUTO_BATCHING_H_
