#include "snippets/testing/body_fuzzer.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/model.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

TEST(BodyFuzzerTest, ASeedGivesOneBody) {
  std::set<std::string> texts;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ASSERT_OK_AND_ASSIGN(const std::string text, ir::PrintModel(*DrawBody(seed).body));
    ASSERT_OK_AND_ASSIGN(const std::string again, ir::PrintModel(*DrawBody(seed).body));
    EXPECT_EQ(text, again);
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 50);
}

TEST(BodyFuzzerTest, BodiesAreValidAndOfManyKinds) {
  std::set<size_t> ranks;
  int few_registers = 0;
  int dynamic = 0;
  int empty = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const DrawnBody drawn = DrawBody(seed);
    EXPECT_OK(ir::Verify(*drawn.body)) << "seed " << seed;
    EXPECT_EQ(drawn.ranges.size(), drawn.body->parameters().size());
    EXPECT_EQ(drawn.parameter_axes.size(), drawn.body->parameters().size());
    ranks.insert(drawn.space.size());
    few_registers += drawn.limits.vectors == kFewRegisters.vectors ? 1 : 0;
    dynamic += drawn.dynamic ? 1 : 0;
    for (const int64_t extent : drawn.space) empty += extent == 0 ? 1 : 0;
  }
  EXPECT_EQ(ranks.size(), 7);
  EXPECT_GT(few_registers, 100);
  EXPECT_GT(dynamic, 50);
  EXPECT_GT(empty, 3);
}

TEST(BodyFuzzerTest, FewOperationsWhereAskedFor) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_LT(DrawBody(seed, 1).body->node_count(), 40) << "seed " << seed;
  }
}

}  // namespace
}  // namespace burin::snippets
