#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/rewrite.h"
#include "transformations/constant_evaluator.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

RewriteTestOptions Rounding() {
  RewriteTestOptions options;
  options.equivalence = Equivalence::kByTolerances;
  options.special_floats = false;
  return options;
}

// x is %0, the weights %1, the scale %2, the bias %3; the result's value %19.
struct Text {
  std::string x = "shape = [?,2,?,?]";
  std::string weights = "f32[2,2,1,1]{1, -2, 3, 0.5}";
  std::string scale = "f32[2,1,1]{2, -3}";
  std::string bias;  // Empty: none.
};

std::string ModelOf(const Text& text, absl::string_view rest) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", text.x,
                      "}\n  %1 = Constant() {value = ", text.weights, "}\n  %2 = Constant() {value = ", text.scale,
                      "}\n", text.bias.empty() ? "" : absl::StrCat("  %3 = Constant() {value = ", text.bias, "}\n"),
                      rest, "\n  %20 \"out\" = Result(%19)\n}");
}

// Expects that the weights are scaled by %2 in that shape: "i64[2]{1, 2}".
void ExpectScaledWeights(const Text& text, absl::string_view before, absl::string_view shape, absl::string_view anchor,
                         absl::string_view op = "Multiply") {
  SCOPED_TRACE(before);
  ExpectRewrites(&FoldScale, ModelOf(text, before),
                 ModelOf(text, absl::StrCat("  %10 = Constant() {value = ", shape, "}\n  %11 = Reshape(%2, %10)\n",
                                            "  %12 = ", op, "(%1, %11)\n  %19 = ", anchor)),
                 Rounding());
}

void ExpectKept(const Text& text, absl::string_view before) {
  SCOPED_TRACE(before);
  ExpectUnchanged(&FoldScale, ModelOf(text, before), Rounding());
}

TEST(FoldScaleTest, BelowAConvolution) {
  Text text;
  for (const char* x : {"shape = [?,2,?,?]", "shape = [batch,?,h,w]", "shape = [0,2,3,3]", "shape = [...]"}) {
    text.x = x;
    ExpectScaledWeights(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[4]{2, 1, 1, 1}",
                        "Convolution(%0, %12)");
  }
  ExpectScaledWeights(text, "  %4 = Convolution(%0, %1) {strides = [2, 1]}\n  %19 = Multiply(%2, %4)",
                      "i64[4]{2, 1, 1, 1}", "Convolution(%0, %12) {strides = [2, 1]}");
  ExpectScaledWeights(text, "  %4 = Convolution(%0, %1)\n  %19 = Divide(%4, %2)", "i64[4]{2, 1, 1, 1}",
                      "Convolution(%0, %12)", "Divide");
  text.scale = "f32[2]{2, -3}";
  ExpectScaledWeights(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2) {auto_broadcast = pdpd, axis = 1}",
                      "i64[4]{2, 1, 1, 1}", "Convolution(%0, %12)");
}

TEST(FoldScaleTest, OneNumber) {
  Text text;
  for (const char* scale : {"f32[]{2}", "f32[1,1]{0}"}) {
    text.scale = scale;
    ExpectScaledWeights(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[4]{1, 1, 1, 1}",
                        "Convolution(%0, %12)");
    ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)", "i64[4]{1, 1, 1, 1}",
                        "Convolution(%0, %12)");
  }
}

TEST(FoldScaleTest, OtherTypes) {
  Text text;
  for (const char* type : {"f16", "bf16", "f64"}) {
    SCOPED_TRACE(type);
    text.x = absl::StrCat("element_type = ", type, ", shape = [1,2,?,?]");
    text.weights = absl::StrCat(type, "[2,2,1,1]{1, -2, 3, 0.5}");
    text.scale = absl::StrCat(type, "[2,1,1]{2, -3}");
    ExpectScaledWeights(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[4]{2, 1, 1, 1}",
                        "Convolution(%0, %12)");
  }
  text.x = "element_type = i32, shape = [?,2]";
  text.weights = "i32[2,2]{1, 2, 3, 4}";
  text.scale = "i32[2]{2, 3}";
  ExpectKept(text, "  %4 = MatMul(%0, %1)\n  %19 = Multiply(%4, %2)");
}

TEST(FoldScaleTest, Groups) {
  Text text;
  text.x = "shape = [?,4,?]";
  text.weights = "f32[2,1,2,1]{1, -2, 3, 0.5}";
  text.scale = "f32[2,1]{2, -3}";
  ExpectScaledWeights(text, "  %4 = GroupConvolution(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[4]{2, 1, 1, 1}",
                      "GroupConvolution(%0, %12)");
  text.scale = "f32[4,1]{2, -3, 4, 5}";
  ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = GroupConvolution(%4, %1)", "i64[4]{2, 1, 2, 1}",
                      "GroupConvolution(%0, %12)");
  text.x = "shape = [?,2,?]";
  ExpectScaledWeights(text, "  %4 = GroupConvolutionBackpropData(%0, %1)\n  %19 = Multiply(%4, %2)",
                      "i64[4]{2, 1, 2, 1}", "GroupConvolutionBackpropData(%0, %12)");
  text.scale = "f32[2,1]{2, -3}";
  ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = GroupConvolutionBackpropData(%4, %1)",
                      "i64[4]{2, 1, 1, 1}", "GroupConvolutionBackpropData(%0, %12)");
}

