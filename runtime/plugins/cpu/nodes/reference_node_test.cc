#include "runtime/plugins/cpu/nodes/reference_node.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kScatter[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [3, 4]}
  %1 "indices" = Parameter() {element_type = i64, shape = [5]}
  %2 "updates" = Parameter() {element_type = f32, shape = [5, 4]}
  %3 "axis" = Constant() {value = i64[]{0}}
  %4 "s" = ScatterUpdate(%0, %1, %2, %3)
  %5 "y" = Result(%4)
})";

TEST(ReferenceNodeTest, DoesWhatTheReferenceDoes) { ExpectNode(kScatter, "Reference"); }

TEST(ReferenceNodeTest, TakesAnyLayoutAndOverwritesInputs) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 2, 1, 3]}
    %1 "axis" = Constant() {value = i64[]{3}}
    %2 "s" = CumSum(%0, %1)
    %3 "y" = Result(%2)
  })");
  const ReferenceNode node(&OnlyNode(*model));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {1, 2, 1, 3}, Layout::kChannelsLast}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {1, 2, 1, 3}, Layout::kChannelsLast});
  const auto primitive = node.CreatePrimitive(values, HostContext(1));
  ASSERT_OK(primitive.status());
  std::vector<float> x = {1, 10, 2, 20, 3, 30};
  const int64_t axis = 3;
  std::vector<const void*> in = {x.data(), &axis};
  std::vector<void*> out = {x.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  (*primitive)->Execute({in, out, nullptr, &team, &errors});
  EXPECT_OK(errors.status());
  EXPECT_THAT(x, ElementsAre(1, 10, 3, 30, 6, 60));
}

TEST(ReferenceNodeTest, WrongInputsAreTheRunsError) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(kScatter);
  const ReferenceNode node(&OnlyNode(*model));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {3, 4}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {5}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kF32, {5, 4}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {3, 4}, Layout::kRowMajor});
  const auto primitive = node.CreatePrimitive(values, HostContext(1));
  ASSERT_OK(primitive.status());
  EXPECT_EQ((*primitive)->kernel_name(), "reference");
  std::vector<float> x(12);
  std::vector<int64_t> indices = {0, 1, 2, 3, 0};
  std::vector<float> updates(20);
  int64_t axis = 0;
  std::vector<float> y(12);
  std::vector<const void*> in = {x.data(), indices.data(), updates.data(), &axis};
  std::vector<void*> out = {y.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  (*primitive)->Execute({in, out, nullptr, &team, &errors});
  EXPECT_FALSE(errors.status().ok());
  EXPECT_THAT(std::string(errors.status().message()), HasSubstr("Node s: "));
}

}  // namespace
}  // namespace burin::cpu
