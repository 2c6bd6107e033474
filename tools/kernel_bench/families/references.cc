#include "tools/kernel_bench/families/references.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace burin::kernel_bench {
namespace {

// As many as the function has.
using Inputs = const double*;
using Parameters = const double*;

struct Entry {
  absl::string_view name;
  double (*function)(Inputs x) = nullptr;
  double low = -6;
  double high = 6;
};

struct ParameterisedEntry {
  absl::string_view name;
  size_t parameters = 0;
  double (*function)(Inputs x, Parameters p) = nullptr;
  double low = -6;
  double high = 6;
  double tolerance = 1e-5;
};

int32_t Int(double value) { return static_cast<int32_t>(value); }

bool True(double value) { return value != 0; }

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double SoftPlus(double x) { return std::log1p(std::exp(x)); }

double GeluErf(double x) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }

double GeluTanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

double HSigmoid(double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }

double FloorMod(double x, double y) { return x - std::floor(x / y) * y; }

double Sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

double Shrink(double x, double limit, double bias) { return x < -limit ? x + bias : x > limit ? x - bias : 0; }

// In the order and the precision of the operator's definition, whose roundings decide between two levels.
double FakeQuantize(double input, double input_low, double input_high, double output_low, double output_high,
                    double levels) {
  const float x = static_cast<float>(input);
  const float low = static_cast<float>(input_low);
  const float high = static_cast<float>(input_high);
  const float steps = static_cast<float>(levels - 1);
  if (x <= std::min(low, high)) return output_low;
  if (x > std::max(low, high)) return output_high;
  const float level = std::nearbyint((x - low) / (high - low) * steps);
  return level / steps * static_cast<float>(output_high - output_low) + static_cast<float>(output_low);
}

double Quantize(Inputs x, double low, double high) {
  const float quotient = static_cast<float>(x[0]) / static_cast<float>(x[1]);
  return std::clamp(static_cast<double>(std::nearbyint(quotient)) + x[2], low, high);
}

