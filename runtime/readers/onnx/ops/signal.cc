// Signals: Fourier transforms, windows, the mel scale.
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/gather.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/fourier.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

const double kPi = std::acos(-1.0);

// Returns input `i` as an i64 scalar, or an absent value.
ir::Value OptionalNumber(NodeContext& node, int64_t i) {
  if (!node.HasInput(i)) return ir::Value::None();
  return node.Convert(node.ToScalar(node.Input(i)), ElementType::kI64);
}

// Adds the sum over i of weights[i] * cos(2 pi i n / N) for n from 0 to size - 1. N is the size, or one less where the
// window is to be symmetric.
absl::Status SumOfCosines(NodeContext& node, std::initializer_list<double> weights) {
  constexpr ElementType kWide = ElementType::kF64;
  const ElementType type = node.ElementTypeAttribute("output_datatype", ElementType::kF32);
  const ir::Value size = node.Convert(node.ToScalar(node.Input(0)), ElementType::kI64);
  const bool periodic = node.IntAttribute("periodic", 1) != 0;
  const ir::Value period = node.Convert(periodic ? size : node.Minus(size, node.Int(1)), kWide);
  const ir::Value n = node.Convert(node.Range(node.Int(0), size), kWide);
  const ir::Value turns = node.Over(n, period);
  ir::Value y;
  double i = 0;
  for (const double weight : weights) {
    const ir::Value angle = node.Times(turns, node.Scalar(kWide, 2 * kPi * i++));
    const ir::Value term = node.Times(node.Add(ir::CosOp(), {angle}), node.Scalar(kWide, weight));
    y = y.exists() ? node.Plus(y, term) : term;
  }
  return node.Finish({node.Convert(y, type)});
}

}  // namespace

absl::Status TranslateBlackmanWindow(NodeContext& node) { return SumOfCosines(node, {0.42, -0.5, 0.08}); }
absl::Status TranslateHammingWindow(NodeContext& node) { return SumOfCosines(node, {25.0 / 46.0, -21.0 / 46.0}); }
absl::Status TranslateHannWindow(NodeContext& node) { return SumOfCosines(node, {0.5, -0.5}); }

absl::Status TranslateDFT(NodeContext& node) {
  FourierTransform transform;
  transform.axis = node.since() < 20 ? node.Int(node.IntAttribute("axis", 1)) : OptionalNumber(node, 2);
  if (!transform.axis.exists()) transform.axis = node.Int(-2);
  transform.length = OptionalNumber(node, 1);
  transform.inverse = node.IntAttribute("inverse", 0) != 0;
  transform.onesided = node.IntAttribute("onesided", 0) != 0;
  return node.Finish({Transform(node, node.Input(0), transform)});
}

// Transforms frames of the signal [batch, length, 1 or 2], each of which begins frame_step after the last one and is
// weighted by the window: [batch, frames, frequencies, 2]. Files have real signals without the last axis, too.
absl::Status TranslateSTFT(NodeContext& node) {
  ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank == 2) x = node.Unsqueeze(x, {2});
  if (rank != 2 && rank != 3) return node.Invalid("STFT is of signals with two or three axes");
  const ir::Value step = OptionalNumber(node, 1);
  if (!step.exists()) return node.Invalid("STFT needs a frame_step");
  const ir::Value window = node.OptionalInput(2);
  ir::Value length = OptionalNumber(node, 3);
  if (!length.exists()) length = window.exists() ? node.SizeOf(window, 0) : node.SizeOf(x, 1);
  const ir::Value width = window.exists() ? node.SizeOf(window, 0) : length;

  const ir::Value frames = node.Plus(node.Over(node.Minus(node.SizeOf(x, 1), length), step), node.Int(1));
  const ir::Value starts = node.Unsqueeze(node.Times(node.Range(node.Int(0), frames), step), {1});
  const ir::Value places = node.Plus(starts, node.Range(node.Int(0), width));
  ir::Value framed = node.Add(ir::GatherOp(), {x, places, node.Int(1)}, std::make_unique<ir::GatherAttributes>());
  if (window.exists()) framed = node.Times(framed, node.Unsqueeze(node.Convert(window, node.TypeOf(x)), {1}));

  FourierTransform transform;
  transform.axis = node.Int(2);
  transform.length = length;
  transform.onesided = node.IntAttribute("onesided", 1) != 0;
  if (!node.ok()) return node.status();
  return node.Finish({Transform(node, framed, transform)});
}

