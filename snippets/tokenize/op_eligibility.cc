#include "snippets/tokenize/op_eligibility.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/structural.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/anchor/anchor_space.h"
#include "snippets/tokenize/candidate_body.h"
#include "snippets/tokenize/graph/shape_arithmetic.h"
#include "snippets/tokenize/legality.h"

namespace burin::snippets {
namespace {

using ir::OpCode;

// Returns whether it goes without saying that the node stays outside.
bool IsSourceOrSink(const ir::Node& node) {
  return node.code() == OpCode::kParameter || node.code() == OpCode::kConstant || node.code() == OpCode::kResult ||
         node.code() == OpCode::kSubgraph || node.inputs().empty();
}

absl::Status CheckKind(const ir::Model& model, const ir::Node& node, bool gives_shapes) {
  if (!node.bodies().empty()) return absl::UnimplementedError("It has bodies, which are looked at by themselves");
  if (node.op().Has(ir::kImpure)) return absl::UnimplementedError("It has an effect or a state");
  if (node.op().Has(ir::kDataDependentShape)) return absl::UnimplementedError("Its shape depends on values");
  if (!model.IsRead(node.id())) return absl::UnimplementedError("Nothing reads it");
  for (const ir::ValueInfo& output : node.outputs()) {
    if (output.constant.has_value()) return absl::UnimplementedError("Its value is known");
  }
  if (gives_shapes) return absl::UnimplementedError("Shapes depend on what it gives");
  return absl::OkStatus();
}

// Returns whether the content of all inputs but the first is known: then what
// moves elements moves them alike in every run. Whether its reader can do
// without it else, only the reader's body tells.
bool MovesAlways(const ir::Model& model, const ir::Node& node) {
  for (int64_t i = 1; i < node.input_count(); ++i) {
    if (node.input(i).exists() && !model.info(node.input(i)).constant.has_value()) return false;
  }
  return true;
}

absl::StatusOr<BodySpace> SpaceOfNode(const ir::Model& model, ir::NodeId id) {
  BURIN_ASSIGN_OR_RETURN(const CandidateBody candidate, BuildBody(model, {id}));
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> primitive, CheckBody(*candidate.body));
  return DescribeBody(*primitive);
}

absl::StatusOr<BodySpace> SpaceOfAnchor(const ir::Model& model, const ir::Node& node, CheckedEpilogues* checked) {
  BURIN_ASSIGN_OR_RETURN(const CandidateBody candidate, BuildBody(model, {node.id()}));
  BURIN_ASSIGN_OR_RETURN(const AnchoredBody split, CheckAnchoredBody(*candidate.body, checked));
  // As what it reads is not known in the body, less may be known of its shape.
  if (split.anchor->output(0).shape != node.output(0).shape) {
    return absl::UnimplementedError("Its shape depends on values");
  }
  return DescribeEpilogue(split);
}

// The values that BuildBody() makes parameters of, in their order.
std::vector<ir::Value> InputsOf(const ir::Model& model, const ir::Node& node) {
  std::vector<ir::Value> inputs;
  for (const ir::Value& input : node.inputs()) {
    if (!input.exists() || IsBodyConstant(model.info(input))) continue;
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
  }
  return inputs;
}

std::vector<ir::Value> OutputsOf(const ir::Model& model, const ir::Node& node) {
  std::vector<ir::Value> outputs;
  for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
    const ir::Value output{node.id(), i};
    if (!model.UsesOf(output).empty()) outputs.push_back(output);
  }
  return outputs;
}

void HashInfo(const ir::ValueInfo& info, bool content, Hasher* hasher) {
  hasher->UpdateInt(info.type);
  hasher->UpdateString(info.shape.ToString());
  hasher->UpdateInt(content);
  if (content) hasher->Update(info.constant.ContentHash());
}

}  // namespace

