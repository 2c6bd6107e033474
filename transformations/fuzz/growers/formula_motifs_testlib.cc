#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/attribute_values.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

// Writes formulas as exporters do: operands in any order, numbers of any rank, and now and then something else.
class FormulaWriter {
 public:
  FormulaWriter(GrowingGraph& graph, Value x) : g_(graph), x_(x), type_(graph.TypeOf(x)) {}

  Value x() const { return x_; }

  Value Number(double value) {
    if (g_.OneIn(30)) value += 0.125;
    const int64_t rank = g_.OneIn(3) ? g_.Below(g_.RankOf(x_) + (g_.OneIn(20) ? 2 : 1)) : 0;
    return g_.Filled(type_, Shape(static_cast<size_t>(rank), 1), value);
  }

  // Adds an operation of two operands that may be in either order.
  Value Either(const char* op, Value a, Value b) {
    Seen(a);
    return g_.OneIn(2) ? g_.Add(op, {a, b}) : g_.Add(op, {b, a});
  }
  Value Sum(Value a, Value b) { return Either("Add", a, b); }
  Value Product(Value a, Value b) { return Either("Multiply", a, b); }
  Value Unary(const char* op, Value a) { return g_.Add(op, {a}); }

  Value Scaled(Value a, double factor) {
    return g_.OneIn(2) ? Product(a, Number(factor)) : g_.Add("Divide", {a, Number(1 / factor)});
  }
  Value ScaledProduct(Value a, Value b, double factor) {
    switch (g_.Below(3)) {
      case 0:
        return Product(Scaled(a, factor), b);
      case 1:
        return Product(a, Scaled(b, factor));
      default:
        return Scaled(Product(a, b), factor);
    }
  }
  Value Square(Value a) { return g_.OneIn(2) ? Product(a, a) : g_.Add("Power", {a, Number(2)}); }
  Value Clamped(Value a, double low, double high) {
    if (g_.OneIn(2)) return g_.Add("Clamp", {a}, {{"min", low}, {"max", high}});
    const Value least = low == 0 && g_.OneIn(2) ? g_.Add("Relu", {a}) : Either("Maximum", a, Number(low));
    return Either("Minimum", least, Number(high));
  }
  Value Reduced(const char* op, Value a, const std::vector<int64_t>& axes) {
    return g_.Add(op, {a, g_.PlainInts(axes)}, {{"keep_dims", !g_.OneIn(30)}});
  }

 private:
  // Lets somebody else read a part now and then.
  void Seen(Value part) {
    if (part.exists() && g_.OneIn(60)) g_.AddResult(part);
  }

  GrowingGraph& g_;
  Value x_;
  ElementType type_;
};

void GrowGeluFormula(GrowingGraph& g) {
  FormulaWriter f(g, g.Pick(Types::kFloat));
  Value inner = Value::None();
  if (g.OneIn(2)) {
    inner = f.Unary("Erf", f.Scaled(f.x(), std::sqrt(0.5)));
  } else {
    const Value cube = f.ScaledProduct(f.x(), f.Square(f.x()), 0.044715);
    inner = f.Unary("Tanh", f.Scaled(f.Sum(f.x(), cube), std::sqrt(2 / std::acos(-1.0))));
  }
  f.ScaledProduct(f.x(), f.Sum(inner, f.Number(1)), 0.5);
}

void GrowGate(GrowingGraph& g) {
  FormulaWriter f(g, g.Pick(Types::kFloat));
  switch (g.Below(5)) {
    case 0:
      f.Product(f.x(), f.Unary("Sigmoid", g.OneIn(2) ? f.x() : f.Product(f.x(), f.Number(1.75))));
      break;
    case 1: {
      const Value exponential = f.Unary("Exp", f.Unary("Negative", f.x()));
      g.Add("Divide", {f.x(), f.Sum(exponential, f.Number(1))});
      break;
    }
    case 2: {
      const Value soft_plus =
          g.OneIn(2) ? f.Unary("SoftPlus", f.x()) : f.Unary("Log", f.Sum(f.Unary("Exp", f.x()), f.Number(1)));
      f.Product(f.x(), f.Unary("Tanh", soft_plus));
      break;
    }
    case 3:
      f.Scaled(f.Clamped(f.Sum(f.x(), f.Number(3)), 0, 6), 1.0 / 6);
      break;
    default:
      f.ScaledProduct(f.x(), f.Clamped(f.Sum(f.x(), f.Number(3)), 0, 6), 1.0 / 6);
  }
}

void GrowSoftmaxFormula(GrowingGraph& g) {
  FormulaWriter f(g, g.Pick(Types::kFloat, 1));
  const int64_t axis = g.AnyAxis(g.RankOf(f.x()));
  Value exponent = f.x();
  if (g.OneIn(2)) exponent = g.Add("Subtract", {f.x(), f.Reduced("ReduceMax", f.x(), {axis})});
  const Value exponential = f.Unary("Exp", exponent);
  const Value sum = f.Reduced("ReduceSum", exponential, {g.OneIn(12) ? g.AnyAxis(g.RankOf(f.x())) : axis});
  if (g.OneIn(3)) {
    f.Product(exponential, g.Add("Divide", {f.Number(1), sum}));
  } else {
    g.Add("Divide", {exponential, sum});
  }
}

void GrowNormalisation(GrowingGraph& g) {
  FormulaWriter f(g, g.Pick(Types::kFloat, 1));
  const std::vector<int64_t> axes = g.AnyAxes(g.RankOf(f.x()), 1);
  const Value mean = f.Reduced("ReduceMean", f.x(), axes);
  const Value centred = g.Add("Subtract", {f.x(), mean});
  const Value square = g.OneIn(3) ? f.Either("SquaredDifference", f.x(), mean) : f.Square(centred);
  const Value variance = f.Reduced("ReduceMean", square, axes);
  const Value eps = f.Number(0.25);
  const Value divisor = g.OneIn(4) ? f.Sum(f.Unary("Sqrt", variance), eps) : f.Unary("Sqrt", f.Sum(variance, eps));
  if (g.OneIn(3)) {
    f.Product(centred, g.Add("Divide", {f.Number(1), divisor}));
  } else {
    g.Add("Divide", {centred, divisor});
  }
}

constexpr Grower kGrowers[] = {
    {"gelu formula", &GrowGeluFormula, 4},
    {"gate", &GrowGate, 10},
    {"softmax formula", &GrowSoftmaxFormula, 3},
    {"normalisation", &GrowNormalisation, 3},
};

}  // namespace

absl::Span<const Grower> FormulaMotifs() { return kGrowers; }

}  // namespace burin::transformations
