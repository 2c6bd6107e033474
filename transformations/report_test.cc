#include "transformations/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CompileReport Filled() {
  CompileReport report;
  report.passes = {{"Busy", 7, 2, 100, 2'000'000}, {"Idle", 0, 0, 50, 1'000}, {"Slow", 0, 0, 60, 5'000'000}};
  report.rewrites = 7;
  report.nodes_before = 40;
  report.nodes_after = 33;
  report.verify_ns = 1'500'000;
  report.constants_ns = 500'000;
  return report;
}

TEST(ReportTest, FindsPassesByName) {
  const CompileReport report = Filled();
  ASSERT_NE(report.Find("Slow"), nullptr);
  EXPECT_EQ(report.Find("Slow")->visits, 60);
  EXPECT_EQ(report.Find("Absent"), nullptr);
}

TEST(ReportTest, PrintsWhatFiredAndWhatTookTime) {
  const std::string text = Filled().ToString();
  EXPECT_THAT(text, HasSubstr("Busy                                     7       2       100      2.000"));
  EXPECT_THAT(text, HasSubstr("Slow"));
  EXPECT_THAT(text, Not(HasSubstr("Idle")));
  EXPECT_THAT(text, HasSubstr("7 rewrites, 40 nodes before, 33 after; 1 further passes rewrote nothing"));
  EXPECT_THAT(text, HasSubstr("7.001 ms in passes (0.500 ms of it computing constants), 1.500 ms in verification\n"));
  EXPECT_THAT(text, Not(HasSubstr("stopped")));
}

TEST(ReportTest, SaysThatItStopped) {
  CompileReport report = Filled();
  report.stopped = true;
  EXPECT_THAT(report.ToString(), HasSubstr("stopped on request"));
}

}  // namespace
}  // namespace burin::transformations
