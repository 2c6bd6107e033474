#include <gtest/gtest.h>

#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

constexpr char kHSwish[] = "  %9 = HSwish(%0)";

TEST(FuseHSwishTest, Forms) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseHSwish, {type, "[?,4]", false}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %3 = Multiply(%0, %2)
  %9 = Divide(%3, <6>))",
                kHSwish);
  }
  ExpectFuses(&FuseHSwish, {}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = 0, max = 6}
  %3 = Multiply(%2, <0.16666667>)
  %9 = Multiply(%3, %0))",
              kHSwish);
  ExpectFuses(&FuseHSwish, {}, R"(  %1 = Divide(%0, <6>)
  %2 = Add(<0.5>, %1)
  %3 = Clamp(%2) {min = 0, max = 1}
  %9 = Multiply(%0, %3))",
              kHSwish);
  ExpectFuses(&FuseHSwish, {}, "  %1 = HSigmoid(%0)\n  %9 = Multiply(%1, %0)", kHSwish);
}

TEST(FuseHSwishTest, OtherLimitsAndValuesStay) {
  ExpectKept(&FuseHSwish, {}, R"(  %1 = Add(%0, <3>)
  %2 = Clamp(%1) {min = -1, max = 6}
  %3 = Multiply(%0, %2)
  %9 = Divide(%3, <6>))");
  ExpectKept(&FuseHSwish, {}, R"(  %20 "y" = Parameter() {shape = [?,4]}
  %1 = HSigmoid(%20)
  %9 = Multiply(%1, %0))");
}

TEST(FuseHSwishTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseHSwish, {}, "  %1 = HSigmoid(%0)\n  %9 = Multiply(%1, %0)\n  %11 \"other\" = Result(%1)");
}

}  // namespace
}  // namespace burin::transformations
