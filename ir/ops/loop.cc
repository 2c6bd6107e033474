// Loop (opset5): evaluates the body while the condition holds and the trip count is not reached.
//
// Input 0 is the trip count M, one integer, -1 for no limit; input 1 the condition, one boolean; further inputs are of
// any type and shape. In words:
//
//   for (i = 0; (M < 0 || i < M) && condition; ++i) { results = body(parameters); condition =
//   results[condition_result]; }
//
// A parameter takes an input of the node as it is, a slice of it, the last value of a result (back edge), or i. An
// output is a result of the last iteration or the results of all iterations joined along an axis. Where no iteration
// runs, an output from a result with a back edge is the initial value, a joined one is empty along its axis.
//   Loop_c1: the trip count is one integer (i32 or i64), of rank 0 or 1; the condition one boolean, of rank 0 or 1.
//   Loop_c2: the port maps name existing inputs, parameters and results.
//   Loop_c3: the condition's result is one boolean.
//   Loop_c4: a back edge joins values of one element type.
//   Loop_c5: the parameter of the iteration's number is one integer (i32 or i64), of rank 0 or 1.
//   Loop_c6: slices and concatenations name an axis of their tensor; a slice's stride and part size are not zero.
//   Loop_c7: each iteration's slice lies inside the input.
//   Loop_c8: an output that is not joined and has no initial value needs an iteration.
//   Loop_c9: the results that are joined agree in all dimensions but the axis.
//   Loop_c10: the body accepts its inputs.
#include "ir/ops/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// Bodies nested deeper than this are inferred once, with nothing assumed of the values that iterations change: trying
// several assumptions at each level would multiply.
constexpr int32_t kMaxDepthOfPreciseInference = 2;

template <class... Args>
absl::Status Invalid(const Args&... what) {
  return absl::InvalidArgumentError(absl::StrCat(what...));
}

absl::Status ReadSlices(const std::vector<int64_t>& numbers, std::vector<std::optional<LoopSlice>>* slices) {
  if (numbers.size() % 6 != 0) return Invalid("Loop_c2: A slice is not six numbers");
  for (size_t i = 0; i < numbers.size(); i += 6) {
    const int64_t parameter = numbers[i];
    if (parameter < 0 || parameter >= static_cast<int64_t>(slices->size())) {
      return Invalid("Loop_c2: A slice names no parameter of the body: ", parameter);
    }
    const LoopSlice slice{numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4], numbers[i + 5]};
    if (slice.stride == 0 || slice.part_size <= 0) {
      return Invalid("Loop_c6: A slice's stride is zero or its part size not positive: ", slice.stride, ", ",
                     slice.part_size);
    }
    (*slices)[static_cast<size_t>(parameter)] = slice;
  }
  return absl::OkStatus();
}

absl::Status ReadConcatenations(const std::vector<int64_t>& numbers,
                                std::vector<std::optional<LoopConcatenation>>* concatenations) {
  if (numbers.size() % 3 != 0) return Invalid("Loop_c2: A concatenation is not three numbers");
  for (size_t i = 0; i < numbers.size(); i += 3) {
    const int64_t output = numbers[i];
    if (output < 0 || output >= static_cast<int64_t>(concatenations->size())) {
      return Invalid("Loop_c2: A concatenation names no output: ", output);
    }
    (*concatenations)[static_cast<size_t>(output)] = LoopConcatenation{numbers[i + 1], numbers[i + 2] < 0};
  }
  return absl::OkStatus();
}

bool MayBeOneElement(const PartialShape& shape) {
  return shape.ElementCount().Contains(1) && (!shape.has_rank() || shape.rank() <= 1);
}

bool IsCountType(ElementType type) { return type == ElementType::kI32 || type == ElementType::kI64; }

const ParameterAttributes& ParameterOf(const Model& body, size_t i) {
  return body.node(body.parameters()[i]).attributes_as<ParameterAttributes>();
}

