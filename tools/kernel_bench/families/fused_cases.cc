#include "tools/kernel_bench/families/fused_cases.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "ir/text.h"

namespace burin::kernel_bench {
namespace {

using Attributes = std::vector<PeerGraph::Attribute>;

constexpr char kMicrosoft[] = "com.microsoft";

// Fills the shapes into the text of a body: "$S" is [rows,columns], "$C" [columns].
std::string Fill(absl::string_view pattern, int64_t rows, int64_t columns) {
  return absl::StrReplaceAll(
      pattern, {{"$S", absl::StrCat("[", rows, ",", columns, "]")}, {"$C", absl::StrCat("[", columns, "]")}});
}

// Makes a case of a pattern over rows and columns; `small_rows` of them are in the first cache, 0 for none.
FusedCase OverRows(absl::string_view name, absl::string_view pattern, int64_t rows, int64_t columns,
                   int64_t small_rows) {
  FusedCase made;
  made.name = absl::StrCat(name, "/", rows, "x", columns);
  made.text = Fill(pattern, rows, columns);
  if (small_rows > 0) made.small_text = Fill(pattern, small_rows, columns);
  return made;
}

// ---- Chains of element-wise operations ----

// Is a link of a chain: an operation on the value before and, where there is one, a number.
struct Link {
  const char* op;
  const char* onnx;
  double number;
  bool has_number;
};

constexpr Link kLinks[] = {
    {"Multiply", "Mul", 0.5, true},   {"Add", "Add", 0.25, true},    {"Relu", "Relu", 0, false},
    {"Subtract", "Sub", 1.5, true},   {"Abs", "Abs", 0, false},      {"Maximum", "Max", 0.125, true},
    {"Sqrt", "Sqrt", 0, false},       {"Minimum", "Min", 3.0, true}, {"Negative", "Neg", 0, false},
    {"Multiply", "Mul", -1.25, true},
};

FusedCase Chain(int links, int64_t rows, int64_t columns) {
  std::string pattern = "model \"chain\" {\n  %0 \"x\" = Parameter() {shape = $S}\n";
  PeerGraph graph;
  int id = 0;
  std::string before = "x";
  for (int i = 0; i < links; ++i) {
    const Link& link = kLinks[static_cast<size_t>(i) % std::size(kLinks)];
    const int input = id;
    std::string second;
    PeerGraph::Node node = {"", link.onnx, {before}, {}, {}};
    if (link.has_number) {
      absl::StrAppend(&pattern, "  %", ++id, " = Constant() {value = f32[]{", link.number, "}}\n");
      second = absl::StrCat(", %", id);
      const std::string constant = absl::StrCat("c", i);
      graph.constants.push_back({constant, {}, {static_cast<float>(link.number)}});
      node.inputs.push_back(constant);
    }
    absl::StrAppend(&pattern, "  %", ++id, " = ", link.op, "(%", input, second, ")\n");
    before = i + 1 == links ? "y" : absl::StrCat("v", i);
    node.outputs = {before};
    graph.nodes.push_back(std::move(node));
  }
  absl::StrAppend(&pattern, "  %", id + 1, " \"y\" = Result(%", id, ")\n}\n");
  constexpr int64_t kSmallElements = 2048;
  FusedCase made = OverRows(absl::StrCat("chain", links), pattern, rows, columns, 0);
  made.small_text = Fill(pattern, 1, kSmallElements);
  graph.inputs = {{"x", {rows, columns}}};
  graph.outputs = {{"y", {rows, columns}}};
  made.graphs = {std::move(graph)};
  return made;
}

// ---- What transformers and convolutional networks are full of ----

FusedCase BiasGelu(int64_t rows, int64_t columns) {
  FusedCase made = OverRows("bias_gelu", R"(model "bias_gelu" {
    %0 "x" = Parameter() {shape = $S}
    %1 "bias" = Parameter() {shape = $C}
    %2 = Add(%0, %1)
    %3 = Gelu(%2)
    %4 "y" = Result(%3)
  })",
                            rows, columns, 1);
  PeerGraph graph;
  graph.inputs = {{"x", {rows, columns}}, {"bias", {columns}}};
  graph.outputs = {{"y", {rows, columns}}};
  graph.variant = "fused";
  graph.nodes = {{kMicrosoft, "BiasGelu", {"x", "bias"}, {"y"}, {}}};
  PeerGraph plain = graph;
  plain.variant = "plain";
  plain.nodes = {{"", "Add", {"x", "bias"}, {"s"}, {}}, {"", "Gelu", {"s"}, {"y"}, {}}};
  made.graphs = {std::move(graph), std::move(plain)};
  return made;
}

