#include "tools/benchmark/report.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace burin::benchmark {
namespace {

Report Sample() {
  Report report;
  report.settings.model = "a.onnx";
  report.settings.api = Api::kSync;
  report.settings.iterations = 3;
  report.execution_devices = "REFERENCE";
  report.requests = 2;
  report.read_model_ms = 1.5;
  report.load_model_ms = 2.5;
  report.first_inference_ms = 3.5;
  report.statistics = Summarize({1, 2, 6}, 12, 3);
  return report;
}

TEST(ReportTest, HoldsSettingsAndResults) {
  const nlohmann::json json = nlohmann::json::parse(ToJson(Sample()));
  EXPECT_EQ(json["cmd_options"]["m"], "a.onnx");
  EXPECT_EQ(json["cmd_options"]["niter"], 3);
  EXPECT_EQ(json["configuration_setup"]["execution_devices"], "REFERENCE");
  EXPECT_EQ(json["configuration_setup"]["api"], "sync");
  EXPECT_EQ(json["configuration_setup"]["requests"], 2);
  const nlohmann::json& results = json["execution_results"];
  EXPECT_EQ(results["read_model_time"], 1.5);
  EXPECT_EQ(results["load_model_time"], 2.5);
  EXPECT_EQ(results["first_inference_time"], 3.5);
  EXPECT_EQ(results["execution_time"], 12);
  EXPECT_EQ(results["iterations_num"], 3);
  EXPECT_EQ(results["latency_median"], 2);
  EXPECT_EQ(results["latency_avg"], 3);
  EXPECT_EQ(results["latency_min"], 1);
  EXPECT_EQ(results["latency_max"], 6);
  EXPECT_EQ(results["throughput"], 250);
  EXPECT_FALSE(json.contains("performance_counters"));
}

TEST(ReportTest, HoldsCountersWhereAskedFor) {
  Report report = Sample();
  report.settings.counters = true;
  ProfilingInfo info;
  info.status = ProfilingInfo::Status::kExecuted;
  info.node_name = "conv \xff";  // No UTF-8.
  info.op_type = "Convolution";
  info.op_names = {"first", "second"};
  info.real_time_ns = 2500;
  info.count = 5;
  report.counters = {info};
  const nlohmann::json counters = nlohmann::json::parse(ToJson(report))["performance_counters"];
  ASSERT_EQ(counters.size(), 1);
  EXPECT_EQ(counters[0]["name"], "conv \xEF\xBF\xBD");
  EXPECT_EQ(counters[0]["type"], "Convolution");
  EXPECT_EQ(counters[0]["status"], "EXECUTED");
  EXPECT_EQ(counters[0]["op_names"][1], "second");
  EXPECT_EQ(counters[0]["real_time_us"], 2.5);
  EXPECT_EQ(counters[0]["count"], 5);
}

}  // namespace
}  // namespace burin::benchmark
