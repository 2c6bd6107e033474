// Loop(trip count, condition, x...) => the nodes of its iterations, one after the other, where their number is known.
//
//   iteration i: the body's nodes, its parameters being inputs as they are, Slice(input) of iteration i, results of
//                iteration i - 1, or Constant(i)
//   outputs:     results of the last iteration, or Concat of those of all iterations
//   no iteration: initial values, or an empty Constant
//
// The number is known where the trip count and the condition are, and what inference knows of each iteration tells
// whether another follows: the body's condition may be constant, or counted from the number of the iteration. Guards:
//   - UnrollLimits, so that models do not grow without end; inner Loops count with all their iterations, so that the
//     limit holds for a nest as a whole, whichever Loop comes first.
//   - Variables cannot move; operations with an effect or a source of values beyond their inputs (bodies within
//     included) would no longer run in the order of the iterations.
//   - A slice lies certainly inside its input: Slice would cut short where Loop refuses.
//   - A parameter that declares more of a shape than is known outside would be missed by those who read it.
//   - An iteration that inference refuses, or pieces that do not join, make a model that cannot run: it stays as it is.
//
// Nodes that are the same in all iterations are there once. The multiset of the nesting depths of Loops decreases: one
// goes, and the copies of those within are less deep.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/concat.h"
#include "ir/ops/constant.h"
#include "ir/ops/loop.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/control_flow/inline_body.h"
#include "transformations/control_flow/unroll_limits.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// A value of the patch or model, and what is known of it.
struct Known {
  ir::Value value;
  ir::ValueInfo info;
};

// Returns the boolean that the value certainly is, if any.
std::optional<bool> ExactBoolean(const ir::ValueInfo& info) {
  if (!info.constant.has_value() || info.constant.element_count() != 1) return std::nullopt;
  return LoadAsInt64(ElementType::kBoolean, info.constant.data(), 0) != 0;
}

// Returns the trip count of a Loop of that model where it is known; negative: no limit.
std::optional<int64_t> TripCount(const ir::Model& model, const ir::Node& loop) {
  const std::optional<std::vector<int64_t>> trips = ExactIntegers(model.info(loop.input(0)));
  if (!trips.has_value() || trips->size() != 1) return std::nullopt;
  return trips->front();
}

// Returns how many nodes the body makes at most with the Loops in it unrolled, but no more than `most`.
int64_t UnrolledSize(const ir::Model& body, int64_t max_iterations, int64_t most) {
  int64_t size = 1;
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::Node& node = body.node(id);
    if (node.code() == OpCode::kParameter || node.code() == OpCode::kResult || node.code() == OpCode::kConstant) {
      continue;
    }
    int64_t times = 1;
    if (node.code() == OpCode::kLoop) {
      const int64_t trips = TripCount(body, node).value_or(-1);
      times = trips < 0 ? max_iterations : std::max<int64_t>(1, std::min(trips, max_iterations));
    }
    ++size;
    for (const std::unique_ptr<ir::Model>& nested : node.bodies()) {
      size += times * UnrolledSize(*nested, max_iterations, most);
    }
    if (size >= most) return most;
  }
  return size;
}

// Returns whether running the body twice in any order is the same as one after the other.
bool HasNoEffects(const ir::Model& body) {
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::Node& node = body.node(id);
    // Bodies speak for themselves; parameters and results are those of the body.
    const bool is_port = node.code() == OpCode::kParameter || node.code() == OpCode::kResult;
    if (node.op().Has(ir::kImpure) && node.bodies().empty() && !is_port) return false;
    for (const std::unique_ptr<ir::Model>& nested : node.bodies()) {
      if (!HasNoEffects(*nested)) return false;
    }
  }
  return true;
}

// Unrolls one Loop into a patch.
class Unrolling {
 public:
  Unrolling(const ir::Model& model, const ir::Node& loop, ir::LoopPortMap map, ir::Patch* patch)
      : model_(model),
        loop_(loop),
        body_(*loop.bodies()[0]),
        map_(std::move(map)),
        patch_(*patch),
        inliner_(body_, patch) {}

