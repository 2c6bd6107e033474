#include "runtime/core/auto_batching.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/core/compile_options.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A device that answers from a map and remembers what it was asked.
struct Device {
  std::map<std::string, absl::StatusOr<std::string>> properties;
  mutable std::vector<std::string> asked;

  absl::StatusOr<std::string> operator()(const std::string& name) const {
    asked.push_back(name);
    const auto found = properties.find(name);
    if (found == properties.end()) return absl::NotFoundError(name);
    return found->second;
  }
};

CompileOptions For(const std::string& name, const PropertyMap& properties) {
  CompileOptions options;
  options.plugin = name;
  options.device.name = name;
  options.properties = properties;
  return options;
}

const PropertyMap kThroughput = {{"PERFORMANCE_HINT", "THROUGHPUT"}};

TEST(AutoBatchingTest, RewritesWhereEveryConditionHolds) {
  Device device{{{"OPTIMAL_BATCH_SIZE", std::string("8")}}, {}};
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, true, device), IsOkAndHolds("BATCH:CPU(8)"));
  EXPECT_THAT(device.asked, ElementsAre("OPTIMAL_BATCH_SIZE"));
  CompileOptions instance = For("GPU", kThroughput);
  instance.device.id = "1";
  EXPECT_THAT(ApplyAutoBatching(instance, true, true, device), IsOkAndHolds("BATCH:GPU.1(8)"));
}

TEST(AutoBatchingTest, NothingIsAskedWhereAnythingElseForbidsIt) {
  Device device{{{"OPTIMAL_BATCH_SIZE", std::string("8")}, {"PERFORMANCE_HINT", std::string("THROUGHPUT")}}, {}};
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), false, true, device), IsOkAndHolds(""));
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, false, device), IsOkAndHolds(""));
  for (const char* name : {"BATCH", "AUTO", "MULTI", "HETERO"}) {
    EXPECT_THAT(ApplyAutoBatching(For(name, kThroughput), true, true, device), IsOkAndHolds("")) << name;
  }
  for (const char* hint : {"LATENCY", "CUMULATIVE_THROUGHPUT"}) {
    EXPECT_THAT(ApplyAutoBatching(For("CPU", {{"PERFORMANCE_HINT", hint}}), true, true, device), IsOkAndHolds(""));
  }
  EXPECT_THAT(device.asked, IsEmpty());
}

TEST(AutoBatchingTest, TheDevicesHintCountsWhereTheCallHasNone) {
  Device device{{{"OPTIMAL_BATCH_SIZE", std::string("2")}, {"PERFORMANCE_HINT", std::string("THROUGHPUT")}}, {}};
  EXPECT_THAT(ApplyAutoBatching(For("CPU", {}), true, true, device), IsOkAndHolds("BATCH:CPU(2)"));
  EXPECT_THAT(ApplyAutoBatching(For("CPU", {{"PERFORMANCE_HINT", "LATENCY"}}), true, true, device), IsOkAndHolds(""));
  device.properties.erase("PERFORMANCE_HINT");
  EXPECT_THAT(ApplyAutoBatching(For("CPU", {}), true, true, device), IsOkAndHolds(""));
}

TEST(AutoBatchingTest, ADeviceThatWantsNoBatchesIsLeftAlone) {
  Device device;
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, true, device), IsOkAndHolds(""));
  for (const std::string size : {"1", "0"}) {
    device.properties["OPTIMAL_BATCH_SIZE"] = size;
    EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, true, device), IsOkAndHolds("")) << size;
  }
}

TEST(AutoBatchingTest, ErrorsAreNotTakenForAnswers) {
  Device device{{{"OPTIMAL_BATCH_SIZE", absl::InternalError("lost")}}, {}};
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, true, device), StatusIs(absl::StatusCode::kInternal));
  device.properties["OPTIMAL_BATCH_SIZE"] = std::string("many");
  EXPECT_THAT(ApplyAutoBatching(For("CPU", kThroughput), true, true, device),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ApplyAutoBatching(For("CPU", {{"PERFORMANCE_HINT", "FAST"}}), true, true, device),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin
