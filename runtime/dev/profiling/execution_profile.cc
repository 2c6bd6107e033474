#include "runtime/dev/profiling/execution_profile.h"

#include <chrono>
#include <utility>

#include "base/check.h"

namespace burin {

namespace {

int64_t SteadyNanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

ExecutionProfile::ExecutionProfile(std::vector<ProfilingInfo> nodes) : nodes_(std::move(nodes)) {
  for (size_t i = 0; i < nodes_.size(); ++i) index_.emplace(nodes_[i].node_name, i);
}

size_t ExecutionProfile::IndexOf(const std::string& node_name, absl::FunctionRef<ProfilingInfo()> describe) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = index_.find(node_name);
  if (found != index_.end()) return found->second;
  nodes_.push_back(describe());
  nodes_.back().node_name = node_name;
  index_.emplace(node_name, nodes_.size() - 1);
  return nodes_.size() - 1;
}

void ExecutionProfile::Record(size_t index, const Execution& execution, const Kernel& kernel) {
  const int64_t end = SteadyNanoseconds();
  const std::lock_guard<std::mutex> lock(mutex_);
  BURIN_CHECK(index < nodes_.size()) << "node " << index;
  ProfilingInfo& node = nodes_[index];
  node.status = ProfilingInfo::Status::kExecuted;
  node.real_time_ns += execution.real_time_ns;
  node.cpu_time_ns += execution.cpu_time_ns;
  node.flops = execution.flops;
  node.bytes = execution.bytes;
  if (!kernel.name.empty()) node.kernel = kernel.name;
  if (!kernel.isa.empty()) node.isa = kernel.isa;
  if (!kernel.layout.empty()) node.layout = kernel.layout;
  node.last_start_ns = end - execution.real_time_ns;
  node.last_real_time_ns = execution.real_time_ns;
  ++node.count;
}

std::vector<ProfilingInfo> ExecutionProfile::Read() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_;
}

}  // namespace burin
