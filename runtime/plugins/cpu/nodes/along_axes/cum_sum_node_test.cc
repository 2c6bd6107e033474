#include "runtime/plugins/cpu/nodes/along_axes/cum_sum_node.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Of some sums of some dozens of numbers.
constexpr double kRelative = 1e-6;

std::string Model(const std::string& data, const std::string& axis, const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", data, "}\n  %1 \"a\" = Constant() {value = i64[]{",
                      axis, "}}\n  %2 \"s\" = CumSum(%0, %1) {", attributes, "}\n  %3 \"y\" = Result(%2)\n}");
}

TEST(CumSumNodeTest, FromEitherEnd) {
  for (const char* exclusive : {"false", "true"}) {
    for (const char* reverse : {"false", "true"}) {
      for (const char* axis : {"0", "1", "-1"}) {
        ExpectNode(Model("element_type = f32, shape = [5, 20, 33]", axis,
                         absl::StrCat("exclusive = ", exclusive, ", reverse = ", reverse)),
                   "CumSum", kRelative);
      }
    }
  }
}

TEST(CumSumNodeTest, OtherTypes) {
  for (const char* type : {"i32", "i64", "u64"}) {
    ExpectNode(Model(absl::StrCat("element_type = ", type, ", shape = [3, 40]"), "1", ""), "CumSum");
  }
  ExpectNode(Model("element_type = i16, shape = [3, 4]", "1", ""), "Reference");
}

TEST(CumSumNodeTest, TheFirstAxisIsTheDefault) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [4, 3]}
    %1 "s" = CumSum(%0)
    %2 "y" = Result(%1)
  })",
             "CumSum");
}

TEST(CumSumNodeTest, NoElements) { ExpectNode(Model("element_type = f32, shape = [3, 0]", "0", ""), "CumSum"); }

TEST(CumSumNodeTest, MayRunInPlace) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(Model("element_type = f32, shape = [3]", "0", ""));
  ASSERT_OK_AND_ASSIGN(const auto node, CumSumNode::Create(OnlyNode(*model), HostContext(1)));
  EXPECT_TRUE(node->MayRunInPlace({}, 0, 0));
  EXPECT_FALSE(node->MayRunInPlace({}, 1, 0));
}

TEST(CumSumNodeTest, AnAxisThatIsComputedHasNoKernel) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(Model("element_type = f32, shape = [3]", "0", ""));
  ASSERT_OK_AND_ASSIGN(const auto node, CumSumNode::Create(OnlyNode(*model), HostContext(1)));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {3}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {3}, Layout::kRowMajor});
  EXPECT_TRUE(node->Candidates(values, HostContext(1)).empty());
}

}  // namespace
}  // namespace burin::cpu
