#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

// Returns the parts, with reductions along axes `max` and `sum`.
std::string Parts(absl::string_view max, absl::string_view sum) {
  return absl::StrCat("  %20 = Constant() {value = i64", max, "}\n  %21 = Constant() {value = i64", sum, R"(}
  %1 = ReduceMax(%0, %20) {keep_dims = true}
  %2 = Subtract(%0, %1)
  %3 = Exp(%2)
  %4 = ReduceSum(%3, %21) {keep_dims = true}
  %9 = Divide(%3, %4))");
}

TEST(FuseSoftmaxTest, WithTheMaximum) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseSoftmax, {type, "[?,3,n]"}, Parts("[1]{-1}", "[]{2}"), "  %9 = Softmax(%0) {axis = 2}");
  }
  ExpectFuses(&FuseSoftmax, {"f32", "[2,0,3]"}, Parts("[1]{1}", "[1]{1}"), "  %9 = Softmax(%0) {axis = 1}");
}

TEST(FuseSoftmaxTest, WithoutTheMaximum) {
  ExpectFuses(&FuseSoftmax, {"f32", "[?,3]", false}, R"(  %20 = Constant() {value = i64[1]{1}}
  %1 = Exp(%0)
  %2 = ReduceSum(%1, %20) {keep_dims = true}
  %9 = Divide(%1, %2))",
              "  %9 = Softmax(%0) {axis = 1}");
}

TEST(FuseSoftmaxTest, AProductWithTheReciprocal) {
  for (const char* reciprocal : {"Divide(<1>, %2)", "Power(%2, <-1>)"}) {
    ExpectFuses(&FuseSoftmax, {"f32", "[?,3]", false},
                absl::StrCat(R"(  %20 = Constant() {value = i64[1]{1}}
  %1 = Exp(%0)
  %2 = ReduceSum(%1, %20) {keep_dims = true}
  %3 = )",
                             reciprocal, "\n  %9 = Multiply(%3, %1)"),
                "  %9 = Softmax(%0) {axis = 1}");
  }
}

TEST(FuseSoftmaxTest, OtherAxesStay) {
  ExpectKept(&FuseSoftmax, {"f32", "[2,3]"}, Parts("[1]{0}", "[1]{1}"));
  ExpectKept(&FuseSoftmax, {"f32", "[2,3]"}, Parts("[2]{0, 1}", "[2]{0, 1}"));
  // What is the last axis is not known.
  ExpectKept(&FuseSoftmax, {"f32", "[...]"}, R"(  %20 = Constant() {value = i64[1]{-1}}
  %1 = Exp(%0)
  %2 = ReduceSum(%1, %20) {keep_dims = true}
  %9 = Divide(%1, %2))");
}

TEST(FuseSoftmaxTest, SumsThatLoseTheirAxisStay) {
  ExpectKept(&FuseSoftmax, {"f32", "[3,3]"}, R"(  %20 = Constant() {value = i64[1]{1}}
  %1 = Exp(%0)
  %2 = ReduceSum(%1, %20)
  %9 = Divide(%1, %2))");
}

TEST(FuseSoftmaxTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseSoftmax, {"f32", "[2,3]"}, absl::StrCat(Parts("[1]{1}", "[1]{1}"), "\n  %11 \"other\" = Result(%4)"));
  ExpectKept(&FuseSoftmax, {"f32", "[2,3]"}, absl::StrCat(Parts("[1]{1}", "[1]{1}"), "\n  %11 \"other\" = Result(%3)"));
}

}  // namespace
}  // namespace burin::transformations
