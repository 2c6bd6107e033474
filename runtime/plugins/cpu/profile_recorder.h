// Adds what the steps of an inference take to profiles: a request's own, and that of its compiled model.
//
// Made for one inference with PERF_COUNT; without it nobody observes. Used by the thread that runs the steps; the
// profiles may be read and added to by others meanwhile.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PROFILE_RECORDER_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PROFILE_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "ir/model.h"
#include "runtime/dev/profiling/execution_profile.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/segments/segment_runner.h"

namespace burin::cpu {

// Returns what is known of a step before it has run.
ProfilingInfo DescribeStep(const PlannedStep& step);

class ProfileRecorder final : public StepObserver, public SegmentObserver {
 public:
  // `plan`, of whose steps Ran() tells, is null where segments run. All outlive the recorder.
  ProfileRecorder(const GraphPlan* plan, ExecutionProfile* own, ExecutionProfile* common);

  void Ran(size_t step, int64_t nanoseconds) override { RanStep(plan_->steps()[step], nanoseconds); }
  void RanStep(const PlannedStep& step, int64_t nanoseconds) override;
  void RanCut(const ir::Node& node, int64_t nanoseconds) override;

 private:
  void Record(const std::string& name, ExecutionProfile::Execution execution, const ExecutionProfile::Kernel& kernel,
              absl::FunctionRef<ProfilingInfo()> describe);

  const GraphPlan* const plan_;
  ExecutionProfile* const own_;
  ExecutionProfile* const common_;
  // The processor time of this thread when the step that runs now began.
  int64_t processor_ns_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PROFILE_RECORDER_H_
