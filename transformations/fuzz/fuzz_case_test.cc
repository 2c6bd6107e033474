#include "transformations/fuzz/fuzz_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/evaluator.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/fuzz/growers/growers.h"

namespace burin::transformations {
namespace {

TEST(FuzzCaseTest, ASeedSaysEverything) {
  std::set<std::string> texts;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const FuzzCase first = MakeFuzzCase(seed, 10, AllGrowers());
    const FuzzCase second = MakeFuzzCase(seed, 10, AllGrowers());
    ASSERT_OK_AND_ASSIGN(const std::string text, ir::PrintModel(*first.model));
    ASSERT_OK_AND_ASSIGN(const std::string again, ir::PrintModel(*second.model));
    EXPECT_EQ(text, again);
    EXPECT_EQ(first.mode, second.mode);
    ASSERT_EQ(first.samples.size(), second.samples.size());
    EXPECT_EQ(first.samples[0][0].size(), second.samples[0][0].size());
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 20u);
}

TEST(FuzzCaseTest, TheFirstSampleOfEachGrownModelRuns) {
  int exact = 0;
  int strange = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const FuzzCase fuzz_case = MakeFuzzCase(seed, 10, AllGrowers());
    if (fuzz_case.model->name() != "fuzz") {
      ++strange;
      continue;
    }
    exact += fuzz_case.mode == FuzzMode::kExact ? 1 : 0;
    ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*fuzz_case.model));
    EXPECT_OK(evaluator.Run(fuzz_case.samples[0][0]).status()) << "seed " << seed;
  }
  EXPECT_GT(exact, 20);
  EXPECT_LT(exact, 80);
  EXPECT_GT(strange, 0);
  EXPECT_LT(strange, 30);
}

}  // namespace
}  // namespace burin::transformations