EligibilityTest::EligibilityTest(const ir::Model& model, absl::Span<const ir::NodeId> order, CheckedEpilogues* checked,
                                 bool dense_anchors)
    : model_(model),
      checked_(*checked),
      dense_anchors_(dense_anchors),
      gives_shapes_(FindShapeArithmetic(model, order)) {}

bool EligibilityTest::IsDenseAnchor(const ir::Node& node) const { return dense_anchors_ && IsAnchor(node.op()); }

Hash128 EligibilityTest::KeyOf(const ir::Node& node) const {
  Hasher hasher;
  hasher.UpdateString(node.op().name);
  hasher.Update(ir::HashAttributes(node.attributes()));
  hasher.UpdateInt(node.input_count());
  for (int64_t i = 0; i < node.input_count(); ++i) {
    const auto first = std::find(node.inputs().begin(), node.inputs().end(), node.input(i));
    hasher.UpdateInt(first - node.inputs().begin());
    hasher.UpdateInt(node.input(i).exists());
    if (!node.input(i).exists()) continue;
    const ir::ValueInfo& info = model_.info(node.input(i));
    // The weights of an anchor may be any.
    HashInfo(info, IsBodyConstant(info) && !IsDenseAnchor(node), &hasher);
  }
  for (const ir::ValueInfo& output : node.outputs()) HashInfo(output, false, &hasher);
  for (const ir::Value& output : OutputsOf(model_, node)) hasher.UpdateInt(output.output);
  return hasher.Finish();
}

EligibilityTest::Verdict EligibilityTest::JudgeAnchor(const ir::Node& node) {
  Verdict verdict;
  absl::StatusOr<BodySpace> space = SpaceOfAnchor(model_, node, &checked_);
  if (space.ok()) {
    verdict.role = OpRole::kAnchor;
    verdict.space = *std::move(space);
  } else {
    verdict.reason = std::string(space.status().message());
  }
  return verdict;
}

EligibilityTest::Verdict EligibilityTest::Judge(const ir::Node& node) {
  if (IsDenseAnchor(node)) return JudgeAnchor(node);
  Verdict verdict;
  const bool moves_data = node.op().Has(ir::kMovesData);
  absl::StatusOr<BodySpace> space = absl::UnimplementedError("How it moves elements is not known");
  if (!moves_data || MovesAlways(model_, node)) space = SpaceOfNode(model_, node.id());
  if (!space.ok()) {
    verdict.role = moves_data ? OpRole::kConditional : OpRole::kOutside;
    verdict.reason = std::string(space.status().message());
    return verdict;
  }
  verdict.role = moves_data ? OpRole::kView : OpRole::kCompute;
  if (!moves_data && space->work.empty()) {
    verdict.role = OpRole::kTail;
    verdict.reason = "Not all that it joins is of one Subgraph";
  }
  verdict.space = *std::move(space);
  return verdict;
}

OpEligibility EligibilityTest::Of(const ir::Node& node) {
  OpEligibility eligibility;
  if (IsSourceOrSink(node)) return eligibility;
  if (const absl::Status kind = CheckKind(model_, node, gives_shapes_[static_cast<size_t>(ir::Index(node.id()))]);
      !kind.ok()) {
    eligibility.reason = std::string(kind.message());
    return eligibility;
  }
  std::shared_ptr<const Verdict>& verdict = verdicts_[KeyOf(node)];
  if (verdict == nullptr) verdict = std::make_shared<const Verdict>(Judge(node));
  eligibility.role = verdict->role;
  eligibility.reason = verdict->reason;
  if (verdict->role == OpRole::kAnchor) {
    eligibility.space = IterationSpace(verdict->space, {}, OutputsOf(model_, node));
  } else if (verdict->role != OpRole::kOutside && verdict->role != OpRole::kConditional) {
    eligibility.space = IterationSpace(verdict->space, InputsOf(model_, node), OutputsOf(model_, node));
  }
  return eligibility;
}

}  // namespace burin::snippets
