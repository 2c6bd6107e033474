#include "tools/benchmark/report.h"

#include <gtest/gtest.h>

#include "jit/isa/cache_info.h"
#include "jit/limits/machine_limits.h"
#include "nlohmann/json.hpp"

namespace burin::benchmark {
namespace {

Report Sample() {
  Report report;
  report.settings.model = "a.onnx";
  report.settings.given = {{"m", "a.onnx"}, {"niter", "3"}, {"pc", ""}};
  report.api = Api::kSync;
  report.config = {{"REFERENCE", {{"PERF_COUNT", "YES"}}}};
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
  EXPECT_EQ(json["cmd_options"]["niter"], "3");
  EXPECT_EQ(json["cmd_options"].size(), 3);
  EXPECT_EQ(json["configuration_setup"]["execution_devices"], "REFERENCE");
  EXPECT_EQ(json["configuration_setup"]["api"], "sync");
  EXPECT_EQ(json["configuration_setup"]["requests"], 2);
  EXPECT_EQ(json["configuration_setup"]["properties"]["REFERENCE"]["PERF_COUNT"], "YES");
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

TEST(ReportTest, HoldsWhatNodesDidAndTheLimits) {
  Report report = Sample();
  ProfilingInfo info;
  info.status = ProfilingInfo::Status::kExecuted;
  info.node_name = "a";
  info.kernel = "reference";
  info.isa = "none";
  info.flops = 1600;
  info.real_time_ns = 400;
  info.count = 2;
  report.counters = {info};
  EXPECT_FALSE(nlohmann::json::parse(ToJson(report))["performance_counters"][0].contains("limit"));
  jit::MachineLimits core;
  core.clock_ghz = 1;
  core.limits[jit::Limit::kFma256].value = 1;
  report.roofline.emplace(core, jit::CacheSizes(), /*one_core_saturates_memory=*/true, 1);
  const nlohmann::json json = nlohmann::json::parse(ToJson(report));
  const nlohmann::json& counter = json["performance_counters"][0];
  EXPECT_EQ(counter["kernel"], "reference");
  EXPECT_EQ(counter["isa"], "none");
  EXPECT_EQ(counter["limit"], "fma");
  EXPECT_EQ(counter["limit_share"], 0.5);
  EXPECT_EQ(json["performance_limits"], report.roofline->ToString());
  EXPECT_EQ(json["reference_time_us"], 0.4);
}

TEST(ReportTest, LeavesOutWhatWasNotMeasured) {
  Report report = Sample();
  report.read_model_ms.reset();
  report.first_inference_ms.reset();
  const nlohmann::json results = nlohmann::json::parse(ToJson(report))["execution_results"];
  EXPECT_FALSE(results.contains("read_model_time"));
  EXPECT_FALSE(results.contains("first_inference_time"));
  EXPECT_FALSE(results.contains("latency_groups"));
}

// With a percentile, and two groups of data shapes.
Report Grouped() {
  Report report = Sample();
  report.statistics = Summarize({1, 2, 6}, 12, 3, 90);
  report.groups = {{"data: [1,3]", SummarizeLatencies({1, 2}, 90)}, {"data: [2,3]", SummarizeLatencies({6}, 90)}};
  return report;
}

TEST(ReportTest, HoldsPercentileAndGroups) {
  const nlohmann::json results = nlohmann::json::parse(ToJson(Grouped()))["execution_results"];
  EXPECT_EQ(results["latency_median"], 2);
  EXPECT_EQ(results["latency_p90"], 6);
  ASSERT_EQ(results["latency_groups"].size(), 2);
  EXPECT_EQ(results["latency_groups"][0]["data_shape"], "data: [1,3]");
  EXPECT_EQ(results["latency_groups"][0]["latency_median"], 1.5);
  EXPECT_EQ(results["latency_groups"][0]["latency_p90"], 2);
  EXPECT_EQ(results["latency_groups"][1]["latency_max"], 6);
}

TEST(ReportTest, CsvHoldsTheSame) {
  EXPECT_EQ(ToCsv(Grouped()),
            "Command line parameters\n"
            "m;a.onnx\n"
            "niter;3\n"
            "pc;\n"
            "\n"
            "Configuration setup\n"
            "model;a.onnx\n"
            "execution_devices;REFERENCE\n"
            "api;sync\n"
            "requests;2\n"
            "input_sets;1\n"
            "properties;\"{\"\"REFERENCE\"\":{\"\"PERF_COUNT\"\":\"\"YES\"\"}}\"\n"
            "\n"
            "Execution results\n"
            "read_model_time;1.5\n"
            "load_model_time;2.5\n"
            "first_inference_time;3.5\n"
            "execution_time;12\n"
            "iterations_num;3\n"
            "latency_median;2\n"
            "latency_p90;6\n"
            "latency_avg;3\n"
            "latency_min;1\n"
            "latency_max;6\n"
            "throughput;250\n"
            "\n"
            "Group Latencies\n"
            "Data shape;90 percentile;Average;Min;Max\n"
            "data: [1,3];2.00;1.50;1.00;2.00\n"
            "data: [2,3];6.00;6.00;6.00;6.00\n"
            "\n");
}

TEST(ReportTest, HoldsCountersWhereAskedFor) {
  Report report = Sample();
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
