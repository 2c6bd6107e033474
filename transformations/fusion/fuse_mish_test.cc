#include <gtest/gtest.h>

#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

constexpr char kMish[] = "  %9 = Mish(%0)";

TEST(FuseMishTest, Forms) {
  for (const char* type : {"f32", "f64", "f16", "bf16"}) {
    ExpectFuses(&FuseMish, {type}, R"(  %1 = SoftPlus(%0)
  %2 = Tanh(%1)
  %9 = Multiply(%0, %2))",
                kMish);
  }
  ExpectFuses(&FuseMish, {}, R"(  %1 = Exp(%0)
  %2 = Add(<1>, %1)
  %3 = Log(%2)
  %4 = Tanh(%3)
  %9 = Multiply(%4, %0))",
              kMish);
}

TEST(FuseMishTest, OtherFormulasStay) {
  ExpectKept(&FuseMish, {}, R"(  %1 = Exp(%0)
  %2 = Add(%1, <2>)
  %3 = Log(%2)
  %4 = Tanh(%3)
  %9 = Multiply(%0, %4))");
  ExpectKept(&FuseMish, {}, R"(  %1 = SoftPlus(%0)
  %2 = Tanh(%1)
  %9 = Add(%0, %2))");
}

TEST(FuseMishTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseMish, {}, R"(  %1 = SoftPlus(%0)
  %2 = Tanh(%1)
  %9 = Multiply(%0, %2)
  %11 "other" = Result(%1))");
}

}  // namespace
}  // namespace burin::transformations
