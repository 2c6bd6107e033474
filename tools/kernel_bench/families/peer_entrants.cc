#include "tools/kernel_bench/families/peer_entrants.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "tools/kernel_bench/families/case_buffers.h"

namespace burin::kernel_bench {

namespace {

using Check = std::function<Accuracy(const std::function<void()>& call)>;

absl::Status AddContenders(const std::shared_ptr<Peer>& peer,
                           const absl::StatusOr<std::vector<PeerContender>>& contenders, const Entrant& like,
                           const Check& check, std::vector<Entrant>& entrants) {
  if (!contenders.ok()) return WithContext(contenders.status(), peer->name());
  for (const PeerContender& contender : *contenders) {
    Entrant entrant = like;
    entrant.role = Role::kPeer;
    entrant.name = contender.variant.empty() ? peer->name() : absl::StrCat(peer->name(), " ", contender.variant);
    entrant.implementation = absl::StrCat(peer->version(), ", ", contender.implementation);
    entrant.timed = contender.timed;
    entrant.run = Rotating(static_cast<int>(contender.calls.size()),
                           [peer, calls = contender.calls](int copy) { calls[static_cast<size_t>(copy)](); });
    entrant.check = [peer, check, call = contender.calls.front(), finish = contender.finish] {
      return check([&] {
        call();
        if (finish) finish();
      });
    };
    entrants.push_back(std::move(entrant));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddPeers(absl::Span<const std::shared_ptr<Peer>> peers, const PeerWork& work, const Entrant& like,
                      const Check& check, std::vector<Entrant>& entrants) {
  for (const std::shared_ptr<Peer>& peer : peers) {
    BURIN_RETURN_IF_ERROR(AddContenders(peer, peer->Contenders(work), like, check, entrants));
  }
  return absl::OkStatus();
}

absl::Status AddGraphPeers(absl::Span<const std::shared_ptr<Peer>> peers, const PeerGraph& graph, const Entrant& like,
                           const Check& check, std::vector<Entrant>& entrants) {
  for (const std::shared_ptr<Peer>& peer : peers) {
    BURIN_RETURN_IF_ERROR(AddContenders(peer, peer->GraphContenders(graph), like, check, entrants));
  }
  return absl::OkStatus();
}

}  // namespace burin::kernel_bench
