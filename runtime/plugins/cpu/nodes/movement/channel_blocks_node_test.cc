#include "runtime/plugins/cpu/nodes/movement/channel_blocks_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string Blocks(const std::string& op, const std::string& type, const std::string& shape,
                   const std::string& attributes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"b\" = ", op, "(%0) {", attributes, "}\n  %2 \"y\" = Result(%1)\n}");
}

TEST(ChannelBlocksNodeTest, DepthToSpace) {
  for (const char* mode : {"blocks_first", "depth_first"}) {
    const std::string attributes = absl::StrCat("block_size = 2, mode = ", mode);
    ExpectNode(Blocks("DepthToSpace", "f32", "[2, 12, 3, 5]", attributes), "DepthToSpace");
    ExpectNode(Blocks("DepthToSpace", "u8", "[1, 8, 2, 3, 4]", attributes), "DepthToSpace");
    ExpectNode(Blocks("DepthToSpace", "f32", "[2, 0, 3, 5]", attributes), "DepthToSpace");
  }
}

TEST(ChannelBlocksNodeTest, SpaceToDepth) {
  for (const char* mode : {"blocks_first", "depth_first"}) {
    const std::string attributes = absl::StrCat("block_size = 3, mode = ", mode);
    ExpectNode(Blocks("SpaceToDepth", "f32", "[2, 5, 6, 9]", attributes), "SpaceToDepth");
    ExpectNode(Blocks("SpaceToDepth", "i64", "[2, 5, 6]", attributes), "SpaceToDepth");
    ExpectNode(Blocks("SpaceToDepth", "f16", "[2, 5, 0, 9]", attributes), "SpaceToDepth");
  }
}

TEST(ChannelBlocksNodeTest, ShuffleChannels) {
  ExpectNode(Blocks("ShuffleChannels", "f32", "[2, 12, 3, 5]", "axis = 1, group = 3"), "ShuffleChannels");
  ExpectNode(Blocks("ShuffleChannels", "i8", "[2, 3, 12]", "axis = -1, group = 4"), "ShuffleChannels");
  ExpectNode(Blocks("ShuffleChannels", "f32", "[0, 12]", "axis = 1, group = 3"), "ShuffleChannels");
}

}  // namespace
}  // namespace burin::cpu
