#include "tools/peers/all_peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/peer.h"
#include "tools/peers/libxsmm_peer.h"
#include "tools/peers/onednn_peer.h"
#include "tools/peers/onnxruntime_peer.h"

namespace burin::peers {
namespace {

TEST(AllPeersTest, ListsWhatWasFoundOrSaysWhatToDo) {
  size_t found = 0;
  for (const auto make : {OneDnnPeer, OnnxRuntimePeer, LibxsmmPeer}) {
    ASSERT_OK_AND_ASSIGN(const std::shared_ptr<kernel_bench::Peer> peer, make());
    found += peer == nullptr ? 0 : 1;
  }
  const auto peers = AllPeers();
  if (found == 0) {
    EXPECT_THAT(peers.status(),
                StatusIs(absl::StatusCode::kFailedPrecondition, ::testing::HasSubstr("tools/peers/README.md")));
  } else {
    ASSERT_OK(peers);
    EXPECT_EQ(peers->size(), found);
  }
}

}  // namespace
}  // namespace burin::peers
