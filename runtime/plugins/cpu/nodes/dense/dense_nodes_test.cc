#include "runtime/plugins/cpu/nodes/dense/dense_nodes.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

constexpr double kRelative = 1e-5;

// An operation with what its epilogue may read: of the result's shape, and of one value for each column and row.
struct Anchor {
  std::string type_name;
  std::string op;
  std::vector<std::string> inputs;
  std::string attributes;
  std::string full;
  std::string column;
  std::string row;
};

std::vector<Anchor> Anchors() {
  const std::string pads = "pads_begin = [1, 1], pads_end = [1, 1]";
  return {
      {"MatMul", "MatMul", {"[3, 7, 40]", "[40, 37]"}, "", "[3, 7, 37]", "[37]", "[3, 7, 1]"},
      {"MatMul", "MatMul", {"[2, 5, 19]", "[2, 33, 19]"}, "transpose_b = true", "[2, 5, 33]", "[33]", "[2, 5, 1]"},
      {"Convolution",
       "Convolution",
       {"[2, 5, 9, 11]", "[37, 5, 3, 3]"},
       pads,
       "[2, 37, 9, 11]",
       "[37, 1, 1]",
       "[2, 1, 9, 11]"},
      {"Convolution",
       "Convolution",
       {"[1, 40, 6, 5]", "[19, 40, 1, 1]"},
       "strides = [2, 2]",
       "[1, 19, 3, 3]",
       "[1, 19, 1, 1]",
       "[1, 1, 3, 3]"},
      {"Convolution",
       "GroupConvolution",
       {"[1, 12, 7, 7]", "[3, 5, 4, 3, 3]"},
       pads,
       "[1, 15, 7, 7]",
       "[15, 1, 1]",
       "[1, 1, 7, 7]"},
      {"Convolution",
       "GroupConvolution",
       {"[2, 19, 7, 8]", "[19, 1, 1, 3, 3]"},
       pads,
       "[2, 19, 7, 8]",
       "[19, 1, 1]",
       "[2, 1, 7, 8]"},
      {"Deconvolution",
       "ConvolutionBackpropData",
       {"[2, 7, 5, 6]", "[7, 18, 2, 2]"},
       "strides = [2, 2]",
       "[2, 18, 10, 12]",
       "[18, 1, 1]",
       "[2, 1, 10, 12]"},
      {"Deconvolution",
       "ConvolutionBackpropData",
       {"[1, 7, 5, 6]", "[7, 18, 3, 3]"},
       pads,
       "[1, 18, 5, 6]",
       "[18, 1, 1]",
       "[1, 1, 5, 6]"},
      {"Deconvolution",
       "GroupConvolutionBackpropData",
       {"[1, 6, 4, 5]", "[3, 2, 5, 3, 3]"},
       "strides = [2, 2], " + pads,
       "[1, 15, 7, 9]",
       "[15, 1, 1]",
       "[1, 1, 7, 9]"},
      {"Pooling",
       "MaxPool",
       {"[2, 21, 8, 9]"},
       "kernel = [3, 3], strides = [2, 2], " + pads,
       "[2, 21, 4, 5]",
       "[21, 1, 1]",
       "[2, 1, 4, 5]"},
      {"Pooling",
       "AvgPool",
       {"[2, 21, 8, 9]"},
       "kernel = [3, 3], " + pads,
       "[2, 21, 8, 9]",
       "[21, 1, 1]",
       "[2, 1, 8, 9]"},
  };
}

// Operations of an epilogue: on %20, the operation's result, %10 of one value for each column, %11 of the result's
// shape, and %12 of one value for each row; and the results.
struct Epilogue {
  std::string text;
  std::vector<std::string> results;
};

std::vector<Epilogue> Epilogues() {
  return {
      {"%21 = Add(%20, %10)", {"%21"}},
      {"%21 = Add(%20, %10)\n%22 = Relu(%21)", {"%22"}},
      {"%21 = Add(%20, %10)\n%22 = Add(%21, %11)\n%23 = Relu(%22)", {"%23"}},
      {"%21 = Add(%20, %10)\n%22 = Swish(%21)", {"%22"}},
      {"%21 = Multiply(%20, %12)\n%22 = Add(%21, %10)\n%23 = Clamp(%22) {min = 0, max = 6}", {"%21", "%23"}},
      {"%21 = Relu(%20)", {"%20", "%21"}},
      {"%21 = Subtract(%11, %20)\n%22 = Constant() {value = f32[]{0.5}}\n%23 = Multiply(%21, %22)", {"%23"}},
  };
}

