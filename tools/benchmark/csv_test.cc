#include "tools/benchmark/csv.h"

#include <gtest/gtest.h>

#include <string>

namespace burin::benchmark {
namespace {

TEST(CsvTest, QuotesWhatWouldSplitALine) {
  std::string text = "before\n";
  AppendCsvLine({"plain", "", "a;b", "say \"x\"", "two\nlines"}, &text);
  EXPECT_EQ(text, "before\nplain;;\"a;b\";\"say \"\"x\"\"\";\"two\nlines\"\n");
}

}  // namespace
}  // namespace burin::benchmark
