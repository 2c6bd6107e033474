#include "runtime/plugins/cpu/profile_recorder.h"

#include <ctime>

#include "base/element_type.h"
#include "base/enum_names.h"
#include "ir/op_def.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

int64_t ThreadProcessorNanoseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

}  // namespace

ProfilingInfo DescribeStep(const PlannedStep& step) {
  ProfilingInfo info;
  info.node_name = step.name;
  info.op_type = step.type_name;
  info.op_names = step.op_names;
  info.kernel = step.primitive->kernel_name();
  info.isa = step.primitive->isa_name();
  info.layout = std::string(EnumName(step.output_desc.layout));
  info.precision = std::string(Name(step.output_desc.type));
  info.flops = step.cost.flops;
  info.bytes = step.cost.bytes_read + step.cost.bytes_written;
  return info;
}

ProfileRecorder::ProfileRecorder(const GraphPlan* plan, ExecutionProfile* own, ExecutionProfile* common)
    : plan_(plan), own_(own), common_(common), processor_ns_(ThreadProcessorNanoseconds()) {}

void ProfileRecorder::RanStep(const PlannedStep& step, int64_t nanoseconds) {
  ExecutionProfile::Execution execution;
  execution.real_time_ns = nanoseconds;
  execution.flops = step.cost.flops;
  execution.bytes = step.cost.bytes_read + step.cost.bytes_written;
  const ExecutionProfile::Kernel kernel = {step.primitive->kernel_name(), step.primitive->isa_name(),
                                           std::string(EnumName(step.output_desc.layout))};
  Record(step.name, execution, kernel, [&step] { return DescribeStep(step); });
}

void ProfileRecorder::RanCut(const ir::Node& node, int64_t nanoseconds) {
  ExecutionProfile::Execution execution;
  execution.real_time_ns = nanoseconds;
  Record(node.name(), execution, {"reference", "none", ""}, [&node] {
    ProfilingInfo info;
    info.op_type = node.op().name;
    info.op_names = node.original_names();
    return info;
  });
}

void ProfileRecorder::Record(const std::string& name, ExecutionProfile::Execution execution,
                             const ExecutionProfile::Kernel& kernel, absl::FunctionRef<ProfilingInfo()> describe) {
  execution.cpu_time_ns = ThreadProcessorNanoseconds() - processor_ns_;
  for (ExecutionProfile* const profile : {own_, common_}) {
    profile->Record(profile->IndexOf(name, describe), execution, kernel);
  }
  processor_ns_ = ThreadProcessorNanoseconds();
}

}  // namespace burin::cpu
