#include "runtime/plugins/cpu/nodes/movement/pad_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Pad(const std::string& type, const std::string& shape, const std::string& begin, const std::string& end,
                const std::string& mode) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"b\" = Constant() {value = i64", begin, "}\n  %2 \"e\" = Constant() {value = i64", end,
                      "}\n  %3 \"p\" = Pad(%0, %1, %2) {pad_mode = ", mode, "}\n  %4 \"y\" = Result(%3)\n}");
}

TEST(PadNodeTest, ZerosWithoutAValue) {
  ExpectNode(Pad("f32", "[1, 3, 9, 17]", "[4]{0, 0, 1, 2}", "[4]{0, 0, 3, 1}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[2, 3]", "[2]{1, 0}", "[2]{0, 20}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[]", "[0]{}", "[0]{}", "constant"), "Pad");
}

TEST(PadNodeTest, AValue) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3, 5]}
    %1 "b" = Constant() {value = i64[2]{1, 2}}
    %2 "e" = Constant() {value = i64[2]{2, 1}}
    %3 "v" = Constant() {value = f32[]{-7.5}}
    %4 "p" = Pad(%0, %1, %2, %3) {pad_mode = constant}
    %5 "y" = Result(%4)
  })",
             "Pad");
}

TEST(PadNodeTest, AValueThatIsComputed) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = i64, shape = [3, 5]}
    %1 "b" = Constant() {value = i64[2]{1, 2}}
    %2 "e" = Constant() {value = i64[2]{2, 1}}
    %3 "v" = Parameter() {element_type = i64, shape = []}
    %4 "p" = Pad(%0, %1, %2, %3) {pad_mode = constant}
    %5 "y" = Result(%4)
  })",
             "Pad");
}

TEST(PadNodeTest, Mirrors) {
  for (const char* mode : {"edge", "reflect", "symmetric"}) {
    ExpectNode(Pad("f32", "[4, 3, 40]", "[3]{3, 0, 2}", "[3]{2, 2, 20}", mode), "Pad");
    ExpectNode(Pad("f32", "[5, 6]", "[2]{-1, 3}", "[2]{4, -2}", mode), "Pad");
  }
}

TEST(PadNodeTest, NegativePadsCrop) {
  ExpectNode(Pad("f32", "[5, 6]", "[2]{-1, 3}", "[2]{4, -2}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[5, 6]", "[2]{-1, -1}", "[2]{-1, -2}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[3]", "[1]{-5}", "[1]{6}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[3]", "[1]{6}", "[1]{-5}", "constant"), "Pad");
}

TEST(PadNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "f16", "i32", "i64"}) {
    ExpectNode(Pad(type, "[3, 33]", "[2]{1, 2}", "[2]{2, 5}", "constant"), "Pad");
    ExpectNode(Pad(type, "[3, 33]", "[2]{1, 2}", "[2]{2, 5}", "reflect"), "Pad");
  }
}

TEST(PadNodeTest, NoData) {
  ExpectNode(Pad("f32", "[0, 2]", "[2]{1, 1}", "[2]{2, 0}", "constant"), "Pad");
  ExpectNode(Pad("f32", "[3, 2]", "[2]{-3, 0}", "[2]{0, 1}", "constant"), "Pad");
}

}  // namespace
}  // namespace burin::cpu