constexpr char kLayerNorm[] = R"(
    %10 = Constant() {value = i64[1]{-1}}
    %11 = MVN(%9, %10) {eps = 0.00001}
    %12 = Multiply(%11, %7)
    %13 = Add(%12, %8)
    %14 "y" = Result(%13)
)";

FusedCase ResidualLayerNorm(int64_t rows, int64_t columns) {
  FusedCase made = OverRows("residual_layernorm",
                            absl::StrCat(R"(model "residual_layernorm" {
    %0 "x" = Parameter() {shape = $S}
    %1 "residual" = Parameter() {shape = $S}
    %7 "gamma" = Parameter() {shape = $C}
    %8 "beta" = Parameter() {shape = $C}
    %9 = Add(%0, %1))",
                                         kLayerNorm, "  }"),
                            rows, columns, 2);
  // The operator takes a batch of sequences.
  const std::vector<int64_t> batch = {1, rows, columns};
  PeerGraph graph;
  graph.inputs = {{"x", batch}, {"residual", batch}, {"gamma", {columns}}, {"beta", {columns}}};
  graph.outputs = {{"y", batch}};
  graph.variant = "fused";
  graph.nodes = {
      {kMicrosoft, "SkipLayerNormalization", {"x", "residual", "gamma", "beta"}, {"y"}, {{"epsilon", 1e-5f}}}};
  // Of two dimensions, which it does not fuse by itself.
  PeerGraph plain = graph;
  plain.variant = "plain";
  plain.inputs[0].dims = plain.inputs[1].dims = plain.outputs[0].dims = {rows, columns};
  plain.nodes = {
      {"", "Add", {"x", "residual"}, {"s"}, {}},
      {"", "LayerNormalization", {"s", "gamma", "beta"}, {"y"}, {{"axis", int64_t{-1}}, {"epsilon", 1e-5f}}}};
  made.graphs = {std::move(graph), std::move(plain)};
  return made;
}

FusedCase LayerNorm(int64_t rows, int64_t columns, int64_t small_rows) {
  FusedCase made = OverRows("layernorm",
                            absl::StrCat(R"(model "layernorm" {
    %9 "x" = Parameter() {shape = $S}
    %7 "gamma" = Parameter() {shape = $C}
    %8 "beta" = Parameter() {shape = $C})",
                                         kLayerNorm, "  }"),
                            rows, columns, small_rows);
  PeerGraph graph;
  graph.inputs = {{"x", {rows, columns}}, {"gamma", {columns}}, {"beta", {columns}}};
  graph.outputs = {{"y", {rows, columns}}};
  graph.nodes = {
      {"", "LayerNormalization", {"x", "gamma", "beta"}, {"y"}, {{"axis", int64_t{-1}}, {"epsilon", 1e-5f}}}};
  made.graphs = {std::move(graph)};
  return made;
}

