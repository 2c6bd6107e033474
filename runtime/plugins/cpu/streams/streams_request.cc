#include "runtime/plugins/cpu/streams/streams_request.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/executor/streams_table.h"

namespace burin::cpu {
namespace {

using executor::CoreChoice;
using executor::PerformanceHint;
using executor::StreamsMode;
using executor::StreamsRequest;

PerformanceHint HintOf(PerformanceMode mode) {
  switch (mode) {
    case PerformanceMode::kLatency:
      return PerformanceHint::kLatency;
    case PerformanceMode::kThroughput:
      return PerformanceHint::kThroughput;
    case PerformanceMode::kCumulativeThroughput:
      return PerformanceHint::kCumulativeThroughput;
  }
  return PerformanceHint::kLatency;
}

CoreChoice ChoiceOf(SchedulingCoreType type) {
  switch (type) {
    case SchedulingCoreType::kAnyCore:
      return CoreChoice::kAnyCore;
    case SchedulingCoreType::kPcoreOnly:
      return CoreChoice::kPerformanceOnly;
    case SchedulingCoreType::kEcoreOnly:
      return CoreChoice::kEfficiencyOnly;
  }
  return CoreChoice::kAnyCore;
}

absl::Status ReadStreams(const std::string& text, StreamsRequest* request) {
  if (text == "AUTO") {
    request->streams_mode = StreamsMode::kAuto;
  } else if (text == "NUMA") {
    request->streams_mode = StreamsMode::kNuma;
  } else if (absl::SimpleAtoi(text, &request->streams) && request->streams >= 1 &&
             request->streams <= executor::kMaxStreams) {
    request->streams_mode = StreamsMode::kNumber;
  } else {
    return BadPropertyValue(num_streams.name, text,
                            absl::StrCat("AUTO, NUMA or a number from 1 to ", executor::kMaxStreams));
  }
  return absl::OkStatus();
}

// Returns a number of which 0 says that nobody asks for one. The table bounds it.
std::optional<int> NumberOf(const Configuration& configuration, const Property<int64_t>& property) {
  const int64_t value = configuration.Value(property);
  return value == 0 ? std::nullopt : std::optional<int>(static_cast<int>(value));
}

std::optional<bool> ChoiceOf(const Configuration& configuration, const Property<bool>& property) {
  if (!configuration.IsSet(property.name)) return std::nullopt;
  return configuration.Value(property);
}

}  // namespace

absl::StatusOr<StreamsRequest> MakeStreamsRequest(const Configuration& configuration) {
  StreamsRequest request;
  request.hint = HintOf(configuration.Value(performance_hint));
  BURIN_RETURN_IF_ERROR(ReadStreams(configuration.Value(num_streams), &request));
  request.inference_num_threads = NumberOf(configuration, inference_num_threads);
  request.num_requests = NumberOf(configuration, performance_hint_num_requests);
  request.hyper_threading = ChoiceOf(configuration, enable_hyper_threading);
  request.core_choice = ChoiceOf(configuration.Value(scheduling_core_type));
  request.cpu_pinning = ChoiceOf(configuration, enable_cpu_pinning);
  request.cpu_reservation = configuration.Value(enable_cpu_reservation);
  return request;
}

}  // namespace burin::cpu
