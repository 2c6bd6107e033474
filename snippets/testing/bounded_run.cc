#include "snippets/testing/bounded_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/evaluate_op.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/tolerance.h"

namespace burin::snippets {
namespace {

using ir::OpCode;
using ir::Tensor;

constexpr double kUnknown = std::numeric_limits<double>::infinity();
// Of a move, what is no simple fraction of a period.
constexpr double kPartWay = 0.61;
// Says where within their bounds the elements of an input go. Ends of a range tell nothing of a point inside of it
// where an operation jumps: that is tried by itself.
enum class Direction : uint8_t {
  kStay,
  kUp,
  kDown,
  kPartUp,
  kPartDown,
  // The ends of the range; other than kUp and kDown, they are ends of the type for an i64 that may be anything.
  kHighest,
  kLowest,
  // Of those that may be 0, to it; of those that may be anything, to no number. The others stay.
  kZero,
  kNan,
};
// An integer that may be off by more is taken for one that may be anything: what lies between is not tried.
constexpr double kMostSteps = 2;
// What goes up and down, relative to what is more, it or 1: beyond, the ends of a move say little of what lies between.
// Least of all about a remainder, which may come back to where it was.
constexpr double kMostOfWave = 0.05;
constexpr double kMostOfRemainder = 1e-3;
// Of the emitter's bound, 4e-7, to that of the class, 2 units of 2^-24.
constexpr double kGeluScale = 4;
// Units in the last place that a move of doubles may lose.
constexpr double kRoundingsOfMove = 4;
// How far integers go that may be anything.
constexpr double kFarAway = 1e10;
// Inputs that are moved in all combinations; more are moved one by one.
constexpr size_t kMostCombined = 3;

std::vector<double> Doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.element_count()));
  LoadRangeAsDouble(tensor.element_type(), tensor.data(), 0, tensor.element_count(), values.data());
  return values;
}

absl::StatusOr<Tensor> FromDoubles(ElementType type, const ir::Shape& shape, const std::vector<double>& values) {
  BURIN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Create(type, shape));
  StoreRangeFromDouble(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

std::vector<int64_t> Integers(const Tensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(tensor.element_count()));
  LoadRangeAsInt64(tensor.element_type(), tensor.data(), 0, tensor.element_count(), values.data());
  return values;
}

// Returns how much of its bound a moved element moves by.
double FractionOf(Direction direction) {
  switch (direction) {
    case Direction::kUp:
    case Direction::kHighest:
      return 1;
    case Direction::kDown:
    case Direction::kLowest:
      return -1;
    case Direction::kPartUp:
      return kPartWay;
    case Direction::kPartDown:
      return -kPartWay;
    default:
      return 0;
  }
}

// Returns how far elements of one type are from each other; NaN where one of both is.
std::vector<double> Distances(const Tensor& a, const Tensor& b) {
  std::vector<double> distances;
  if (a.element_type() == ElementType::kI64) {
    // All bits count. They wrap around.
    const std::vector<int64_t> x = Integers(a);
    const std::vector<int64_t> y = Integers(b);
    for (size_t i = 0; i < x.size(); ++i) {
      const uint64_t difference = static_cast<uint64_t>(x[i]) - static_cast<uint64_t>(y[i]);
      distances.push_back(static_cast<double>(std::min(difference, 0 - difference)));
    }
    return distances;
  }
  const std::vector<double> x = Doubles(a);
  const std::vector<double> y = Doubles(b);
  for (size_t i = 0; i < x.size(); ++i) {
    const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]));
    distances.push_back(same ? 0 : std::fabs(x[i] - y[i]));
  }
  return distances;
}

// Returns the distance between a number and the next one of its type away from 0.
double UlpOf(ElementType type, double value) {
  int digits = 24;
  int least = -149;
  if (type == ElementType::kF64) {
    digits = 53;
    least = -1074;
  } else if (type == ElementType::kF16) {
    digits = 11;
    least = -24;
  } else if (type == ElementType::kBf16) {
    digits = 8;
    least = -133;
  }
  if (value == 0 || !std::isfinite(value)) return std::ldexp(1.0, least);
  return std::ldexp(1.0, std::max(std::ilogb(value) - digits + 1, least));
}