// Sorted by name. Ranges keep divisors off 0 and integers in 32 bits.
constexpr Entry kReferences[] = {
    {"Abs", [](Inputs x) { return std::abs(x[0]); }},
    {"AbsI32", [](Inputs x) { return std::abs(x[0]); }, -100, 100},
    {"Acos", [](Inputs x) { return std::acos(x[0]); }, -0.99, 0.99},
    {"Acosh", [](Inputs x) { return std::acosh(x[0]); }, 1, 10},
    {"Add", [](Inputs x) { return x[0] + x[1]; }},
    {"AddI32", [](Inputs x) { return x[0] + x[1]; }, -100, 100},
    {"Asin", [](Inputs x) { return std::asin(x[0]); }, -0.99, 0.99},
    {"Asinh", [](Inputs x) { return std::asinh(x[0]); }},
    {"Atan", [](Inputs x) { return std::atan(x[0]); }},
    {"Atanh", [](Inputs x) { return std::atanh(x[0]); }, -0.99, 0.99},
    {"BitwiseAnd", [](Inputs x) -> double { return Int(x[0]) & Int(x[1]); }, -100, 100},
    {"BitwiseLeftShift", [](Inputs x) -> double { return Int(x[0]) << Int(x[1]); }, 0, 10},
    {"BitwiseNot", [](Inputs x) -> double { return ~Int(x[0]); }, -100, 100},
    {"BitwiseOr", [](Inputs x) -> double { return Int(x[0]) | Int(x[1]); }, -100, 100},
    {"BitwiseRightShift", [](Inputs x) -> double { return Int(x[0]) >> Int(x[1]); }, 0, 10},
    {"BitwiseRightShiftU32", [](Inputs x) -> double { return Int(x[0]) >> Int(x[1]); }, 0, 10},
    {"BitwiseXor", [](Inputs x) -> double { return Int(x[0]) ^ Int(x[1]); }, -100, 100},
    {"Ceiling", [](Inputs x) { return std::ceil(x[0]); }},
    {"Cos", [](Inputs x) { return std::cos(x[0]); }},
    {"Cosh", [](Inputs x) { return std::cosh(x[0]); }},
    {"Dequantize", [](Inputs x) { return (x[0] - x[2]) * x[1]; }, 0, 100},
    {"Divide", [](Inputs x) { return x[0] / x[1]; }, 0.5, 50},
    {"DivideI32", [](Inputs x) { return std::trunc(x[0] / x[1]); }, 1, 100},
    {"DivideU32", [](Inputs x) { return std::trunc(x[0] / x[1]); }, 1, 100},
    {"Equal", [](Inputs x) -> double { return x[0] == x[1]; }},
    {"EqualI32", [](Inputs x) -> double { return x[0] == x[1]; }},
    {"Erf", [](Inputs x) { return std::erf(x[0]); }},
    {"Exp", [](Inputs x) { return std::exp(x[0]); }},
    {"Exp2", [](Inputs x) { return std::exp2(x[0]); }},
    {"Expm1", [](Inputs x) { return std::expm1(x[0]); }},
    {"Floor", [](Inputs x) { return std::floor(x[0]); }},
    {"FloorDivideI32", [](Inputs x) { return std::floor(x[0] / x[1]); }, 1, 100},
    {"FloorMod", [](Inputs x) { return std::fmod(x[0], x[1]); }, 0.5, 50},
    {"FloorModI32", [](Inputs x) { return FloorMod(x[0], x[1]); }, 1, 100},
    {"GeluErf", [](Inputs x) { return GeluErf(x[0]); }},
    {"GeluTanh", [](Inputs x) { return GeluTanh(x[0]); }},
    {"Greater", [](Inputs x) -> double { return x[0] > x[1]; }},
    {"GreaterEqual", [](Inputs x) -> double { return x[0] >= x[1]; }},
    {"GreaterEqualI32", [](Inputs x) -> double { return x[0] >= x[1]; }},
    {"GreaterEqualU32", [](Inputs x) -> double { return x[0] >= x[1]; }, 0, 10},
    {"GreaterI32", [](Inputs x) -> double { return x[0] > x[1]; }},
    {"GreaterU32", [](Inputs x) -> double { return x[0] > x[1]; }, 0, 10},
    {"HSigmoid", [](Inputs x) { return HSigmoid(x[0]); }},
    {"HSwish", [](Inputs x) { return x[0] * HSigmoid(x[0]); }},
    {"IsFinite", [](Inputs x) -> double { return std::isfinite(x[0]); }},
    {"IsInf", [](Inputs x) -> double { return std::isinf(x[0]); }},
    {"IsInf(negative)", [](Inputs x) -> double { return std::isinf(x[0]) && x[0] < 0; }},
    {"IsInf(none)", [](Inputs) { return 0.0; }},
    {"IsInf(positive)", [](Inputs x) -> double { return std::isinf(x[0]) && x[0] > 0; }},
    {"IsNaN", [](Inputs x) -> double { return std::isnan(x[0]); }},
    {"Less", [](Inputs x) -> double { return x[0] < x[1]; }},
    {"LessEqual", [](Inputs x) -> double { return x[0] <= x[1]; }},
    {"LessEqualI32", [](Inputs x) -> double { return x[0] <= x[1]; }},
    {"LessEqualU32", [](Inputs x) -> double { return x[0] <= x[1]; }, 0, 10},
    {"LessI32", [](Inputs x) -> double { return x[0] < x[1]; }},
    {"LessU32", [](Inputs x) -> double { return x[0] < x[1]; }, 0, 10},
    {"Log", [](Inputs x) { return std::log(x[0]); }, 0.01, 10},
    {"Log1p", [](Inputs x) { return std::log1p(x[0]); }, -0.9, 10},
    {"LogSigmoid", [](Inputs x) { return -SoftPlus(-x[0]); }},
    {"LogicalAnd", [](Inputs x) -> double { return True(x[0]) && True(x[1]); }},
    {"LogicalNot", [](Inputs x) -> double { return !True(x[0]); }},
    {"LogicalOr", [](Inputs x) -> double { return True(x[0]) || True(x[1]); }},
    {"LogicalXor", [](Inputs x) -> double { return True(x[0]) != True(x[1]); }},
    {"Maximum", [](Inputs x) { return std::max(x[0], x[1]); }},
    {"MaximumI32", [](Inputs x) { return std::max(x[0], x[1]); }, -100, 100},
    {"MaximumU32", [](Inputs x) { return std::max(x[0], x[1]); }, 0, 100},
    {"Minimum", [](Inputs x) { return std::min(x[0], x[1]); }},
    {"MinimumI32", [](Inputs x) { return std::min(x[0], x[1]); }, -100, 100},
    {"MinimumU32", [](Inputs x) { return std::min(x[0], x[1]); }, 0, 100},
    {"Mish", [](Inputs x) { return x[0] * std::tanh(SoftPlus(x[0])); }},
    {"Mod", [](Inputs x) { return std::fmod(x[0], x[1]); }, 0.5, 50},
    {"ModI32", [](Inputs x) { return std::fmod(x[0], x[1]); }, 1, 100},
    {"ModU32", [](Inputs x) { return std::fmod(x[0], x[1]); }, 1, 100},
    {"Multiply", [](Inputs x) { return x[0] * x[1]; }},
    {"MultiplyAdd", [](Inputs x) { return x[0] * x[1] + x[2]; }},
    {"MultiplyI32", [](Inputs x) { return x[0] * x[1]; }, -100, 100},
    {"Negative", [](Inputs x) { return -x[0]; }},
    {"NegativeI32", [](Inputs x) { return -x[0]; }, -100, 100},
    {"NotEqual", [](Inputs x) -> double { return x[0] != x[1]; }},
    {"NotEqualI32", [](Inputs x) -> double { return x[0] != x[1]; }},
    {"PRelu", [](Inputs x) { return x[0] < 0 ? x[0] * x[1] : x[0]; }},
    {"Power", [](Inputs x) { return std::pow(x[0], x[1]); }, 0.5, 4},
    {"PowerI32", [](Inputs x) { return std::pow(x[0], x[1]); }, 0, 5},
    {"PowerU32", [](Inputs x) { return std::pow(x[0], x[1]); }, 0, 5},
    {"Reciprocal", [](Inputs x) { return 1 / x[0]; }, 0.1, 10},
    {"Relu", [](Inputs x) { return std::max(x[0], 0.0); }},
    {"RoundHalfAwayFromZero", [](Inputs x) { return std::round(x[0]); }},
    {"RoundHalfToEven", [](Inputs x) { return std::nearbyint(x[0]); }},
    {"Select", [](Inputs x) { return True(x[0]) ? x[1] : x[2]; }},
    {"Sigmoid", [](Inputs x) { return Sigmoid(x[0]); }},
    {"Sign", [](Inputs x) { return Sign(x[0]); }},
    {"SignI32", [](Inputs x) { return Sign(x[0]); }, -100, 100},
    {"Sin", [](Inputs x) { return std::sin(x[0]); }},
    {"Sinh", [](Inputs x) { return std::sinh(x[0]); }},
    {"SoftPlus", [](Inputs x) { return SoftPlus(x[0]); }},
    {"SoftSign", [](Inputs x) { return x[0] / (1 + std::abs(x[0])); }},
    {"Sqrt", [](Inputs x) { return std::sqrt(x[0]); }, 0, 100},
    {"SquaredDifference", [](Inputs x) { return (x[0] - x[1]) * (x[0] - x[1]); }},
    {"SquaredDifferenceI32", [](Inputs x) { return (x[0] - x[1]) * (x[0] - x[1]); }, -100, 100},
    {"Subtract", [](Inputs x) { return x[0] - x[1]; }},
    {"SubtractI32", [](Inputs x) { return x[0] - x[1]; }, -100, 100},
    {"Tan", [](Inputs x) { return std::tan(x[0]); }, -1.5, 1.5},
    {"Tanh", [](Inputs x) { return std::tanh(x[0]); }},
    {"Truncate", [](Inputs x) { return std::trunc(x[0]); }},
};

