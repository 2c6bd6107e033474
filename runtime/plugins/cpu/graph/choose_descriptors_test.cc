#include "runtime/plugins/cpu/graph/choose_descriptors.h"

#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

constexpr Layout kRow = Layout::kRowMajor;
constexpr Layout kLast = Layout::kChannelsLast;

NodeCandidate Way(Layout input, Layout output, double cycles) { return {{input}, {output}, cycles}; }

// A chain of three, each of which may be channels last at so many cycles, or row-major at 1000.
DraftBuilder Chain(double channels_last_cycles) {
  DraftBuilder b;
  int value = b.Parameter();
  for (const char* name : {"a", "b", "c"}) {
    const int next = b.Value();
    b.Step(name, {value}, {next});
    b.draft.steps.back().candidates = {Way(kRow, kRow, 1000), Way(kLast, kLast, channels_last_cycles)};
    value = next;
  }
  b.Result(value);
  return b;
}

TEST(ChooseDescriptorsTest, AGainPaysForTheReorders) {
  DraftBuilder b = Chain(10);
  ASSERT_OK(InitOptimalPrimitiveDescriptors(b.draft, FakeContext()));
  for (const GraphStep& step : b.draft.steps) {
    EXPECT_EQ(step.chosen, 1) << step.name;
    EXPECT_EQ(b.draft.values[step.outputs[0]].desc.layout, kLast);
  }
}

TEST(ChooseDescriptorsTest, ASmallGainDoesNot) {
  // Less than the reorders of the parameter and of the result cost.
  DraftBuilder b = Chain(900);
  ASSERT_OK(InitOptimalPrimitiveDescriptors(b.draft, FakeContext()));
  for (const GraphStep& step : b.draft.steps) EXPECT_EQ(step.chosen, 0) << step.name;
}

TEST(ChooseDescriptorsTest, WhereLayoutsAreTheSameBytesNothingIsPaid) {
  DraftBuilder b = Chain(999);
  for (GraphValue& value : b.draft.values) value.desc.shape = {1, 16, 1, 1};
  ASSERT_OK(InitOptimalPrimitiveDescriptors(b.draft, FakeContext()));
  for (const GraphStep& step : b.draft.steps) EXPECT_EQ(step.chosen, 1) << step.name;
}

TEST(ChooseDescriptorsTest, ConstantsAreFree) {
  DraftBuilder b;
  const int y = b.Value({1, 16, 1, 1});
  b.Step("a", {b.Constant()}, {y});
  b.draft.steps[0].candidates = {Way(kRow, kRow, 10), Way(kLast, kRow, 9)};
  b.Result(y);
  ASSERT_OK(InitOptimalPrimitiveDescriptors(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[0].chosen, 1);
}

}  // namespace
}  // namespace burin::cpu