// Returns the most that a result may be off by for its inputs' sake, relative to what is more, it or 1, before it may
// be anything.
double MostInherited(OpCode code) {
  switch (code) {
    case OpCode::kFloorMod:
    case OpCode::kMod:
      return kMostOfRemainder;
    case OpCode::kCos:
    case OpCode::kSin:
    case OpCode::kTan:
      return kMostOfWave;
    default:
      return kUnknown;
  }
}

// Returns whether the operation of a float jumps at 0, where both sides may be alike: it tells 0 from all else, or has
// a pole there.
bool JumpsAtZero(OpCode code) {
  switch (code) {
    case OpCode::kConvert:
    case OpCode::kDivide:
    case OpCode::kFloorMod:
    case OpCode::kMod:
    case OpCode::kPower:
      return true;
    default:
      return false;
  }
}

absl::StatusOr<Tensor> EvaluateOne(const ir::OpDef& op, const ir::Attributes& attributes,
                                   const std::vector<Tensor>& inputs) {
  BURIN_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, ir::EvaluateOp(op, attributes, inputs));
  return outputs.front().ToDense();
}

// Is one input of an operation, which may be moved.
struct MovingInput {
  size_t index = 0;
  Tensor value;
  std::vector<double> bounds;
};

// Evaluates one node.
class NodeRun {
 public:
  NodeRun(const ir::Node& node, std::vector<BoundedTensor> inputs) : node_(node), inputs_(std::move(inputs)) {}

  absl::StatusOr<BoundedTensor> Run() {
    std::vector<Tensor> values;
    for (const BoundedTensor& input : inputs_) values.push_back(input.value);
    BoundedTensor result;
    BURIN_ASSIGN_OR_RETURN(result.value, EvaluateOne(node_.op(), node_.attributes(), values));
    BURIN_RETURN_IF_ERROR(AddOwn(values, &result));
    BURIN_RETURN_IF_ERROR(AddInherited(&result));
    return result;
  }

 private:
  // Adds what the operation itself may be off by.
  absl::Status AddOwn(const std::vector<Tensor>& values, BoundedTensor* result) {
    const ElementType type = result->value.element_type();
    // Limits that a narrow type does not hold round in the reference alone.
    const bool rounds = node_.code() == OpCode::kClamp && IsFloat(type) && BitWidth(type) < 32;
    const ir::Tolerance tolerance =
        ir::ToleranceFor(rounds ? ir::ToleranceClass::kRounded : node_.op().tolerance, type);
    if (tolerance.ulp == 0 && tolerance.relative == 0) return absl::OkStatus();
    const std::vector<double> expected = Doubles(result->value);
    double largest = 0;
    for (const double value : expected) largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
    // A quantised number is as good as the range that it lies in, and Gelu as what cancels in it.
    double least_scale = node_.code() == OpCode::kGelu ? kGeluScale : 0;
    if (node_.code() == OpCode::kFakeQuantize) {
      for (const size_t limit : {size_t{3}, size_t{4}}) {
        for (const double end : Doubles(values[limit])) least_scale = std::max(least_scale, std::fabs(end));
      }
    }
    // A sum is as good as the magnitudes that are added.
    std::vector<double> magnitudes;
    if (node_.code() == OpCode::kReduceSum || node_.code() == OpCode::kReduceMean) {
      std::vector<double> terms = Doubles(values[0]);
      for (double& term : terms) term = std::fabs(term);
      std::vector<Tensor> positive = values;
      BURIN_ASSIGN_OR_RETURN(positive[0], FromDoubles(ElementType::kF64, values[0].shape(), terms));
      BURIN_ASSIGN_OR_RETURN(const Tensor sum, EvaluateOne(node_.op(), node_.attributes(), positive));
      magnitudes = Doubles(sum);
    }
    result->bounds.assign(expected.size(), 0);
    for (size_t i = 0; i < expected.size(); ++i) {
      if (!std::isfinite(expected[i])) continue;
      const double scale = magnitudes.empty() ? std::min(largest, std::max(1.0, std::fabs(expected[i])))
                                              : std::max(std::fabs(expected[i]), magnitudes[i]);
      result->bounds[i] =
          std::max(tolerance.ulp * UlpOf(type, expected[i]), tolerance.relative * std::max(scale, least_scale));
    }
    return absl::OkStatus();
  }

