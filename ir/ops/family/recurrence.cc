#include "ir/ops/family/recurrence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/integer_input.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

constexpr int64_t kMaxHiddenSize = int64_t{1} << 24;

std::string Label(const RecurrentCell& cell, int number) { return absl::StrCat(cell.op, "_c", number); }

int64_t Directions(const RecurrentParameters& parameters) {
  return parameters.direction == RecurrentDirection::kBidirectional ? 2 : 1;
}

double Sigmoid(double x, double, double) { return 1 / (1 + std::exp(-x)); }
double Tanh(double x, double, double) { return std::tanh(x); }
double Relu(double x, double, double) { return std::max(x, 0.0); }
double Softsign(double x, double, double) { return x / (1 + std::abs(x)); }
double Softplus(double x, double, double) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double Affine(double x, double alpha, double beta) { return alpha * x + beta; }
double LeakyRelu(double x, double alpha, double) { return x >= 0 ? x : alpha * x; }
double ThresholdedRelu(double x, double alpha, double) { return x >= alpha ? x : 0; }
double ScaledTanh(double x, double alpha, double beta) { return alpha * std::tanh(beta * x); }
double HardSigmoid(double x, double alpha, double beta) { return std::min(std::max(alpha * x + beta, 0.0), 1.0); }
double Elu(double x, double alpha, double) { return x >= 0 ? x : alpha * std::expm1(x); }

struct NamedActivation {
  const char* name;
  RecurrentActivation activation;  // With its parameters' defaults.
};

constexpr NamedActivation kActivations[] = {
    {"affine", {&Affine, 1, 0}},
    {"elu", {&Elu, 1, 0}},
    {"hardsigmoid", {&HardSigmoid, 0.2, 0.5}},
    {"leakyrelu", {&LeakyRelu, 0.01, 0}},
    {"relu", {&Relu, 0, 0}},
    {"scaledtanh", {&ScaledTanh, 1, 1}},
    {"sigmoid", {&Sigmoid, 0, 0}},
    {"softplus", {&Softplus, 0, 0}},
    {"softsign", {&Softsign, 0, 0}},
    {"tanh", {&Tanh, 0, 0}},
    {"thresholdedrelu", {&ThresholdedRelu, 1, 0}},
};

// Returns the functions named, or the op's default ones: those of one direction, or of both.
absl::StatusOr<std::vector<RecurrentActivation>> ActivationsOf(const RecurrentCell& cell,
                                                               const RecurrentParameters& parameters) {
  const std::vector<std::string>& names =
      parameters.activations.empty() ? cell.default_activations : parameters.activations;
  const size_t needed = cell.default_activations.size();
  if (names.size() != needed && names.size() != needed * static_cast<size_t>(Directions(parameters))) {
    return ConstraintError(Label(cell, 3), absl::StrCat("another number of activations than gates need: ", names.size(),
                                                        " instead of ", needed));
  }
  std::vector<RecurrentActivation> result;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto* const known = std::find_if(std::begin(kActivations), std::end(kActivations),
                                           [&](const NamedActivation& entry) { return names[i] == entry.name; });
    if (known == std::end(kActivations)) {
      return absl::UnimplementedError(absl::StrCat(cell.op, ": the activation is not supported: ", names[i]));
    }
    RecurrentActivation activation = known->activation;
    if (i < parameters.activations_alpha.size()) activation.alpha = parameters.activations_alpha[i];
    if (i < parameters.activations_beta.size()) activation.beta = parameters.activations_beta[i];
    result.push_back(activation);
  }
  return result;
}

// Narrows `dims` by the shape of input `input`; the pointers name the dimension at each place.
absl::Status MatchShape(const InferContext& context, const std::string& label, int64_t input,
                        const std::vector<Dimension*>& dims) {
  BURIN_RETURN_IF_ERROR(context.RequireRank(label, input, static_cast<int64_t>(dims.size())));
  const PartialShape& shape = context.input_shape(input);
  if (!shape.has_rank()) return absl::OkStatus();
  for (size_t i = 0; i < dims.size(); ++i) {
    const Dimension& actual = shape[static_cast<int64_t>(i)];
    if (Intersect(actual, dims[i])) continue;
    return ConstraintError(label, absl::StrCat("input ", input, " has shape ", shape.ToString(), "; dimension ", i,
                                               " is not ", dims[i]->ToString()));
  }
  return absl::OkStatus();
}