FusedCase SwishGate(int64_t rows, int64_t columns) {
  FusedCase made = OverRows("swish_gate", R"(model "swish_gate" {
    %0 "gate" = Parameter() {shape = $S}
    %1 "x" = Parameter() {shape = $S}
    %2 = Swish(%0)
    %3 = Multiply(%2, %1)
    %4 "y" = Result(%3)
  })",
                            rows, columns, 1);
  PeerGraph graph;
  graph.inputs = {{"gate", {rows, columns}}, {"x", {rows, columns}}};
  graph.outputs = {{"y", {rows, columns}}};
  graph.nodes = {{kMicrosoft, "QuickGelu", {"gate"}, {"s"}, {{"alpha", 1.0f}}}, {"", "Mul", {"s", "x"}, {"y"}, {}}};
  graph.variant = "fused";
  PeerGraph plain = graph;
  plain.variant = "plain";
  plain.nodes = {
      {"", "Sigmoid", {"gate"}, {"g"}, {}}, {"", "Mul", {"gate", "g"}, {"s"}, {}}, {"", "Mul", {"s", "x"}, {"y"}, {}}};
  made.graphs = {std::move(graph), std::move(plain)};
  return made;
}

FusedCase MaskedSoftmax(int64_t heads, int64_t rows, int64_t columns) {
  const std::string pattern = R"(model "masked_softmax" {
    %0 "x" = Parameter() {shape = [$H,$R,$K]}
    %1 "mask" = Parameter() {shape = [1,$R,$K]}
    %2 = Constant() {value = f32[]{0.125}}
    %3 = Multiply(%0, %2)
    %4 = Add(%3, %1)
    %5 = Softmax(%4) {axis = -1}
    %6 "y" = Result(%5)
  })";
  const auto fill = [&pattern, columns](int64_t h, int64_t r) {
    return absl::StrReplaceAll(pattern,
                               {{"$H", absl::StrCat(h)}, {"$R", absl::StrCat(r)}, {"$K", absl::StrCat(columns)}});
  };
  FusedCase made;
  made.name = absl::StrCat("masked_softmax/", heads, "x", rows, "x", columns);
  made.text = fill(heads, rows);
  made.small_text = fill(1, 16);
  PeerGraph graph;
  graph.inputs = {{"x", {heads, rows, columns}}, {"mask", {1, rows, columns}}};
  graph.outputs = {{"y", {heads, rows, columns}}};
  graph.constants = {{"scale", {}, {0.125f}}};
  graph.nodes = {{"", "Mul", {"x", "scale"}, {"s"}, {}},
                 {"", "Add", {"s", "mask"}, {"m"}, {}},
                 {"", "Softmax", {"m"}, {"y"}, {{"axis", int64_t{-1}}}}};
  made.graphs = {std::move(graph)};
  return made;
}

FusedCase GroupNormSilu(int64_t channels, int64_t height, int64_t groups) {
  const std::string pattern = R"(model "groupnorm_silu" {
    %0 "x" = Parameter() {shape = [1,$C,$H,$H]}
    %1 "gamma" = Parameter() {shape = [$C]}
    %2 "beta" = Parameter() {shape = [$C]}
    %3 = GroupNormalization(%0, %1, %2) {num_groups = $G, epsilon = 0.00001}
    %4 = Swish(%3)
    %5 "y" = Result(%4)
  })";
  const auto fill = [&pattern, height](int64_t c, int64_t g) {
    return absl::StrReplaceAll(pattern,
                               {{"$C", absl::StrCat(c)}, {"$H", absl::StrCat(height)}, {"$G", absl::StrCat(g)}});
  };
  FusedCase made;
  made.name = absl::StrCat("groupnorm_silu/1x", channels, "x", height, "x", height);
  made.text = fill(channels, groups);
  PeerGraph graph;
  graph.inputs = {{"x", {1, channels, height, height}}, {"gamma", {channels}}, {"beta", {channels}}};
  graph.outputs = {{"y", {1, channels, height, height}}};
  graph.nodes = {
      {"", "GroupNormalization", {"x", "gamma", "beta"}, {"n"}, {{"num_groups", groups}, {"epsilon", 1e-5f}}},
      {kMicrosoft, "QuickGelu", {"n"}, {"y"}, {{"alpha", 1.0f}}}};
  made.graphs = {std::move(graph)};
  return made;
}

