#include <gtest/gtest.h>

#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

constexpr char kHSigmoid[] = "  %9 = HSigmoid(%0)";

TEST(FuseHSigmoidTest, Forms) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseHSigmoid, {type}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %9 = Divide(%2, <6>))",
                kHSigmoid);
  }
  ExpectFuses(&FuseHSigmoid, {}, R"(  %1 = Add(<3>, %0)
  %2 = Relu(%1)
  %3 = Minimum(%2, <6>)
  %9 = Multiply(<0.16666667>, %3))",
              kHSigmoid);
  ExpectFuses(&FuseHSigmoid, {}, R"(  %1 = Multiply(%0, <0.16666667>)
  %2 = Add(%1, <0.5>)
  %3 = Minimum(<1>, %2)
  %9 = Maximum(%3, <0>))",
              kHSigmoid);
  ExpectFuses(&FuseHSigmoid, {}, "  %9 = HardSigmoid(%0, <0.16666667>, <0.5>)", kHSigmoid);
}

TEST(FuseHSigmoidTest, OtherLimitsAndNumbersStay) {
  ExpectKept(&FuseHSigmoid, {}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 5}
  %9 = Divide(%2, <6>))");
  ExpectKept(&FuseHSigmoid, {}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %9 = Divide(<6>, %2))");
  ExpectKept(&FuseHSigmoid, {}, "  %9 = HardSigmoid(%0, <0.2>, <0.5>)");
}

TEST(FuseHSigmoidTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseHSigmoid, {}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %9 = Divide(%2, <6>)
  %11 "other" = Result(%2))");
}

TEST(FuseHSigmoidTest, NumbersThatRaiseTheRankStay) {
  ExpectKept(&FuseHSigmoid, {"f32", "[2]"}, R"(  %1 = Add(%0, <3:[1,1]>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %9 = Divide(%2, <6>))");
}

}  // namespace
}  // namespace burin::transformations