absl::Status CheckParameters(const RecurrentCell& cell, const RecurrentParameters& parameters) {
  const std::string label = Label(cell, 3);
  if (parameters.hidden_size < 1 || parameters.hidden_size > kMaxHiddenSize) {
    return ConstraintError(label,
                           absl::StrCat("hidden_size lies outside [1,", kMaxHiddenSize, "]: ", parameters.hidden_size));
  }
  if (!std::isfinite(parameters.clip) || parameters.clip < 0) {
    return ConstraintError(label, absl::StrCat("clip is negative or not finite: ", parameters.clip));
  }
  return ActivationsOf(cell, parameters).status();
}

absl::Status CheckTypes(const InferContext& context, const RecurrentCell& cell, int64_t lengths) {
  const std::string label = Label(cell, 1);
  BURIN_RETURN_IF_ERROR(context.RequireFloatType(label, 0));
  for (int64_t i = 1; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    BURIN_RETURN_IF_ERROR(i == lengths ? context.RequireIntegerType(label, i)
                                       : context.RequireType(label, i, context.input_type(0)));
  }
  return absl::OkStatus();
}

// Evaluates one batch in one direction. `y` is [T, H]; the states are replaced.
void RunSequence(const RecurrentCell& cell, RecurrentStep step, const double* x, int64_t length, bool reverse,
                 double* hidden, double* cell_state, double* y) {
  for (int64_t i = 0; i < length; ++i) {
    const int64_t t = reverse ? length - 1 - i : i;
    step.x = x + t * step.input_size;
    cell.step(step, hidden, cell_state);
    std::copy(hidden, hidden + step.hidden_size, y + t * step.hidden_size);
  }
}

}  // namespace

void RecurrentParameters::VisitRecurrent(AttributeVisitor& visitor) {
  visitor.Visit("hidden_size", hidden_size);
  visitor.Visit("activations", activations);
  visitor.Visit("activations_alpha", activations_alpha);
  visitor.Visit("activations_beta", activations_beta);
  visitor.Visit("clip", clip);
  visitor.Visit("direction", direction);
}

double RecurrentStep::InputProduct(int64_t row) const {
  double sum = 0;
  for (int64_t i = 0; i < input_size; ++i) sum += w[row * input_size + i] * x[i];
  return sum;
}

double RecurrentStep::StateProduct(int64_t row, const double* state) const {
  double sum = 0;
  for (int64_t i = 0; i < hidden_size; ++i) sum += r[row * hidden_size + i] * state[i];
  return sum;
}

double RecurrentStep::Activate(size_t i, double value) const {
  return activations[i](clip > 0 ? std::min(std::max(value, -clip), clip) : value);
}

absl::Status InferRecurrence(InferContext& context, const RecurrentCell& cell, const RecurrentParameters& parameters) {
  BURIN_RETURN_IF_ERROR(CheckParameters(cell, parameters));
  const int64_t lengths = cell.has_cell_state ? 3 : 2;
  BURIN_RETURN_IF_ERROR(CheckTypes(context, cell, lengths));
  const std::string label = Label(cell, 2);
  Dimension batch;
  Dimension time;
  Dimension input;
  Dimension directions(Directions(parameters));
  Dimension hidden(parameters.hidden_size);
  Dimension gates(cell.gates * parameters.hidden_size);
  Dimension biases(cell.bias_rows * parameters.hidden_size);
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, 0, {&batch, &time, &input}));
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, 1, {&batch, &directions, &hidden}));
  if (cell.has_cell_state) BURIN_RETURN_IF_ERROR(MatchShape(context, label, 2, {&batch, &directions, &hidden}));
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, lengths, {&batch}));
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, lengths + 1, {&directions, &gates, &input}));
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, lengths + 2, {&directions, &gates, &hidden}));
  BURIN_RETURN_IF_ERROR(MatchShape(context, label, lengths + 3, {&directions, &biases}));
  Dimension peepholes(3 * parameters.hidden_size);
  if (context.has_input(lengths + 4)) {
    BURIN_RETURN_IF_ERROR(MatchShape(context, label, lengths + 4, {&directions, &peepholes}));
  }
  const ElementType type = context.input_type(0);
  context.SetOutput(0, type, PartialShape({batch, directions, time, hidden}));
  context.SetOutput(1, type, PartialShape({batch, directions, hidden}));
  if (cell.has_cell_state) context.SetOutput(2, type, PartialShape({batch, directions, hidden}));
  return absl::OkStatus();
}