  // Adds what comes of the inputs' errors.
  absl::Status AddInherited(BoundedTensor* result) {
    // In double precision, lest small moves be lost in rounding.
    std::vector<MovingInput> moving;
    std::vector<Tensor> still;
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const Tensor& value = inputs_[k].value;
      still.push_back(value);
      if (IsFloat(value.element_type())) {
        BURIN_ASSIGN_OR_RETURN(still.back(), FromDoubles(ElementType::kF64, value.shape(), Doubles(value)));
      }
      const std::vector<double>& bounds = inputs_[k].bounds;
      if (std::any_of(bounds.begin(), bounds.end(), [](double bound) { return bound > 0; })) {
        moving.push_back({k, still.back(), bounds});
      }
    }
    if (moving.empty()) return absl::OkStatus();
    BURIN_ASSIGN_OR_RETURN(const Tensor centre, EvaluateOne(node_.op(), node_.attributes(), still));
    const std::vector<double> expected = Doubles(centre);
    std::vector<double> inherited(expected.size(), 0);
    if (moving.size() <= kMostCombined) {
      BURIN_RETURN_IF_ERROR(Combine(still, moving, 0, centre, &inherited));
    } else {
      for (const MovingInput& input : moving) {
        std::vector<double> one(expected.size(), 0);
        BURIN_RETURN_IF_ERROR(Combine(still, {input}, 0, centre, &one));
        for (size_t i = 0; i < one.size(); ++i) inherited[i] += one[i];
      }
    }
    if (node_.code() == OpCode::kEqual || node_.code() == OpCode::kNotEqual) {
      BURIN_RETURN_IF_ERROR(AddMeetings(still, &inherited));
    }
    const bool whole = !IsFloat(result->value.element_type());
    result->bounds.resize(expected.size(), 0);
    for (size_t i = 0; i < expected.size(); ++i) {
      const double most = whole ? kMostSteps : MostInherited(node_.code()) * std::max(1.0, std::fabs(expected[i]));
      if (inherited[i] > most) inherited[i] = kUnknown;
      // Of doubles the moves themselves are rounded, as are their results.
      if (result->value.element_type() == ElementType::kF64) {
        inherited[i] += kRoundingsOfMove * UlpOf(ElementType::kF64, expected[i]);
      }
      result->bounds[i] += inherited[i];
    }
    return absl::OkStatus();
  }

  // Of two operands that are compared for equality, marks those whose ranges meet: they may be equal and may not.
  absl::Status AddMeetings(const std::vector<Tensor>& inputs, std::vector<double>* inherited) {
    std::vector<Tensor> lowest;
    std::vector<Tensor> highest;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const MovingInput input = {k, inputs[k], BoundsOf(k)};
      BURIN_ASSIGN_OR_RETURN(Tensor low, Move(input, Direction::kLowest));
      BURIN_ASSIGN_OR_RETURN(Tensor high, Move(input, Direction::kHighest));
      lowest.push_back(std::move(low));
      highest.push_back(std::move(high));
    }
    const auto compare = [&](const ir::OpDef& op, const Tensor& a, const Tensor& b) {
      return EvaluateOne(op, node_.attributes(), {a, b});
    };
    BURIN_ASSIGN_OR_RETURN(const Tensor first_reaches, compare(ir::GreaterEqualOp(), highest[0], lowest[1]));
    BURIN_ASSIGN_OR_RETURN(const Tensor second_reaches, compare(ir::LessEqualOp(), lowest[0], highest[1]));
    BURIN_ASSIGN_OR_RETURN(const Tensor first_passes, compare(ir::GreaterOp(), highest[0], lowest[1]));
    BURIN_ASSIGN_OR_RETURN(const Tensor second_passes, compare(ir::LessOp(), lowest[0], highest[1]));
    const std::vector<double> reach[] = {Doubles(first_reaches), Doubles(second_reaches)};
    const std::vector<double> pass[] = {Doubles(first_passes), Doubles(second_passes)};
    for (size_t i = 0; i < inherited->size(); ++i) {
      // Where neither passes the other's end, both are one number without an error.
      const bool meet = reach[0][i] != 0 && reach[1][i] != 0 && (pass[0][i] != 0 || pass[1][i] != 0);
      if (meet) (*inherited)[i] = std::max((*inherited)[i], 1.0);
    }
    return absl::OkStatus();
  }

  // Returns the bounds of an input, one for each element.
  std::vector<double> BoundsOf(size_t k) const {
    const std::vector<double>& bounds = inputs_[k].bounds;
    return bounds.empty() ? std::vector<double>(static_cast<size_t>(inputs_[k].value.element_count()), 0) : bounds;
  }

  // Returns where to an input is moved.
  std::vector<Direction> DirectionsOf(const MovingInput& input) const {
    std::vector<Direction> directions = {Direction::kStay, Direction::kUp, Direction::kDown};
    const std::vector<double>& bounds = input.bounds;
    const ElementType type = input.value.element_type();
    const bool unknown = std::find(bounds.begin(), bounds.end(), kUnknown) != bounds.end();
    if (unknown && IsFloat(type)) directions.push_back(Direction::kNan);
    // The wrapped results of an end may be those of the number itself; those of a step are not.
    if (unknown && type == ElementType::kI64) {
      directions.insert(directions.end(), {Direction::kHighest, Direction::kLowest});
    }
    // Integers are divided and raised by rules of their own at 0.
    const bool jumps = IsFloat(type) ? JumpsAtZero(node_.code()) : node_.code() == OpCode::kConvert;
    if (jumps) directions.push_back(Direction::kZero);
    // A whole period on, all is as before; and so may bits be after two steps.
    const bool skips = IsInteger(type) && std::any_of(bounds.begin(), bounds.end(), [](double b) { return b > 1; });
    if (skips || MostInherited(node_.code()) != kUnknown) {
      directions.insert(directions.end(), {Direction::kPartUp, Direction::kPartDown});
    }
    return directions;
  }

  // Moves the inputs from the k-th on in all combinations, and keeps the greatest distance from `centre`.
  absl::Status Combine(const std::vector<Tensor>& inputs, const std::vector<MovingInput>& moving, size_t k,
                       const Tensor& centre, std::vector<double>* greatest) {
    if (k == moving.size()) {
      BURIN_ASSIGN_OR_RETURN(const Tensor moved, EvaluateOne(node_.op(), node_.attributes(), inputs));
      const std::vector<double> distances = Distances(moved, centre);
      for (size_t i = 0; i < distances.size(); ++i) {
        (*greatest)[i] = std::max((*greatest)[i], std::isnan(distances[i]) ? kUnknown : distances[i]);
      }
      return absl::OkStatus();
    }
    for (const Direction direction : DirectionsOf(moving[k])) {
      std::vector<Tensor> moved = inputs;
      if (direction != Direction::kStay) {
        BURIN_ASSIGN_OR_RETURN(moved[moving[k].index], Move(moving[k], direction));
      }
      BURIN_RETURN_IF_ERROR(Combine(moved, moving, k + 1, centre, greatest));
    }
    return absl::OkStatus();
  }

  // Moves integers of 64 bits, all of which count. They wrap around.
  static absl::StatusOr<Tensor> MoveIntegers(const MovingInput& input, Direction direction) {
    std::vector<int64_t> values = Integers(input.value);
    const double fraction = FractionOf(direction);
    const bool to_end = direction == Direction::kHighest || direction == Direction::kLowest;
    for (size_t i = 0; i < values.size(); ++i) {
      if (to_end && input.bounds[i] == kUnknown) {
        values[i] = fraction > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
        continue;
      }
      const double bound = input.bounds[i] == kUnknown ? kFarAway : std::ceil(input.bounds[i]);
      if (direction == Direction::kZero) {
        if (std::fabs(static_cast<double>(values[i])) <= input.bounds[i]) values[i] = 0;
        continue;
      }
      const auto step = static_cast<int64_t>(fraction * std::min(bound, kFarAway));
      values[i] = static_cast<int64_t>(static_cast<uint64_t>(values[i]) + static_cast<uint64_t>(step));
    }
    BURIN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Create(ElementType::kI64, input.value.shape()));
    StoreRangeFromInt64(ElementType::kI64, tensor.mutable_data(), 0, tensor.element_count(), values.data());
    return tensor;
  }

  static absl::StatusOr<Tensor> Move(const MovingInput& input, Direction direction) {
    const ElementType type = input.value.element_type();
    if (type == ElementType::kI64) return MoveIntegers(input, direction);
    const double fraction = FractionOf(direction);
    std::vector<double> values = Doubles(input.value);
    for (size_t i = 0; i < values.size(); ++i) {
      const double bound = input.bounds[i];
      if (bound == 0) continue;
      if (direction == Direction::kZero) {
        if (std::fabs(values[i]) <= bound || bound == kUnknown) values[i] = 0;
      } else if (direction == Direction::kNan) {
        if (bound == kUnknown) values[i] = std::numeric_limits<double>::quiet_NaN();
      } else if (type == ElementType::kBoolean) {
        const bool to_end = direction == Direction::kHighest || direction == Direction::kLowest;
        values[i] = to_end ? std::max(fraction, 0.0) : 1 - values[i];
      } else if (IsFloat(type)) {
        // What may be anything goes to the ends of all numbers.
        values[i] += fraction * bound;
        if (std::isnan(values[i])) values[i] = fraction * bound;
      } else {
        values[i] += std::trunc(fraction * (bound == kUnknown ? kFarAway : std::ceil(bound)));
      }
    }
    return FromDoubles(type, input.value.shape(), values);
  }

  const ir::Node& node_;
  std::vector<BoundedTensor> inputs_;
};