std::string Parameter(const std::string& id, const std::string& shape) {
  return absl::StrCat(id, " = Parameter() {element_type = f32, shape = ", shape, "}\n");
}

// Returns the constant of a shape of which `count` elements are.
std::string Constant(const std::string& id, const std::string& shape, int count) {
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(absl::StrCat((i * 7 % 13 - 6) / 4.0));
  return absl::StrCat(id, " = Constant() {value = f32", shape, "{", absl::StrJoin(values, ", "), "}}\n");
}

// Returns the model whose only operation is the Subgraph of both. `weights` is what gives the second input, if it is
// not to be a parameter.
std::string Model(const Anchor& anchor, const Epilogue& epilogue, const std::string& weights = "") {
  std::string parameters;
  std::string outer;
  std::vector<std::string> inputs;
  for (size_t i = 0; i < anchor.inputs.size(); ++i) {
    inputs.push_back(absl::StrCat("%", i));
    absl::StrAppend(&parameters, Parameter(inputs[i], anchor.inputs[i]));
    absl::StrAppend(&outer, i == 1 && !weights.empty() ? weights : Parameter(inputs[i], anchor.inputs[i]));
  }
  std::vector<std::string> all = inputs;
  using Operand = std::pair<std::string, std::string>;
  for (const auto& [id, shape] :
       {Operand("%10", anchor.column), Operand("%11", anchor.full), Operand("%12", anchor.row)}) {
    if (epilogue.text.find(id) == std::string::npos) continue;
    all.push_back(id);
    absl::StrAppend(&parameters, Parameter(id, shape));
    absl::StrAppend(&outer, Parameter(id, shape));
  }
  std::string results;
  std::string outer_results;
  for (size_t i = 0; i < epilogue.results.size(); ++i) {
    absl::StrAppend(&results, "%", 40 + i, " = Result(", epilogue.results[i], ")\n");
    absl::StrAppend(&outer_results, "%", 40 + i, " = Result(%30",
                    epilogue.results.size() > 1 ? absl::StrCat(".", i) : "", ")\n");
  }
  return absl::StrCat("model \"\" {\n", outer, "%30 = Subgraph(", absl::StrJoin(all, ", "), ") model \"body\" {\n",
                      parameters, "%20 = ", anchor.op, "(", absl::StrJoin(inputs, ", "), ") {", anchor.attributes,
                      "}\n", epilogue.text, "\n", results, "}\n", outer_results, "}");
}

TEST(DenseNodesTest, EveryAnchorTakesEveryEpilogue) {
  for (const Anchor& anchor : Anchors()) {
    for (const Epilogue& epilogue : Epilogues()) ExpectNode(Model(anchor, epilogue), anchor.type_name, kRelative);
  }
}

TEST(DenseNodesTest, ConstantWeightsArePacked) {
  const Epilogue residual = Epilogues()[2];
  const Anchor product = {"MatMul", "MatMul", {"[5, 24]", "[24, 19]"}, "", "[5, 19]", "[19]", "[5, 1]"};
  ExpectNode(Model(product, residual, Constant("%1", "[24, 19]", 24 * 19)), "MatMul", kRelative);
  const Anchor depthwise = {"Convolution", "GroupConvolution", {"[1, 5, 6, 7]", "[5, 1, 1, 3, 3]"}, "", "[1, 5, 4, 5]",
                            "[5, 1, 1]",   "[1, 1, 4, 5]"};
  ExpectNode(Model(depthwise, residual, Constant("%1", "[5, 1, 1, 3, 3]", 45)), "Convolution", kRelative);
  const Anchor transposed = {"Deconvolution",
                             "ConvolutionBackpropData",
                             {"[1, 4, 3, 3]", "[4, 6, 2, 2]"},
                             "strides = [2, 2]",
                             "[1, 6, 6, 6]",
                             "[6, 1, 1]",
                             "[1, 1, 6, 6]"};
  ExpectNode(Model(transposed, residual, Constant("%1", "[4, 6, 2, 2]", 96)), "Deconvolution", kRelative);
}