// Column i of [dft_length / 2 + 1, num_mel_bins] rises from 0 at edge i to 1 at edge i + 1 and falls to 0 at edge i +
// 2, where the edges lie evenly on the scale mel(f) = 2595 log10(1 + f / 700), rounded down to frequencies of the
// transform.
absl::Status TranslateMelWeightMatrix(NodeContext& node) {
  constexpr ElementType kWide = ElementType::kF64;
  const ElementType type = node.ElementTypeAttribute("output_datatype", ElementType::kF32);
  const ir::Value bins = OptionalNumber(node, 0);
  const ir::Value length = OptionalNumber(node, 1);
  const ir::Value rate = OptionalNumber(node, 2);
  const auto wide = [&](ir::Value x) { return node.Convert(x, kWide); };
  const auto number = [&](double x) { return node.Scalar(kWide, x); };
  if (!node.HasInput(3) || !node.HasInput(4)) return node.Invalid("MelWeightMatrix has five inputs");
  const auto mel = [&](int64_t input) {
    const ir::Value ratio = node.Over(wide(node.ToScalar(node.Input(input))), number(700));
    return node.Times(node.Add(ir::LogOp(), {node.Plus(ratio, number(1))}), number(2595 / std::log(10.0)));
  };
  const ir::Value low = mel(3);
  const ir::Value high = mel(4);
  const ir::Value edge_count = node.Plus(bins, node.Int(2));
  const ir::Value step = node.Over(node.Minus(high, low), wide(edge_count));
  const ir::Value mels = node.Plus(node.Times(wide(node.Range(node.Int(0), edge_count)), step), low);
  const ir::Value powers = node.Add(ir::ExpOp(), {node.Times(mels, number(std::log(10.0) / 2595))});
  const ir::Value hertz = node.Times(node.Minus(powers, number(1)), number(700));
  const ir::Value places = node.Over(node.Times(wide(node.Plus(length, node.Int(1))), hertz), wide(rate));
  const ir::Value edges = node.Add(ir::FloorOp(), {places});

  const auto edge = [&](int64_t first) {
    const ir::Value begin = node.Ints({first});
    const ir::Value end = node.Plus(node.Unsqueeze(bins, {0}), begin);
    return node.Slice(edges, 0, begin, end);
  };
  const ir::Value left = edge(0);
  const ir::Value centre = edge(1);
  const ir::Value right = edge(2);
  const ir::Value rows = node.Plus(node.Over(length, node.Int(2)), node.Int(1));
  const ir::Value row = node.Unsqueeze(wide(node.Range(node.Int(0), rows)), {1});
  const auto both = [&](ir::Value a, ir::Value b) { return node.Add(ir::LogicalAndOp(), {a, b}); };
  const auto at_most = [&](ir::Value a, ir::Value b) { return node.Add(ir::LessEqualOp(), {a, b}); };
  const auto select = [&](ir::Value condition, ir::Value a, ir::Value b) {
    return node.Add(ir::SelectOp(), {condition, a, b});
  };
  const auto width = [&](ir::Value a, ir::Value b) { return node.Add(ir::MaximumOp(), {node.Minus(b, a), number(1)}); };
  // Edges that coincide make a rise of one step: 1 at the centre.
  const ir::Value rise =
      select(node.Add(ir::EqualOp(), {left, centre}), number(1), node.Over(node.Minus(row, left), width(left, centre)));
  const ir::Value fall = node.Over(node.Minus(right, row), width(centre, right));
  const ir::Value is_rising = both(at_most(left, row), at_most(row, centre));
  const ir::Value is_falling = both(at_most(centre, row), node.Add(ir::LessOp(), {row, right}));
  return node.Finish({node.Convert(select(is_falling, fall, select(is_rising, rise, number(0))), type)});
}

}  // namespace burin::onnx
