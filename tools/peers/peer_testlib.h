// Has a peer do some work, for tests of peers.
//
// Functions may be called from any thread, one for each peer.
#ifndef BURIN_TOOLS_PEERS_PEER_TESTLIB_H_
#define BURIN_TOOLS_PEERS_PEER_TESTLIB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/kernel_bench/peer.h"

namespace burin::peers {

// Returns some floats: 0.25, 0.5, ... below 4, over and over.
std::vector<float> SomeFloats(int64_t count);

// Has the peer do the work on SomeFloats() in two copies, and returns the result. NotFound where it has nobody for the
// work, Internal where the copies' results differ.
absl::StatusOr<std::vector<float>> Results(kernel_bench::Peer& peer, const std::string& function,
                                           const std::vector<int64_t>& dims, const std::vector<int>& permutation = {});

// Has the peer run a graph of one operator on SomeFloats() in two copies: inputs of these names and dimensions, and an
// output "y" like the first of them. Returns the result. Fails as Results() does.
absl::StatusOr<std::vector<float>> GraphResults(kernel_bench::Peer& peer, const std::string& type,
                                                const std::vector<kernel_bench::PeerGraph::Tensor>& inputs,
                                                const std::vector<kernel_bench::PeerGraph::Attribute>& attributes);

}  // namespace burin::peers

#endif  // BURIN_TOOLS_PEERS_PEER_TESTLIB_H_