  // Adds the iterations. FailedPrecondition that says why where that cannot be done; the patch is then useless.
  absl::Status AddIterations(int64_t trips, bool enters, int64_t most);
  // Replaces the Loop's outputs. Likewise.
  absl::Status ReplaceOutputs();

 private:
  absl::StatusOr<Known> AddKnownConstant(ir::Tensor tensor);
  absl::StatusOr<Known> IterationNumber(size_t parameter, int64_t iteration);
  absl::StatusOr<Known> AddSlice(size_t parameter, int64_t iteration);
  absl::StatusOr<Known> ArgumentFor(size_t parameter, int64_t iteration);
  absl::Status AddIteration(int64_t iteration);
  absl::StatusOr<ir::Value> Joined(size_t output);
  absl::StatusOr<ir::Value> WithoutIterations(size_t output);

  const ir::Model& model_;
  const ir::Node& loop_;
  const ir::Model& body_;
  const ir::LoopPortMap map_;
  ir::Patch& patch_;
  BodyInliner inliner_;
  // The results of each iteration.
  std::vector<std::vector<Known>> results_;
};

absl::StatusOr<Known> Unrolling::AddKnownConstant(ir::Tensor tensor) {
  ir::ConstantAttributes attributes;
  attributes.value = tensor;
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::ValueInfo> infos, ir::InferOp(ir::ConstantOp(), attributes, {}));
  return Known{patch_.AddConstant(std::move(tensor)), std::move(infos.front())};
}

absl::StatusOr<Known> Unrolling::IterationNumber(size_t parameter, int64_t iteration) {
  const ir::ValueInfo& declared = body_.info(ir::Value{body_.parameters()[parameter], 0});
  const bool is_vector = declared.shape.has_rank() && declared.shape.rank() == 1;
  BURIN_ASSIGN_OR_RETURN(ir::Tensor number, ir::Tensor::Create(declared.type, is_vector ? ir::Shape{1} : ir::Shape{}));
  StoreFromInt64(declared.type, number.mutable_data(), 0, iteration);
  return AddKnownConstant(std::move(number));
}

absl::StatusOr<Known> Unrolling::AddSlice(size_t parameter, int64_t iteration) {
  const ir::LoopSlice& slice = *map_.slices[parameter];
  const ir::Value data = loop_.input(map_.inputs[parameter]);
  const ir::PartialShape& shape = model_.info(data).shape;
  if (!shape.has_rank()) return absl::FailedPreconditionError("the rank of a sliced input is not known");
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, ir::NormalizeAxis(slice.axis, shape.rank()));
  const ir::Dimension& size = shape[axis];
  // What begins and ends at a distance from the front, or goes on to the end, lies inside of longer inputs too.
  const bool fits_longer = slice.start >= 0 && (slice.end >= 0 || (slice.end == -1 && slice.stride > 0));
  const absl::StatusOr<int64_t> begin = slice.Begin(iteration, size.min());
  if (!begin.ok() || (!size.is_static() && !fits_longer)) {
    return absl::FailedPreconditionError("a slice of an input is not certain to lie inside");
  }
  std::vector<ir::Value> inputs = {data};
  std::vector<ir::ValueInfo> infos = {model_.info(data)};
  for (const int64_t bound : {*begin, *begin + slice.part_size, int64_t{1}, axis}) {
    BURIN_ASSIGN_OR_RETURN(ir::Tensor list, IntegerList({bound}));
    BURIN_ASSIGN_OR_RETURN(Known constant, AddKnownConstant(std::move(list)));
    inputs.push_back(constant.value);
    infos.push_back(std::move(constant.info));
  }
  std::vector<const ir::ValueInfo*> pointers;
  for (const ir::ValueInfo& info : infos) pointers.push_back(&info);
  const std::unique_ptr<ir::Attributes> attributes = ir::SliceOp().make_attributes();
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::ValueInfo> sliced, ir::InferOp(ir::SliceOp(), *attributes, pointers));
  if (sliced.front().shape[axis] != ir::Dimension(slice.part_size)) {
    return absl::FailedPreconditionError("the size of a slice is not certain");
  }
  return Known{patch_.Add(ir::SliceOp(), std::move(inputs)), std::move(sliced.front())};
}

