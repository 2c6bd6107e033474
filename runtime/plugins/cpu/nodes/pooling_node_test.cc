#include "runtime/plugins/cpu/nodes/pooling_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Model(const std::string& op, const std::string& input, const std::string& attributes,
                  bool indices = false) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = f32, shape = ", input,
                      "}\n  %1 \"p\" = ", op, "(%0) {", attributes, "}\n  %2 \"y\" = Result(%1)\n",
                      indices ? "  %3 \"i\" = Result(%1.1)\n" : "", "}");
}

TEST(PoolingNodeTest, Maxima) {
  ExpectNode(
      Model("MaxPool", "[2, 5, 9, 11]", "kernel = [3, 2], strides = [2, 1], pads_begin = [1, 0], pads_end = [1, 1]"),
      "Pooling");
  ExpectNode(Model("MaxPool", "[1, 20, 9]", "kernel = [3], dilations = [2]"), "Pooling");
  ExpectNode(Model("MaxPool", "[1, 3, 4, 5, 6]", "kernel = [2, 2, 2], rounding_type = ceil, strides = [2, 2, 2]"),
             "Pooling");
}

TEST(PoolingNodeTest, WhereTheMaximaAre) {
  for (const char* axis : {"0", "1", "2"}) {
    ExpectNode(Model("MaxPool", "[2, 5, 6, 7]", absl::StrCat("kernel = [3, 3], axis = ", axis), /*indices=*/true),
               "Pooling");
  }
}

TEST(PoolingNodeTest, Averages) {
  for (const char* exclude : {"false", "true"}) {
    ExpectNode(Model("AvgPool", "[2, 5, 9, 11]",
                     absl::StrCat("kernel = [3, 3], strides = [2, 2], pads_begin = [1, 1], pads_end = [1, 1], "
                                  "exclude_pad = ",
                                  exclude)),
               "Pooling", 1e-6);
  }
}

}  // namespace
}  // namespace burin::cpu
