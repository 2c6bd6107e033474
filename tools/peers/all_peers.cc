#include "tools/peers/all_peers.h"

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "tools/peers/libxsmm_peer.h"
#include "tools/peers/onednn_peer.h"
#include "tools/peers/onnxruntime_peer.h"

namespace burin::peers {

absl::StatusOr<std::vector<std::shared_ptr<kernel_bench::Peer>>> AllPeers() {
  std::vector<std::shared_ptr<kernel_bench::Peer>> peers;
  for (const auto make : {OneDnnPeer, OnnxRuntimePeer, LibxsmmPeer}) {
    BURIN_ASSIGN_OR_RETURN(std::shared_ptr<kernel_bench::Peer> peer, make());
    if (peer != nullptr) peers.push_back(peer);
  }
  if (peers.empty()) {
    return absl::FailedPreconditionError(
        "This was built without other libraries to compare with: install them as tools/peers/README.md says, and build "
        "with BURIN_PEERS naming their folder");
  }
  return peers;
}

}  // namespace burin::peers
