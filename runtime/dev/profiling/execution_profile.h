// Sums what requests measured of each node.
//
// A request keeps one, and so does a compiled model that knows what all its requests did. Not for machines' counters:
// times and costs alone. Thread-safe.
#ifndef BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_
#define BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/dev/profiling_info.h"

namespace burin {

class ExecutionProfile {
 public:
  // What one execution of a node took.
  struct Execution {
    int64_t real_time_ns = 0;
    int64_t cpu_time_ns = 0;
    double flops = 0;
    double bytes = 0;
  };

  // Takes what is known of each node before any has run.
  explicit ExecutionProfile(std::vector<ProfilingInfo> nodes) : nodes_(std::move(nodes)) {}

  // Adds an execution of node `index`, which must be one of them: times sum up; work and traffic are the last one's.
  void Record(size_t index, const Execution& execution);

  // Returns the nodes with all that has been recorded.
  std::vector<ProfilingInfo> Read() const;

 private:
  mutable std::mutex mutex_;
  std::vector<ProfilingInfo> nodes_;  // Guarded by mutex_.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_