// ---- Inference ----

// Returns what is known of each parameter, in the first iteration for those with a back edge, which lose their content.
absl::StatusOr<std::vector<ValueInfo>> FirstParameters(const InferContext& context, const LoopPortMap& map,
                                                       const Model& body) {
  std::vector<ValueInfo> infos(map.inputs.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    ValueInfo& info = infos[i];
    if (map.inputs[i] == -1) {
      const ParameterAttributes& declared = ParameterOf(body, i);
      if (!IsCountType(declared.element_type) || !MayBeOneElement(declared.shape)) {
        return Invalid("Loop_c5: The parameter of the iteration's number is not one integer: ",
                       Name(declared.element_type), declared.shape.ToString());
      }
      info.type = declared.element_type;
      info.shape = declared.shape.has_rank() && declared.shape.rank() == 1 ? PartialShape{1} : PartialShape{};
      continue;
    }
    if (!context.has_input(map.inputs[i])) {
      return Invalid("Loop_c2: A parameter takes an input that is not there: ", map.inputs[i]);
    }
    info = context.input(map.inputs[i]);
    if (map.slices[i].has_value() && info.shape.has_rank()) {
      absl::StatusOr<int64_t> axis = NormalizeAxis(map.slices[i]->axis, info.shape.rank());
      if (!axis.ok()) return WithContext(axis.status(), "Loop_c6: Slice");
      info.shape[*axis] = Dimension(map.slices[i]->part_size);
    }
    if (map.slices[i].has_value() || map.back_edges[i] != -1) {
      info.constant = Tensor();
      info.content.reset();
    }
  }
  return infos;
}

// Makes `shape` cover `next` too, giving up at once what differs; returns whether it changed.
bool Widen(const PartialShape& next, PartialShape* shape) {
  if (!shape->has_rank()) return false;
  if (!next.has_rank() || next.rank() != shape->rank()) {
    *shape = PartialShape::DynamicRank();
    return true;
  }
  bool changed = false;
  for (int64_t i = 0; i < shape->rank(); ++i) {
    Dimension& dim = (*shape)[i];
    if (dim == next[i] || dim == Dimension()) continue;
    dim = Dimension();
    changed = true;
  }
  return changed;
}

// Returns what is known of each result in any iteration, and makes `parameters` cover every iteration.
absl::StatusOr<std::vector<ValueInfo>> InferIterations(const LoopPortMap& map, const Model& body,
                                                       std::vector<ValueInfo>* parameters) {
  constexpr int kMaxRounds = 3;
  const bool precise = body.BodyDepth() <= kMaxDepthOfPreciseInference;
  for (int round = precise ? 0 : kMaxRounds;; ++round) {
    std::vector<const ValueInfo*> known;
    for (size_t i = 0; i < parameters->size(); ++i) {
      ValueInfo& info = (*parameters)[i];
      if (round == kMaxRounds && map.back_edges[i] != -1) info.shape = PartialShape::DynamicRank();
      known.push_back(&info);
    }
    absl::StatusOr<std::vector<ValueInfo>> results = body.InferResults(known);
    if (!results.ok()) return WithContext(results.status(), "Loop_c10: In the body");
    bool changed = false;
    for (size_t i = 0; i < parameters->size(); ++i) {
      if (map.back_edges[i] == -1) continue;
      const ValueInfo& result = (*results)[static_cast<size_t>(map.back_edges[i])];
      ValueInfo& info = (*parameters)[i];
      if (result.type != info.type) {
        return Invalid("Loop_c4: A back edge changes the element type of parameter ", i, ": ", Name(info.type), ", ",
                       Name(result.type));
      }
      if (Widen(result.shape, &info.shape)) changed = true;
    }
    if (!changed) return results;
  }
}

