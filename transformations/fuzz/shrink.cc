#include "transformations/fuzz/shrink.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/evaluator.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/tensor.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

using ir::Model;
using ir::NodeId;
using ir::Value;

// Bounds the work: each attempt runs all passes.
constexpr int kMaxAttempts = 1500;

FuzzCase Copy(const FuzzCase& from) { return FuzzCase{from.mode, from.model->Clone(), from.samples}; }

// Drops parameters that nobody reads, with their inputs.
void DropUnreadParameters(FuzzCase* fuzz_case) {
  Model* const model = fuzz_case->model.get();
  const std::vector<NodeId> parameters = model->parameters();
  for (size_t i = parameters.size(); i-- > 0;) {
    if (model->IsRead(parameters[i])) continue;
    model->RemoveNode(parameters[i]);
    for (RunSeries& series : fuzz_case->samples) {
      for (std::vector<ir::Tensor>& inputs : series) inputs.erase(inputs.begin() + static_cast<ptrdiff_t>(i));
    }
  }
}

class Shrinker {
 public:
  Shrinker(FuzzCase fuzz_case, const CheckOptions& options) : best_(std::move(fuzz_case)), options_(options) {}

  FuzzCase Run() {
    if (!IsWrong(best_)) return std::move(best_);
    ShowUnreadValues();
    bool smaller = true;
    while (smaller && attempts_ < kMaxAttempts) {
      smaller = false;
      smaller |= DropSamples();
      smaller |= DropResults();
      smaller |= CutAbove();
      smaller |= MoveResultsUp();
      smaller |= Bypass();
    }
    return std::move(best_);
  }

 private:
  bool IsWrong(const FuzzCase& fuzz_case) {
    ++attempts_;
    return CheckCase(fuzz_case, options_).verdict == Verdict::kWrong;
  }

  // Makes results of all that nobody reads, if the case stays wrong: a pass may go wrong because of a node that no
  // result needs, and such nodes are removed with each attempt.
  void ShowUnreadValues() {
    FuzzCase candidate = Copy(best_);
    for (const NodeId id : best_.model->NodeIds()) {
      const ir::OpCode code = best_.model->node(id).code();
      if (best_.model->IsRead(id) || code == ir::OpCode::kResult || code == ir::OpCode::kAssign) continue;
      if (!candidate.model->AddResult(Value{id, 0}, "unread").ok()) return;
    }
    if (IsWrong(candidate)) best_ = std::move(candidate);
  }