TEST(FoldScaleTest, TransposedConvolution) {
  Text text;
  text.x = "shape = [?,1,?]";
  text.weights = "f32[1,2,3]{1, -2, 3, 0.5, 1, 2}";
  text.scale = "f32[2,1]{2, -3}";
  ExpectScaledWeights(text, "  %4 = ConvolutionBackpropData(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[3]{1, 2, 1}",
                      "ConvolutionBackpropData(%0, %12)");
  text.x = "shape = [?,2,?]";
  text.weights = "f32[2,1,3]{1, -2, 3, 0.5, 1, 2}";
  ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = ConvolutionBackpropData(%4, %1)", "i64[3]{2, 1, 1}",
                      "ConvolutionBackpropData(%0, %12)");
}

TEST(FoldScaleTest, MatMul) {
  Text text;
  text.x = "shape = [?,?,3]";
  text.weights = "f32[3,2]{1, -2, 3, 0.5, 4, 5}";
  text.scale = "f32[2]{2, -3}";
  ExpectScaledWeights(text, "  %4 = MatMul(%0, %1)\n  %19 = Multiply(%4, %2)", "i64[2]{1, 2}", "MatMul(%0, %12)");
  text.weights = "f32[2,3]{1, -2, 3, 0.5, 4, 5}";
  ExpectScaledWeights(text, "  %4 = MatMul(%0, %1) {transpose_b = true}\n  %19 = Multiply(%4, %2)", "i64[2]{2, 1}",
                      "MatMul(%0, %12) {transpose_b = true}");
  text.scale = "f32[3]{2, -3, 4}";
  ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = MatMul(%4, %1) {transpose_b = true}", "i64[2]{1, 3}",
                      "MatMul(%0, %12) {transpose_b = true}");
  text.x = "shape = [?,3,?]";
  text.weights = "f32[3,2]{1, -2, 3, 0.5, 4, 5}";
  text.scale = "f32[3,1]{2, -3, 4}";
  ExpectScaledWeights(text, "  %4 = Divide(%0, %2)\n  %19 = MatMul(%4, %1) {transpose_a = true}", "i64[2]{3, 1}",
                      "MatMul(%0, %12) {transpose_a = true}", "Divide");
  text.x = "shape = [3]";
  text.scale = "f32[3]{2, -3, 4}";
  ExpectScaledWeights(text, "  %4 = Multiply(%0, %2)\n  %19 = MatMul(%4, %1) {transpose_a = true}", "i64[2]{3, 1}",
                      "MatMul(%0, %12) {transpose_a = true}");
}

TEST(FoldScaleTest, ThroughTheBias) {
  Text text;
  text.bias = "f32[2,1,1]{5, 7}";
  for (const char* op : {"Multiply", "Divide"}) {
    ExpectRewrites(
        &FoldScale,
        ModelOf(text, absl::StrCat("  %4 = Convolution(%0, %1)\n  %5 = Add(%4, %3)\n  %19 = ", op, "(%5, %2)")),
        ModelOf(text, absl::StrCat(R"(  %10 = Constant() {value = i64[4]{2, 1, 1, 1}}
  %11 = Reshape(%2, %10)
  %12 = )",
                                   op, R"((%1, %11)
  %13 = Convolution(%0, %12)
  %14 = Constant() {value = i64[4]{1, 2, 1, 1}}
  %15 = Reshape(%3, %14)
  %16 = Constant() {value = i64[4]{1, 2, 1, 1}}
  %17 = Reshape(%2, %16)
  %18 = )",
                                   op, R"((%15, %17)
  %19 = Add(%13, %18))")),
        Rounding());
  }
}

TEST(FoldScaleTest, ABiasThatIsNoListOfChannels) {
  Text text;
  text.x = "shape = [1,2,2,2]";
  text.bias = "f32[2,2]{1, 2, 3, 4}";
  ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %5 = Add(%4, %3)\n  %19 = Multiply(%5, %2)");
}

TEST(FoldScaleTest, ABiasThatIsNoConstant) {
  ExpectKept(Text(),
             "  %4 = Convolution(%0, %1)\n  %3 \"b\" = Parameter() {shape = [2,1,1]}\n"
             "  %5 = Add(%4, %3)\n  %19 = Multiply(%5, %2)");
}