absl::Status ReferenceRecurrence(ReferenceContext& context, const RecurrentCell& cell,
                                 const RecurrentParameters& parameters) {
  const Shape& shape = context.input(0).shape();
  const int64_t batches = shape[0];
  const int64_t time = shape[1];
  const int64_t directions = Directions(parameters);
  const int64_t size = parameters.hidden_size;
  const int64_t lengths_input = cell.has_cell_state ? 3 : 2;
  const std::vector<double> x = context.InputAsDoubles(0);
  std::vector<double> hidden = context.InputAsDoubles(1);
  std::vector<double> cell_state = cell.has_cell_state ? context.InputAsDoubles(2) : std::vector<double>();
  const std::vector<int64_t> lengths = context.InputAsInts(lengths_input);
  const std::vector<double> w = context.InputAsDoubles(lengths_input + 1);
  const std::vector<double> r = context.InputAsDoubles(lengths_input + 2);
  const std::vector<double> b = context.InputAsDoubles(lengths_input + 3);
  const bool has_peepholes = context.has_input(lengths_input + 4);
  const std::vector<double> p = has_peepholes ? context.InputAsDoubles(lengths_input + 4) : std::vector<double>();
  RecurrentStep step;
  step.input_size = shape[2];
  step.hidden_size = size;
  step.clip = parameters.clip;
  BURIN_ASSIGN_OR_RETURN(const std::vector<RecurrentActivation> activations, ActivationsOf(cell, parameters));
  const std::ptrdiff_t functions = static_cast<std::ptrdiff_t>(cell.default_activations.size());
  std::vector<double> y(static_cast<size_t>(batches * directions * time * size), 0);
  for (int64_t n = 0; n < batches; ++n) {
    const int64_t length = lengths[static_cast<size_t>(n)];
    if (length < 0 || length > time) {
      return ConstraintError(Label(cell, 4), absl::StrCat("a length lies outside [0,", time, "]: ", length));
    }
    for (int64_t d = 0; d < directions; ++d) {
      BURIN_RETURN_IF_ERROR(context.CheckCancelled());
      step.w = w.data() + d * cell.gates * size * step.input_size;
      step.r = r.data() + d * cell.gates * size * size;
      step.b = b.data() + d * cell.bias_rows * size;
      if (has_peepholes) step.p = p.data() + d * 3 * size;
      const auto first =
          activations.begin() + (d == 1 ? static_cast<std::ptrdiff_t>(activations.size()) - functions : 0);
      step.activations.assign(first, first + functions);
      const int64_t sequence = n * directions + d;
      double* const state = cell.has_cell_state ? cell_state.data() + sequence * size : nullptr;
      const bool reverse = d == 1 || parameters.direction == RecurrentDirection::kReverse;
      RunSequence(cell, step, x.data() + n * time * step.input_size, length, reverse, hidden.data() + sequence * size,
                  state, y.data() + sequence * time * size);
    }
  }
  context.StoreDoubles(0, y);
  context.StoreDoubles(1, hidden);
  if (cell.has_cell_state) context.StoreDoubles(2, cell_state);
  return absl::OkStatus();
}

Cost RecurrenceCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const PartialShape& shape = context.input(0).shape;
  const double steps = static_cast<double>(shape[0].value()) * static_cast<double>(shape[1].value());
  // W and R follow the lengths, which alone are a list.
  const int64_t w = context.input(2).shape.rank() == 1 ? 3 : 4;
  cost.flops = 2 * steps * (context.InputElements(w) + context.InputElements(w + 1));
  return cost;
}

}  // namespace burin::ir