// Returns how many iterations there may be.
Dimension IterationCount(const InferContext& context, bool body_goes_on) {
  const Tensor* condition = context.constant(1);
  const bool enters = condition != nullptr && LoadAsInt64(ElementType::kBoolean, condition->data(), 0) != 0;
  if (condition != nullptr && !enters) return Dimension(0);
  const auto trips = context.ConstantInts(0);
  if (!trips.has_value() || trips->size() != 1) return Dimension();
  const int64_t most = (*trips)[0] < 0 ? Dimension::kInfinite : (*trips)[0];
  if (!enters) return Dimension(0, most);
  return body_goes_on && (*trips)[0] >= 0 ? Dimension(most) : Dimension(std::min<int64_t>(1, most), most);
}

absl::Status InferLoop(InferContext& context) {
  if (!IsCountType(context.input_type(0)) || !MayBeOneElement(context.input_shape(0)) ||
      context.input_type(1) != ElementType::kBoolean || !MayBeOneElement(context.input_shape(1))) {
    return Invalid(
        "Loop_c1: The trip count is not one integer, or the condition not one boolean: ", Name(context.input_type(0)),
        context.input_shape(0).ToString(), ", ", Name(context.input_type(1)), context.input_shape(1).ToString());
  }
  const Model& body = *context.bodies()[0];
  BURIN_ASSIGN_OR_RETURN(const LoopPortMap map, ReadLoopPortMap(context.attributes<LoopAttributes>(), body));
  BURIN_ASSIGN_OR_RETURN(std::vector<ValueInfo> parameters, FirstParameters(context, map, body));
  BURIN_ASSIGN_OR_RETURN(const std::vector<ValueInfo> results, InferIterations(map, body, &parameters));
  const ValueInfo& condition = results[static_cast<size_t>(map.condition)];
  if (condition.type != ElementType::kBoolean || !MayBeOneElement(condition.shape)) {
    return Invalid("Loop_c3: The condition's result is not one boolean: ", Name(condition.type),
                   condition.shape.ToString());
  }
  const bool goes_on =
      condition.constant.has_value() && LoadAsInt64(ElementType::kBoolean, condition.constant.data(), 0) != 0;
  const Dimension iterations = IterationCount(context, goes_on);

  context.SetOutputCount(static_cast<int64_t>(map.results.size()));
  for (size_t i = 0; i < map.results.size(); ++i) {
    const ValueInfo& result = results[static_cast<size_t>(map.results[i])];
    PartialShape shape = result.shape;
    if (map.concatenations[i].has_value()) {
      if (shape.has_rank()) {
        absl::StatusOr<int64_t> axis = NormalizeAxis(map.concatenations[i]->axis, shape.rank());
        if (!axis.ok()) return WithContext(axis.status(), "Loop_c6: Concatenation");
        // The pieces may differ along the axis: an interval of one piece times that of the count covers their sum.
        shape[*axis] = shape[*axis] * iterations;
      }
    } else if (iterations.min() == 0) {
      const int64_t merged = map.MergedParameter(map.results[i]);
      if (merged != -1) shape = Hull(shape, parameters[static_cast<size_t>(merged)].shape);
    }
    context.SetOutput(static_cast<int64_t>(i), result.type, std::move(shape));
  }
  return absl::OkStatus();
}

// ---- Evaluation ----

absl::StatusOr<Tensor> SliceOf(const Tensor& input, const LoopSlice& slice, int64_t iteration) {
  absl::StatusOr<int64_t> axis = NormalizeAxis(slice.axis, static_cast<int64_t>(input.shape().size()));
  if (!axis.ok()) return WithContext(axis.status(), "Loop_c6: Slice");
  const absl::StatusOr<int64_t> begin = slice.Begin(iteration, input.shape()[static_cast<size_t>(*axis)]);
  if (!begin.ok()) return WithContext(begin.status(), "Loop_c7");
  Shape from(input.shape().size(), 0);
  Shape to = input.shape();
  from[static_cast<size_t>(*axis)] = *begin;
  to[static_cast<size_t>(*axis)] = *begin + slice.part_size;
  BURIN_ASSIGN_OR_RETURN(const Tensor region, input.Region(from, to));
  return region.ToDense();
}

