#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

constexpr char kConvolution[] = R"(  %0 "x" = Parameter() {shape = [?,1,?,?]}
  %1 = Constant() {value = f32[2,1,1,1]{2, 3}}
  %2 = Convolution(%0, %1))";
constexpr char kMatMul[] = R"(  %0 "x" = Parameter() {shape = [?,?,1]}
  %1 = Constant() {value = f32[1,2]{2, 3}}
  %2 = MatMul(%0, %1))";

// The anchor is %2, its sum %9.
std::string ModelOf(absl::string_view anchor, absl::string_view rest) {
  return absl::StrCat("model \"\" {\n", anchor, "\n", rest, "\n  %10 \"out\" = Result(%9)\n}");
}

void ExpectKept(absl::string_view anchor, absl::string_view rest) {
  SCOPED_TRACE(rest);
  ExpectUnchanged(&BiasForm, ModelOf(anchor, rest));
}

TEST(BiasFormTest, GetsTheRankOfTheOutput) {
  const std::string after = ModelOf(kConvolution, R"(  %3 = Constant() {value = f32[2,1,1]{5, 7}}
  %4 = Constant() {value = i64[4]{1, 2, 1, 1}}
  %5 = Reshape(%3, %4)
  %9 = Add(%2, %5))");
  ExpectRewrites(&BiasForm, ModelOf(kConvolution, "  %3 = Constant() {value = f32[2,1,1]{5, 7}}\n  %9 = Add(%2, %3)"),
                 after);
  ExpectRewrites(&BiasForm, ModelOf(kConvolution, "  %3 = Constant() {value = f32[2,1,1]{5, 7}}\n  %9 = Add(%3, %2)"),
                 after);
  ExpectRewrites(&BiasForm, ModelOf(kMatMul, "  %3 = Constant() {value = f32[2]{5, 7}}\n  %9 = Add(%2, %3)"),
                 ModelOf(kMatMul, R"(  %3 = Constant() {value = f32[2]{5, 7}}
  %4 = Constant() {value = i64[3]{1, 1, 2}}
  %5 = Reshape(%3, %4)
  %9 = Add(%2, %5))"));
}

TEST(BiasFormTest, ComesSecond) {
  const std::string constant = "  %3 = Constant() {value = f32[1,2,1,1]{5, 7}}\n";
  ExpectRewrites(&BiasForm, ModelOf(kConvolution, constant + "  %9 = Add(%3, %2)"),
                 ModelOf(kConvolution, constant + "  %9 = Add(%2, %3)"));
  const std::string scalar = "  %3 = Constant() {value = f32[]{5}}\n";
  ExpectRewrites(&BiasForm, ModelOf(kConvolution, scalar + "  %9 = Add(%3, %2)"),
                 ModelOf(kConvolution, scalar + "  %9 = Add(%2, %3)"));
}

TEST(BiasFormTest, OtherRulesOfBroadcastBecomeNumPys) {
  ExpectRewrites(&BiasForm,
                 ModelOf(kConvolution,
                         "  %3 = Constant() {value = f32[2]{5, 7}}\n"
                         "  %9 = Add(%2, %3) {auto_broadcast = pdpd, axis = 1}"),
                 ModelOf(kConvolution, R"(  %3 = Constant() {value = f32[2]{5, 7}}
  %4 = Constant() {value = i64[4]{1, 2, 1, 1}}
  %5 = Reshape(%3, %4)
  %9 = Add(%2, %5))"));
}

TEST(BiasFormTest, EveryAnchor) {
  const auto text = [](absl::string_view anchor, absl::string_view weights, bool after) {
    const std::string nodes = absl::StrCat("  %0 \"x\" = Parameter() {element_type = f16, shape = [1,2,?]}\n",
                                           "  %1 = Constant() {value = f16", weights, "{1, 2}}\n  %2 = ", anchor,
                                           "(%0, %1)\n  %3 = Constant() {value = f16[2,1]{5, 7}}\n");
    return absl::StrCat("model \"\" {\n", nodes,
                        after ? "  %4 = Constant() {value = i64[3]{1, 2, 1}}\n  %5 = Reshape(%3, %4)\n"
                                "  %9 = Add(%2, %5)\n"
                              : "  %9 = Add(%2, %3)\n",
                        "  %10 \"out\" = Result(%9)\n}");
  };
  ExpectRewrites(&BiasForm, text("GroupConvolution", "[2,1,1,1]", false), text("GroupConvolution", "[2,1,1,1]", true));
  ExpectRewrites(&BiasForm, text("GroupConvolutionBackpropData", "[2,1,1,1]", false),
                 text("GroupConvolutionBackpropData", "[2,1,1,1]", true));
  const auto transposed = [](absl::string_view rest) {
    return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = [1,1,?]}\n",
                        "  %1 = Constant() {value = f32[1,2,1]{1, 2}}\n  %2 = ConvolutionBackpropData(%0, %1)\n",
                        "  %3 = Constant() {value = f32[2,1]{5, 7}}\n", rest, "  %10 \"out\" = Result(%9)\n}");
  };
  ExpectRewrites(&BiasForm, transposed("  %9 = Add(%2, %3)\n"),
                 transposed("  %4 = Constant() {value = i64[3]{1, 2, 1}}\n  %5 = Reshape(%3, %4)\n"
                            "  %9 = Add(%2, %5)\n"));
}

