#include "snippets/fuzz/fuzz_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "snippets/fuzz/fuzz_counters.h"
#include "snippets/testing/body_fuzzer.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

TEST(FuzzRunTest, CountsWhatIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  FuzzCounters counters;
  DrawnBody drawn;
  drawn.body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [5,20]}
    %1 = Exp(%0)
    %2 "y" = Result(%1)
  })")
                   .value();
  drawn.space = {5, 20};
  drawn.ranges.resize(1);
  drawn.parameter_axes = {{0, 1}};
  drawn.dynamic = true;
  ASSERT_OK(RunDrawn(drawn, target, &counters));
  EXPECT_EQ(counters.Get("op/Exp"), 1);
  EXPECT_EQ(counters.compared().closely, 100);
}

TEST(FuzzRunTest, RefusesWhatIsNoBody) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  DrawnBody drawn;
  drawn.body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [4,4]}
    %1 = MatMul(%0, %0)
    %2 "y" = Result(%1)
  })")
                   .value();
  EXPECT_THAT(RunDrawn(drawn, target, nullptr), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(FuzzRunTest, ExplainsASeed) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  const std::string text = ExplainFailure(1, target);
  EXPECT_THAT(text, HasSubstr("// seed 1, "));
  EXPECT_THAT(text, HasSubstr("right"));
  EXPECT_THAT(text, HasSubstr("model \"fuzzed\""));
}

}  // namespace
}  // namespace burin::snippets
