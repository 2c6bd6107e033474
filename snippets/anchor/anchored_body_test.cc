#include "snippets/anchor/anchored_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/hash.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "snippets/epilogue/epilogue.h"
#include "snippets/testing/random_inputs.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<ir::Model> Parse(absl::string_view nodes) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(absl::StrCat("model \"body\" {\n", nodes, "\n}"));
  EXPECT_OK(model.status()) << nodes;
  return *std::move(model);
}

std::vector<std::string> ShapesOf(const ir::Model& epilogue) {
  std::vector<std::string> shapes;
  for (const ir::NodeId id : epilogue.parameters()) shapes.push_back(epilogue.info({id, 0}).shape.ToString());
  return shapes;
}

// Returns the tensor as a matrix of `columns` columns, where its own are `axis`; or of a matrix the tensor.
ir::Tensor Turned(const ir::Tensor& from, const ir::Shape& shape, size_t axis, bool to_matrix) {
  int64_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t columns = shape[axis];
  const int64_t rows = from.element_count() / columns;
  ir::Tensor to = ir::Tensor::Create(from.element_type(), to_matrix ? ir::Shape{rows, columns} : shape).value();
  const float* const source = from.data_as<float>();
  float* const target = to.mutable_data_as<float>();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t there = (row / inner * columns + column) * inner + row % inner;
      const int64_t here = row * columns + column;
      target[to_matrix ? here : there] = source[to_matrix ? there : here];
    }
  }
  return to;
}

// Computes the results of a body of f32 values in two parts.
std::vector<ir::Tensor> RunInParts(const ir::Model& body, const AnchoredBody& split,
                                   const std::vector<ir::Tensor>& inputs) {
  const std::unique_ptr<ir::Model> with_anchor = body.Clone();
  EXPECT_OK(with_anchor->AddResult({split.anchor->id(), 0}, "anchor").status());
  const ir::Tensor result = ir::Evaluator::Create(*with_anchor)->Run(inputs)->back();
  const ir::Shape& shape = result.shape();
  const size_t axis = split.anchor->code() == ir::OpCode::kMatMul ? shape.size() - 1 : 1;
  std::vector<ir::Tensor> operands = {Turned(result, shape, axis, true)};
  for (size_t i = 1; i < split.epilogue->parameters().size(); ++i) {
    const ir::Tensor& input = inputs[static_cast<size_t>(split.epilogue_inputs[i - 1])];
    const ir::PartialShape& form = split.epilogue->info({split.epilogue->parameters()[i], 0}).shape;
    const int64_t count = input.element_count();
    if (form.rank() == 0) {
      operands.push_back(input);
    } else if (form[0].is_dynamic() && form[1].is_dynamic()) {
      operands.push_back(Turned(input, shape, axis, true));
    } else {
      operands.push_back(*input.Reshaped({form[0].is_dynamic() ? count : 1, form[0].is_dynamic() ? 1 : count}));
    }
  }
  std::vector<ir::Tensor> results = *ir::Evaluator::Create(*split.epilogue)->Run(operands);
  for (ir::Tensor& matrix : results) matrix = Turned(matrix, shape, axis, false);
  return results;
}

// Expects that the parts compute what the body does, and that the epilogue compiles.
void ExpectSameInParts(absl::string_view nodes, const absl::flat_hash_map<int64_t, ir::PartialShape>& shapes = {}) {
  const std::unique_ptr<ir::Model> body = Parse(nodes);
  ASSERT_OK_AND_ASSIGN(const AnchoredBody split, SplitAnchored(*body));
  EXPECT_OK(Epilogue::Create(*split.epilogue).status()) << ir::PrintModel(*split.epilogue).value_or("");
  const std::unique_ptr<ir::Model> sized = body->Clone();
  ASSERT_OK(sized->Reshape(shapes));
  std::mt19937_64 random(3);
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> inputs, RandomInputs(*sized, {}, random));
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*sized));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, evaluator.Run(inputs));
  const std::vector<ir::Tensor> actual = RunInParts(*body, split, inputs);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    for (int64_t i = 0; i < expected[k].element_count(); ++i) {
      const double want = static_cast<double>(expected[k].data_as<float>()[i]);
      const double got = static_cast<double>(actual[k].data_as<float>()[i]);
      ASSERT_LE(std::abs(got - want), 1e-5 * std::max(1.0, std::abs(want))) << "result " << k << ", element " << i;
    }
  }
}

void ExpectRefused(absl::string_view nodes, const std::string& reason) {
  EXPECT_THAT(SplitAnchored(*Parse(nodes)).status(), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)));
}

