// Lists the libraries that were found when this was built.
//
// Use it for `kernel_bench -peers`. They are no dependencies of the project: tools/peers/README.md says how to install
// and name them. Call it from one thread.
#ifndef BURIN_TOOLS_PEERS_ALL_PEERS_H_
#define BURIN_TOOLS_PEERS_ALL_PEERS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/kernel_bench/peer.h"

namespace burin::peers {

// Returns them. FailedPrecondition, saying what to do, where none was found; fails as a library's start does.
absl::StatusOr<std::vector<std::shared_ptr<kernel_bench::Peer>>> AllPeers();

}  // namespace burin::peers

#endif  // BURIN_TOOLS_PEERS_ALL_PEERS_H_