// Of functions whose name has parameters in it, sorted by name. Wide tolerances are steps from level to level.
constexpr ParameterisedEntry kParameterised[] = {
    {"Celu", 1, [](Inputs x, Parameters p) { return x[0] > 0 ? x[0] : p[0] * std::expm1(x[0] / p[0]); }},
    {"Clamp", 2, [](Inputs x, Parameters p) { return std::clamp(x[0], p[0], p[1]); }, -10, 10},
    {"ClampI32", 2, [](Inputs x, Parameters p) { return std::clamp(x[0], p[0], p[1]); }, -200, 1200},
    {"Elu", 1, [](Inputs x, Parameters p) { return x[0] > 0 ? x[0] : p[0] * std::expm1(x[0]); }},
    {"FakeQuantize", 1, [](Inputs x, Parameters p) { return FakeQuantize(x[0], x[1], x[2], x[3], x[4], p[0]); }},
    {"FakeQuantize", 5, [](Inputs x, Parameters p) { return FakeQuantize(x[0], p[1], p[2], p[3], p[4], p[0]); }, -4, 4,
     0.011},
    {"FakeQuantizeLevel", 3, [](Inputs x, Parameters p) { return FakeQuantize(x[0], p[1], p[2], 0, p[0] - 1, p[0]); },
     -2, 2, 0.5},
    {"HardSigmoid", 2, [](Inputs x, Parameters p) { return std::clamp(p[0] * x[0] + p[1], 0.0, 1.0); }},
    {"LeakyRelu", 1, [](Inputs x, Parameters p) { return x[0] < 0 ? p[0] * x[0] : x[0]; }},
    {"Quantize", 2, [](Inputs x, Parameters p) { return Quantize(x, p[0], p[1]); }, 0.5, 50},
    {"Selu", 2, [](Inputs x, Parameters p) { return p[1] * (x[0] > 0 ? x[0] : p[0] * std::expm1(x[0])); }},
    {"Shrink", 2, [](Inputs x, Parameters p) { return Shrink(x[0], p[1], p[0]); }},
    {"Swish", 1, [](Inputs x, Parameters p) { return x[0] * Sigmoid(p[0] * x[0]); }},
    {"ThresholdedRelu", 1, [](Inputs x, Parameters p) { return x[0] > p[0] ? x[0] : 0; }},
};