FusedCase Softmax(int64_t rows, int64_t columns, int64_t small_rows) {
  FusedCase made = OverRows("softmax", R"(model "softmax" {
    %0 "x" = Parameter() {shape = $S}
    %1 = Softmax(%0) {axis = -1}
    %2 "y" = Result(%1)
  })",
                            rows, columns, small_rows);
  PeerGraph graph;
  graph.inputs = {{"x", {rows, columns}}};
  graph.outputs = {{"y", {rows, columns}}};
  graph.nodes = {{"", "Softmax", {"x"}, {"y"}, {{"axis", int64_t{-1}}}}};
  made.graphs = {std::move(graph)};
  return made;
}

// ---- Rotary embedding ----

// Returns nodes that cast a list of numbers to integers, which the peer does once, when it loads the graph.
PeerGraph::Node Integers(const std::string& name, const std::vector<int64_t>& values, PeerGraph& graph) {
  constexpr int64_t kInt64 = 7;
  PeerGraph::Constant constant = {absl::StrCat(name, "_values"), {static_cast<int64_t>(values.size())}, {}};
  for (const int64_t value : values) constant.values.push_back(static_cast<float>(value));
  graph.constants.push_back(std::move(constant));
  return {"", "Cast", {absl::StrCat(name, "_values")}, {name}, {{"to", kInt64}}};
}

// Pairs of elements are rotated: half a row apart, or next to each other.
FusedCase Rotary(bool halves, int64_t heads, int64_t positions, int64_t width) {
  constexpr absl::string_view kSlices = R"(model "rotary" {
    %0 "x" = Parameter() {shape = [$H,$R,$W]}
    %1 "cos" = Parameter() {shape = [$R,$P]}
    %2 "sin" = Parameter() {shape = [$R,$P]}
    %3 = Constant() {value = i64[1]{-1}}
    %4 = Constant() {value = i64[1]{0}}
    %5 = Constant() {value = i64[1]{$STEP}}
    %6 = Constant() {value = i64[1]{$SECOND}}
    %7 = Constant() {value = i64[1]{$LAST}}
    %8 = Constant() {value = i64[1]{$W}}
    %9 = Slice(%0, %4, %7, %5, %3)
    %10 = Slice(%0, %6, %8, %5, %3)
    %11 = Multiply(%9, %1)
    %12 = Multiply(%10, %2)
    %13 = Subtract(%11, %12)
    %14 = Multiply(%10, %1)
    %15 = Multiply(%9, %2)
    %16 = Add(%14, %15)
  )";
  constexpr absl::string_view kHalves = R"(
    %20 = Concat(%13, %16) {axis = -1}
    %21 "y" = Result(%20)
  })";
  constexpr absl::string_view kPairs = R"(
    %17 = Unsqueeze(%13, %3)
    %18 = Unsqueeze(%16, %3)
    %19 = Concat(%17, %18) {axis = -1}
    %22 = Constant() {value = i64[3]{$H, $R, $W}}
    %20 = Reshape(%19, %22)
    %21 "y" = Result(%20)
  })";
  const std::string pattern = absl::StrCat(kSlices, halves ? kHalves : kPairs);
  const auto fill = [&pattern, halves, width](int64_t h, int64_t r) {
    return absl::StrReplaceAll(pattern, {{"$H", absl::StrCat(h)},
                                         {"$R", absl::StrCat(r)},
                                         {"$W", absl::StrCat(width)},
                                         {"$P", absl::StrCat(width / 2)},
                                         {"$STEP", halves ? "1" : "2"},
                                         {"$SECOND", halves ? absl::StrCat(width / 2) : "1"},
                                         {"$LAST", absl::StrCat(halves ? width / 2 : width)}});
  };
  FusedCase made;
  made.name = absl::StrCat(halves ? "rotary_halves/" : "rotary_pairs/", heads, "x", positions, "x", width);
  made.text = fill(heads, positions);
  made.small_text = fill(1, 8);
  PeerGraph graph;
  graph.inputs = {
      {"x", {1, heads, positions, width}}, {"cos", {positions, width / 2}}, {"sin", {positions, width / 2}}};
  graph.outputs = {{"y", {1, heads, positions, width}}};
  PeerGraph plain = graph;
  graph.variant = "fused";
  graph.nodes = {
      Integers("first", {0}, graph),
      {kMicrosoft, "RotaryEmbedding", {"x", "first", "cos", "sin"}, {"y"}, {{"interleaved", int64_t{halves ? 0 : 1}}}}};
  plain.variant = "plain";
  std::string from = "x";
  std::string to = "y";
  std::string cos = "cos";
  std::string sin = "sin";
  if (!halves) {
    from = "x_pairs";
    to = "y_pairs";
    cos = "cos_of_pairs";
    sin = "sin_of_pairs";
    plain.nodes = {Integers("pairs", {1, heads, positions, width / 2, 2}, plain),
                   Integers("rows", {1, heads, positions, width}, plain),
                   Integers("columns", {positions, width / 2, 1}, plain),
                   {"", "Reshape", {"x", "pairs"}, {from}, {}},
                   {"", "Reshape", {"cos", "columns"}, {cos}, {}},
                   {"", "Reshape", {"sin", "columns"}, {sin}, {}}};
  }
  const std::vector<PeerGraph::Node> rotation = {
      {"", "Split", {from}, {"a", "b"}, {{"axis", int64_t{-1}}, {"num_outputs", int64_t{2}}}},
      {"", "Mul", {"a", cos}, {"ac"}, {}},
      {"", "Mul", {"b", sin}, {"bs"}, {}},
      {"", "Sub", {"ac", "bs"}, {"first"}, {}},
      {"", "Mul", {"b", cos}, {"bc"}, {}},
      {"", "Mul", {"a", sin}, {"as"}, {}},
      {"", "Add", {"bc", "as"}, {"second"}, {}},
      {"", "Concat", {"first", "second"}, {to}, {{"axis", int64_t{-1}}}}};
  plain.nodes.insert(plain.nodes.end(), rotation.begin(), rotation.end());
  if (!halves) plain.nodes.push_back({"", "Reshape", {to, "rows"}, {"y"}, {}});
  made.graphs = {std::move(graph), std::move(plain)};
  return made;
}

