#include "tools/kernel_bench/json_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"
#include "tools/kernel_bench/measurement.h"
#include "tools/kernel_bench/shared_run.h"

namespace burin::kernel_bench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

json Written(const RunResult& run) { return json::parse(ToJson(run)); }

TEST(JsonReportTest, MachineAndNoCases) {
  RunResult run;
  run.machine.processor = "Some processor";
  run.machine.cpus = {0, 2};
  run.machine.clock.median = 3.5;
  run.peers.push_back({"oneDNN", "3.2"});
  const json written = Written(run);
  EXPECT_EQ(written["machine"]["processor"], "Some processor");
  EXPECT_EQ(written["machine"]["processors"], json({0, 2}));
  EXPECT_EQ(written["machine"]["clock_ghz"]["median"], 3.5);
  EXPECT_FALSE(written.contains("limits"));
  EXPECT_EQ(written["peers"][0]["version"], "3.2");
  EXPECT_TRUE(written["cases"].empty());
}

TEST(JsonReportTest, Limits) {
  RunResult run;
  run.limits.emplace();
  run.limits->limits.clock_ghz = 4;
  run.limits->limits.limits[jit::Limit::kReadDram] = {5.5, 5, 5.25, 20, 3};
  jit::CoreSharing pair;
  pair.cpus[1] = 1;
  pair.alone[0] = pair.alone[1] = 4;
  pair.together[0] = pair.together[1] = 2;
  run.limits->pairs_before = {pair};
  const json written = Written(run)["limits"];
  EXPECT_EQ(written["limits"]["read_dram"]["value"], 5.5);
  EXPECT_EQ(written["limits"]["read_dram"]["rejected"], 3);
  EXPECT_EQ(written["pairs_before"][0]["shared"], true);
  EXPECT_EQ(written["pairs_before"][0]["processors"], json({0, 1}));
  EXPECT_TRUE(written["pairs_after"].empty());
}

TEST(JsonReportTest, CasesWithEverySample) {
  EntrantResult entrant;
  entrant.name = "burin avx2";
  entrant.samples.units_per_repeat = 100;
  entrant.samples.cycles = {50.0, std::nullopt, 60.0};
  entrant.samples.seconds = {5e-8, std::nullopt, 6e-8};
  entrant.samples.rejected = 4;
  entrant.accuracy = Accuracy{1e-7, 2e-7, true, "fine"};
  entrant.shares.push_back({"copy loop", Comparison::OfRatios({0.5, 0.5, 0.5, 0.5, 0.5})});
  EntrantResult peer;
  peer.role = Role::kPeer;
  peer.name = "not UTF-8: \xff";
  CaseResult result;
  result.family = "unary";
  result.name = "Exp";
  result.entrants = {entrant, peer};
  result.pairs.push_back({0, 1, Comparison::OfRatios({2, 2, 2, 2, 2})});
  SharedRun shared;
  shared.threads = 2;
  shared.gain = Comparison::OfRatios({1.5, 1.5, 1.5, 1.5, 1.5});
  result.shared.push_back({"burin avx2", shared});
  RunResult run;
  run.cold = true;
  run.cases.push_back(std::move(result));
  const json written = Written(run);
  EXPECT_EQ(written["cold"], true);
  const json first = written["cases"][0]["contenders"][0];
  EXPECT_EQ(first["cycles"], json({50.0, nullptr, 60.0}));
  EXPECT_EQ(first["accepted"], 2);
  EXPECT_EQ(first["rejected"], 4);
  EXPECT_EQ(first["role"], "own");
  EXPECT_EQ(first["accuracy"]["right"], true);
  EXPECT_EQ(first["shares"]["copy loop"]["ratio"], 0.5);
  EXPECT_NEAR(first["units_per_cycle"].get<double>(), 100.0 / 55, 1e-9);
  EXPECT_FALSE(written["cases"][0]["contenders"][1].contains("accuracy"));
  EXPECT_EQ(written["cases"][0]["pairs"][0]["first"], "burin avx2");
  EXPECT_EQ(written["cases"][0]["pairs"][0]["verdict"], "faster");
  EXPECT_EQ(written["cases"][0]["shared"][0]["name"], "burin avx2");
  EXPECT_EQ(written["cases"][0]["shared"][0]["threads"], 2);
  EXPECT_EQ(written["cases"][0]["shared"][0]["ratio"], 1.5);
}

}  // namespace
}  // namespace burin::kernel_bench
