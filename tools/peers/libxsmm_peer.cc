#include "tools/peers/libxsmm_peer.h"

#ifdef BURIN_PEER_LIBXSMM

#include <libxsmm.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace burin::peers {
namespace {

using kernel_bench::Peer;
using kernel_bench::PeerContender;
using kernel_bench::PeerWork;

class Libxsmm : public Peer {
 public:
  Libxsmm() { libxsmm_init(); }

  std::string name() const override { return "libxsmm"; }

  std::string version() const override { return LIBXSMM_VERSION; }

  // Has no functions of single elements, but matrices transposed.
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    std::vector<PeerContender> contenders;
    if (work.function != "Transpose" || work.permutation != std::vector<int>{1, 0}) return contenders;
    // It counts by columns: our rows are its columns.
    const auto rows = static_cast<libxsmm_blasint>(work.dims[0]);
    const auto columns = static_cast<libxsmm_blasint>(work.dims[1]);
    PeerContender contender;
    contender.implementation = "libxsmm_otrans";
    contender.timed = "its call, which looks its kernel up";
    for (const PeerWork::Buffers& buffers : work.copies) {
      contender.calls.push_back([buffers, rows, columns] {
        libxsmm_otrans(buffers.out, buffers.in, sizeof(float), columns, rows, columns, rows);
      });
    }
    contenders.push_back(std::move(contender));
    return contenders;
  }
};

}  // namespace

absl::StatusOr<std::shared_ptr<Peer>> LibxsmmPeer() { return std::make_shared<Libxsmm>(); }

}  // namespace burin::peers

#else

namespace burin::peers {

absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> LibxsmmPeer() { return std::shared_ptr<kernel_bench::Peer>(); }

}  // namespace burin::peers

#endif  // BURIN_PEER_LIBXSMM
