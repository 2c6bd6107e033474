#include "tools/benchmark/device_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

DeviceFacts Facts(std::vector<std::string> supported = {}) {
  DeviceFacts facts;
  facts.name = "CPU";
  facts.devices = {"CPU", "OTHER"};
  facts.supported = std::move(supported);
  return facts;
}

absl::StatusOr<ChosenConfig> Choose(const std::vector<std::string>& arguments, const DeviceFacts& facts = Facts(),
                                    const DeviceConfig& loaded = {}) {
  absl::StatusOr<Settings> settings = ParseSettings(arguments);
  EXPECT_OK(settings);
  return ChooseConfig(*settings, facts, loaded);
}

TEST(DeviceConfigTest, JsonComesBackAsItWas) {
  const DeviceConfig config = {{"CPU", {{"A", "1"}, {"B", "x \"y\""}}}, {"OTHER", {{"C", ""}}}};
  ASSERT_OK_AND_ASSIGN(DeviceConfig read, ParseDeviceConfig(DeviceConfigToJson(config)));
  EXPECT_EQ(read, config);
  EXPECT_THAT(ParseDeviceConfig("{}").value(), IsEmpty());
}

TEST(DeviceConfigTest, OtherJsonIsRefused) {
  for (const char* json : {"", "{", "[]", "1", "{\"CPU\": 1}", "{\"CPU\": {\"A\": 1}}", "{\"CPU\": {\"A\": null}}"}) {
    EXPECT_THAT(ParseDeviceConfig(json),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected {\"DEVICE\": {\"NAME\": \"VALUE\"}}")))
        << json;
  }
}

TEST(DeviceConfigTest, NothingIsSetUnasked) {
  ASSERT_OK_AND_ASSIGN(ChosenConfig chosen, Choose({}, Facts({"PERF_COUNT:RW", "PERFORMANCE_HINT:RO"})));
  EXPECT_THAT(chosen.config, IsEmpty());
  EXPECT_EQ(chosen.default_hint, "");
  EXPECT_EQ(chosen.api, Api::kAsync);
}

TEST(DeviceConfigTest, OptionsBecomeProperties) {
  ASSERT_OK_AND_ASSIGN(ChosenConfig chosen, Choose({"-hint", "none", "-nstreams", "2,OTHER:3", "-nthreads", "4", "-pin",
                                                    "YES", "-infer_precision", "OTHER:bf16", "-pc"}));
  EXPECT_THAT(
      chosen.config,
      ElementsAre(Pair("CPU", ElementsAre(Pair("ENABLE_CPU_PINNING", "YES"), Pair("INFERENCE_NUM_THREADS", "4"),
                                          Pair("NUM_STREAMS", "2"), Pair("PERF_COUNT", "YES"))),
                  Pair("OTHER", ElementsAre(Pair("INFERENCE_PRECISION_HINT", "bf16"), Pair("NUM_STREAMS", "3")))));
}

TEST(DeviceConfigTest, OptionsWinOverTheFile) {
  const DeviceConfig loaded = {
      {"CPU", {{"NUM_STREAMS", "1"}, {"PERF_COUNT", "NO"}, {"PERFORMANCE_HINT", "LATENCY"}, {"X", "y"}}}};
  ASSERT_OK_AND_ASSIGN(ChosenConfig chosen, Choose({"-hint", "none", "-nstreams", "2", "-pc"}, Facts(), loaded));
  EXPECT_THAT(
      chosen.config,
      ElementsAre(Pair("CPU", ElementsAre(Pair("NUM_STREAMS", "2"), Pair("PERF_COUNT", "YES"), Pair("X", "y")))));
  ASSERT_OK_AND_ASSIGN(chosen, Choose({"-hint", "tput"}, Facts(), loaded));
  EXPECT_EQ(chosen.config["CPU"]["PERFORMANCE_HINT"], "THROUGHPUT");
  EXPECT_EQ(chosen.config["CPU"]["PERF_COUNT"], "NO");
}

TEST(DeviceConfigTest, TheHintDecidesHowRequestsRun) {
  const DeviceFacts with_hint = Facts({"PERFORMANCE_HINT:RW"});
  const DeviceConfig latency = {{"CPU", {{"PERFORMANCE_HINT", "LATENCY"}}}};
  const struct {
    std::vector<std::string> arguments;
    DeviceFacts facts;
    DeviceConfig loaded;
    std::string hint;
    std::string default_hint;
    Api api;
  } kCases[] = {
      {{"-hint", "latency"}, Facts(), {}, "LATENCY", "", Api::kSync},
      {{"-hint", "tput"}, with_hint, {}, "THROUGHPUT", "", Api::kAsync},
      {{"-hint", "ctput"}, with_hint, {}, "CUMULATIVE_THROUGHPUT", "", Api::kAsync},
      {{"-hint", "none"}, with_hint, {}, "", "", Api::kAsync},
      {{"-hint", "none"}, with_hint, latency, "", "", Api::kAsync},
      {{"-hint", "latency", "-api", "async"}, with_hint, {}, "LATENCY", "", Api::kAsync},
      {{}, with_hint, {}, "THROUGHPUT", "THROUGHPUT", Api::kAsync},
      {{"-api", "sync"}, with_hint, {}, "LATENCY", "LATENCY", Api::kSync},
      {{"-api", "sync"}, Facts(), {}, "", "", Api::kSync},
      {{}, with_hint, latency, "LATENCY", "", Api::kSync},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(&c - kCases);
    ASSERT_OK_AND_ASSIGN(ChosenConfig chosen, Choose(c.arguments, c.facts, c.loaded));
    EXPECT_EQ(chosen.config["CPU"]["PERFORMANCE_HINT"], c.hint);
    EXPECT_EQ(chosen.default_hint, c.default_hint);
    EXPECT_EQ(chosen.api, c.api);
  }
}

TEST(DeviceConfigTest, DevicesThatAreNotMeasuredAreRefused) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(Choose({}, Facts(), {{"GPU", {{"A", "1"}}}}).status(),
              refused("Option -load_config: device GPU is not measured; these are: CPU, OTHER"));
  EXPECT_THAT(Choose({"-hint", "none", "-nstreams", "GPU:1"}).status(), refused("Option -nstreams: device GPU"));
  EXPECT_THAT(Choose({"-infer_precision", "CPU:"}).status(), refused("expected VALUE or DEVICE:VALUE"));
  EXPECT_THAT(Choose({"-infer_precision", "CPU:a:b"}).status(), refused("expected VALUE or DEVICE:VALUE"));
}

}  // namespace
}  // namespace burin::benchmark