TEST(FoldScaleTest, OnlyOneNumberPerChannel) {
  Text text;
  text.x = "shape = [1,2,2,2]";
  text.scale = "f32[2]{2, -3}";
  ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)");
  ExpectKept(text, "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)");
  text.scale = "f32[1,1,2,1,1]{2, -3}";
  ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)");
  // One channel that stretches to two, perhaps.
  text.scale = "f32[2,1,1]{2, -3}";
  text.x = "shape = [1,?,2,2]";
  ExpectKept(text, "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)");
  text.x = "shape = [...]";
  ExpectKept(text, "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)");
}

TEST(FoldScaleTest, NotWhereARankIsUnknown) {
  Text text;
  text.x = "shape = [...]";
  text.weights = "f32[2,2]{1, -2, 3, 0.5}";
  text.scale = "f32[2]{2, -3}";
  ExpectKept(text, "  %4 = MatMul(%0, %1)\n  %19 = Multiply(%4, %2)");
  text.x = "shape = [2,2]";
  text.weights = "f32[2]{1, -2}";
  text.scale = "f32[1]{2}";
  ExpectKept(text, "  %4 = MatMul(%0, %1)\n  %19 = Multiply(%4, %2)");
}

TEST(FoldScaleTest, AScaleOutOfRange) {
  Text text;
  for (const char* scale :
       {"f32[2,1,1]{2, inf}", "f32[2,1,1]{nan, 1}", "f32[2,1,1]{1, 2e38}", "f32[2,1,1]{1, 2e-39}"}) {
    SCOPED_TRACE(scale);
    text.scale = scale;
    ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)");
    ExpectKept(text, "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)");
  }
  text.scale = "f32[2,1,1]{1, 0}";
  ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %19 = Divide(%4, %2)");
  text.scale = "f32[2,1,1]{1, 1e10}";
  text.bias = "f32[2,1,1]{1, 1e30}";
  ExpectKept(text, "  %4 = Convolution(%0, %1)\n  %5 = Add(%4, %3)\n  %19 = Multiply(%5, %2)");
}

TEST(FoldScaleTest, AConstantDividedIsNoScale) {
  ExpectKept(Text(), "  %4 = Convolution(%0, %1)\n  %19 = Divide(%2, %4)");
}

TEST(FoldScaleTest, OtherReadersOfTheAnchor) {
  ExpectKept(Text(), "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)\n  %21 \"other\" = Result(%4)");
  ExpectKept(Text(), "  %4 = Multiply(%0, %2)\n  %19 = Convolution(%4, %1)\n  %21 \"other\" = Result(%4)");
  Text text;
  text.bias = "f32[2,1,1]{5, 7}";
  const std::string sum = "  %4 = Convolution(%0, %1)\n  %5 = Add(%4, %3)\n  %19 = Multiply(%5, %2)\n";
  ExpectKept(text, sum + "  %21 \"other\" = Result(%5)");
  ExpectKept(text, sum + "  %21 \"other\" = Result(%4)");
}

TEST(FoldScaleTest, OtherReadersOfTheWeights) {
  ExpectKept(Text(), "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)\n  %21 \"other\" = Result(%1)");
}

TEST(FoldScaleTest, WeightsThatAreNoConstant) {
  ExpectUnchanged(&FoldScale, R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 "w" = Parameter() {shape = [2,2]}
  %2 = Constant() {value = f32[2]{2, 3}}
  %3 = MatMul(%0, %1)
  %4 = Multiply(%3, %2)
  %5 "out" = Result(%4)
})");
  ExpectUnchanged(&FoldScale, R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = f16[2,2]{1, 2, 3, 4}}
  %2 = Constant() {value = f32[2]{2, 3}}
  %3 = Convert(%1) {destination_type = f32} : f32[2,2] info("decompression" = "kept")
  %4 = MatMul(%0, %3)
  %5 = Multiply(%4, %2)
  %6 "out" = Result(%5)
})");
}

TEST(FoldScaleTest, WeightsThatWouldNotBeFolded) {
  FoldingLimits limits;
  limits.max_flops = 3;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  RewriteTestOptions options = Rounding();
  options.context = &context;
  ExpectUnchanged(&FoldScale, ModelOf(Text(), "  %4 = Convolution(%0, %1)\n  %19 = Multiply(%4, %2)"), options);
}

TEST(FoldScaleTest, DequantisationStays) {
  ExpectUnchanged(&FoldScale, R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [?,2]}
  %1 = Constant() {value = f32[2,2]{1, 2, 3, 4}}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = Convert(%0) {destination_type = f32}
  %4 = Multiply(%3, %2)
  %5 = MatMul(%4, %1)
  %6 "out" = Result(%5)
})");
}

TEST(FoldScaleTest, OnlyBesideAnAnchor) {
  ExpectKept(Text(), "  %4 = Convolution(%0, %1)\n  %5 = Relu(%4)\n  %19 = Multiply(%5, %2)");
  ExpectKept(Text(), "  %3 = Multiply(%0, %2)\n  %5 = Relu(%3)\n  %19 = Convolution(%5, %1)");
}

}  // namespace
}  // namespace burin::transformations
