#include "transformations/fuzz/campaign.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "ir/text.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/shrink.h"
#include "transformations/pass.h"
#include "transformations/pass_table.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

void CountNodes(const ir::Model& model, CampaignReport* report) {
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    ++report->nodes;
    ++report->ops[node.op().name];
    for (const ir::ValueInfo& output : node.outputs()) ++report->types[std::string(Name(output.type))];
    for (const auto& body : node.bodies()) CountNodes(*body, report);
  }
}

Failure Explain(uint64_t seed, const FuzzCase& fuzz_case, const CheckOptions& options) {
  Failure failure;
  failure.seed = seed;
  const FuzzCase small = Shrink(fuzz_case, options);
  failure.what = CheckCase(small, options).what;
  failure.rewrite = FirstWrongRewrite(small, options);
  absl::StatusOr<std::string> text = ir::PrintModel(*small.model);
  failure.model = text.ok() ? *std::move(text) : text.status().ToString();
  return failure;
}

}  // namespace

CampaignReport RunCampaign(const CampaignOptions& options) {
  CampaignReport report;
  for (const Pass& pass : AllPasses()) report.passes[pass.name];
  for (const ir::OpDef* op : ir::AllOps()) report.ops[op->name];
  for (const ElementType type : kAllElementTypes) {
    if (type != ElementType::kString) report.types[std::string(Name(type))];
  }
  for (int64_t i = 0; i < options.graphs; ++i) {
    const uint64_t seed = options.first_seed + static_cast<uint64_t>(i);
    const FuzzCase fuzz_case = MakeFuzzCase(seed, options.steps, AllGrowers());
    ++report.graphs;
    report.exact += fuzz_case.mode == FuzzMode::kExact ? 1 : 0;
    // What no result needs takes no part.
    const std::unique_ptr<ir::Model> needed = fuzz_case.model->Clone();
    needed->RemoveDeadNodes();
    CountNodes(*needed, &report);
    const CheckResult result = CheckCase(fuzz_case, options.check);
    report.samples += result.compared;
    for (const PassReport& pass : result.report.passes) {
      report.passes[pass.name].rewrites += pass.rewrites;
      report.passes[pass.name].graphs += pass.rewrites > 0 ? 1 : 0;
    }
    switch (result.verdict) {
      case Verdict::kSame:
        ++report.same;
        break;
      case Verdict::kRefused:
        ++report.refused;
        break;
      case Verdict::kSensitive:
        ++report.sensitive;
        report.sensitive_seeds.push_back(seed);
        break;
      case Verdict::kWrong:
        if (static_cast<int64_t>(report.failures.size()) < options.max_shrunk) {
          report.failures.push_back(Explain(seed, fuzz_case, options.check));
        } else {
          report.failures.push_back(Failure{seed, result.what, "", ""});
        }
    }
  }
  return report;
}

std::string CampaignReport::ToString() const {
  std::string text = absl::StrFormat("%-32s %9s %9s\n", "pass", "rewrites", "graphs");
  for (const auto& [name, tally] : passes) {
    absl::StrAppendFormat(&text, "%-32s %9d %9d\n", name, tally.rewrites, tally.graphs);
  }
  for (const auto* counts : {&ops, &types}) {
    absl::StrAppendFormat(&text, "\n%-32s %9s\n", counts == &ops ? "operation" : "type",
                          counts == &ops ? "nodes" : "values");
    for (const auto& [name, count] : *counts) absl::StrAppendFormat(&text, "%-32s %9d\n", name, count);
  }
  absl::StrAppend(&text, "\n");
  for (const Failure& failure : failures) {
    absl::StrAppendFormat(&text, "seed %d: %s\n%s\n%s\n", failure.seed, failure.rewrite, failure.what, failure.model);
  }
  if (!sensitive_seeds.empty()) {
    absl::StrAppend(&text, "sensitive seeds:");
    for (const uint64_t seed : sensitive_seeds) absl::StrAppend(&text, " ", seed);
    absl::StrAppend(&text, "\n");
  }
  absl::StrAppendFormat(&text, "%d graphs (%d exact, %d rounding), %d nodes, %d samples compared\n", graphs, exact,
                        graphs - exact, nodes, samples);
  absl::StrAppendFormat(&text, "%d same, %d refused by the model itself, %d sensitive to rounding, %d wrong\n", same,
                        refused, sensitive, failures.size());
  return text;
}

}  // namespace burin::transformations
