#include "tools/peers/peer_testlib.h"

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::peers {

std::vector<float> SomeFloats(int64_t count) {
  std::vector<float> floats(static_cast<size_t>(count));
  for (size_t i = 0; i < floats.size(); ++i) floats[i] = 0.25f * static_cast<float>(i % 15 + 1);
  return floats;
}

absl::StatusOr<std::vector<float>> Results(kernel_bench::Peer& peer, const std::string& function,
                                           const std::vector<int64_t>& dims, const std::vector<int>& permutation) {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  const std::vector<float> in = SomeFloats(count);
  std::vector<float> first(in.size());
  std::vector<float> second(in.size(), -1);
  kernel_bench::PeerWork work;
  work.function = function;
  work.dims = dims;
  work.permutation = permutation;
  work.copies = {{in.data(), first.data()}, {in.data(), second.data()}};
  BURIN_ASSIGN_OR_RETURN(const std::vector<kernel_bench::PeerContender> contenders, peer.Contenders(work));
  if (contenders.empty()) return absl::NotFoundError(absl::StrCat("Nobody for ", function));
  for (const kernel_bench::PeerContender& contender : contenders) {
    if (contender.calls.size() != work.copies.size() || contender.timed.empty()) {
      return absl::InternalError("A contender needs a call for each copy, and to say what is timed");
    }
    for (const std::function<void()>& call : contender.calls) call();
    if (first != second) return absl::InternalError("The copies' results differ");
  }
  return first;
}

}  // namespace burin::peers