TEST(AnchoredBody, KnowsItsAnchors) {
  for (const ir::OpDef* op :
       {&ir::MatMulOp(), &ir::ConvolutionOp(), &ir::GroupConvolutionOp(), &ir::ConvolutionBackpropDataOp(),
        &ir::GroupConvolutionBackpropDataOp(), &ir::MaxPoolOp(), &ir::AvgPoolOp()}) {
    EXPECT_TRUE(IsAnchor(*op)) << op->name;
  }
  EXPECT_FALSE(IsAnchor(ir::AddOp()));
  EXPECT_FALSE(IsAnchor(ir::SoftmaxOp()));
}

constexpr char kConvolution[] = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [b,3,6,5]}
    %1 "w" = Parameter() {element_type = f32, shape = [4,3,3,3]}
    %2 "conv" = Convolution(%0, %1) {strides = [1,1], pads_begin = [1,1], pads_end = [1,1], dilations = [1,1]}
)";

TEST(AnchoredBody, FindsTheAnchorAndItsInputs) {
  const std::unique_ptr<ir::Model> body = Parse(absl::StrCat(kConvolution, R"(
    %3 "residual" = Parameter() {element_type = f32, shape = [b,4,6,5]}
    %4 "sum" = Add(%3, %2) from("user/sum")
    %5 "out" = Result(%4))"));
  ASSERT_NE(AnchorOf(*body), nullptr);
  EXPECT_EQ(AnchorOf(*body)->name(), "conv");
  ASSERT_OK_AND_ASSIGN(const AnchoredBody split, SplitAnchored(*body));
  EXPECT_EQ(split.anchor, AnchorOf(*body));
  EXPECT_THAT(split.anchor_inputs, ElementsAre(0, 1));
  EXPECT_THAT(split.epilogue_inputs, ElementsAre(2));
  EXPECT_THAT(ShapesOf(*split.epilogue), ElementsAre("[rows,columns]", "[rows,columns]"));
  const ir::Node& sum = split.epilogue->node(split.epilogue->FindNode("sum"));
  EXPECT_THAT(sum.original_names(), ElementsAre("user/sum"));
}

TEST(AnchoredBody, WithoutAnAnchorThereIsNone) {
  const std::unique_ptr<ir::Model> body = Parse(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [2,3]}
    %1 "exp" = Exp(%0)
    %2 "out" = Result(%1))");
  EXPECT_EQ(AnchorOf(*body), nullptr);
  EXPECT_THAT(SplitAnchored(*body).status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("No anchor")));
}

TEST(AnchoredBody, SeveralAnchorsAreInvalid) {
  const std::unique_ptr<ir::Model> body = Parse(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,3]}
    %1 "first" = MatMul(%0, %0)
    %2 "second" = MatMul(%0, %0)
    %3 "sum" = Add(%1, %2)
    %4 "out" = Result(%3))");
  EXPECT_THAT(SplitAnchored(*body).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'first' and 'second'")));
}

// A constant and a parameter for each channel, a residual, two results, the anchor's own among them.
TEST(AnchoredBody, ConvolutionWithEveryFormOfOperand) {
  ExpectSameInParts(absl::StrCat(kConvolution, R"(
    %3 "bias" = Constant() {value = f32[1,4,1,1]{1, 2, 3, 4}}
    %4 "slope" = Parameter() {element_type = f32, shape = [4]}
    %5 "residual" = Parameter() {element_type = f32, shape = [b,4,6,5]}
    %6 "scale" = Parameter() {element_type = f32, shape = []}
    %7 "biased" = Add(%2, %3)
    %8 "leaky" = PRelu(%7, %4)
    %9 "sum" = Add(%5, %8)
    %10 "scaled" = Multiply(%6, %9)
    %11 "swish" = Swish(%10)
    %12 "raw" = Result(%2)
    %13 "out" = Result(%11))"),
                    {{0, {2, 3, 6, 5}}, {3, {2, 4, 6, 5}}});
}

TEST(AnchoredBody, AnOperandOfRowsOfAConvolution) {
  const std::string nodes = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [1,3,6,5]}
    %1 "w" = Parameter() {element_type = f32, shape = [4,3,1,1]}
    %2 "conv" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %3 "mask" = Parameter() {element_type = f32, shape = [1,1,6,5]}
    %4 "squeeze" = Parameter() {element_type = f32, shape = [1,4,1,1]}
    %5 "masked" = Multiply(%2, %3)
    %6 "excited" = Multiply(%5, %4)
    %7 "out" = Result(%6))";
  ExpectSameInParts(nodes);
  const std::unique_ptr<ir::Model> body = Parse(nodes);
  EXPECT_THAT(ShapesOf(*SplitAnchored(*body)->epilogue), ElementsAre("[rows,columns]", "[rows,1]", "[1,columns]"));
}