absl::StatusOr<Known> Unrolling::ArgumentFor(size_t parameter, int64_t iteration) {
  if (map_.inputs[parameter] == -1) return IterationNumber(parameter, iteration);
  if (map_.slices[parameter].has_value()) return AddSlice(parameter, iteration);
  if (map_.back_edges[parameter] != -1 && iteration > 0) {
    return results_.back()[static_cast<size_t>(map_.back_edges[parameter])];
  }
  const ir::Value input = loop_.input(map_.inputs[parameter]);
  return Known{input, model_.info(input)};
}

absl::Status Unrolling::AddIteration(int64_t iteration) {
  std::vector<Known> arguments;
  for (size_t p = 0; p < map_.inputs.size(); ++p) {
    BURIN_ASSIGN_OR_RETURN(Known argument, ArgumentFor(p, iteration));
    arguments.push_back(std::move(argument));
  }
  std::vector<ir::Value> values;
  std::vector<const ir::ValueInfo*> infos;
  for (const Known& argument : arguments) {
    values.push_back(argument.value);
    infos.push_back(&argument.info);
  }
  if (!DeclaresNothingNew(body_, infos)) {
    return absl::FailedPreconditionError("a parameter of the body declares more of a shape");
  }
  absl::StatusOr<std::vector<ir::ValueInfo>> known = body_.InferResults(infos);
  if (!known.ok()) return absl::FailedPreconditionError(known.status().message());
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Value> results,
                         inliner_.Inline(values, absl::StrCat("_iteration", iteration)));
  std::vector<Known> next;
  for (size_t r = 0; r < results.size(); ++r) next.push_back(Known{results[r], std::move((*known)[r])});
  results_.push_back(std::move(next));
  return absl::OkStatus();
}

absl::Status Unrolling::AddIterations(int64_t trips, bool enters, int64_t most) {
  bool goes_on = enters;
  for (int64_t i = 0; goes_on && (trips < 0 || i < trips); ++i) {
    if (i >= most) return absl::FailedPreconditionError("it makes more iterations or nodes than the limits allow");
    BURIN_RETURN_IF_ERROR(AddIteration(i));
    if (i + 1 == trips) break;
    const std::optional<bool> condition = ExactBoolean(results_.back()[static_cast<size_t>(map_.condition)].info);
    if (!condition.has_value()) return absl::FailedPreconditionError("whether another iteration follows is not known");
    goes_on = *condition;
  }
  return absl::OkStatus();
}

absl::StatusOr<ir::Value> Unrolling::Joined(size_t output) {
  const ir::LoopConcatenation& concatenation = *map_.concatenations[output];
  std::vector<ir::Value> pieces;
  std::vector<const ir::ValueInfo*> infos;
  for (const std::vector<Known>& results : results_) {
    const Known& piece = results[static_cast<size_t>(map_.results[output])];
    pieces.push_back(piece.value);
    infos.push_back(&piece.info);
  }
  if (pieces.size() == 1) return pieces.front();
  auto attributes = std::make_unique<ir::ConcatAttributes>();
  attributes->axis = concatenation.axis;
  if (!ir::InferOp(ir::ConcatOp(), *attributes, infos).ok()) {
    return absl::FailedPreconditionError("the results of the iterations do not join");
  }
  if (concatenation.in_front) std::reverse(pieces.begin(), pieces.end());
  return patch_.Add(ir::ConcatOp(), std::move(pieces), std::move(attributes));
}

absl::StatusOr<ir::Value> Unrolling::WithoutIterations(size_t output) {
  const ir::ValueInfo& info = loop_.output(static_cast<int64_t>(output));
  if (!map_.concatenations[output].has_value()) {
    const int64_t merged = map_.MergedParameter(map_.results[output]);
    if (merged == -1) return absl::FailedPreconditionError("no iteration gives an output that has no initial value");
    return loop_.input(map_.inputs[static_cast<size_t>(merged)]);
  }
  if (!info.shape.is_static()) return absl::FailedPreconditionError("the shape of an empty output is not known");
  BURIN_ASSIGN_OR_RETURN(ir::Tensor empty, ir::Tensor::Create(info.type, info.shape.ToShape()));
  return patch_.AddConstant(std::move(empty));
}

