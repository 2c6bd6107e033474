#include "runtime/plugins/cpu/nodes/transposed_convolution_node.h"

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

TEST(TransposedConvolutionNodeTest, OneToThreeAxes) {
  ExpectNode(Model("ConvolutionBackpropData", "[2, 5, 11]", "[5, 7, 3]", "strides = [2], pads_begin = [1]"),
             "Deconvolution", kRelative);
  ExpectNode(Model("ConvolutionBackpropData", "[2, 7, 5, 6]", "[7, 18, 2, 2]", "strides = [2, 2]"), "Deconvolution",
             kRelative);
  ExpectNode(Model("ConvolutionBackpropData", "[1, 7, 5, 6]", "[7, 18, 4, 3]",
                   "strides = [3, 1], dilations = [1, 2], pads_begin = [1, 0], pads_end = [0, 1], "
                   "output_padding = [1, 0]"),
             "Deconvolution", kRelative);
  ExpectNode(Model("ConvolutionBackpropData", "[1, 3, 2, 3, 4]", "[3, 9, 2, 3, 3]", "strides = [1, 2, 2]"),
             "Deconvolution", kRelative);
}

TEST(TransposedConvolutionNodeTest, Groups) {
  ExpectNode(Model("GroupConvolutionBackpropData", "[2, 6, 4, 5]", "[3, 2, 5, 3, 3]", "strides = [2, 2]"),
             "Deconvolution", kRelative);
  ExpectNode(Model("GroupConvolutionBackpropData", "[1, 6, 4, 5]", "[6, 1, 1, 4, 4]",
                   "strides = [2, 2], pads_begin = [1, 1], pads_end = [1, 1]"),
             "Deconvolution", kRelative);
}

// The third input says how large the output is, and the padding follows.
TEST(TransposedConvolutionNodeTest, SizesThatAreGiven) {
  for (const char* auto_pad : {"explicit", "same_upper", "same_lower"}) {
    ExpectNode(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [1, 3, 4, 5]}
      %1 "w" = Parameter() {element_type = f32, shape = [3, 6, 3, 3]}
      %2 "sizes" = Constant() {value = i64[2]{8, 12}}
      %3 "c" = ConvolutionBackpropData(%0, %1, %2) {strides = [2, 2], auto_pad = )",
                            auto_pad, R"(}
      %4 "y" = Result(%3)
    })"),
               "Deconvolution", kRelative);
  }
}

}  // namespace
}  // namespace burin::cpu
