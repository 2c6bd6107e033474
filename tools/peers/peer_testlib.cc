#include "tools/peers/peer_testlib.h"

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::peers {
namespace {

int64_t Count(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

// Has all contenders do the work, whose results are in `first` and `second`.
absl::StatusOr<std::vector<float>> Outcome(const std::vector<kernel_bench::PeerContender>& contenders,
                                           const std::string& what, const std::vector<float>& first,
                                           const std::vector<float>& second) {
  if (contenders.empty()) return absl::NotFoundError(absl::StrCat("Nobody for ", what));
  for (const kernel_bench::PeerContender& contender : contenders) {
    if (contender.calls.size() != 2 || contender.timed.empty()) {
      return absl::InternalError("A contender needs a call for each copy, and to say what is timed");
    }
    for (const std::function<void()>& call : contender.calls) call();
    if (first != second) return absl::InternalError("The copies' results differ");
  }
  return first;
}

}  // namespace

std::vector<float> SomeFloats(int64_t count) {
  std::vector<float> floats(static_cast<size_t>(count));
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = 0.25f * static_cast<float>(i % 15 + 1);
  return floats;
}

absl::StatusOr<std::vector<float>> Results(kernel_bench::Peer& peer, const std::string& function,
                                           const std::vector<int64_t>& dims, const std::vector<int>& permutation) {
  const std::vector<float> in = SomeFloats(Count(dims));
  std::vector<float> first(in.size());
  std::vector<float> second(in.size(), -1);
  kernel_bench::PeerWork work;
  work.function = function;
  work.dims = dims;
  work.permutation = permutation;
  work.copies = {{in.data(), first.data()}, {in.data(), second.data()}};
  BURIN_ASSIGN_OR_RETURN(const std::vector<kernel_bench::PeerContender> contenders, peer.Contenders(work));
  return Outcome(contenders, function, first, second);
}

absl::StatusOr<std::vector<float>> GraphResults(kernel_bench::Peer& peer, const std::string& type,
                                                const std::vector<kernel_bench::PeerGraph::Tensor>& inputs,
                                                const std::vector<kernel_bench::PeerGraph::Attribute>& attributes) {
  kernel_bench::PeerGraph graph;
  graph.inputs = inputs;
  graph.outputs = {{"y", inputs.front().dims}};
  kernel_bench::PeerGraph::Node node = {"", type, {}, {"y"}, attributes};
  std::vector<std::vector<float>> in;
  kernel_bench::PeerGraph::Buffers buffers;
  for (const kernel_bench::PeerGraph::Tensor& input : inputs) {
    node.inputs.push_back(input.name);
    in.push_back(SomeFloats(Count(input.dims)));
    buffers.in.push_back(in.back().data());
  }
  graph.nodes = {node};
  std::vector<float> first(in.front().size());
  std::vector<float> second(first.size(), -1);
  graph.copies = {buffers, buffers};
  graph.copies[0].out = {first.data()};
  graph.copies[1].out = {second.data()};
  BURIN_ASSIGN_OR_RETURN(const std::vector<kernel_bench::PeerContender> contenders, peer.GraphContenders(graph));
  return Outcome(contenders, type, first, second);
}

}  // namespace burin::peers
