#include "snippets/fuzz/fuzz_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/testing/body_fuzzer.h"
#include "snippets/testing/kernel_check.h"
#include "snippets/testing/subgraph_runner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(FuzzCountersTest, CountsWhatABodyHas) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  DrawnBody drawn;
  drawn.body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [3,37], element_type = f16}
    %1 "y" = Parameter() {shape = [3,1], element_type = f16}
    %2 = Add(%0, %1)
    %3 = Softmax(%2) {axis = -1}
    %4 = Constant() {value = i64[1]{1}}
    %5 = ReduceMax(%2, %4)
    %6 "a" = Result(%3)
    %7 "b" = Result(%5)
  })")
                   .value();
  drawn.space = {3, 37};
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(*drawn.body, target));
  ComparedElements compared;
  compared.closely = 114;
  FuzzCounters counters;
  for (int run = 0; run < 2; ++run) {
    ASSERT_OK(counters.Add(drawn, runner, target, RegisterLimits(), compared));
  }
  for (const char* const name :
       {"op/Softmax", "op/Add", "broadcast/inner", "rule/DecomposeSoftmax", "rule/NormalizeReduction", "load/f16",
        "store/f16", "linear/Step", "reduction/sum along vectors", "reduction/maximum along vectors", "vectors/tail",
        "shape/several outputs", "registers/all"}) {
    EXPECT_EQ(counters.Get(name), 2) << name;
  }
  EXPECT_EQ(counters.Get("broadcast/outer"), 0);
  EXPECT_EQ(counters.Get("spill/values"), 0);
  EXPECT_EQ(counters.compared().closely, 228);
  counters.AddName("something else");
  EXPECT_EQ(counters.Get("something else"), 1);
  EXPECT_THAT(counters.ToString(), HasSubstr("op/Softmax"));
}

TEST(FuzzCountersTest, WhatIsRequiredIsNamed) {
  const FuzzCounters counters;
  const std::vector<std::string> rare = counters.Rare(1);
  EXPECT_EQ(rare, FuzzCounters::Required());
  EXPECT_THAT(rare, Contains("spill/values"));
  EXPECT_THAT(rare, Contains("reduction/product across vectors"));
  EXPECT_THAT(rare, Not(Contains("op/MatMul")));
  EXPECT_TRUE(counters.Rare(0).empty());
}

}  // namespace
}  // namespace burin::snippets
