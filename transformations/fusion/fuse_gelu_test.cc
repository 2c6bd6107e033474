#include <gtest/gtest.h>

#include <string>

#include "absl/strings/string_view.h"
#include "transformations/fusion/fusion_testlib.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

constexpr char kGelu[] = "  %9 = Gelu(%0)";
constexpr char kGeluTanh[] = "  %9 = Gelu(%0) {approximation_mode = tanh}";

constexpr char kErf[] = R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5>))";

// Halved last, the largest numbers overflow.
FormulaInput Tame(absl::string_view type = "f32", absl::string_view shape = "[?,4]") {
  return {std::string(type), std::string(shape), false};
}

TEST(FuseGeluTest, FormsOfErf) {
  for (const char* type : {"f32", "f64", "f16", "bf16"})
    ExpectFuses(&FuseGelu, Tame(type), R"(  %1 = Multiply(<0.7071067811865476>, %0)
  %2 = Erf(%1)
  %3 = Add(<1>, %2)
  %4 = Multiply(<0.5>, %0)
  %9 = Multiply(%4, %3))",
                kGelu);
  ExpectFuses(&FuseGelu, Tame(), kErf, kGelu);
  // Half of the bracket, and a half that is a division.
  ExpectFuses(&FuseGelu, Tame(), R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Divide(%3, <2>)
  %9 = Multiply(%4, %0))",
              kGelu);
  // The half multiplied out.
  ExpectFuses(&FuseGelu, Tame(), R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Multiply(%2, <0.5>)
  %4 = Add(<0.5>, %3)
  %9 = Multiply(%0, %4))",
              kGelu);
}

TEST(FuseGeluTest, FormsOfTanh) {
  // A power.
  ExpectFuses(&FuseGelu, Tame(), R"(  %1 = Power(%0, <3>)
  %2 = Multiply(%1, <0.044715>)
  %3 = Add(%0, %2)
  %4 = Multiply(%3, <0.7978845608>)
  %5 = Tanh(%4)
  %6 = Add(%5, <1>)
  %7 = Multiply(%0, <0.5>)
  %9 = Multiply(%7, %6))",
              kGeluTanh);
  // Products.
  ExpectFuses(&FuseGelu, Tame(), R"(  %1 = Multiply(%0, %0)
  %2 = Multiply(%0, %1)
  %3 = Multiply(<0.044715>, %2)
  %4 = Add(%3, %0)
  %5 = Multiply(<0.79788456>, %4)
  %6 = Tanh(%5)
  %7 = Add(<1>, %6)
  %8 = Multiply(%7, %0)
  %9 = Multiply(%8, <0.5>))",
              kGeluTanh);
  // x outside of the sum.
  ExpectFuses(&FuseGelu, Tame("f64"), R"(  %1 = Multiply(%0, <0.7978845608028654>)
  %2 = Multiply(%0, <0.044715>)
  %3 = Multiply(%2, %0)
  %4 = Add(%3, <1>)
  %5 = Multiply(%1, %4)
  %6 = Tanh(%5)
  %7 = Add(%6, <1>)
  %8 = Multiply(%0, <0.5>)
  %9 = Multiply(%8, %7))",
              kGeluTanh);
}

TEST(FuseGeluTest, AnyShapeWhoseRankTheNumbersDoNotRaise) {
  for (const char* shape : {"[]", "[0]", "[n,2,?]", "[...]"}) ExpectFuses(&FuseGelu, Tame("f32", shape), kErf, kGelu);
  const char* const of_a_list = R"(  %1 = Divide(%0, <1.4142135:[1]>)
  %2 = Erf(%1)
  %3 = Add(%2, <1:[1]>)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5>))";
  ExpectFuses(&FuseGelu, Tame("f32", "[?]"), of_a_list, kGelu);
  ExpectKept(&FuseGelu, {"f32", "[]"}, of_a_list);
  ExpectKept(&FuseGelu, {"f32", "[...]"}, of_a_list);
}

TEST(FuseGeluTest, OtherNumbersStay) {
  ExpectKept(&FuseGelu, {}, R"(  %1 = Divide(%0, <1.41>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5>))");
  ExpectKept(&FuseGelu, {}, R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Subtract(<1>, %2)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5>))");
  // Two numbers, of which one is right.
  ExpectKept(&FuseGelu, {"f32", "[?,2]"}, R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5, 1:[2]>))");
}

TEST(FuseGeluTest, OfTwoValuesNothingIsMade) {
  ExpectKept(&FuseGelu, {}, R"(  %20 "y" = Parameter() {shape = [?,4]}
  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Multiply(%20, %3)
  %9 = Multiply(%4, <0.5>))");
}

TEST(FuseGeluTest, PartsThatOthersReadStay) {
  ExpectKept(&FuseGelu, {}, R"(  %1 = Divide(%0, <1.4142135>)
  %2 = Erf(%1)
  %3 = Add(%2, <1>)
  %4 = Multiply(%0, %3)
  %9 = Multiply(%4, <0.5>)
  %11 "other" = Result(%3))");
}

}  // namespace
}  // namespace burin::transformations
