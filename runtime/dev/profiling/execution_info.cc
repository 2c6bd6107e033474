#include "runtime/dev/profiling/execution_info.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace burin {

namespace {

std::string TimeText(const ProfilingInfo& node) {
  if (node.count == 0) return "not_executed";
  return absl::StrCat(static_cast<double>(node.real_time_ns) / 1000 / static_cast<double>(node.count));
}

}  // namespace

ir::RuntimeInfo ExecutionInfo(const ProfilingInfo& node, int64_t exec_order) {
  ir::RuntimeInfo info = {
      {kExecTimeKey, TimeText(node)},
      {kPrimitiveTypeKey, node.kernel},
      {kRuntimePrecisionKey, node.precision},
      {kOutputLayoutsKey, node.layout},
      {kOriginalLayersNamesKey, absl::StrJoin(node.op_names, ",")},
      {kExecOrderKey, absl::StrCat(exec_order)},
      {kIsaKey, node.isa},
  };
  if (node.flops > 0 || node.bytes > 0) {
    info.emplace(kFlopsKey, absl::StrFormat("%.0f", node.flops));
    info.emplace(kBytesKey, absl::StrFormat("%.0f", node.bytes));
  }
  return info;
}

}  // namespace burin