TEST(AnchoredBody, MatMulWithBiasAndConstantResidual) {
  ExpectSameInParts(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 "w" = Parameter() {element_type = f32, shape = [5,2]}
    %2 "product" = MatMul(%0, %1)
    %3 "bias" = Constant() {value = f32[2]{1, 2}}
    %4 "whole" = Constant() {value = f32[3,2]{1, 2, 3, 4, 5, 6}}
    %5 "row" = Constant() {value = f32[3,1]{1, 2, 3}}
    %6 "biased" = Add(%2, %3)
    %7 "sum" = Add(%6, %4)
    %8 "scaled" = Multiply(%7, %5)
    %9 "gelu" = Gelu(%8)
    %10 "out" = Result(%9))");
}

TEST(AnchoredBody, DynamicProductsOfManyMatrices) {
  ExpectSameInParts(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [b,h,s,4]}
    %1 "y" = Parameter() {element_type = f32, shape = [b,h,4,t]}
    %2 "product" = MatMul(%0, %1)
    %3 "row" = Parameter() {element_type = f32, shape = [b,h,s,1]}
    %4 "column" = Parameter() {element_type = f32, shape = [t]}
    %5 "a" = Multiply(%2, %3)
    %6 "b" = Add(%5, %4)
    %7 "out" = Result(%6))",
                    {{0, {2, 3, 5, 4}}, {1, {2, 3, 4, 6}}, {2, {2, 3, 5, 1}}, {3, {6}}});
}

TEST(AnchoredBody, PoolsAndTransposedConvolutions) {
  ExpectSameInParts(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [b,3,6,6]}
    %1 "pool" = AvgPool(%0) {strides = [2,2], pads_begin = [0,0], pads_end = [0,0], kernel = [2,2], exclude_pad = true}
    %2 "scale" = Constant() {value = f32[3,1,1]{1, 2, 3}}
    %3 "scaled" = Multiply(%1, %2)
    %4 "out" = Result(%3))",
                    {{0, {2, 3, 6, 6}}});
  ExpectSameInParts(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [1,2,3,3]}
    %1 "w" = Parameter() {element_type = f32, shape = [2,3,2,2]}
    %2 "up" = ConvolutionBackpropData(%0, %1) {strides = [2,2], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %3 "relu" = Relu(%2)
    %4 "out" = Result(%3))");
}

// One value a row may be what every image has, and one a column what a matrix of one row has.
TEST(AnchoredBody, ExtentsOfOneDecide) {
  const std::string product = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [1,5]}
    %1 "w" = Parameter() {element_type = f32, shape = [5,3]}
    %2 "product" = MatMul(%0, %1)
    %3 "whole" = Parameter() {element_type = f32, shape = [1,3]}
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4))";
  ExpectSameInParts(product);
  EXPECT_THAT(ShapesOf(*SplitAnchored(*Parse(product))->epilogue), ElementsAre("[rows,columns]", "[1,columns]"));
  const std::string one_channel = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [2,3,4,4]}
    %1 "w" = Parameter() {element_type = f32, shape = [1,3,1,1]}
    %2 "conv" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %3 "whole" = Parameter() {element_type = f32, shape = [2,1,4,4]}
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4))";
  ExpectSameInParts(one_channel);
  EXPECT_THAT(ShapesOf(*SplitAnchored(*Parse(one_channel))->epilogue), ElementsAre("[rows,columns]", "[rows,1]"));
}

TEST(AnchoredBody, OneOperandInTwoFormsIsThereTwice) {
  const std::string nodes = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [4,4]}
    %1 "product" = MatMul(%0, %0)
    %2 "v" = Parameter() {element_type = f32, shape = [4]}
    %3 "axis" = Constant() {value = i64[1]{1}}
    %4 "column" = Unsqueeze(%2, %3)
    %5 "a" = Multiply(%1, %4)
    %6 "b" = Add(%5, %2)
    %7 "c" = Add(%6, %4)
    %8 "out" = Result(%7))";
  ExpectSameInParts(nodes);
  const std::unique_ptr<ir::Model> body = Parse(nodes);
  ASSERT_OK_AND_ASSIGN(const AnchoredBody split, SplitAnchored(*body));
  EXPECT_THAT(split.anchor_inputs, ElementsAre(0, 0));
  EXPECT_THAT(split.epilogue_inputs, ElementsAre(1, 1));
}

