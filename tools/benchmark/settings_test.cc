#include "tools/benchmark/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(SettingsTest, Defaults) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({}));
  EXPECT_FALSE(settings.help);
  EXPECT_EQ(settings.model, "builtin:mobilenet_v2(image=96)");
  EXPECT_TRUE(settings.is_default_model);
  EXPECT_FALSE(settings.load_from_file);
  EXPECT_EQ(settings.device, "");
  EXPECT_FALSE(settings.hint.has_value());
  EXPECT_FALSE(settings.api.has_value());
  EXPECT_EQ(settings.iterations, 0);
  EXPECT_EQ(settings.seconds, 60);
  EXPECT_EQ(settings.requests, 0);
  EXPECT_EQ(settings.max_rate, 0);
  EXPECT_TRUE(settings.warm_up);
  EXPECT_FALSE(settings.inference_only.has_value());
  EXPECT_EQ(settings.batch, 0);
  EXPECT_EQ(settings.percentile, 50);
  EXPECT_FALSE(settings.counters);
  EXPECT_EQ(settings.counter_order, CounterOrder::kByTime);
  EXPECT_EQ(settings.report_type, ReportType::kNone);
  EXPECT_FALSE(settings.NeedsCounters());
  EXPECT_TRUE(settings.given.empty());
}

TEST(SettingsTest, EveryOptionOfModelAndDataIsRead) {
  ASSERT_OK_AND_ASSIGN(Settings settings,
                       ParseSettings({"-m", "a.onnx", "-shape", "[1]", "-data_shape", "[2]", "-layout", "[N]", "-b",
                                      "3", "-ip", "u8", "-op", "f16", "-iop", "a:i8", "-i", "a.bin"}));
  EXPECT_EQ(settings.model, "a.onnx");
  EXPECT_FALSE(settings.is_default_model);
  EXPECT_EQ(settings.shape, "[1]");
  EXPECT_EQ(settings.data_shape, "[2]");
  EXPECT_EQ(settings.layout, "[N]");
  EXPECT_EQ(settings.batch, 3);
  EXPECT_EQ(settings.input_type, "u8");
  EXPECT_EQ(settings.output_type, "f16");
  EXPECT_EQ(settings.port_types, "a:i8");
  EXPECT_EQ(settings.input, "a.bin");
  EXPECT_TRUE(ParseSettings({"-m", "a.onnx", "-load_from_file"})->load_from_file);
}

TEST(SettingsTest, EveryOptionOfDeviceAndMeasurementIsRead) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-d",
                                                         "CPU",
                                                         "-hint",
                                                         "none",
                                                         "-api",
                                                         "sync",
                                                         "-nireq",
                                                         "2",
                                                         "-niter",
                                                         "7",
                                                         "-t",
                                                         "2.5",
                                                         "-max_irate",
                                                         "30",
                                                         "-inference_only=false",
                                                         "-no_warmup",
                                                         "-nstreams",
                                                         "4",
                                                         "-nthreads",
                                                         "5",
                                                         "-pin",
                                                         "NO",
                                                         "-infer_precision",
                                                         "bf16",
                                                         "-load_config",
                                                         "l.json",
                                                         "-dump_config",
                                                         "d.json"}));
  EXPECT_EQ(settings.device, "CPU");
  EXPECT_EQ(settings.hint, "");
  EXPECT_EQ(settings.api, Api::kSync);
  EXPECT_EQ(settings.requests, 2);
  EXPECT_EQ(settings.iterations, 7);
  EXPECT_EQ(settings.seconds, 2.5);
  EXPECT_EQ(settings.max_rate, 30);
  EXPECT_EQ(settings.inference_only, false);
  EXPECT_FALSE(settings.warm_up);
  EXPECT_EQ(settings.streams, "4");
  EXPECT_EQ(settings.threads, "5");
  EXPECT_EQ(settings.pinning, "NO");
  EXPECT_EQ(settings.precision, "bf16");
  EXPECT_EQ(settings.load_config, "l.json");
  EXPECT_EQ(settings.dump_config, "d.json");
}