absl::StatusOr<Tensor> IterationNumber(const ParameterAttributes& declared, int64_t iteration) {
  const bool is_vector = declared.shape.has_rank() && declared.shape.rank() == 1;
  BURIN_ASSIGN_OR_RETURN(Tensor number, Tensor::Create(declared.element_type, is_vector ? Shape{1} : Shape{}));
  StoreFromInt64(declared.element_type, number.mutable_data(), 0, iteration);
  return number;
}

// Joins the pieces along the axis. There is at least one.
absl::StatusOr<Tensor> Join(const std::vector<Tensor>& pieces, const LoopConcatenation& concatenation) {
  Shape shape = pieces[0].shape();
  absl::StatusOr<int64_t> normalized = NormalizeAxis(concatenation.axis, static_cast<int64_t>(shape.size()));
  if (!normalized.ok()) return WithContext(normalized.status(), "Loop_c6: Concatenation");
  const auto axis = static_cast<size_t>(*normalized);
  shape[axis] = 0;
  for (const Tensor& piece : pieces) {
    Shape rest = piece.shape();
    if (rest.size() != shape.size()) {
      return Invalid("Loop_c9: The results that are joined have different ranks: ", ToString(pieces[0].shape()), ", ",
                     ToString(rest));
    }
    shape[axis] += rest[axis];
    rest[axis] = shape[axis];
    if (rest != shape) {
      return Invalid("Loop_c9: The results that are joined have different shapes: ", ToString(pieces[0].shape()), ", ",
                     ToString(piece.shape()));
    }
  }
  BURIN_ASSIGN_OR_RETURN(Tensor joined, Tensor::Create(pieces[0].element_type(), shape));
  Shape from(shape.size(), 0);
  Shape to = shape;
  int64_t position = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Tensor& piece = pieces[concatenation.in_front ? pieces.size() - 1 - i : i];
    from[axis] = position;
    position += piece.shape()[axis];
    to[axis] = position;
    BURIN_ASSIGN_OR_RETURN(const Tensor target, joined.Region(from, to));
    BURIN_RETURN_IF_ERROR(piece.CopyTo(target));
  }
  return joined;
}

// Returns what is known of each result from the shapes of the actual inputs, though no iteration ran.
absl::StatusOr<std::vector<ValueInfo>> InferFromActualInputs(const LoopPortMap& map, const ReferenceContext& context) {
  std::vector<ValueInfo> infos(static_cast<size_t>(context.input_count()));
  std::vector<const ValueInfo*> known;
  for (size_t i = 0; i < infos.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    if (context.has_input(position)) {
      infos[i].type = context.input(position).element_type();
      infos[i].shape = PartialShape(context.input(position).shape());
    }
    known.push_back(context.has_input(position) ? &infos[i] : nullptr);
  }
  const InferContext inference(context.attributes<LoopAttributes>(), known, 0, context.bodies());
  const Model& body = *context.bodies()[0];
  BURIN_ASSIGN_OR_RETURN(std::vector<ValueInfo> parameters, FirstParameters(inference, map, body));
  return InferIterations(map, body, &parameters);
}

// Returns a tensor for a joined output of no iterations: empty along the axis, other sizes as small as they may be.
absl::StatusOr<Tensor> JoinNothing(const ValueInfo& result, const LoopConcatenation& concatenation) {
  if (!result.shape.has_rank()) {
    return absl::InvalidArgumentError("Loop_c8: No iteration tells the rank of a joined output");
  }
  Shape shape;
  for (const Dimension& dim : result.shape.dims()) shape.push_back(dim.min());
  absl::StatusOr<int64_t> axis = NormalizeAxis(concatenation.axis, result.shape.rank());
  if (!axis.ok()) return WithContext(axis.status(), "Loop_c6: Concatenation");
  shape[static_cast<size_t>(*axis)] = 0;
  return Tensor::Create(result.type, shape);
}

