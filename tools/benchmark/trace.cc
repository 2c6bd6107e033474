#include "tools/benchmark/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace burin::benchmark {

namespace {

using Json = nlohmann::ordered_json;

bool Ran(const ProfilingInfo& info) { return info.count > 0; }

int64_t FirstStart(const std::vector<std::vector<ProfilingInfo>>& requests) {
  int64_t first = std::numeric_limits<int64_t>::max();
  for (const std::vector<ProfilingInfo>& request : requests) {
    for (const ProfilingInfo& info : request) {
      if (Ran(info)) first = std::min(first, info.last_start_ns);
    }
  }
  return first;
}

Json NameEvent(const char* kind, size_t track, const std::string& name) {
  return Json{{"name", kind}, {"ph", "M"}, {"pid", 0}, {"tid", track}, {"args", {{"name", name}}}};
}

Json NodeEvent(const ProfilingInfo& info, size_t track, int64_t first) {
  return Json{{"name", info.node_name},
              {"cat", info.op_type},
              {"ph", "X"},
              {"ts", static_cast<double>(info.last_start_ns - first) / 1000},
              {"dur", static_cast<double>(info.last_real_time_ns) / 1000},
              {"pid", 0},
              {"tid", track},
              {"args",
               {{"op_names", info.op_names},
                {"kernel", info.kernel},
                {"isa", info.isa},
                {"layout", info.layout},
                {"precision", info.precision},
                {"flops", info.flops},
                {"bytes", info.bytes}}}};
}

}  // namespace

std::string ToTrace(const std::string& model, const std::vector<std::vector<ProfilingInfo>>& requests) {
  Json events = Json::array();
  events.push_back(NameEvent("process_name", 0, model));
  const int64_t first = FirstStart(requests);
  for (size_t i = 0; i < requests.size(); ++i) {
    events.push_back(NameEvent("thread_name", i, absl::StrCat("request ", i)));
    for (const ProfilingInfo& info : requests[i]) {
      if (Ran(info)) events.push_back(NodeEvent(info, i, first));
    }
  }
  const Json trace = {{"displayTimeUnit", "ms"}, {"traceEvents", events}};
  return absl::StrCat(trace.dump(1, ' ', false, Json::error_handler_t::replace), "\n");
}

}  // namespace burin::benchmark
