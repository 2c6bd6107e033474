#include "runtime/plugins/cpu/nodes/convolution_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

constexpr double kRelative = 1e-5;

std::string Model(const std::string& op, const std::string& input, const std::string& weights,
                  const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = f32, shape = ", input,
                      "}\n  %1 \"w\" = Parameter() {element_type = f32, shape = ", weights, "}\n  %2 \"c\" = ", op,
                      "(%0, %1) {", attributes, "}\n  %3 \"y\" = Result(%2)\n}");
}

TEST(ConvolutionNodeTest, OneToThreeAxes) {
  ExpectNode(Model("Convolution", "[2, 5, 11]", "[7, 5, 3]", "strides = [2], pads_begin = [1], pads_end = [2]"),
             "Convolution", kRelative);
  ExpectNode(Model("Convolution", "[2, 5, 9, 11]", "[70, 5, 3, 2]",
                   "strides = [2, 1], pads_begin = [1, 0], pads_end = [0, 2], dilations = [1, 2]"),
             "Convolution", kRelative);
  ExpectNode(
      Model("Convolution", "[1, 3, 4, 5, 6]", "[17, 3, 2, 3, 3]", "pads_begin = [0, 1, 1], pads_end = [1, 1, 1]"),
      "Convolution", kRelative);
}

TEST(ConvolutionNodeTest, AutomaticPadding) {
  ExpectNode(Model("Convolution", "[1, 8, 9, 9]", "[16, 8, 3, 3]", "strides = [2, 2], auto_pad = same_upper"),
             "Convolution", kRelative);
}

TEST(ConvolutionNodeTest, Groups) {
  ExpectNode(Model("GroupConvolution", "[2, 12, 7, 7]", "[3, 5, 4, 3, 3]", "pads_begin = [1, 1], pads_end = [1, 1]"),
             "Convolution", kRelative);
}

TEST(ConvolutionNodeTest, GroupsOfOneChannel) {
  ExpectNode(Model("GroupConvolution", "[2, 19, 7, 8]", "[19, 1, 1, 3, 3]",
                   "strides = [2, 1], pads_begin = [1, 1], pads_end = [1, 1]"),
             "Convolution", kRelative);
  ExpectNode(Model("GroupConvolution", "[1, 5, 9]", "[5, 2, 1, 4]", "pads_begin = [2], pads_end = [1]"), "Convolution",
             kRelative);
}

TEST(ConvolutionNodeTest, NothingComesOut) {
  ExpectNode(Model("Convolution", "[0, 5, 9, 11]", "[7, 5, 3, 3]", ""), "Convolution");
}

TEST(ConvolutionNodeTest, ConstantWeightsArePackedOnce) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 2, 5, 5]}
    %1 "w" = Constant() {value = f32[1, 2, 2, 2]{1, 2, 3, 4, 5, 6, 7, 8}}
    %2 "c" = Convolution(%0, %1)
    %3 "y" = Result(%2)
  })",
             "Convolution", kRelative);
}

}  // namespace
}  // namespace burin::cpu
