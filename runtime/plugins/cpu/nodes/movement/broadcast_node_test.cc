#include "runtime/plugins/cpu/nodes/movement/broadcast_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Broadcast(const std::string& type, const std::string& shape, const std::string& target,
                      const std::string& mode) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"target\" = Constant() {value = i64", target,
                      "}\n  %2 \"b\" = Broadcast(%0, %1) {mode = ", mode, "}\n  %3 \"y\" = Result(%2)\n}");
}

std::string Tile(const std::string& type, const std::string& shape, const std::string& repeats) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"repeats\" = Constant() {value = i64", repeats,
                      "}\n  %2 \"t\" = Tile(%0, %1)\n  %3 \"y\" = Result(%2)\n}");
}

TEST(BroadcastNodeTest, FromTheLastDimension) {
  ExpectNode(Broadcast("f32", "[3, 1]", "[3]{2, 3, 17}", "numpy"), "Broadcast");
  ExpectNode(Broadcast("f32", "[17]", "[3]{2, 3, 17}", "numpy"), "Broadcast");
  ExpectNode(Broadcast("f32", "[]", "[2]{5, 9}", "numpy"), "Broadcast");
}

TEST(BroadcastNodeTest, BothWays) {
  ExpectNode(Broadcast("f32", "[3, 4]", "[3]{2, 1, 1}", "bidirectional"), "Broadcast");
}

TEST(BroadcastNodeTest, ByMapping) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3, 4]}
    %1 "target" = Constant() {value = i64[4]{2, 3, 5, 4}}
    %2 "axes" = Constant() {value = i64[2]{1, 3}}
    %3 "b" = Broadcast(%0, %1, %2) {mode = explicit}
    %4 "y" = Result(%3)
  })",
             "Broadcast");
}

TEST(BroadcastNodeTest, TypesOfEveryWidth) {
  for (const char* type : {"u8", "f16", "i32", "i64"}) {
    ExpectNode(Broadcast(type, "[5, 1]", "[2]{5, 33}", "numpy"), "Broadcast");
    ExpectNode(Tile(type, "[3, 5]", "[2]{2, 7}"), "Tile");
  }
}

TEST(BroadcastNodeTest, Tiles) {
  ExpectNode(Tile("f32", "[2, 3, 5]", "[3]{3, 1, 2}"), "Tile");
  ExpectNode(Tile("f32", "[5]", "[3]{2, 3, 4}"), "Tile");
  ExpectNode(Tile("f32", "[2, 3, 5]", "[1]{4}"), "Tile");
  ExpectNode(Tile("f32", "[]", "[0]{}"), "Tile");
}

TEST(BroadcastNodeTest, NothingToMove) {
  ExpectNode(Broadcast("f32", "[3, 1]", "[2]{3, 0}", "numpy"), "Broadcast");
  ExpectNode(Tile("f32", "[3, 0]", "[2]{2, 2}"), "Tile");
  ExpectNode(Tile("f32", "[3, 2]", "[2]{0, 2}"), "Tile");
}

}  // namespace
}  // namespace burin::cpu