  // Takes the candidate where it is valid and wrong.
  bool Try(FuzzCase candidate) {
    if (attempts_ >= kMaxAttempts) return false;
    candidate.model->RemoveDeadNodes();
    DropUnreadParameters(&candidate);
    if (!candidate.model->InferAll().ok() || !IsWrong(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool DropSamples() {
    bool smaller = false;
    for (size_t i = best_.samples.size(); i-- > 0 && best_.samples.size() > 1;) {
      FuzzCase candidate = Copy(best_);
      candidate.samples.erase(candidate.samples.begin() + static_cast<ptrdiff_t>(i));
      smaller |= Try(std::move(candidate));
    }
    return smaller;
  }

  bool DropResults() {
    bool smaller = false;
    for (const NodeId id : std::vector<NodeId>(best_.model->results())) {
      if (best_.model->results().size() < 2) break;
      FuzzCase candidate = Copy(best_);
      candidate.model->RemoveNode(id);
      smaller |= Try(std::move(candidate));
    }
    for (const NodeId id : std::vector<NodeId>(best_.model->sinks())) {
      FuzzCase candidate = Copy(best_);
      candidate.model->RemoveNode(id);
      smaller |= Try(std::move(candidate));
    }
    return smaller;
  }

  // Puts an input in the place of a value, which makes needless what the value was computed from.
  bool CutAbove() {
    bool smaller = false;
    const absl::StatusOr<std::vector<NodeId>> order = best_.model->TopologicalOrder();
    if (!order.ok()) return false;
    for (size_t i = order->size(); i-- > 0;) {
      const NodeId id = (*order)[i];
      if (!best_.model->Contains(id)) continue;
      const ir::Node& node = best_.model->node(id);
      if (node.input_count() == 0 || node.code() == ir::OpCode::kResult) continue;
      // The node goes with the model that a smaller one replaces.
      const int64_t outputs = node.output_count();
      for (int32_t k = 0; k < outputs && best_.model->Contains(id); ++k) {
        std::optional<FuzzCase> candidate = WithInputFor(Value{id, k});
        if (candidate.has_value()) smaller |= Try(*std::move(candidate));
      }
    }
    return smaller;
  }

  std::optional<FuzzCase> WithInputFor(Value value) const {
    FuzzCase candidate = Copy(best_);
    const ir::ValueInfo info = candidate.model->info(value);
    for (RunSeries& series : candidate.samples) {
      if (!AppendValue(value, &series)) return std::nullopt;
    }
    const absl::StatusOr<Value> parameter = candidate.model->AddParameter("cut", info.type, info.shape);
    if (!parameter.ok()) return std::nullopt;
    candidate.model->ReplaceUses(value, *parameter);
    return candidate;
  }

  // Appends to the inputs of each run what `value` is then.
  bool AppendValue(Value value, RunSeries* series) const {
    const absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(*best_.model);
    if (!evaluator.ok()) return false;
    ir::MapVariableStore variables;
    for (std::vector<ir::Tensor>& inputs : *series) {
      ir::Tensor seen;
      ir::RunOptions options;
      options.variables = &variables;
      options.observer = [&](const ir::Node& node, int64_t, absl::Span<const ir::Tensor>,
                             absl::Span<const ir::Tensor> outputs) {
        if (node.id() == value.node) seen = outputs[static_cast<size_t>(value.output)];
      };
      if (!evaluator->Run(inputs, options).ok() || !seen.has_value()) return false;
      inputs.push_back(seen);
    }
    return true;
  }

  // Makes a result show an input of what it shows.
  bool MoveResultsUp() {
    bool smaller = false;
    for (const NodeId id : std::vector<NodeId>(best_.model->results())) {
      bool moved = true;
      while (moved) {
        moved = false;
        const ir::Node& shown = best_.model->node(best_.model->node(id).input(0).node);
        for (const Value input : std::vector<Value>(shown.inputs().begin(), shown.inputs().end())) {
          if (!input.exists()) continue;
          FuzzCase candidate = Copy(best_);
          candidate.model->SetInput(ir::Use{id, 0}, input);
          if (!Try(std::move(candidate))) continue;
          smaller = moved = true;
          break;
        }
      }
    }
    return smaller;
  }

  // Makes the readers of a node read one of its inputs.
  bool Bypass() {
    bool smaller = false;
    for (const NodeId id : best_.model->NodeIds()) {
      if (!best_.model->Contains(id)) continue;
      const ir::Node& node = best_.model->node(id);
      if (node.code() == ir::OpCode::kResult || node.output_count() != 1) continue;
      for (const Value input : std::vector<Value>(node.inputs().begin(), node.inputs().end())) {
        if (!input.exists() || best_.model->info(input).type != node.output(0).type) continue;
        FuzzCase candidate = Copy(best_);
        candidate.model->ReplaceUses(Value{id, 0}, input);
        if (!Try(std::move(candidate))) continue;
        smaller = true;
        break;
      }
    }
    return smaller;
  }

  FuzzCase best_;
  const CheckOptions& options_;
  int attempts_ = 0;
};

}  // namespace

FuzzCase Shrink(const FuzzCase& fuzz_case, const CheckOptions& options) {
  return Shrinker(Copy(fuzz_case), options).Run();
}

std::string FirstWrongRewrite(const FuzzCase& fuzz_case, const CheckOptions& options) {
  const int64_t rewrites = CheckCase(fuzz_case, options).report.rewrites;
  for (int64_t count = 0; count <= rewrites; ++count) {
    std::string last;
    CheckOptions stopping = options;
    stopping.stop_after_rewrite = count;
    stopping.observer = [&last](const RewriteEvent& event) {
      if (event.applied) last = absl::StrCat("rewrite ", event.index, ": ", event.pass->name, " at ", event.node_name);
    };
    const CheckResult result = CheckCase(fuzz_case, stopping);
    if (result.verdict == Verdict::kWrong && result.sample >= 0) return count == 0 ? "no rewrite at all" : last;
  }
  return "";
}

}  // namespace burin::transformations
