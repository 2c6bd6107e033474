#include "tools/peers/libxsmm_peer.h"

#ifdef BURIN_PEER_LIBXSMM

#include <libxsmm.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace burin::peers {
namespace {

using kernel_bench::Peer;
using kernel_bench::PeerContender;
using kernel_bench::PeerGraph;
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

  // Has small products of matrices.
  absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& graph) override {
    std::vector<PeerContender> contenders;
    if (graph.nodes.size() != 1 || graph.nodes.front().type != "MatMul") return contenders;
    const bool is_constant = !graph.constants.empty();
    const std::vector<int64_t>& a_dims = graph.inputs.front().dims;
    const std::vector<int64_t>& b_dims = is_constant ? graph.constants.front().dims : graph.inputs[1].dims;
    if (a_dims.size() != 2 || a_dims[0] * a_dims[1] * b_dims[1] > kMostProducts) return contenders;
    // By columns, it is the product of the transposed matrices in the other order.
    const float zero = 0;
    const libxsmm_smmfunction kernel = libxsmm_smmdispatch(
        static_cast<libxsmm_blasint>(b_dims[1]), static_cast<libxsmm_blasint>(a_dims[0]),
        static_cast<libxsmm_blasint>(a_dims[1]), nullptr, nullptr, nullptr, nullptr, &zero, nullptr, nullptr);
    if (kernel == nullptr) return contenders;
    PeerContender contender;
    contender.implementation = "libxsmm_smmdispatch";
    contender.timed = "the call of the kernel";
    const std::shared_ptr<std::vector<float>> constant =
        is_constant ? std::make_shared<std::vector<float>>(graph.constants.front().values) : nullptr;
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      const float* const a = buffers.in[0];
      const float* const b = is_constant ? constant->data() : buffers.in[1];
      float* const c = buffers.out.front();
      contender.calls.push_back([kernel, constant, a, b, c] { kernel(b, a, c); });
    }
    contenders.push_back(std::move(contender));
    return contenders;
  }

 private:
  // Multiplications of what the library calls small.
  static constexpr int64_t kMostProducts = int64_t{128} * 128 * 128;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Peer>> LibxsmmPeer() { return std::make_shared<Libxsmm>(); }

}  // namespace burin::peers

#else

namespace burin::peers {

absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> LibxsmmPeer() { return std::shared_ptr<kernel_bench::Peer>(); }

}  // namespace burin::peers

#endif  // BURIN_PEER_LIBXSMM
