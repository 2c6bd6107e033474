#include "transformations/matcher/matcher.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "transformations/matcher/explain.h"

namespace burin::transformations {
namespace {

// A pattern that a value has to match, and what is to be matched after it. Goals live on the stack of the search.
struct Goal {
  const Pattern::Spec* spec = nullptr;
  ir::Value value;
  const Goal* next = nullptr;
  // For explanations: the goal of the node that reads the value, and as which input.
  const Goal* reader = nullptr;
  int64_t input = 0;
};

const char* OpName(ir::OpCode code) { return ir::AllOps()[static_cast<size_t>(code)]->name; }

std::string Where(const Goal& goal) {
  std::string text;
  for (const Goal* step = &goal; step->reader != nullptr; step = step->reader) {
    absl::StrAppend(&text, text.empty() ? "" : " of ", "input ", step->input);
  }
  if (text.empty()) text = "root";
  if (!goal.spec->capture.empty()) absl::StrAppend(&text, " ('", goal.spec->capture, "')");
  return text;
}

// Searches depth first with full backtracking: a goal is met once what comes after it is met too.
class Search {
 public:
  Search(const ir::Model& model, const Pattern& pattern, bool explain)
      : match_(model, pattern.spec()), explain_(explain) {}

  bool Solve(const Goal* goal, int depth);

  Match TakeMatch() { return std::move(match_); }
  MatchFailure TakeFailure() { return std::move(failure_); }

 private:
  bool SolveInputs(const Goal& goal, bool swapped, int depth);
  bool Fits(const Goal& goal, int depth);
  bool Bind(const Goal& goal, int depth);
  bool MeetsMatchChecks(int depth);
  template <class Text>
  bool Fail(const Goal& goal, int depth, Text why);

  Match match_;
  const bool explain_;
  // The goals met so far whose spec asks for something of the whole match.
  std::vector<const Goal*> deferred_;
  MatchFailure failure_;
  int failure_depth_ = -1;
};

template <class Text>
bool Search::Fail(const Goal& goal, int depth, Text why) {
  if (explain_ && depth > failure_depth_) {
    failure_ = MatchFailure{goal.value.node, Where(goal), why()};
    failure_depth_ = depth;
  }
  return false;
}

// Returns whether the value itself is as the goal asks, its inputs aside.
bool Search::Fits(const Goal& goal, int depth) {
  const Pattern::Spec& spec = *goal.spec;
  if (spec.kind == Pattern::Kind::kAbsent) {
    return !goal.value.exists() || Fail(goal, depth, [] { return std::string("is there, but should be absent"); });
  }
  if (!goal.value.exists()) {
    // One of the alternatives may be Absent().
    const bool may_be_absent = spec.kind == Pattern::Kind::kAnyOf && spec.checks.empty() && spec.match_checks.empty();
    return may_be_absent || Fail(goal, depth, [] { return std::string("is absent"); });
  }
  const ir::Node& node = match_.model().node(goal.value.node);
  if (spec.kind == Pattern::Kind::kOp &&
      std::find(spec.codes.begin(), spec.codes.end(), node.code()) == spec.codes.end()) {
    return Fail(goal, depth, [&] {
      return absl::StrCat("is ", node.op().name, ", not ",
                          absl::StrJoin(spec.codes, " or ",
                                        [](std::string* out, ir::OpCode code) { absl::StrAppend(out, OpName(code)); }));
    });
  }
  for (const Pattern::ValueCheck& check : spec.checks) {
    if (check.predicate(match_.model(), goal.value)) continue;
    return Fail(goal, depth, [&] { return absl::StrCat("not true: ", check.description); });
  }
  return true;
}

bool Search::Bind(const Goal& goal, int depth) {
  const Pattern::Spec& spec = *goal.spec;
  if (spec.capture.empty() || !goal.value.exists()) return true;
  if (!spec.capture_each && match_.has(spec.capture) && match_.value(spec.capture) != goal.value) {
    return Fail(goal, depth, [&] { return absl::StrCat("is not the '", spec.capture, "' found before"); });
  }
  match_.Bind(spec.capture, goal.value);
  return true;
}

bool Search::MeetsMatchChecks(int depth) {
  for (const Goal* goal : deferred_) {
    for (const Pattern::MatchCheck& check : goal->spec->match_checks) {
      if (check.predicate(match_, goal->value)) continue;
      return Fail(*goal, depth, [&] { return absl::StrCat("not true: ", check.description); });
    }
  }
  return true;
}

bool Search::SolveInputs(const Goal& goal, bool swapped, int depth) {
  const auto& inputs = goal.spec->inputs;
  if (inputs.empty()) return Solve(goal.next, depth + 1);
  const ir::Node& node = match_.model().node(goal.value.node);
  std::vector<Goal> goals(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    int64_t input = inputs[i].first;
    if (swapped && input <= 1) input = 1 - input;
    const ir::Value value = input < node.input_count() ? node.input(input) : ir::Value::None();
    const Goal* next = i + 1 < inputs.size() ? &goals[i + 1] : goal.next;
    goals[i] = Goal{inputs[i].second.spec().get(), value, next, &goal, input};
  }
  return Solve(&goals.front(), depth + 1);
}

bool Search::Solve(const Goal* goal, int depth) {
  if (goal == nullptr) return MeetsMatchChecks(depth);
  if (!Fits(*goal, depth)) return false;
  const size_t captures = match_.size();
  if (!Bind(*goal, depth)) return false;
  const Pattern::Spec& spec = *goal->spec;
  if (!spec.match_checks.empty()) deferred_.push_back(goal);
  bool solved = false;
  if (spec.kind == Pattern::Kind::kAnyOf) {
    for (size_t i = 0; i < spec.alternatives.size() && !solved; ++i) {
      const Goal choice{spec.alternatives[i].spec().get(), goal->value, goal->next, goal->reader, goal->input};
      solved = Solve(&choice, depth);
    }
  } else {
    solved = SolveInputs(*goal, /*swapped=*/false, depth) ||
             (spec.commutative && SolveInputs(*goal, /*swapped=*/true, depth));
  }
  if (!spec.match_checks.empty()) deferred_.pop_back();
  if (!solved) match_.Rewind(captures);
  return solved;
}

}  // namespace

std::optional<Match> MatchAt(const Pattern& pattern, const ir::Model& model, ir::NodeId root,
                             const ir::PassContext& context) {
  return MatchValue(pattern, model, ir::Value{root, 0}, context);
}

std::optional<Match> MatchValue(const Pattern& pattern, const ir::Model& model, ir::Value root,
                                const ir::PassContext& context) {
  const Explainer* explainer = context.Find<Explainer>();
  Search search(model, pattern, explainer != nullptr);
  const Goal goal{pattern.spec().get(), root, nullptr, nullptr, 0};
  if (search.Solve(&goal, 0)) return search.TakeMatch();
  if (explainer != nullptr) explainer->Report(search.TakeFailure());
  return std::nullopt;
}

}  // namespace burin::transformations
