#include "runtime/dev/profiling/execution_profile.h"

#include "base/check.h"

namespace burin {

void ExecutionProfile::Record(size_t index, const Execution& execution) {
  const std::lock_guard<std::mutex> lock(mutex_);
  BURIN_CHECK(index < nodes_.size()) << "node " << index;
  ProfilingInfo& node = nodes_[index];
  node.status = ProfilingInfo::Status::kExecuted;
  node.real_time_ns += execution.real_time_ns;
  node.cpu_time_ns += execution.cpu_time_ns;
  node.flops = execution.flops;
  node.bytes = execution.bytes;
  ++node.count;
}

std::vector<ProfilingInfo> ExecutionProfile::Read() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_;
}

}  // namespace burin
