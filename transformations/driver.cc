#include "transformations/driver.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/logging.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/verifier.h"
#include "transformations/work_list.h"

namespace burin::transformations {
namespace {

using Clock = std::chrono::steady_clock;

int64_t Nanoseconds(Clock::duration duration) { return std::chrono::nanoseconds(duration).count(); }

// Adds the time of its life to a counter.
class Stopwatch {
 public:
  explicit Stopwatch(int64_t* total_ns) : total_ns_(total_ns), start_(Clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { *total_ns_ += Nanoseconds(Clock::now() - start_); }

 private:
  int64_t* const total_ns_;
  const Clock::time_point start_;
};

int64_t CountNodes(const ir::Model& model) {
  int64_t count = model.node_count();
  for (const ir::NodeId id : model.NodeIds()) {
    for (const std::unique_ptr<ir::Model>& body : model.node(id).bodies()) count += CountNodes(*body);
  }
  return count;
}

std::string Where(const Pass& pass, const std::string& node_name) {
  return absl::StrCat("Pass ", pass.name, " at node '", node_name, "'");
}

// What became of an edit.
enum class Outcome {
  kApplied,
  kRefused,  // By a reader; the model is unchanged.
  kStopped,  // The limit on rewrites was reached before; the model is unchanged.
};

// A pass that takes part in the run, and where its figures go.
struct Entry {
  const Pass* pass;
  size_t report;  // Index into CompileReport::passes.
};

// One call of RunPasses.
class Run {
 public:
  Run(const ir::PassContext& context, const PipelineOptions& options, int64_t nodes, CompileReport* report)
      : context_(context), options_(options), report_(report) {
    // A pass of the list rewrites a node a few times at most, and an unrolled loop brings some hundred nodes with it;
    // two passes that undo each other soon get beyond this.
    cap_ = options.max_rewrites >= 0 ? options.max_rewrites : 10000 + 50 * nodes;
  }

  // Runs a group on the model and on the bodies in it.
  absl::Status RunGroup(const PassGroup& group, ir::Model* model);

  bool Stopped() const { return options_.stop_after_rewrite >= 0 && report_->rewrites >= options_.stop_after_rewrite; }

  // Makes one edit with all that belongs to it. `edit` may fill in which nodes it touched.
  absl::StatusOr<Outcome> Rewrite(const Entry& entry, ir::Model* model, ir::NodeId at,
                                  absl::FunctionRef<absl::Status(ir::Model& model)> edit,
                                  std::vector<ir::NodeId>* touched);

 private:
  std::vector<Entry> EntriesOf(const PassGroup& group);
  absl::Status RunEntries(const std::vector<Entry>& entries, ir::Model* model);
  absl::Status RunRules(const std::vector<Entry>& rules, ir::Model* model);
  absl::StatusOr<bool> TryAt(const std::vector<Entry>& rules, ir::NodeId node, ir::Model* model, WorkList* work);
  absl::Status RunWholeGraph(const Entry& entry, ir::Model* model);
  absl::StatusOr<bool> RunBodies(const std::vector<Entry>& entries, ir::Model* model);
  absl::Status VerifyAfter(const ir::Model& model, absl::string_view what);

  const ir::PassContext& context_;
  const PipelineOptions& options_;
  CompileReport* const report_;
  int64_t cap_;
  int64_t made_ = 0;  // Rewrites of this run.
};

class DriverRewriter final : public Rewriter {
 public:
  DriverRewriter(Run* run, const Entry& entry, ir::Model* model) : run_(*run), entry_(entry), model_(model) {}

  absl::StatusOr<bool> Apply(ir::Patch patch, ir::NodeId at) override {
    std::vector<ir::NodeId> touched;
    const auto apply = [&patch, &touched](ir::Model& model) { return std::move(patch).Apply(&model, &touched); };
    BURIN_ASSIGN_OR_RETURN(const Outcome outcome, run_.Rewrite(entry_, model_, at, apply, &touched));
    return outcome != Outcome::kStopped;
  }
  absl::StatusOr<bool> Edit(ir::NodeId at, absl::FunctionRef<absl::Status(ir::Model& model)> edit) override {
    std::vector<ir::NodeId> none;
    BURIN_ASSIGN_OR_RETURN(const Outcome outcome, run_.Rewrite(entry_, model_, at, edit, &none));
    return outcome != Outcome::kStopped;
  }

