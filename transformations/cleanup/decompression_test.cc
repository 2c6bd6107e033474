#include "transformations/cleanup/decompression.h"

#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

TEST(DecompressionTest, TellsMarkedNodesFromOthers) {
  ir::Model model;
  ASSERT_OK_AND_ASSIGN(const ir::Value x, model.AddParameter("x", ElementType::kF32, ir::PartialShape{2}));
  ASSERT_OK_AND_ASSIGN(const ir::Value y, model.Add(ir::ReluOp(), {x}));
  EXPECT_FALSE(IsKeptDecompression(model.node(y.node)));
  EXPECT_EQ(DecompressionMarkOf(model.node(y.node)), ir::RuntimeInfo());
  model.SetRuntimeInfo(y.node, {{kDecompressionKey, "another word"}});
  EXPECT_FALSE(IsKeptDecompression(model.node(y.node)));
  model.SetRuntimeInfo(y.node, {{kDecompressionKey, kDecompressionKept}, {"layout", "NC"}});
  EXPECT_TRUE(IsKeptDecompression(model.node(y.node)));
  EXPECT_FALSE(IsFoldedDecompression(model.node(y.node)));
  EXPECT_EQ(DecompressionMarkOf(model.node(y.node)), (ir::RuntimeInfo{{kDecompressionKey, kDecompressionKept}}));
  model.SetRuntimeInfo(y.node, {{kDecompressionKey, kDecompressionFolded}});
  EXPECT_TRUE(IsFoldedDecompression(model.node(y.node)));
  EXPECT_FALSE(IsKeptDecompression(model.node(y.node)));
  EXPECT_EQ(DecompressionMarkOf(model.node(y.node)), ir::RuntimeInfo());
}

}  // namespace
}  // namespace burin::transformations
