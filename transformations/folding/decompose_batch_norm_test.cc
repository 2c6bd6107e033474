#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
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

// x is %0; gamma to variance are %1 to %4, each a list of two numbers.
std::string ModelOf(absl::string_view type, absl::string_view shape, absl::string_view variance,
                    absl::string_view rest) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 = Constant() {value = ", type, "[2]{0.5, -1.5}}\n  %2 = Constant() {value = ", type,
                      "[2]{0.25, 1}}\n  %3 = Constant() {value = ", type,
                      "[2]{1, -0.5}}\n  %4 = Constant() {value = ", type, "[2]{", variance, "}}\n", rest,
                      "\n  %30 \"out\" = Result(%29)\n}");
}

constexpr char kBatchNorm[] = "  %29 \"y\" = BatchNormInference(%0, %1, %2, %3, %4) {epsilon = 0.25}";

// Returns the nodes that stand in its place, with the shape of scale and shift.
std::string Decomposed(absl::string_view type, absl::string_view list, absl::string_view rank) {
  return absl::StrCat("  %5 = Constant() {value = ", type, "[]{0.25}}\n  %6 = Add(%4, %5)\n  %7 = Sqrt(%6)\n",
                      "  %8 = Divide(%1, %7)\n  %9 = Multiply(%3, %8)\n  %10 = Subtract(%2, %9)\n",
                      "  %11 = Constant() {value = i64[", rank, "]{", list, "}}\n  %12 = Reshape(%8, %11)\n",
                      "  %13 = Constant() {value = i64[", rank, "]{", list, "}}\n  %14 = Reshape(%10, %13)\n",
                      "  %15 = Multiply(%0, %12)\n  %29 \"y\" = Add(%15, %14)");
}

TEST(DecomposeBatchNormTest, BecomesScaleAndShift) {
  for (const char* shape : {"[1,2,3,3]", "[?,2,?,?]", "[batch,?,height,width]", "[0,2,3,3]"}) {
    SCOPED_TRACE(shape);
    ExpectRewrites(&DecomposeBatchNorm, ModelOf("f32", shape, "1, 2", kBatchNorm),
                   ModelOf("f32", shape, "1, 2", Decomposed("f32", "1, 2, 1, 1", "4")), Rounding());
  }
  ExpectRewrites(&DecomposeBatchNorm, ModelOf("f64", "[?,2]", "1, 2", kBatchNorm),
                 ModelOf("f64", "[?,2]", "1, 2", Decomposed("f64", "1, 2", "2")), Rounding());
}

TEST(DecomposeBatchNormTest, SixteenBitsAreComputedInF32) {
  for (const char* type : {"f16", "bf16"}) {
    SCOPED_TRACE(type);
    const std::string nodes = absl::StrCat(
        "  %5 = Convert(%1) {destination_type = f32}\n  %6 = Convert(%2) {destination_type = f32}\n"
        "  %7 = Convert(%3) {destination_type = f32}\n  %8 = Convert(%4) {destination_type = f32}\n"
        "  %9 = Constant() {value = f32[]{0.25}}\n  %10 = Add(%8, %9)\n  %11 = Sqrt(%10)\n  %12 = Divide(%5, %11)\n"
        "  %13 = Multiply(%7, %12)\n  %14 = Subtract(%6, %13)\n  %15 = Convert(%12) {destination_type = ",
        type, "}\n  %16 = Constant() {value = i64[3]{1, 2, 1}}\n  %17 = Reshape(%15, %16)\n",
        "  %18 = Convert(%14) {destination_type = ", type,
        "}\n  %19 = Constant() {value = i64[3]{1, 2, 1}}\n  %20 = Reshape(%18, %19)\n",
        "  %21 = Multiply(%0, %17)\n  %29 = Add(%21, %20)");
    ExpectRewrites(&DecomposeBatchNorm, ModelOf(type, "[2,2,3]", "1, 2", kBatchNorm),
                   ModelOf(type, "[2,2,3]", "1, 2", nodes), Rounding());
  }
}

TEST(DecomposeBatchNormTest, TheRankMustBeKnown) {
  ExpectUnchanged(&DecomposeBatchNorm, ModelOf("f32", "[...]", "1, 2", kBatchNorm));
}

TEST(DecomposeBatchNormTest, SmallFloatsStay) {
  ExpectUnchanged(&DecomposeBatchNorm, ModelOf("f8e5m2", "[1,2,3]", "1, 2", kBatchNorm));
}

TEST(DecomposeBatchNormTest, TheStatisticsMustBeConstants) {
  ExpectUnchanged(&DecomposeBatchNorm, R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,3]}
  %1 "gamma" = Parameter() {shape = [2]}
  %2 = Constant() {value = f32[2]{1, 2}}
  %3 "y" = BatchNormInference(%0, %1, %2, %2, %2)
  %4 "out" = Result(%3)
})");
}

TEST(DecomposeBatchNormTest, ScaleAndShiftMustBeFinite) {
  for (const char* variance : {"1, -0.25", "1, -1", "1, inf", "1, nan", "1e-38, -0.25"}) {
    SCOPED_TRACE(variance);
    ExpectUnchanged(&DecomposeBatchNorm, ModelOf("f32", "[1,2,3]", variance, kBatchNorm));
  }
}

TEST(DecomposeBatchNormTest, NoChannels) {
  ExpectUnchanged(&DecomposeBatchNorm, R"(model "" {
  %0 "x" = Parameter() {shape = [1,0,3]}
  %1 = Constant() {value = f32[0]{}}
  %2 "y" = BatchNormInference(%0, %1, %1, %1, %1)
  %3 "out" = Result(%2)
})");
}

}  // namespace
}  // namespace burin::transformations
