#include "runtime/plugins/cpu/nodes/along_axes/top_k_node.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
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

std::string Model(const std::string& data, const std::string& k, const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", data, "}\n  %1 \"k\" = Constant() {value = i64[]{", k,
                      "}}\n  %2 \"t\" = TopK(%0, %1) {", attributes,
                      "}\n  %3 \"v\" = Result(%2)\n  %4 \"i\" = Result(%2.1)\n}");
}

TEST(TopKNodeTest, InEachOrder) {
  for (const char* type : {"f32", "i32"}) {
    for (const char* mode : {"max", "min"}) {
      for (const char* sort : {"value", "index"}) {
        for (const char* index : {"i32", "i64"}) {
          ExpectNode(Model(absl::StrCat("element_type = ", type, ", shape = [3, 40]"), "5",
                           absl::StrCat("mode = ", mode, ", sort = ", sort, ", index_element_type = ", index)),
                     "TopK");
        }
      }
    }
  }
}

TEST(TopKNodeTest, AlongAnyAxis) {
  for (const char* axis : {"0", "1", "2", "-2"}) {
    for (const char* k : {"1", "4"}) {
      ExpectNode(Model("element_type = f32, shape = [7, 20, 33]", k, absl::StrCat("axis = ", axis)), "TopK");
    }
  }
}

TEST(TopKNodeTest, Nothing) {
  ExpectNode(Model("element_type = f32, shape = [3, 4]", "0", ""), "TopK");
  ExpectNode(Model("element_type = f32, shape = [0, 4]", "2", ""), "TopK");
}

TEST(TopKNodeTest, OtherTypesHaveNoKernel) {
  ExpectNode(Model("element_type = i64, shape = [3, 4]", "2", ""), "Reference");
}

TEST(TopKNodeTest, LargeSelectionsHaveNone) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(Model("element_type = f32, shape = [500]", "100", ""));
  ASSERT_OK_AND_ASSIGN(const auto node, TopKNode::Create(OnlyNode(*model), HostContext(1)));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {500}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {100}, Layout::kRowMajor});
  values.outputs.push_back({ElementType::kI32, {100}, Layout::kRowMajor});
  EXPECT_TRUE(node->Candidates(values, HostContext(1)).empty());
  EXPECT_THAT(node->CreatePrimitive(values, HostContext(1)).status(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::cpu