absl::Status SetOutputs(const LoopPortMap& map, const std::vector<Tensor>& parameters,
                        const std::vector<Tensor>& results, const std::vector<std::vector<Tensor>>& pieces,
                        ReferenceContext& context) {
  std::vector<ValueInfo> inferred;
  for (size_t i = 0; i < map.results.size(); ++i) {
    const auto result = static_cast<size_t>(map.results[i]);
    Tensor output;
    if (map.concatenations[i].has_value()) {
      if (pieces[i].empty()) {
        if (inferred.empty()) {
          BURIN_ASSIGN_OR_RETURN(inferred, InferFromActualInputs(map, context));
        }
        BURIN_ASSIGN_OR_RETURN(output, JoinNothing(inferred[result], *map.concatenations[i]));
      } else {
        BURIN_ASSIGN_OR_RETURN(output, Join(pieces[i], *map.concatenations[i]));
      }
    } else if (!results.empty()) {
      output = results[result];
    } else if (const int64_t merged = map.MergedParameter(map.results[i]); merged != -1) {
      output = parameters[static_cast<size_t>(merged)];
    } else {
      return Invalid("Loop_c8: No iteration ran to give output ", i);
    }
    context.SetOutput(static_cast<int64_t>(i), std::move(output));
  }
  return absl::OkStatus();
}

absl::Status ReferenceLoop(ReferenceContext& context) {
  BodyRunner* runner = context.environment().body_runner;
  if (runner == nullptr) return absl::FailedPreconditionError("Loop needs a runner of bodies");
  const Model& body = *context.bodies()[0];
  BURIN_ASSIGN_OR_RETURN(const LoopPortMap map, ReadLoopPortMap(context.attributes<LoopAttributes>(), body));
  const int64_t trips = context.InputAsInts(0)[0];
  bool condition = context.InputAsInts(1)[0] != 0;

  std::vector<Tensor> parameters(map.inputs.size());
  for (size_t p = 0; p < parameters.size(); ++p) {
    if (map.inputs[p] != -1) parameters[p] = context.input(map.inputs[p]);
  }
  std::vector<Tensor> results;
  std::vector<std::vector<Tensor>> pieces(map.results.size());
  for (int64_t i = 0; (trips < 0 || i < trips) && condition; ++i) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (size_t p = 0; p < parameters.size(); ++p) {
      if (map.inputs[p] == -1) {
        BURIN_ASSIGN_OR_RETURN(parameters[p], IterationNumber(ParameterOf(body, p), i));
      } else if (map.slices[p].has_value()) {
        BURIN_ASSIGN_OR_RETURN(parameters[p], SliceOf(context.input(map.inputs[p]), *map.slices[p], i));
      }
    }
    BURIN_ASSIGN_OR_RETURN(results, runner->Run(body, parameters));
    const Tensor& next = results[static_cast<size_t>(map.condition)];
    if (next.element_count() != 1) {
      return Invalid("Loop_c3: The condition's result is not one boolean: ", ToString(next.shape()));
    }
    condition = LoadAsInt64(ElementType::kBoolean, next.data(), 0) != 0;
    for (size_t p = 0; p < parameters.size(); ++p) {
      if (map.back_edges[p] != -1) parameters[p] = results[static_cast<size_t>(map.back_edges[p])];
    }
    for (size_t o = 0; o < pieces.size(); ++o) {
      if (map.concatenations[o].has_value()) pieces[o].push_back(results[static_cast<size_t>(map.results[o])]);
    }
  }
  return SetOutputs(map, parameters, results, pieces, context);
}

