// Makes oneDNN a peer, where it was found when this was built.
//
// Used by one thread.
#ifndef BURIN_TOOLS_PEERS_ONEDNN_PEER_H_
#define BURIN_TOOLS_PEERS_ONEDNN_PEER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "tools/kernel_bench/peer.h"

namespace burin::peers {

// Returns it, limited to the calling thread; null where it was not found. Internal where the library does not start.
absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> OneDnnPeer();

}  // namespace burin::peers

#endif  // BURIN_TOOLS_PEERS_ONEDNN_PEER_H_
