#include "runtime/readers/onnx/ops/fourier.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/ops/dft.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/partial_shape.h"

namespace burin::onnx {
namespace {

const double kPi = std::acos(-1.0);

// A signal of complex numbers, the transformed axis last.
struct Signal {
  ir::Value real;
  ir::Value imaginary;  // May be absent.
};

// Returns the order of axes in which `axis` of `rank` comes last, and the order that undoes it.
std::vector<int64_t> AxisLast(int64_t axis, int64_t rank) {
  std::vector<int64_t> order;
  for (int64_t d = 0; d < rank; ++d) {
    if (d != axis) order.push_back(d);
  }
  order.push_back(axis);
  return order;
}

std::vector<int64_t> AxisBack(int64_t axis, int64_t rank) {
  std::vector<int64_t> order;
  for (int64_t d = 0; d < axis; ++d) order.push_back(d);
  order.push_back(rank - 1);
  for (int64_t d = axis; d < rank - 1; ++d) order.push_back(d);
  return order;
}

// Cuts or continues the last axis, of `rank`, to that length.
ir::Value FitTo(NodeContext& node, ir::Value x, int64_t rank, ir::Value length) {
  const ir::Value sizes = node.Unsqueeze(length, {0});
  const ir::Value cut = node.Slice(x, rank - 1, node.Ints({0}), sizes);
  const ir::Value missing = node.Minus(sizes, node.SizesOf(cut, rank - 1, rank));
  const std::vector<int64_t> none(static_cast<size_t>(rank - 1), 0);
  const ir::Value after = rank == 1 ? missing : node.Concat({node.Ints(none), missing}, 0);
  const ir::Value before = node.Ints(std::vector<int64_t>(static_cast<size_t>(rank), 0));
  return node.Add(ir::PadOp(), {cut, before, after, node.ScalarLike(x, 0)}, std::make_unique<ir::PadAttributes>());
}

struct Waves {
  ir::Value cosine;
  ir::Value sine;
};

// Returns cos and sin of 2 pi n k / length, [rows, columns]. The product is reduced while it is whole, so that angles
// are exact to the last digit.
Waves MakeWaves(NodeContext& node, ir::Value rows, ir::Value columns, ir::Value length, ElementType type) {
  const ir::Value n = node.Unsqueeze(node.Range(node.Int(0), rows), {1});
  const ir::Value k = node.Range(node.Int(0), columns);
  const ir::Value turn = node.Add(ir::FloorModOp(), {node.Times(n, k), length});
  const ir::Value angle =
      node.Over(node.Times(node.Convert(turn, ElementType::kF64), node.Scalar(ElementType::kF64, 2 * kPi)),
                node.Convert(length, ElementType::kF64));
  return {node.Convert(node.Add(ir::CosOp(), {angle}), type), node.Convert(node.Add(ir::SinOp(), {angle}), type)};
}

Signal Forward(NodeContext& node, const Signal& x, const Waves& waves) {
  Signal y;
  y.real = node.MatMul(x.real, waves.cosine);
  y.imaginary = node.Add(ir::NegativeOp(), {node.MatMul(x.real, waves.sine)});
  if (!x.imaginary.exists()) return y;
  y.real = node.Plus(y.real, node.MatMul(x.imaginary, waves.sine));
  y.imaginary = node.Plus(y.imaginary, node.MatMul(x.imaginary, waves.cosine));
  return y;
}

Signal Inverse(NodeContext& node, const Signal& x, const Waves& waves, ir::Value factor, bool is_real) {
  Signal y;
  y.real = node.MatMul(x.real, waves.cosine);
  if (x.imaginary.exists()) y.real = node.Minus(y.real, node.MatMul(x.imaginary, waves.sine));
  y.real = node.Times(y.real, factor);
  if (is_real) return y;
  y.imaginary = node.MatMul(x.real, waves.sine);
  if (x.imaginary.exists()) y.imaginary = node.Plus(y.imaginary, node.MatMul(x.imaginary, waves.cosine));
  y.imaginary = node.Times(y.imaginary, factor);
  return y;
}

// Returns how often each of `count` frequencies stands for itself and its conjugate: once for 0 and for length / 2,
// twice for all others.
ir::Value Multiplicity(NodeContext& node, ir::Value count, ir::Value length, ElementType type) {
  const ir::Value k = node.Range(node.Int(0), count);
  const ir::Value is_first = node.Add(ir::EqualOp(), {k, node.Int(0)});
  const ir::Value is_middle = node.Add(ir::EqualOp(), {node.Times(k, node.Int(2)), length});
  const ir::Value is_single = node.Add(ir::LogicalOrOp(), {is_first, is_middle});
  return node.Add(ir::SelectOp(), {is_single, node.Scalar(type, 1), node.Scalar(type, 2)});
}

// Up to this length products take, on Zen 4, no more time than the operation for one signal, and at most a fourth of it
// for a hundred. The matrices of longer ones, computed in double, would be too large to be folded.
constexpr int64_t kMaxProductLength = 512;

// The length of the transform, and how many numbers of the signal it takes and gives.
struct Extents {
  ir::Value length;
  ir::Value inputs;
  ir::Value outputs;
};

Extents ExtentsOf(NodeContext& node, ir::Value x, const FourierTransform& transform, int64_t axis) {
  const bool is_real_inverse = transform.inverse && transform.onesided;
  Extents extents{transform.length, {}, {}};
  if (!extents.length.exists()) {
    extents.length = node.SizeOf(x, axis);
    if (is_real_inverse) extents.length = node.Times(node.Int(2), node.Minus(extents.length, node.Int(1)));
  }
  const ir::Value half = node.Plus(node.Over(extents.length, node.Int(2)), node.Int(1));
  extents.inputs = is_real_inverse ? half : extents.length;
  extents.outputs = transform.onesided && !transform.inverse ? half : extents.length;
  return extents;
}

// Returns the axis, counted from the start, where the transform is to be products.
std::optional<int64_t> AxisOfProducts(NodeContext& node, ir::Value x, const FourierTransform& transform) {
  const std::optional<std::vector<int64_t>> given = node.IntsOf(transform.axis);
  const ir::PartialShape& shape = node.ShapeOf(x);
  if (!given.has_value() || given->size() != 1 || !shape.has_rank() || shape.rank() < 2) return std::nullopt;
  const int64_t last = shape.rank() - 1;
  const int64_t axis = given->front() < 0 ? given->front() + shape.rank() : given->front();
  const ir::Dimension& parts = shape[last];
  if (axis < 0 || axis >= last || !parts.is_static() || parts.value() < 1 || parts.value() > 2) return std::nullopt;
  const std::optional<std::vector<int64_t>> length = node.IntsOf(ExtentsOf(node, x, transform, axis).length);
  if (!length.has_value() || length->size() != 1) return std::nullopt;
  if (length->front() < 1 || length->front() > kMaxProductLength) return std::nullopt;
  return axis;
}

ir::Value AddOperation(NodeContext& node, ir::Value x, const FourierTransform& transform) {
  auto attributes = std::make_unique<ir::DFTAttributes>();
  attributes->inverse = transform.inverse;
  attributes->onesided = transform.onesided;
  return node.Add(ir::DFTOp(), {x, transform.axis, transform.length}, std::move(attributes));
}

ir::Value AddProducts(NodeContext& node, ir::Value x, const FourierTransform& transform, int64_t axis) {
  // The type of sums; narrow ones are widened.
  const ElementType type = node.TypeOf(x);
  const ElementType wide = BitWidth(type) >= 32 ? type : ElementType::kF32;
  const bool is_real_inverse = transform.inverse && transform.onesided;
  const int64_t axes = node.KnownRank(x) - 1;
  const bool is_complex = node.ShapeOf(x)[axes].value() == 2;
  const Extents extents = ExtentsOf(node, x, transform, axis);

  const auto part = [&](int64_t i) {
    const ir::Value one = node.Squeeze(node.Slice(node.Convert(x, wide), axes, i, i + 1), {axes});
    return FitTo(node, node.Transpose(one, AxisLast(axis, axes)), axes, extents.inputs);
  };
  Signal signal{part(0), is_complex ? part(1) : ir::Value::None()};
  const Waves waves = MakeWaves(node, extents.inputs, extents.outputs, extents.length, wide);
  if (transform.inverse) {
    const ir::Value factor = node.Over(node.Scalar(wide, 1), node.Convert(extents.length, wide));
    if (is_real_inverse) {
      const ir::Value times = Multiplicity(node, extents.inputs, extents.length, wide);
      signal.real = node.Times(signal.real, times);
      if (signal.imaginary.exists()) signal.imaginary = node.Times(signal.imaginary, times);
    }
    signal = Inverse(node, signal, waves, factor, is_real_inverse);
  } else {
    signal = Forward(node, signal, waves);
  }
  const auto back = [&](ir::Value y) {
    return node.Unsqueeze(node.Convert(node.Transpose(y, AxisBack(axis, axes)), type), {axes});
  };
  if (!signal.imaginary.exists()) return back(signal.real);
  return node.Concat({back(signal.real), back(signal.imaginary)}, axes);
}

}  // namespace

ir::Value Transform(NodeContext& node, ir::Value x, const FourierTransform& transform) {
  const std::optional<int64_t> axis = AxisOfProducts(node, x, transform);
  return axis.has_value() ? AddProducts(node, x, transform, *axis) : AddOperation(node, x, transform);
}

}  // namespace burin::onnx
