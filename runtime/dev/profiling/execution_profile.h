// Sums what requests measured of each node.
//
// A request keeps one, and so does a compiled model that knows what all its requests did. Not for machines' counters:
// times and costs alone. Thread-safe.
#ifndef BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_
#define BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
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

  // What ran, where the nodes do not say so from the start; else empty.
  struct Kernel {
    std::string name;
    std::string isa;
    std::string layout;
  };

  // Takes what is known of each node before any has run.
  explicit ExecutionProfile(std::vector<ProfilingInfo> nodes);

  // Returns the index of the node with this name; where there is none it is added behind the others, as `describe`
  // says.
  size_t IndexOf(const std::string& node_name, absl::FunctionRef<ProfilingInfo()> describe);

  // Adds an execution of node `index`, which must be one of them and has just ended: times sum up; work, traffic, and
  // what ran are the last one's.
  void Record(size_t index, const Execution& execution, const Kernel& kernel = {});

  // Returns the nodes with all that has been recorded.
  std::vector<ProfilingInfo> Read() const;

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<ProfilingInfo> nodes_;
  absl::flat_hash_map<std::string, size_t> index_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROFILING_EXECUTION_PROFILE_H_
