#include "tools/bisect/search.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "transformations/pass_table.h"
#include "transformations/report.h"

namespace burin::bisect {
namespace {

using transformations::RewriteEvent;

constexpr int64_t kAll = -1;

// A model after some rewrites, or why it cannot be made.
struct Candidate {
  std::unique_ptr<ir::Model> model;
  absl::Status status;
  int64_t rewrites = 0;
};

bool HasBody(const ir::Node& node, const ir::Model* body) {
  for (const std::unique_ptr<ir::Model>& own : node.bodies()) {
    if (own.get() == body) return true;
    for (const ir::NodeId id : own->NodeIds()) {
      if (HasBody(own->node(id), body)) return true;
    }
  }
  return false;
}

class Search {
 public:
  Search(const ir::Model& model, absl::Span<const transformations::PassGroup> groups, const ir::PassContext& context,
         const std::vector<ir::Tensor>& inputs, const BisectOptions& options)
      : model_(model), groups_(groups), context_(context), inputs_(inputs), options_(options) {}

  absl::StatusOr<Finding> Run();

 private:
  Candidate Make(int64_t rewrites, Finding* finding = nullptr);
  Parting Try(const Candidate& candidate, absl::string_view what);
  Parting Try(int64_t rewrites) { return Try(Make(rewrites), absl::StrCat(rewrites, " rewrites")); }
  void Record(const RewriteEvent& event, const ir::Model& root, Finding* finding);
  absl::Status Describe(int64_t rewrite, Finding* finding);

  const ir::Model& model_;
  const absl::Span<const transformations::PassGroup> groups_;
  const ir::PassContext& context_;
  const std::vector<ir::Tensor>& inputs_;
  const BisectOptions& options_;
  std::vector<ir::Tensor> expected_;
};

// Makes the first rewrites; where `finding` is given, records the last of them there.
Candidate Search::Make(int64_t rewrites, Finding* finding) {
  Candidate candidate;
  candidate.model = model_.Clone();
  transformations::PipelineOptions options;
  options.disabled = options_.disabled;
  options.stop_after_rewrite = rewrites;
  if (finding != nullptr) {
    options.observer = [&](const RewriteEvent& event) {
      if (event.index == rewrites) Record(event, *candidate.model, finding);
    };
  }
  transformations::CompileReport report;
  candidate.status = transformations::RunPasses(candidate.model.get(), groups_, context_, options, &report,
                                                transformations::AllPasses());
  candidate.rewrites = report.rewrites;
  return candidate;
}

// A patch that a reader refuses has been announced too; the last announcement is the one that counts.
void Search::Record(const RewriteEvent& event, const ir::Model& root, Finding* finding) {
  finding->pass = event.pass;
  finding->node_name = event.node_name;
  finding->in_body = event.model != &root;
  if (event.applied) {
    if (!finding->in_body) finding->touched = event.touched;
    return;
  }
  finding->original_names = event.model->node(event.node).original_names();
  finding->node = event.node;
  if (!finding->in_body) return;
  for (const ir::NodeId id : root.NodeIds()) {
    if (HasBody(root.node(id), event.model)) finding->node = id;
  }
}

Parting Search::Try(const Candidate& candidate, absl::string_view what) {
  Parting parting;
  if (candidate.status.ok()) {
    parting = Compare(*candidate.model, options_.candidate(*candidate.model, inputs_), expected_, options_.bound);
  } else {
    parting = {true, absl::StrCat("The passes fail: ", candidate.status.message(), "\n")};
  }
  if (options_.progress) options_.progress(absl::StrCat(what, ": ", parting.parts ? "parts" : "holds"));
  return parting;
}

absl::StatusOr<Finding> Search::Run() {
  BURIN_ASSIGN_OR_RETURN(expected_, options_.reference(model_, inputs_));
  Finding finding;
  const Candidate all = Make(kAll);
  // An unknown name in `disabled` is refused before any rewrite.
  if (all.status.code() == absl::StatusCode::kInvalidArgument && all.rewrites == 0) return all.status;
  const Parting whole = Try(all, absl::StrCat("all ", all.rewrites, " rewrites"));
  finding.rewrites = all.rewrites;
  if (!whole.parts) return finding;
  finding.how = whole.how;
  const Parting none = Try(0);
  if (none.parts) {
    finding.outcome = Outcome::kDeviceParts;
    finding.how = none.how;
    return finding;
  }
  int64_t holds = 0;
  // Passes that fail do so on the way to the rewrite after the last one made.
  int64_t parts = all.status.ok() ? all.rewrites : all.rewrites + 1;
  while (parts - holds > 1) {
    const int64_t middle = holds + (parts - holds) / 2;
    (Try(middle).parts ? parts : holds) = middle;
  }
  finding.outcome = Outcome::kRewriteParts;
  BURIN_RETURN_IF_ERROR(Describe(parts, &finding));
  return finding;
}

absl::Status Search::Describe(int64_t rewrite, Finding* finding) {
  finding->rewrite = rewrite;
  Candidate before = Make(rewrite - 1);
  Candidate after = Make(rewrite, finding);
  const Parting still_holds = Try(before, absl::StrCat("confirming ", rewrite - 1, " rewrites"));
  const Parting still_parts = Try(after, absl::StrCat("confirming ", rewrite, " rewrites"));
  if (still_holds.parts || !still_parts.parts) {
    return absl::InternalError(absl::StrCat(
        "Outputs part in one run and not in the next, so that no rewrite can be named; the last looked at: ", rewrite));
  }
  finding->how = still_parts.how;
  finding->before = std::move(before.model);
  if (after.status.ok()) finding->after = std::move(after.model);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Finding> Bisect(const ir::Model& model, absl::Span<const transformations::PassGroup> groups,
                               const ir::PassContext& context, const std::vector<ir::Tensor>& inputs,
                               const BisectOptions& options) {
  return Search(model, groups, context, inputs, options).Run();
}

}  // namespace burin::bisect
