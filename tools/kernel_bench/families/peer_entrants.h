// Makes entrants of what other libraries have for some work.
//
// Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_PEER_ENTRANTS_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_PEER_ENTRANTS_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {

// Appends an entrant for each contender of each peer; `like` has what all have alike: units and bytes. `check` runs the
// function that it is given, which does the work on copy 0, and looks at the result. Fails as a peer does, naming it.
absl::Status AddPeers(absl::Span<const std::shared_ptr<Peer>> peers, const PeerWork& work, const Entrant& like,
                      const std::function<Accuracy(const std::function<void()>& call)>& check,
                      std::vector<Entrant>& entrants);

// As above, for a graph.
absl::Status AddGraphPeers(absl::Span<const std::shared_ptr<Peer>> peers, const PeerGraph& graph, const Entrant& like,
                           const std::function<Accuracy(const std::function<void()>& call)>& check,
                           std::vector<Entrant>& entrants);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_PEER_ENTRANTS_H_