// Counts what goes in and out; the body's own work is counted where it runs.
Cost CostOfLoop(const CostContext& context) { return Cost{0, context.InputBytes(), context.OutputBytes()}; }

}  // namespace

absl::StatusOr<int64_t> LoopSlice::Begin(int64_t iteration, int64_t size) const {
  const auto from_front = [size](int64_t i) { return i < 0 ? i + size : i; };
  const int64_t first = from_front(start);
  const int64_t last = from_front(end);
  const int64_t low = std::max<int64_t>(0, std::min(first, last));
  const int64_t high = std::min(size - 1, std::max(first, last));
  int64_t begin = 0;
  if (__builtin_mul_overflow(iteration, stride, &begin) || __builtin_add_overflow(begin, first, &begin) ||
      (stride < 0 && __builtin_sub_overflow(begin, part_size - 1, &begin)) || begin < low || begin > high ||
      part_size > high - begin + 1) {
    return Invalid("The slice of iteration ", iteration, " lies outside of the input, whose axis is ", size, " long");
  }
  return begin;
}

int64_t LoopPortMap::MergedParameter(int64_t result) const {
  const auto it = std::find(back_edges.begin(), back_edges.end(), result);
  return it == back_edges.end() ? -1 : it - back_edges.begin();
}

absl::StatusOr<LoopPortMap> ReadLoopPortMap(const LoopAttributes& attributes, const Model& body) {
  const auto result_count = static_cast<int64_t>(body.results().size());
  const auto is_result = [result_count](int64_t i) { return i >= 0 && i < result_count; };
  LoopPortMap map;
  map.inputs = attributes.parameter_inputs;
  map.back_edges = attributes.back_edges;
  if (map.back_edges.empty()) map.back_edges.assign(map.inputs.size(), -1);
  if (map.inputs.size() != body.parameters().size() || map.back_edges.size() != map.inputs.size()) {
    return Invalid("Loop_c2: The body has ", body.parameters().size(), " parameters, and the port map ",
                   map.inputs.size(), " and ", map.back_edges.size());
  }
  for (size_t i = 0; i < map.inputs.size(); ++i) {
    if (map.inputs[i] < -1 || map.inputs[i] == 0 || map.inputs[i] == 1) {
      return Invalid("Loop_c2: A parameter may not take this input: ", map.inputs[i]);
    }
    if (map.back_edges[i] != -1 && (!is_result(map.back_edges[i]) || map.inputs[i] == -1)) {
      return Invalid("Loop_c2: A back edge names no result, or has no initial value: ", map.back_edges[i]);
    }
  }
  map.slices.resize(map.inputs.size());
  BURIN_RETURN_IF_ERROR(ReadSlices(attributes.slices, &map.slices));
  for (size_t i = 0; i < map.slices.size(); ++i) {
    if (map.slices[i].has_value() && (map.inputs[i] == -1 || map.back_edges[i] != -1)) {
      return Invalid("Loop_c2: A parameter takes a slice and another value: ", i);
    }
  }
  map.condition = attributes.condition_result;
  map.results = attributes.output_results;
  if (!is_result(map.condition) || !std::all_of(map.results.begin(), map.results.end(), is_result)) {
    return Invalid("Loop_c2: The condition or an output names no result of the body");
  }
  map.concatenations.resize(map.results.size());
  BURIN_RETURN_IF_ERROR(ReadConcatenations(attributes.concatenations, &map.concatenations));
  return map;
}

const OpDef& LoopOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLoop, "Loop", "opset5");
    d.min_inputs = 2;
    d.max_inputs = -1;
    d.outputs = -1;
    d.bodies = 1;
    // A body may hold any op, those that draw random numbers or set variables included.
    d.traits = kImpure | kDataDependentShape;
    d.make_attributes = &MakeAttributes<LoopAttributes>;
    d.infer = &InferLoop;
    d.reference = &ReferenceLoop;
    d.cost = &CostOfLoop;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