TEST(SettingsTest, EveryOptionOfReportsIsRead) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-latency_percentile", "90", "-pc", "-pcseq", "-report_type",
                                                         "no_counters", "-report_folder", "f", "-json_stats", "a.json",
                                                         "-exec_graph_path", "g.txt", "-trace", "t.json"}));
  EXPECT_EQ(settings.percentile, 90);
  EXPECT_TRUE(settings.counters);
  EXPECT_TRUE(settings.latency_by_shape);
  EXPECT_EQ(settings.report_type, ReportType::kNoCounters);
  EXPECT_EQ(settings.report_folder, "f");
  EXPECT_EQ(settings.json_path, "a.json");
  EXPECT_EQ(settings.graph_path, "g.txt");
  EXPECT_EQ(settings.trace_path, "t.json");
  EXPECT_THAT(settings.given,
              ElementsAre(Pair("latency_percentile", "90"), Pair("pc", ""), Pair("pcseq", ""),
                          Pair("report_type", "no_counters"), Pair("report_folder", "f"), Pair("json_stats", "a.json"),
                          Pair("exec_graph_path", "g.txt"), Pair("trace", "t.json")));
}

TEST(SettingsTest, WordsStandForValues) {
  const auto hint = [](const char* text) { return *ParseSettings({"-hint", text})->hint; };
  EXPECT_EQ(hint("throughput"), "THROUGHPUT");
  EXPECT_EQ(hint("tput"), "THROUGHPUT");
  EXPECT_EQ(hint("latency"), "LATENCY");
  EXPECT_EQ(hint("cumulative_throughput"), "CUMULATIVE_THROUGHPUT");
  EXPECT_EQ(hint("ctput"), "CUMULATIVE_THROUGHPUT");
  const auto order = [](const char* text) { return ParseSettings({"-pcsort", text})->counter_order; };
  EXPECT_EQ(order("sort"), CounterOrder::kByTime);
  EXPECT_EQ(order("no_sort"), CounterOrder::kAsExecuted);
  EXPECT_EQ(order("simple_sort"), CounterOrder::kAsExecutedRunOnly);
  EXPECT_EQ(ParseSettings({"-inference_only", "true"})->inference_only, true);
  EXPECT_EQ(ParseSettings({"-report_type", "average_counters"})->report_type, ReportType::kAverageCounters);
  EXPECT_EQ(ParseSettings({"-report_type", "detailed_counters"})->report_type, ReportType::kDetailedCounters);
}

TEST(SettingsTest, WhatWantsCountersIsKnown) {
  EXPECT_TRUE(ParseSettings({"-pc"})->NeedsCounters());
  EXPECT_TRUE(ParseSettings({"-pcsort", "sort"})->NeedsCounters());
  EXPECT_TRUE(ParseSettings({"-exec_graph_path", "a.txt"})->NeedsCounters());
  EXPECT_TRUE(ParseSettings({"-trace", "a.json"})->NeedsCounters());
  EXPECT_TRUE(ParseSettings({"-report_type", "average_counters"})->NeedsCounters());
  EXPECT_TRUE(ParseSettings({"-report_type", "detailed_counters"})->NeedsCounters());
  EXPECT_FALSE(ParseSettings({"-report_type", "no_counters"})->NeedsCounters());
}

TEST(SettingsTest, ContradictionsAreRefused) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  for (const char* name : {"-nstreams", "-nthreads", "-pin"}) {
    EXPECT_THAT(ParseSettings({name, "YES"}), refused("wants -hint none"));
    EXPECT_THAT(ParseSettings({name, "YES", "-hint", "tput"}), refused(name));
    EXPECT_OK(ParseSettings({name, "YES", "-hint", "none"}));
  }
  EXPECT_THAT(ParseSettings({"-load_from_file"}), refused("wants a file"));
  for (const char* name : {"-shape", "-b", "-ip", "-op", "-iop"}) {
    EXPECT_THAT(ParseSettings({"-m", "a.onnx", "-load_from_file", name, "1"}), refused(name));
  }
  EXPECT_THAT(ParseSettings({"-report_folder", "f"}), refused("-report_type"));
}

