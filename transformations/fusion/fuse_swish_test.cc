#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

TEST(FuseSwishTest, WithoutBeta) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseSwish, {type}, "  %1 = Sigmoid(%0)\n  %9 = Multiply(%0, %1)", "  %9 = Swish(%0)");
  }
  ExpectFuses(&FuseSwish, {}, "  %1 = Sigmoid(%0)\n  %9 = Multiply(%1, %0)", "  %9 = Swish(%0)");
  for (const char* minus : {"Negative(%0)", "Multiply(%0, <-1>)"}) {
    ExpectFuses(&FuseSwish, {}, absl::StrCat("  %1 = ", minus, R"(
  %2 = Exp(%1)
  %3 = Add(%2, <1>)
  %9 = Divide(%0, %3))"),
                "  %9 = Swish(%0)");
  }
}

TEST(FuseSwishTest, WithBeta) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseSwish, {type}, R"(  %1 = Multiply(<1.75:[1]>, %0)
  %2 = Sigmoid(%1)
  %9 = Multiply(%0, %2))",
                "  %9 = Swish(%0, <1.75>)");
  }
  ExpectFuses(&FuseSwish, {}, R"(  %1 = Multiply(%0, <1.75>)
  %2 = Negative(%1)
  %3 = Exp(%2)
  %4 = Add(%3, <1>)
  %9 = Divide(%0, %4))",
              "  %9 = Swish(%0, <1.75>)");
  ExpectFuses(&FuseSwish, {}, R"(  %1 = Multiply(%0, <-1.75>)
  %2 = Exp(%1)
  %3 = Add(<1>, %2)
  %9 = Divide(%0, %3))",
              "  %9 = Swish(%0, <1.75>)");
}

TEST(FuseSwishTest, OtherGatesStay) {
  ExpectKept(&FuseSwish, {}, R"(  %20 "y" = Parameter() {shape = [?,4]}
  %1 = Sigmoid(%20)
  %9 = Multiply(%0, %1))");
  ExpectKept(&FuseSwish, {"f32", "[?,2]"}, R"(  %1 = Multiply(%0, <1, 2:[2]>)
  %2 = Sigmoid(%1)
  %9 = Multiply(%0, %2))");
  ExpectKept(&FuseSwish, {}, R"(  %1 = Multiply(%0, <inf>)
  %2 = Sigmoid(%1)
  %9 = Multiply(%0, %2))");
  ExpectKept(&FuseSwish, {}, R"(  %1 = Exp(%0)
  %2 = Add(<1>, %1)
  %9 = Divide(%0, %2))");
}

TEST(FuseSwishTest, NumbersThatRaiseTheRankStay) {
  ExpectKept(&FuseSwish, {"f32", "[2]"}, R"(  %1 = Multiply(%0, <2:[1,1]>)
  %2 = Sigmoid(%1)
  %9 = Multiply(%0, %2))");
}

TEST(FuseSwishTest, GatesThatOthersReadStay) {
  ExpectKept(&FuseSwish, {}, "  %1 = Sigmoid(%0)\n  %9 = Multiply(%0, %1)\n  %11 \"other\" = Result(%1)");
}

}  // namespace
}  // namespace burin::transformations
