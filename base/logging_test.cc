#include "base/logging.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Pair;

// Collects lines, and restores the state of the logger afterwards.
class LoggingTest : public ::testing::Test {
 protected:
  LoggingTest() {
    SetLogSink([this](LogSeverity severity, absl::string_view line) { lines_.emplace_back(severity, line); });
    SetMinLogLevel(LogSeverity::kWarning);
    SetVlogCategories("");
  }
  ~LoggingTest() override {
    SetLogSink(nullptr);
    SetMinLogLevel(LogSeverity::kWarning);
    SetVlogCategories("");
  }

  std::vector<std::pair<LogSeverity, std::string>> lines_;
};

TEST_F(LoggingTest, WritesFromTheMinimumSeverityOn) {
  int evaluations = 0;
  BURIN_LOG(kInfo) << "quiet " << ++evaluations;
  EXPECT_EQ(evaluations, 0);
  BURIN_LOG(kWarning) << "loud " << 7;
  BURIN_LOG(kError) << "worse";
  EXPECT_THAT(lines_,
              ElementsAre(Pair(LogSeverity::kWarning, MatchesRegex("\\[burin W logging_test.cc:[0-9]+\\] loud 7")),
                          Pair(LogSeverity::kError, MatchesRegex("\\[burin E logging_test.cc:[0-9]+\\] worse"))));
}

TEST_F(LoggingTest, MinimumSeverityCanChange) {
  SetMinLogLevel(LogSeverity::kInfo);
  EXPECT_EQ(MinLogLevel(), LogSeverity::kInfo);
  BURIN_LOG(kInfo) << "now";
  EXPECT_THAT(lines_, ElementsAre(Pair(LogSeverity::kInfo, EndsWith("] now"))));
  SetMinLogLevel(LogSeverity::kNone);
  BURIN_LOG(kError) << "never";
  EXPECT_EQ(lines_.size(), 1u);
}

TEST_F(LoggingTest, VerboseCategoriesAreOffByDefault) {
  int evaluations = 0;
  BURIN_VLOG("passes") << ++evaluations;
  EXPECT_EQ(evaluations, 0);
  EXPECT_THAT(lines_, IsEmpty());
}

TEST_F(LoggingTest, VerboseCategoriesAreListed) {
  SetVlogCategories(" passes,jit ");
  BURIN_VLOG("passes") << "a";
  BURIN_VLOG("jit") << "b";
  BURIN_VLOG("pass") << "c";
  EXPECT_THAT(lines_, ElementsAre(Pair(LogSeverity::kInfo, MatchesRegex("\\[burin I .*:[0-9]+ passes\\] a")),
                                  Pair(LogSeverity::kInfo, MatchesRegex("\\[burin I .*:[0-9]+ jit\\] b"))));
}

TEST_F(LoggingTest, StarEnablesEveryCategory) {
  SetVlogCategories("*");
  EXPECT_TRUE(IsVlogEnabled("anything"));
  SetVlogCategories("");
  EXPECT_FALSE(IsVlogEnabled("anything"));
}

TEST_F(LoggingTest, StandsUnbracedInIfElse) {
  bool reached = false;
  if (false)
    BURIN_LOG(kError) << "no";
  else
    reached = true;
  EXPECT_TRUE(reached);
  EXPECT_THAT(lines_, IsEmpty());
}

TEST_F(LoggingTest, LinesStayWholeUnderThreads) {
  constexpr int kThreads = 4;
  constexpr int kLines = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kLines; ++i) BURIN_LOG(kError) << "<" << std::string(20, static_cast<char>('a' + t)) << ">";
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(lines_.size(), static_cast<size_t>(kThreads * kLines));
  for (const auto& [severity, line] : lines_) {
    bool whole = false;
    for (int t = 0; t < kThreads; ++t) {
      whole |= absl::EndsWith(line, "] <" + std::string(20, static_cast<char>('a' + t)) + ">");
    }
    EXPECT_TRUE(whole) << line;
  }
}

TEST_F(LoggingTest, DefaultSinkWritesToStderr) {
  SetLogSink(nullptr);
  ::testing::internal::CaptureStderr();
  BURIN_LOG(kWarning) << "to stderr";
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), EndsWith("] to stderr\n"));
}

// Runs in a fresh process, since the environment is read once.
void PrintConfigurationAndExit(const char* level, const char* categories) {
  setenv("BURIN_LOG_LEVEL", level, 1);
  setenv("BURIN_VLOG", categories, 1);
  std::fprintf(stderr, "info=%d error=%d jit=%d\n", IsLogEnabled(LogSeverity::kInfo), IsLogEnabled(LogSeverity::kError),
               IsVlogEnabled("jit"));
  std::exit(0);
}

TEST(LoggingDeathTest, ReadsTheEnvironment) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(PrintConfigurationAndExit("info", "jit"), ::testing::ExitedWithCode(0), "info=1 error=1 jit=1");
  EXPECT_EXIT(PrintConfigurationAndExit("none", "passes"), ::testing::ExitedWithCode(0), "info=0 error=0 jit=0");
  EXPECT_EXIT(PrintConfigurationAndExit("", ""), ::testing::ExitedWithCode(0), "info=0 error=1 jit=0");
  EXPECT_EXIT(PrintConfigurationAndExit("loud", "*"), ::testing::ExitedWithCode(0),
              "BURIN_LOG_LEVEL.*info, warning, error, none.*loud(.|\n)*info=0 error=1 jit=1");
}

}  // namespace
}  // namespace burin