// The parameters between parentheses behind the name; empty where there are none, or they are no numbers.
std::vector<double> ParametersOf(absl::string_view name) {
  std::vector<double> parameters;
  const size_t open = name.find('(');
  if (open == absl::string_view::npos || !absl::EndsWith(name, ")")) return parameters;
  for (const absl::string_view word : absl::StrSplit(name.substr(open + 1, name.size() - open - 2), ',')) {
    double parameter = 0;
    if (!absl::SimpleAtod(word, &parameter)) return {};
    parameters.push_back(parameter);
  }
  return parameters;
}

}  // namespace

std::optional<FunctionReference> FindReference(absl::string_view name) {
  for (const Entry& entry : kReferences) {
    if (entry.name == name) return FunctionReference{entry.function, entry.low, entry.high};
  }
  const std::vector<double> parameters = ParametersOf(name);
  for (const ParameterisedEntry& entry : kParameterised) {
    if (parameters.size() != entry.parameters || !absl::StartsWith(name, absl::StrCat(entry.name, "("))) continue;
    const auto function = [&entry, parameters](Inputs inputs) { return entry.function(inputs, parameters.data()); };
    return FunctionReference{function, entry.low, entry.high, entry.tolerance};
  }
  return std::nullopt;
}

}  // namespace burin::kernel_bench
