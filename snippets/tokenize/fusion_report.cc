#include "snippets/tokenize/fusion_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace burin::snippets {
namespace {

void AppendSummary(const FusionReport& report, std::string* text) {
  absl::StrAppend(text, report.eligible_ops, " eligible operations, ", report.subgraphs.size(), " Subgraphs, ",
                  report.fused_edges, " of ", report.eligible_edges, " edges fused\n");
  const auto anchored = std::count_if(report.subgraphs.begin(), report.subgraphs.end(),
                                      [](const FusedSubgraph& subgraph) { return !subgraph.anchor.empty(); });
  if (report.eligible_anchors > 0) {
    absl::StrAppend(text, "  ", anchored, " of ", report.eligible_anchors, " dense anchors have an epilogue\n");
  }
  for (const auto& [reason, count] : report.RefusalsByReason()) {
    absl::StrAppend(text, "  refused by ", Name(reason), ": ", count, "\n");
  }
}

void AppendIneligible(const FusionReport& report, std::string* text) {
  // What an operation's reason says of the node itself stands behind a colon.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> alike;
  for (const IneligibleOp& op : report.ineligible) {
    alike[{op.op, op.reason.substr(0, op.reason.find(": '"))}].push_back(op.name);
  }
  for (const auto& [what, names] : alike) {
    constexpr size_t kNamesShown = 3;
    absl::StrAppend(text, "not eligible: ", names.size(), " ", what.first, ": ", what.second, "  [");
    for (size_t i = 0; i < names.size() && i < kNamesShown; ++i) absl::StrAppend(text, i == 0 ? "" : ", ", names[i]);
    absl::StrAppend(text, names.size() > kNamesShown ? ", ..." : "", "]\n");
  }
}

}  // namespace

const char* Name(FusionReason reason) {
  switch (reason) {
    case FusionReason::kCycle:
      return "cycle";
    case FusionReason::kAxes:
      return "axes";
    case FusionReason::kView:
      return "view";
    case FusionReason::kBody:
      return "body";
    case FusionReason::kParallelism:
      return "parallelism";
    case FusionReason::kBuffer:
      return "buffer";
    case FusionReason::kRecompute:
      return "recompute";
    case FusionReason::kCodeSize:
      return "code-size";
    case FusionReason::kAnchors:
      return "anchors";
    case FusionReason::kEpilogue:
      return "epilogue";
    case FusionReason::kSingleOps:
      return "single-ops";
  }
  return "unknown";
}

std::map<FusionReason, int64_t> FusionReport::RefusalsByReason() const {
  std::map<FusionReason, int64_t> counts;
  for (const FusionRefusal& refusal : refusals) ++counts[refusal.reason];
  return counts;
}

std::string FusionReport::ToString() const {
  std::string text;
  AppendSummary(*this, &text);
  for (const FusedSubgraph& subgraph : subgraphs) {
    absl::StrAppendFormat(&text, "Subgraph \"%s\": %d operations, %.0f bytes saved\n", subgraph.name,
                          subgraph.ops.size(), subgraph.bytes_saved);
    if (!subgraph.anchor.empty()) absl::StrAppend(&text, "  anchored by ", subgraph.anchor, "\n");
    absl::StrAppend(&text, "  of ", absl::StrJoin(subgraph.ops, ", "), "\n  reads ",
                    absl::StrJoin(subgraph.inputs, ", "), "\n  gives ", absl::StrJoin(subgraph.outputs, ", "), "\n");
  }
  for (const FusionRefusal& refusal : refusals) {
    absl::StrAppend(&text, "not fused: ", refusal.producer, " -> ", refusal.consumer, ": ", Name(refusal.reason), ": ",
                    refusal.text, "\n");
  }
  AppendIneligible(*this, &text);
  return text;
}

}  // namespace burin::snippets