// A normalisation that no library has: the variance is clipped, and what is normalised is a result, too.
FusedCase ClippedNorm(int64_t rows, int64_t columns) {
  return OverRows("clipped_norm", R"(model "clipped_norm" {
    %0 "x" = Parameter() {shape = $S}
    %1 "residual" = Parameter() {shape = $S}
    %2 = Add(%0, %1)
    %3 = Constant() {value = i64[1]{-1}}
    %4 = ReduceMean(%2, %3) {keep_dims = true}
    %5 = Subtract(%2, %4)
    %6 = Multiply(%5, %5)
    %7 = ReduceMean(%6, %3) {keep_dims = true}
    %8 = Clamp(%7) {min = 0.1, max = 10}
    %9 = Sqrt(%8)
    %10 = Divide(%5, %9)
    %11 "y" = Result(%10)
    %12 "sum" = Result(%2)
  })",
                  rows, columns, 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> FusedCase::Body() const { return ir::ParseModel(text); }

std::vector<FusedCase> FusedCases() {
  return {Chain(3, 128, 3072),          Chain(10, 128, 3072),   Chain(30, 128, 3072),        BiasGelu(128, 3072),
          ResidualLayerNorm(384, 1024), SwishGate(128, 3072),   MaskedSoftmax(12, 128, 128), GroupNormSilu(320, 32, 32),
          Softmax(128, 128, 16),        Softmax(1536, 128, 16), Softmax(1, 32000, 0),        Softmax(4096, 1024, 2),
          LayerNorm(384, 1024, 2),      LayerNorm(128, 768, 3), ClippedNorm(384, 1024),      Rotary(true, 32, 128, 128),
          Rotary(false, 32, 128, 128)};
}

}  // namespace burin::kernel_bench
