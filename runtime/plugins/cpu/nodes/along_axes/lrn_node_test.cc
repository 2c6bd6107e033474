#include "runtime/plugins/cpu/nodes/along_axes/lrn_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

// Of a power by its kernel.
constexpr double kRelative = 2e-6;

std::string Model(const std::string& data, const std::string& axes, const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", data, "}\n  %1 \"a\" = Constant() {value = i64", axes,
                      "}\n  %2 \"n\" = LRN(%0, %1) {", attributes, "}\n  %3 \"y\" = Result(%2)\n}");
}

TEST(LrnNodeTest, AcrossChannels) {
  for (const char* shape : {"[2, 5, 7, 9]", "[1, 40, 3, 20]", "[1, 2, 3]", "[1, 70, 1, 1]", "[3, 4]"}) {
    for (const char* size : {"1", "4", "5", "9"}) {
      ExpectNode(Model(absl::StrCat("element_type = f32, shape = ", shape), "[1]{1}",
                       absl::StrCat("size = ", size, ", alpha = 0.3, beta = 0.75, bias = 1.5")),
                 "LRN", kRelative);
    }
  }
}

TEST(LrnNodeTest, AlongOtherAxes) {
  for (const char* axes : {"[1]{0}", "[1]{-1}", "[2]{2, 3}", "[3]{1, 2, 3}", "[2]{3, 1}"}) {
    ExpectNode(Model("element_type = f32, shape = [2, 5, 7, 19]", axes, "size = 3, alpha = 2, beta = 0.5, bias = 2"),
               "LRN", kRelative);
  }
}

TEST(LrnNodeTest, NoElements) {
  ExpectNode(Model("element_type = f32, shape = [2, 0, 7, 9]", "[1]{1}", "size = 3"), "LRN");
}

TEST(LrnNodeTest, OtherTypesHaveNoKernel) {
  ExpectNode(Model("element_type = f64, shape = [2, 3, 7, 9]", "[1]{1}", "size = 3"), "Reference");
}

}  // namespace
}  // namespace burin::cpu