 private:
  Run& run_;
  const Entry& entry_;
  ir::Model* const model_;
};

absl::Status Run::VerifyAfter(const ir::Model& model, absl::string_view what) {
  const Stopwatch stopwatch(&report_->verify_ns);
  const absl::Status status = ir::Verify(model);
  if (status.ok()) return status;
  return absl::InternalError(absl::StrCat(what, " broke the model: ", status.message()));
}

absl::StatusOr<Outcome> Run::Rewrite(const Entry& entry, ir::Model* model, ir::NodeId at,
                                     absl::FunctionRef<absl::Status(ir::Model& model)> edit,
                                     std::vector<ir::NodeId>* touched) {
  if (Stopped()) return Outcome::kStopped;
  RewriteEvent event;
  event.index = report_->rewrites + 1;
  event.pass = entry.pass;
  event.node = at;
  event.node_name = model->node(at).name();
  event.model = model;
  const std::string where = Where(*entry.pass, event.node_name);
  if (made_ >= cap_) {
    return absl::InternalError(absl::StrCat("The passes come to no end after ", cap_, " rewrites; the next: ", where));
  }
  if (options_.observer) options_.observer(event);
  absl::Status status;
  {
    const Stopwatch stopwatch(&report_->passes[entry.report].time_ns);
    status = edit(*model);
  }
  if (status.code() == absl::StatusCode::kFailedPrecondition) {
    ++report_->passes[entry.report].refused;
    BURIN_VLOG("passes") << "refused: " << where << ": " << status;
    return Outcome::kRefused;
  }
  if (!status.ok()) {
    return absl::InternalError(absl::StrCat(where, ": The edit does not apply: ", status.message()));
  }
  ++made_;
  ++report_->rewrites;
  ++report_->passes[entry.report].rewrites;
  BURIN_VLOG("passes") << "rewrite " << event.index << ": " << where;
  if (options_.verify_each_rewrite) BURIN_RETURN_IF_ERROR(VerifyAfter(*model, where));
  event.applied = true;
  event.touched = *touched;
  if (options_.observer) options_.observer(event);
  return Outcome::kApplied;
}

// Tries the rules at one node until one fires. Returns whether one did.
absl::StatusOr<bool> Run::TryAt(const std::vector<Entry>& rules, ir::NodeId node, ir::Model* model, WorkList* work) {
  // One look at the clock between two rules: it takes as long as a rule that does not match.
  Clock::time_point start = Clock::now();
  for (const Entry& entry : rules) {
    PassReport& figures = report_->passes[entry.report];
    ++figures.visits;
    absl::StatusOr<std::optional<ir::Patch>> patch = entry.pass->rule(*model, node, context_);
    const Clock::time_point end = Clock::now();
    figures.time_ns += Nanoseconds(end - start);
    start = end;
    if (!patch.ok()) return WithContext(patch.status(), Where(*entry.pass, model->node(node).name()));
    if (!patch->has_value()) continue;
    if ((*patch)->empty()) {
      return absl::InternalError(
          absl::StrCat(Where(*entry.pass, model->node(node).name()), ": The rule fired with an empty patch"));
    }
    std::vector<ir::NodeId> touched;
    const auto apply = [&patch, &touched](ir::Model& edited) { return std::move(**patch).Apply(&edited, &touched); };
    BURIN_ASSIGN_OR_RETURN(const Outcome outcome, Rewrite(entry, model, node, apply, &touched));
    if (outcome == Outcome::kStopped) return false;
    if (outcome == Outcome::kRefused) {
      start = Clock::now();
      continue;
    }
    if (model->Contains(node)) work->Add(node);
    work->AddNear(touched);
    return true;
  }
  return false;
}

absl::Status Run::RunRules(const std::vector<Entry>& rules, ir::Model* model) {
  // What a rewrite makes possible far away from it is found by the walk that confirms that nothing fires any more.
  bool fired = true;
  while (fired && !Stopped()) {
    fired = false;
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model->TopologicalOrder());
    WorkList work(*model);
    for (const ir::NodeId id : order) work.Add(id);
    while (!work.empty() && !Stopped()) {
      const ir::NodeId node = work.Pop();
      if (!model->Contains(node)) continue;
      BURIN_ASSIGN_OR_RETURN(const bool rewritten, TryAt(rules, node, model, &work));
      fired = fired || rewritten;
    }
  }
  return absl::OkStatus();
}

absl::Status Run::RunWholeGraph(const Entry& entry, ir::Model* model) {
  PassReport& figures = report_->passes[entry.report];
  ++figures.visits;
  DriverRewriter rewriter(this, entry, model);
  // The edits count their own time, which lies within the pass's; verification does not belong to it.
  const int64_t before_ns = figures.time_ns;
  const int64_t before_verify_ns = report_->verify_ns;
  int64_t pass_ns = 0;
  absl::Status status;
  {
    const Stopwatch stopwatch(&pass_ns);
    status = entry.pass->whole_graph(*model, context_, rewriter);
  }
  figures.time_ns = before_ns + pass_ns - (report_->verify_ns - before_verify_ns);
  return WithContext(status, absl::StrCat("Pass ", entry.pass->name));
}

// Returns whether a body was rewritten: then a rule may see more in the node that holds it.
absl::StatusOr<bool> Run::RunBodies(const std::vector<Entry>& entries, ir::Model* model) {
  const int64_t before_all = report_->rewrites;
  for (const ir::NodeId id : model->NodeIds()) {
    const int64_t before = report_->rewrites;
    for (const std::unique_ptr<ir::Model>& body : model->node(id).bodies()) {
      BURIN_RETURN_IF_ERROR(RunEntries(entries, body.get()));
    }
    if (report_->rewrites == before) continue;
    if (const absl::Status status = model->InferFrom({id}); !status.ok()) {
      return absl::InternalError(absl::StrCat("A pass broke a body: ", status.message()));
    }
  }
  return report_->rewrites != before_all;
}

absl::Status Run::RunEntries(const std::vector<Entry>& entries, ir::Model* model) {
  bool again = true;
  while (again && !Stopped()) {
    if (entries.front().pass->whole_graph != nullptr) {
      BURIN_RETURN_IF_ERROR(RunWholeGraph(entries.front(), model));
    } else {
      BURIN_RETURN_IF_ERROR(RunRules(entries, model));
    }
    BURIN_ASSIGN_OR_RETURN(again, RunBodies(entries, model));
  }
  return absl::OkStatus();
}

std::vector<Entry> Run::EntriesOf(const PassGroup& group) {
  std::vector<Entry> entries;
  for (const Pass* pass : group) {
    BURIN_CHECK((pass->rule != nullptr) != (pass->whole_graph != nullptr)) << pass->name;
    BURIN_CHECK(pass->rule != nullptr || group.size() == 1) << pass->name << " is no rule and stands in a group";
    bool disabled = false;
    for (const std::string& name : options_.disabled) disabled = disabled || name == pass->name;
    if (disabled) continue;
    size_t report = 0;
    while (report < report_->passes.size() && report_->passes[report].name != pass->name) ++report;
    if (report == report_->passes.size()) report_->passes.push_back(PassReport{pass->name});
    entries.push_back(Entry{pass, report});
  }
  return entries;
}

absl::Status Run::RunGroup(const PassGroup& group, ir::Model* model) {
  const std::vector<Entry> entries = EntriesOf(group);
  if (entries.empty()) return absl::OkStatus();
  const int64_t before = report_->rewrites;
  BURIN_RETURN_IF_ERROR(RunEntries(entries, model));
  if (report_->rewrites == before) return absl::OkStatus();
  const auto name = [](std::string* out, const Entry& entry) { absl::StrAppend(out, entry.pass->name); };
  return VerifyAfter(*model, absl::StrCat("The group of passes ", absl::StrJoin(entries, ", ", name)));
}

absl::Status CheckDisabled(const PipelineOptions& options, absl::Span<const PassGroup> groups,
                           absl::Span<const Pass> known_passes) {
  std::vector<absl::string_view> known;
  for (const Pass& pass : known_passes) known.push_back(pass.name);
  for (const PassGroup& group : groups) {
    for (const Pass* pass : group) known.push_back(pass->name);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& name : options.disabled) {
    if (std::binary_search(known.begin(), known.end(), absl::string_view(name))) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "A pass to be disabled is unknown; there are: ", absl::StrJoin(known, ", "), "; got: '", name, "'"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunPasses(ir::Model* model, absl::Span<const PassGroup> groups, const ir::PassContext& context,
                       const PipelineOptions& options, CompileReport* report, absl::Span<const Pass> known_passes) {
  BURIN_RETURN_IF_ERROR(CheckDisabled(options, groups, known_passes));
  const int64_t nodes = CountNodes(*model);
  if (report->passes.empty()) report->nodes_before = nodes;
  Run run(context, options, nodes, report);
  for (const PassGroup& group : groups) {
    if (run.Stopped()) break;
    BURIN_RETURN_IF_ERROR(run.RunGroup(group, model));
  }
  report->nodes_after = CountNodes(*model);
  report->stopped = run.Stopped();
  return absl::OkStatus();
}

}  // namespace burin::transformations