TEST(AnchoredBody, RefusesOperandsOfOtherForms) {
  const char kReason[] = "neither full nor of one value a column";
  // Of each image and channel, of each image, of some rows, of unknown sizes, of more dimensions.
  for (const char* shape : {"[b,4,1,1]", "[b,1,1,1]", "[1,1,6,1]", "[?,4,6,5]", "[1,1,4,6,5]", "[b,4,?,5]"}) {
    ExpectRefused(absl::StrCat(kConvolution, R"(
    %3 "y" = Parameter() {element_type = f32, shape = )",
                               shape, R"(}
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4))"),
                  kReason);
  }
  ExpectRefused(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [1,3,6,5]}
    %1 "pool" = AvgPool(%0) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], kernel = [5,4], exclude_pad = true}
    %2 "y" = Constant() {value = f32[1,3,2,2]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}
    %3 "sum" = Add(%1, %2)
    %4 "out" = Result(%3))",
                "A constant of the whole shape");
}

TEST(AnchoredBody, RefusesWhatIsNotElementwise) {
  ExpectRefused(absl::StrCat(kConvolution, R"(
    %3 "soft" = Softmax(%2) {axis = 1}
    %4 "out" = Result(%3))"),
                "not element-wise");
  ExpectRefused(absl::StrCat(kConvolution, R"(
    %3 "order" = Constant() {value = i64[4]{0, 2, 3, 1}}
    %4 "turned" = Transpose(%2, %3)
    %5 "exp" = Exp(%4)
    %6 "out" = Result(%5))"),
                "not element-wise");
  ExpectRefused(absl::StrCat(kConvolution, R"(
    %3 "order" = Constant() {value = i64[4]{0, 2, 3, 1}}
    %4 "turned" = Transpose(%2, %3)
    %5 "out" = Result(%4))"),
                "not element-wise: 'turned' (Transpose)");
}

TEST(AnchoredBody, RefusesResultsOfOtherShapes) {
  ExpectRefused(absl::StrCat(kConvolution, R"(
    %3 "y" = Parameter() {element_type = f32, shape = [4,1,1]}
    %4 "exp" = Exp(%3)
    %5 "sum" = Add(%2, %4)
    %6 "out" = Result(%5)
    %7 "other" = Result(%4))"),
                "A result that is not of the anchor's shape");
}

TEST(AnchoredBody, RefusesInputsThatAreComputed) {
  ExpectRefused(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,3]}
    %1 "exp" = Exp(%0)
    %2 "product" = MatMul(%1, %0)
    %3 "relu" = Relu(%2)
    %4 "out" = Result(%3))",
                "An input of an anchor that is no parameter");
}

TEST(AnchoredBody, RefusesProductsWithVectors) {
  ExpectRefused(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,4]}
    %1 "v" = Parameter() {element_type = f32, shape = [4]}
    %2 "product" = MatMul(%0, %1)
    %3 "relu" = Relu(%2)
    %4 "out" = Result(%3))",
                "A product with a vector");
}

TEST(AnchoredBody, RefusesSecondOutputs) {
  ExpectRefused(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [1,3,6,5]}
    %1 "pool" = MaxPool(%0) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], kernel = [2,2]}
    %2 "relu" = Relu(%1.0)
    %3 "out" = Result(%2)
    %4 "where" = Result(%1.1))",
                "A second output");
}

// Columns that constants fix are columns of any number to whoever caches the code.
TEST(AnchoredBody, ConstantsFixNoSizes) {
  const auto key = [](absl::string_view columns, absl::string_view bias) {
    const std::unique_ptr<ir::Model> body = Parse(absl::StrCat(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 "w" = Parameter() {element_type = f32, shape = [5,)",
                                                               columns, R"(]}
    %2 "product" = MatMul(%0, %1)
    %3 "bias" = )",
                                                               bias, R"(
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4))"));
    return Epilogue::Create(*SplitAnchored(*body)->epilogue).value()->content_key();
  };
  const Hash128 three = key("3", "Constant() {value = f32[3]{1, 2, 3}}");
  EXPECT_EQ(three, key("4", "Constant() {value = f32[4]{1, 2, 3, 4}}"));
  EXPECT_EQ(three, key("n", "Parameter() {element_type = f32, shape = [n]}"));
}

TEST(AnchoredBody, ScalarsStayScalars) {
  ExpectSameInParts(absl::StrCat(kConvolution, R"(
    %3 "alpha" = Constant() {value = f32[]{0.25}}
    %4 "beta" = Constant() {value = f32[]{0.5}}
    %5 "hard" = HardSigmoid(%2, %3, %4)
    %6 "out" = Result(%5))"),
                    {{0, {2, 3, 6, 5}}});
}

}  // namespace
}  // namespace burin::snippets