absl::StatusOr<BoundedTensor> Evaluate(const ir::Model& body, const ir::Node& node,
                                       const absl::flat_hash_map<ir::NodeId, BoundedTensor>& known) {
  if (node.code() == OpCode::kConstant) {
    BoundedTensor constant;
    BURIN_ASSIGN_OR_RETURN(constant.value, body.info({node.id(), 0}).constant.ToDense());
    return constant;
  }
  std::vector<BoundedTensor> inputs;
  for (const ir::Value& input : node.inputs()) inputs.push_back(known.at(input.node));
  if (node.code() == OpCode::kResult) return inputs.front();
  return NodeRun(node, std::move(inputs)).Run();
}

}  // namespace

absl::StatusOr<std::vector<BoundedTensor>> RunBounded(const ir::Model& body, absl::Span<const Tensor> inputs) {
  if (inputs.size() != body.parameters().size()) {
    return absl::InvalidArgumentError(absl::StrCat("The number of inputs is not that of parameters: ", inputs.size()));
  }
  absl::flat_hash_map<ir::NodeId, BoundedTensor> known;
  for (size_t i = 0; i < inputs.size(); ++i) known[body.parameters()[i]] = {inputs[i], {}};
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body.TopologicalOrder());
  for (const ir::NodeId id : order) {
    const ir::Node& node = body.node(id);
    if (node.code() == OpCode::kParameter) continue;
    absl::StatusOr<BoundedTensor> result = Evaluate(body, node, known);
    if (!result.ok()) return WithContext(result.status(), absl::StrCat("Node \"", node.name(), "\""));
    known[id] = *std::move(result);
  }
  std::vector<BoundedTensor> results;
  for (const ir::NodeId id : body.results()) results.push_back(known.at(id));
  return results;
}

}  // namespace burin::snippets
