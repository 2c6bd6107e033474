#include "runtime/readers/onnx/unsupported.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace burin::onnx {
namespace {

constexpr size_t kMaxNames = 5;
// A hostile model may use as many operators as it has nodes; the error stays readable.
constexpr size_t kMaxEntries = 100;

}  // namespace

void UnsupportedList::Add(absl::string_view op, absl::string_view domain, int64_t opset, absl::string_view reason,
                          absl::string_view node) {
  ++count_;
  Key key(std::string(domain.empty() ? "ai.onnx" : domain), std::string(op), opset, std::string(reason));
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    if (entries_.size() == kMaxEntries) return;
    found = entries_.emplace(std::move(key), Uses()).first;
  }
  Uses& uses = found->second;
  ++uses.count;
  if (uses.nodes.size() < kMaxNames) uses.nodes.emplace_back(node);
}

absl::Status UnsupportedList::ToStatus() const {
  if (entries_.empty()) return absl::OkStatus();
  std::string text = "Unsupported in this model:";
  int64_t listed = 0;
  for (const auto& [key, uses] : entries_) {
    const auto& [domain, op, opset, reason] = key;
    listed += uses.count;
    absl::StrAppend(&text, "\n  ", op, " (domain ", domain, ", opset ", opset, ")");
    if (!reason.empty()) absl::StrAppend(&text, ": ", reason);
    const bool is_cut = static_cast<size_t>(uses.count) > uses.nodes.size();
    absl::StrAppend(&text, ": ", uses.count, uses.count == 1 ? " node: " : " nodes: ", absl::StrJoin(uses.nodes, ", "),
                    is_cut ? ", ..." : "");
  }
  if (listed < count_) absl::StrAppend(&text, "\n  and ", count_ - listed, " more nodes of other operators");
  return absl::UnimplementedError(text);
}

}  // namespace burin::onnx