TEST(BiasFormTest, OtherReadersKeepWhatTheyRead) {
  const auto text = [](absl::string_view sum) {
    return absl::StrCat("model \"\" {\n", kMatMul, "\n  %3 = Constant() {value = f32[2]{5, 7}}\n  %6 = Relu(%2)\n",
                        "  %7 = Multiply(%6, %3)\n", sum,
                        "\n  %10 \"out\" = Result(%9)\n  %11 \"other\" = Result(%7)\n}");
  };
  ExpectRewrites(&BiasForm, text("  %9 = Add(%2, %3)"), text(R"(  %4 = Constant() {value = i64[3]{1, 1, 2}}
  %5 = Reshape(%3, %4)
  %9 = Add(%2, %5))"));
}

TEST(BiasFormTest, WhatHasItsFormStays) {
  ExpectKept(kConvolution, "  %3 = Constant() {value = f32[1,2,1,1]{5, 7}}\n  %9 = Add(%2, %3)");
  ExpectKept(kConvolution, "  %3 = Constant() {value = f32[1]{5}}\n  %9 = Add(%2, %3)");
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[1,1,2]{5, 7}}\n  %9 = Add(%2, %3)");
}

TEST(BiasFormTest, OnlyAListOfChannels) {
  // Along an axis of the picture, over all of it, and more than the output has.
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[2,1]{5, 7}}\n  %9 = Add(%2, %3)");
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[2,2]{5, 7, 5, 7}}\n  %9 = Add(%2, %3)");
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[1,1,1,2]{5, 7}}\n  %9 = Add(%2, %3)");
  // One channel stretches to two.
  ExpectKept(R"(  %0 "x" = Parameter() {shape = [?,?,1]}
  %1 = Constant() {value = f32[1,1]{2}}
  %2 = MatMul(%0, %1))",
             "  %3 = Constant() {value = f32[2]{5, 7}}\n  %9 = Add(%2, %3)");
  // As many as there may be.
  ExpectKept(R"(  %0 "x" = Parameter() {shape = [?,?,1]}
  %1 = Parameter() {shape = [1,?]}
  %2 = MatMul(%0, %1))",
             "  %3 = Constant() {value = f32[2]{5, 7}}\n  %9 = Add(%2, %3)");
}

TEST(BiasFormTest, OnlyAConstantBelowAnAnchor) {
  ExpectKept(kMatMul, "  %3 \"b\" = Parameter() {shape = [2]}\n  %9 = Add(%2, %3)");
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[2]{5, 7}}\n  %4 = Relu(%2)\n  %9 = Add(%4, %3)");
  ExpectKept(kMatMul, "  %3 = Constant() {value = f32[2]{5, 7}}\n  %9 = Subtract(%2, %3)");
}

TEST(BiasFormTest, WithoutARankNothingIsCanonical) {
  ExpectKept(R"(  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = f32[1,2]{2, 3}}
  %2 = MatMul(%0, %1))",
             "  %3 = Constant() {value = f32[2]{5, 7}}\n  %9 = Add(%2, %3)");
  // The second matrix is a vector: no channels.
  ExpectKept(R"(  %0 "x" = Parameter() {shape = [3,2,2]}
  %1 = Constant() {value = f32[2]{2, 3}}
  %2 = MatMul(%0, %1))",
             "  %3 = Constant() {value = f32[1,2]{5, 7}}\n  %9 = Add(%2, %3)");
}

}  // namespace
}  // namespace burin::transformations
