#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DivideByRowTest, DividesOncePerRow) {
  ExpectRewrites(&DivideByRow,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Multiply(%0, %0)
  %3 = ReduceMean(%2, %1) {keep_dims = true}
  %4 = Constant() {value = f32[]{1e-5}}
  %5 = Add(%3, %4)
  %6 = Sqrt(%5)
  %7 = Divide(%0, %6)
  %8 = Result(%7)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Multiply(%0, %0)
  %3 = ReduceMean(%2, %1) {keep_dims = true}
  %4 = Constant() {value = f32[]{1e-5}}
  %5 = Add(%3, %4)
  %6 = Sqrt(%5)
  %7 = Constant() {value = f32[]{1}}
  %8 = Divide(%7, %6)
  %9 = Multiply(%0, %8)
  %10 = Result(%9)
})");
}

TEST(DivideByRowTest, WhatMayBeNearZeroStays) {
  ExpectUnchanged(&DivideByRow, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Divide(%0, %2)
  %4 = Result(%3)
})");
}

TEST(DivideByRowTest, WhatIsRoundedOrComparedStays) {
  for (const char* const reader : {"Round(%3)", "Greater(%3, %0)", "Convert(%3) {destination_type = i8}"}) {
    ExpectUnchanged(&DivideByRow, std::string(R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "r" = Parameter() {shape = [n,1]}
  %2 = Clamp(%1) {min = 0.5, max = 9}
  %3 = Divide(%0, %2)
  %4 = Negative(%3)
  %5 = )") + reader + R"(
  %6 = Result(%5)
  %7 = Result(%4)
})");
  }
}

TEST(DivideByRowTest, EqualShapesAndConstantsStay) {
  ExpectUnchanged(&DivideByRow, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Abs(%0)
  %2 = Constant() {value = f32[]{2}}
  %3 = Add(%1, %2)
  %4 = Divide(%0, %3)
  %5 = Divide(%4, %2)
  %6 = Result(%5)
})");
}

}  // namespace
}  // namespace burin::snippets
