#include "tools/benchmark/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(SettingsTest, Defaults) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({}));
  EXPECT_FALSE(settings.help);
  EXPECT_EQ(settings.model, "builtin:mobilenet_v2(image=96)");
  EXPECT_TRUE(settings.is_default_model);
  EXPECT_EQ(settings.device, "");
  EXPECT_EQ(settings.api, Api::kAsync);
  EXPECT_EQ(settings.iterations, 0);
  EXPECT_EQ(settings.seconds, 60);
  EXPECT_FALSE(settings.counters);
}

TEST(SettingsTest, EveryOptionIsRead) {
  ASSERT_OK_AND_ASSIGN(Settings settings,
                       ParseSettings({"-m", "a.onnx", "-d", "CPU", "-api", "sync", "-niter", "7", "-t", "2.5", "-shape",
                                      "[1]", "-data_shape", "[2]", "-i", "a.bin", "-pc", "-json_stats", "a.json"}));
  EXPECT_EQ(settings.model, "a.onnx");
  EXPECT_FALSE(settings.is_default_model);
  EXPECT_EQ(settings.device, "CPU");
  EXPECT_EQ(settings.api, Api::kSync);
  EXPECT_EQ(settings.iterations, 7);
  EXPECT_EQ(settings.seconds, 2.5);
  EXPECT_EQ(settings.shape, "[1]");
  EXPECT_EQ(settings.data_shape, "[2]");
  EXPECT_EQ(settings.input, "a.bin");
  EXPECT_TRUE(settings.counters);
  EXPECT_EQ(settings.json_path, "a.json");
}

TEST(SettingsTest, ALimitReplacesTheDefaultTime) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-niter", "3"}));
  EXPECT_EQ(settings.seconds, 0);
}

TEST(SettingsTest, EveryOtherOptionOfBenchmarkAppIsRefusedByName) {
  const char* const kOthers[] = {
      "hint",
      "max_irate",
      "b",
      "layout",
      "extensions",
      "c",
      "cache_dir",
      "nireq",
      "nstreams",
      "load_from_file",
      "inference_only",
      "infer_precision",
      "no_warmup",
      "ip",
      "op",
      "iop",
      "mean_values",
      "scale_values",
      "nthreads",
      "pin",
      "pcsort",
      "use_device_mem",
      "latency_percentile",
      "report_type",
      "pcseq",
      "dump_config",
      "load_config",
      "report_folder",
      "exec_graph_path",
  };
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
  EXPECT_THAT(ParseSettings({"-m", ""}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-m")));
  EXPECT_THAT(ParseSettings({"-i="}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-i")));
}

TEST(SettingsTest, HelpNamesEveryOption) {
  ASSERT_OK_AND_ASSIGN(Settings settings, ParseSettings({"-h"}));
  EXPECT_TRUE(settings.help);
  for (const char* name :
       {"-m ", "-d ", "-api ", "-niter ", "-t ", "-shape ", "-data_shape ", "-i ", "-pc ", "-json_stats ", "-h "}) {
    EXPECT_THAT(SettingsHelp(), HasSubstr(std::string("\n  ") + name));
  }
  EXPECT_THAT(SettingsHelp(), HasSubstr("\nllama("));
}

}  // namespace
}  // namespace burin::benchmark