absl::Status Unrolling::ReplaceOutputs() {
  for (size_t i = 0; i < map_.results.size(); ++i) {
    ir::Value value;
    if (results_.empty()) {
      BURIN_ASSIGN_OR_RETURN(value, WithoutIterations(i));
    } else if (map_.concatenations[i].has_value()) {
      BURIN_ASSIGN_OR_RETURN(value, Joined(i));
    } else {
      value = results_.back()[static_cast<size_t>(map_.results[i])].value;
    }
    patch_.Replace(ir::Value{loop_.id(), static_cast<int32_t>(i)}, value);
  }
  return absl::OkStatus();
}

// Returns how many iterations the limits allow, or why the Loop stays, from what is quick to see.
absl::StatusOr<int64_t> MostIterations(const ir::Node& loop, const ir::LoopPortMap& map, int64_t trips,
                                       const UnrollLimits& limits) {
  const ir::Model& body = *loop.bodies()[0];
  const ir::Value condition = body.node(body.results()[static_cast<size_t>(map.condition)]).input(0);
  const bool runs_all = trips >= 0 && ExactBoolean(body.info(condition)).value_or(false);
  if (runs_all && trips > limits.max_iterations) {
    return absl::FailedPreconditionError("it makes more iterations than the limits allow");
  }
  BURIN_RETURN_IF_ERROR(CheckInlinable(body));
  if (!HasNoEffects(body)) return absl::FailedPreconditionError("an operation of the body has an effect");
  // Above any use, and small enough for products.
  constexpr int64_t kUnlimited = int64_t{1} << 30;
  const int64_t max_iterations = std::min(limits.max_iterations, kUnlimited);
  const int64_t max_nodes = std::min(limits.max_nodes, kUnlimited);
  const int64_t most = std::min(max_iterations, max_nodes / UnrolledSize(body, max_iterations, max_nodes + 1));
  if (runs_all && trips > most) return absl::FailedPreconditionError("it makes more nodes than the limits allow");
  return most;
}

absl::Status Unroll(const ir::Model& model, const ir::Node& loop, bool enters, const UnrollLimits& limits,
                    ir::Patch* patch) {
  BURIN_ASSIGN_OR_RETURN(ir::LoopPortMap map,
                         ir::ReadLoopPortMap(loop.attributes_as<ir::LoopAttributes>(), *loop.bodies()[0]));
  const std::optional<int64_t> trips = TripCount(model, loop);
  if (enters && !trips.has_value()) return absl::FailedPreconditionError("the trip count is not known");
  int64_t most = 0;
  if (enters && *trips != 0) {
    BURIN_ASSIGN_OR_RETURN(most, MostIterations(loop, map, *trips, limits));
  }
  Unrolling unrolling(model, loop, std::move(map), patch);
  BURIN_RETURN_IF_ERROR(unrolling.AddIterations(trips.value_or(0), enters, most));
  return unrolling.ReplaceOutputs();
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> UnrollLoop(const ir::Model& model, ir::NodeId id,
                                                    const ir::PassContext& context) {
  const ir::Node& loop = model.node(id);
  if (loop.code() != OpCode::kLoop) return std::nullopt;
  const std::optional<bool> enters = ExactBoolean(model.info(loop.input(1)));
  if (!enters.has_value()) return Decline(context, id, "the condition is not known");
  if (!model.IsRead(id)) return Decline(context, id, "nobody reads it");
  const auto* const given = context.Find<UnrollLimits>();
  ir::Patch patch(model);
  const absl::Status status = Unroll(model, loop, *enters, given != nullptr ? *given : UnrollLimits(), &patch);
  if (status.code() == absl::StatusCode::kFailedPrecondition) return Decline(context, id, status.message());
  BURIN_RETURN_IF_ERROR(status);
  return patch;
}

}  // namespace burin::transformations