// Sums of few products of few bits are exact, so that what they are converted to is equal.
TEST(DenseNodesTest, ResultsOfOtherTypes) {
  const std::vector<Epilogue> conversions = {
      {"%21 = Convert(%20) {destination_type = f16}", {"%21"}},
      {"%21 = Add(%20, %10)\n%22 = Convert(%21) {destination_type = i32}", {"%22"}},
      {"%21 = Relu(%20)\n%22 = Convert(%21) {destination_type = f16}", {"%22", "%21"}},
  };
  const Anchor product = {"MatMul", "MatMul", {"[9, 3]", "[3, 37]"}, "", "[9, 37]", "[37]", "[9, 1]"};
  const Anchor convolution = {"Convolution", "Convolution", {"[2, 3, 5, 4]", "[37, 3, 1, 1]"}, "", "[2, 37, 5, 4]",
                              "[37, 1, 1]",  "[2, 1, 5, 4]"};
  const Anchor transposed = {"Deconvolution",
                             "ConvolutionBackpropData",
                             {"[1, 3, 3, 3]", "[3, 6, 2, 2]"},
                             "strides = [2, 2]",
                             "[1, 6, 6, 6]",
                             "[6, 1, 1]",
                             "[1, 1, 6, 6]"};
  for (const Epilogue& epilogue : conversions) {
    for (const Anchor& anchor : {product, convolution, transposed})
      ExpectNode(Model(anchor, epilogue), anchor.type_name);
  }
}

// With so many products, sums are kept in memory between chunks: in an output of f32, or in scratch memory.
TEST(DenseNodesTest, LongSums) {
  const Anchor product = {"MatMul", "MatMul", {"[6, 9000]", "[9000, 70]"}, "", "[6, 70]", "[70]", "[6, 1]"};
  ExpectNode(Model(product, Epilogues()[2]), "MatMul", kRelative);
  const Epilogue halves = {"%21 = Relu(%20)\n%22 = Constant() {value = f32[]{0}}\n%23 = Greater(%21, %22)", {"%23"}};
  ExpectNode(Model(product, halves), "MatMul");
}

TEST(DenseNodesTest, NothingComesOut) {
  const Anchor product = {"MatMul", "MatMul", {"[0, 7]", "[7, 9]"}, "", "[0, 9]", "[9]", "[0, 1]"};
  ExpectNode(Model(product, Epilogues()[2]), "MatMul");
  const Anchor none_summed = {"MatMul", "MatMul", {"[4, 0]", "[0, 9]"}, "", "[4, 9]", "[9]", "[4, 1]"};
  ExpectNode(Model(none_summed, Epilogues()[2]), "MatMul");
}

// A residual operand may have its elements in another order in a constant, and is moved once.
TEST(DenseNodesTest, AConstantOfAllElementsIsMoved) {
  ExpectNode(
      absl::StrCat("model \"\" {\n", Parameter("%0", "[1, 3, 2, 2]"), Parameter("%1", "[5, 3, 1, 1]"),
                   Constant("%2", "[1, 5, 2, 2]", 20), "%3 = Subgraph(%0, %1, %2) model \"body\" {\n",
                   Parameter("%0", "[1, 3, 2, 2]"), Parameter("%1", "[5, 3, 1, 1]"), Parameter("%2", "[1, 5, 2, 2]"),
                   "%3 = Convolution(%0, %1)\n%4 = Add(%3, %2)\n%5 = Result(%4)\n}\n%4 = Result(%3)\n}"),
      "Convolution", kRelative);
}

// The same values in two orders cannot be; the reference runs.
TEST(DenseNodesTest, WhatIsReadInTwoLayoutsIsNotTaken) {
  const Anchor lower_rank = {"Reference", "Convolution", {"[1, 5, 4, 4]", "[7, 5, 1, 1]"}, "", "[7, 4, 4]",
                             "[7, 1, 1]", "[1, 1, 4, 4]"};
  ExpectNode(Model(lower_rank, Epilogues()[2]), "Reference");
}

}  // namespace
}  // namespace burin::cpu
