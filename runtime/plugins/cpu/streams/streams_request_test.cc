#include "runtime/plugins/cpu/streams/streams_request.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"
#include "runtime/executor/streams_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::burin::executor::CoreChoice;
using ::burin::executor::PerformanceHint;
using ::burin::executor::StreamsMode;
using ::burin::executor::StreamsRequest;
using ::testing::Eq;

absl::StatusOr<StreamsRequest> Request(const PropertyMap& properties) {
  const std::vector<PropertyInfo> rows = PropertiesReadBy("CPU");
  Configuration configuration("Device CPU", rows);
  const absl::Status status = configuration.Apply(properties);
  if (!status.ok()) return status;
  return MakeStreamsRequest(configuration);
}

TEST(StreamsRequestTest, WhatNobodySetsIsAbsent) {
  ASSERT_OK_AND_ASSIGN(const StreamsRequest request, Request({}));
  EXPECT_EQ(request.hint, PerformanceHint::kLatency);
  EXPECT_EQ(request.streams_mode, StreamsMode::kAuto);
  EXPECT_EQ(request.inference_num_threads, std::nullopt);
  EXPECT_EQ(request.num_requests, std::nullopt);
  EXPECT_EQ(request.hyper_threading, std::nullopt);
  EXPECT_EQ(request.core_choice, CoreChoice::kAnyCore);
  EXPECT_EQ(request.cpu_pinning, std::nullopt);
  EXPECT_FALSE(request.cpu_reservation);
}

TEST(StreamsRequestTest, EveryPropertyCounts) {
  ASSERT_OK_AND_ASSIGN(const StreamsRequest request,
                       Request({performance_hint(PerformanceMode::kThroughput), num_streams("3"),
                                inference_num_threads(6), performance_hint_num_requests(2),
                                enable_hyper_threading(false), scheduling_core_type(SchedulingCoreType::kPcoreOnly),
                                enable_cpu_pinning(true), enable_cpu_reservation(true)}));
  EXPECT_EQ(request.hint, PerformanceHint::kThroughput);
  EXPECT_EQ(request.streams_mode, StreamsMode::kNumber);
  EXPECT_EQ(request.streams, 3);
  EXPECT_EQ(request.inference_num_threads, 6);
  EXPECT_EQ(request.num_requests, 2);
  EXPECT_EQ(request.hyper_threading, false);
  EXPECT_EQ(request.core_choice, CoreChoice::kPerformanceOnly);
  EXPECT_EQ(request.cpu_pinning, true);
  EXPECT_TRUE(request.cpu_reservation);
}

TEST(StreamsRequestTest, ADefaultThatIsGivenIsASetting) {
  EXPECT_EQ(Request({enable_cpu_pinning(false)})->cpu_pinning, false);
  EXPECT_EQ(Request({enable_hyper_threading(true)})->hyper_threading, true);
  EXPECT_EQ(Request({inference_num_threads(0)})->inference_num_threads, std::nullopt);
}

TEST(StreamsRequestTest, EveryValueOfEnumerations) {
  EXPECT_EQ(Request({num_streams("NUMA")})->streams_mode, StreamsMode::kNuma);
  EXPECT_EQ(Request({num_streams("AUTO")})->streams_mode, StreamsMode::kAuto);
  EXPECT_EQ(Request({performance_hint(PerformanceMode::kCumulativeThroughput)})->hint,
            PerformanceHint::kCumulativeThroughput);
  EXPECT_EQ(Request({{"SCHEDULING_CORE_TYPE", "ECORE_ONLY"}})->core_choice, CoreChoice::kEfficiencyOnly);
}

TEST(StreamsRequestTest, BadNumbersOfStreamsAreRefused) {
  for (const char* text : {"", "0", "-1", "8193", "auto", "1.5", "99999999999999999999"}) {
    EXPECT_THAT(Request({num_streams(text)}), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
  EXPECT_THAT(Request({num_streams("many")}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Property NUM_STREAMS: expected AUTO, NUMA or a number from 1 to 8192, given \"many\"")));
  EXPECT_EQ(Request({num_streams("8192")})->streams, 8192);
}

}  // namespace
}  // namespace burin::cpu