TEST(SettingsTest, AWorkerTakesOptionsOfTheDeviceAlone) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  ASSERT_OK_AND_ASSIGN(Settings settings,
                       ParseSettings({"-worker", "-m", "a.onnx", "-d", "CPU", "-hint", "none", "-nstreams", "1",
                                      "-nthreads", "1", "-pin", "NO", "-infer_precision", "f32", "-load_config", "l"}));
  EXPECT_TRUE(settings.worker);
  EXPECT_FALSE(ParseSettings({"-m", "a.onnx"})->worker);
  EXPECT_THAT(ParseSettings({"-worker"}), refused("wants a file"));
  EXPECT_THAT(ParseSettings({"-worker", "-m", "builtin:mobilenet_v2"}), refused("wants a file"));
  EXPECT_THAT(ParseSettings({"-worker", "-m", "a.onnx", "-niter", "3"}), refused("-niter has no effect"));
  EXPECT_THAT(ParseSettings({"-worker", "-m", "a.onnx", "-pc"}), refused("-pc has no effect"));
}

TEST(SettingsTest, ALimitReplacesTheDefaultTime) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-niter", "3"}));
  EXPECT_EQ(settings.seconds, 0);
}

TEST(SettingsTest, EveryOtherOptionOfBenchmarkAppIsRefusedByName) {
  const char* const kOthers[] = {"c", "cache_dir", "extensions", "mean_values", "scale_values", "use_device_mem"};
  for (const char* name : kOthers) {
    EXPECT_THAT(ParseSettings({std::string("-") + name, "1"}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr(std::string("-") + name + " "), HasSubstr("benchmark_app"))));
  }
}

TEST(SettingsTest, UnknownOptionsAndWrongValuesAreRefused) {
  EXPECT_THAT(ParseSettings({"-frobnicate"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Unknown option -frobnicate")));
  EXPECT_THAT(ParseSettings({"-api", "batch"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"batch\"")));
  EXPECT_THAT(ParseSettings({"-niter", "-1"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-niter")));
  EXPECT_THAT(ParseSettings({"-t", "soon"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-t")));
  const struct {
    const char* option;
    const char* value;
  } kWrong[] = {
      {"-hint", "fast"},       {"-nireq", "0"},          {"-nireq", "1000000"},         {"-b", "0"},
      {"-max_irate", "0"},     {"-pcsort", "up"},        {"-report_type", "all"},       {"-latency_percentile", "0"},
      {"-inference_only", ""}, {"-inference_only", "1"}, {"-latency_percentile", "101"}};
  for (const auto& wrong : kWrong) {
    EXPECT_THAT(ParseSettings({wrong.option, wrong.value}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(wrong.option)));
  }
  EXPECT_THAT(ParseSettings({"-pin", "maybe", "-hint", "none"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected YES or NO, found \"maybe\"")));
  EXPECT_THAT(ParseSettings({"-m", ""}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-m")));
  EXPECT_THAT(ParseSettings({"-i="}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-i")));
}

TEST(SettingsTest, HelpNamesEveryOption) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-h"}));
  EXPECT_TRUE(settings.help);
  for (const char* name : {"-m ",
                           "-load_from_file",
                           "-d ",
                           "-hint ",
                           "-api ",
                           "-nireq ",
                           "-niter ",
                           "-t ",
                           "-max_irate ",
                           "-inference_only ",
                           "-no_warmup",
                           "-nstreams ",
                           "-nthreads ",
                           "-pin ",
                           "-infer_precision ",
                           "-load_config ",
                           "-dump_config ",
                           "-shape ",
                           "-layout ",
                           "-b ",
                           "-ip ",
                           "-op ",
                           "-iop ",
                           "-data_shape ",
                           "-i ",
                           "-latency_percentile ",
                           "-pc ",
                           "-pcsort ",
                           "-pcseq ",
                           "-report_type ",
                           "-report_folder ",
                           "-json_stats ",
                           "-exec_graph_path ",
                           "-trace ",
                           "-worker",
                           "-h "}) {
    EXPECT_THAT(SettingsHelp(), HasSubstr(std::string("\n  ") + name));
  }
  EXPECT_THAT(SettingsHelp(), HasSubstr("\nllama("));
}

}  // namespace
}  // namespace burin::benchmark
