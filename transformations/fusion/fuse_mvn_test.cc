#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

// Returns the centred values %2 and their variance %4 along axes.
std::string Moments(absl::string_view axes, absl::string_view square) {
  return absl::StrCat("  %20 = Constant() {value = i64", axes, R"(}
  %1 = ReduceMean(%0, %20) {keep_dims = true}
  %2 = Subtract(%0, %1)
  %3 = )",
                      square, "\n  %4 = ReduceMean(%3, %20) {keep_dims = true}\n");
}

constexpr char kDivision[] = "  %5 = Add(%4, <0.25>)\n  %6 = Sqrt(%5)\n  %9 = Divide(%2, %6)";

std::string Mvn(absl::string_view axes, absl::string_view mode = "inside_sqrt") {
  return absl::StrCat("  %20 = Constant() {value = i64", axes, "}\n  %9 = MVN(%0, %20) {eps = 0.25, eps_mode = ", mode,
                      "}");
}

// The square of an extreme number overflows where it is rounded.
FormulaInput Tame(absl::string_view type = "f32", absl::string_view shape = "[?,3,n]") {
  return {std::string(type), std::string(shape), false};
}

TEST(FuseMvnTest, Squares) {
  for (const char* square :
       {"Power(%2, <2>)", "Multiply(%2, %2)", "SquaredDifference(%0, %1)", "SquaredDifference(%1, %0)"}) {
    ExpectFuses(&FuseMvn, Tame(), absl::StrCat(Moments("[1]{-1}", square), kDivision), Mvn("[1]{2}"));
  }
}

TEST(FuseMvnTest, TypesAndAxes) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseMvn, Tame(type), absl::StrCat(Moments("[1]{-1}", "Multiply(%2, %2)"), kDivision), Mvn("[1]{2}"));
  }
  ExpectFuses(&FuseMvn, Tame("f32", "[2,3,0,4]"), absl::StrCat(Moments("[2]{3, 1}", "Multiply(%2, %2)"), kDivision),
              Mvn("[2]{1, 3}"));
  ExpectFuses(&FuseMvn, Tame("f32", "[...]"), absl::StrCat(Moments("[1]{0}", "Multiply(%2, %2)"), kDivision),
              Mvn("[1]{0}"));
}

TEST(FuseMvnTest, Divisors) {
  const std::string moments = Moments("[1]{2}", "Multiply(%2, %2)");
  for (const char* division : {"  %5 = Add(<0.25>, %4)\n  %6 = Power(%5, <0.5>)\n  %9 = Divide(%2, %6)",
                               "  %5 = Add(%4, <0.25>)\n  %6 = Power(%5, <-0.5>)\n  %9 = Multiply(%6, %2)",
                               "  %5 = Add(%4, <0.25>)\n  %6 = Sqrt(%5)\n  %7 = Divide(<1>, %6)\n"
                               "  %9 = Multiply(%2, %7)"}) {
    ExpectFuses(&FuseMvn, Tame(), absl::StrCat(moments, division), Mvn("[1]{2}"));
  }
  ExpectFuses(&FuseMvn, Tame(), absl::StrCat(moments, "  %5 = Sqrt(%4)\n  %6 = Add(%5, <0.25>)\n  %9 = Divide(%2, %6)"),
              Mvn("[1]{2}", "outside_sqrt"));
}

TEST(FuseMvnTest, WhatIsComputedTwiceIsOneFormula) {
  ExpectFuses(&FuseMvn, Tame(), R"(  %20 = Constant() {value = i64[1]{2}}
  %1 = ReduceMean(%0, %20) {keep_dims = true}
  %2 = Subtract(%0, %1)
  %21 = Constant() {value = i64[1]{-1}}
  %22 = ReduceMean(%0, %21) {keep_dims = true}
  %23 = Subtract(%0, %22)
  %3 = Multiply(%23, %23)
  %4 = ReduceMean(%3, %20) {keep_dims = true}
  %5 = Add(%4, <0.25>)
  %6 = Sqrt(%5)
  %9 = Divide(%2, %6))",
              Mvn("[1]{2}"));
}

TEST(FuseMvnTest, OtherAxesOfTheVarianceStay) {
  ExpectKept(&FuseMvn, Tame(), R"(  %20 = Constant() {value = i64[1]{2}}
  %21 = Constant() {value = i64[1]{1}}
  %1 = ReduceMean(%0, %20) {keep_dims = true}
  %2 = Subtract(%0, %1)
  %3 = Multiply(%2, %2)
  %4 = ReduceMean(%3, %21) {keep_dims = true}
  %5 = Add(%4, <0.25>)
  %6 = Sqrt(%5)
  %9 = Divide(%2, %6))");
}

TEST(FuseMvnTest, AxesThatAreNotKnownStay) {
  ExpectKept(&FuseMvn, Tame("f32", "[...]"), absl::StrCat(Moments("[1]{-1}", "Multiply(%2, %2)"), kDivision));
}

TEST(FuseMvnTest, SumsOfSquaresAndNegativeEpsilonsStay) {
  ExpectKept(&FuseMvn, Tame("f32", "[2,3]"), R"(  %20 = Constant() {value = i64[1]{1}}
  %1 = ReduceMean(%0, %20) {keep_dims = true}
  %2 = Subtract(%0, %1)
  %3 = Multiply(%2, %2)
  %4 = ReduceSum(%3, %20) {keep_dims = true}
  %5 = Add(%4, <0.25>)
  %6 = Sqrt(%5)
  %9 = Divide(%2, %6))");
  ExpectKept(&FuseMvn, Tame("f32", "[2,3]"),
             absl::StrCat(Moments("[1]{1}", "Multiply(%2, %2)"),
                          "  %5 = Add(%4, <-0.25>)\n  %6 = Sqrt(%5)\n  %9 = Divide(%2, %6)"));
  // x itself is divided, not what is left of it without its mean.
  ExpectKept(&FuseMvn, Tame("f32", "[2,3]"),
             absl::StrCat(Moments("[1]{1}", "Multiply(%2, %2)"),
                          "  %5 = Add(%4, <0.25>)\n  %6 = Sqrt(%5)\n  %9 = Divide(%0, %6)"));
}

TEST(FuseMvnTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseMvn, Tame("f32", "[2,3]"),
             absl::StrCat(Moments("[1]{1}", "Multiply(%2, %2)"), kDivision, "\n  %11 \"other\" = Result(%1)"));
}

}  // namespace
}  // namespace burin::transformations
