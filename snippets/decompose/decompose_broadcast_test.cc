#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeBroadcastTest, ReadersStretchByThemselves) {
  for (const char* mode : {"numpy", "bidirectional"}) {
    ExpectRewrites(&DecomposeBroadcast,
                   std::string(R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,5]}
  %1 "y" = Parameter() {shape = [4,1]}
  %2 "shape" = Parameter() {element_type = i64, shape = [3]}
  %6 = Constant() {value = i64[2]{4, 5}}
  %3 = Broadcast(%1, %6) {mode = )") +
                       mode + R"(}
  %4 = Add(%0, %3)
  %5 = Result(%4)
})",
                   R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,5]}
  %1 "y" = Parameter() {shape = [4,1]}
  %2 "shape" = Parameter() {element_type = i64, shape = [3]}
  %3 = Add(%0, %1)
  %4 = Result(%3)
})");
  }
}

TEST(DecomposeBroadcastTest, ExplicitAxesBecomeDimensions) {
  ExpectRewrites(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,5]}
  %1 "y" = Parameter() {shape = [4]}
  %2 = ShapeOf(%0)
  %3 = Constant() {value = i64[1]{1}}
  %4 = Broadcast(%1, %2, %3) {mode = explicit}
  %5 = Multiply(%4, %0)
  %6 = Add(%5, %4)
  %7 = Result(%6)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,5]}
  %1 "y" = Parameter() {shape = [4]}
  %2 = Constant() {value = i64[2]{0, 2}}
  %3 = Unsqueeze(%1, %2)
  %4 = Multiply(%3, %0)
  %5 = Add(%4, %3)
  %6 = Result(%5)
})");
}

TEST(DecomposeBroadcastTest, WhatChangesNothingGoes) {
  ExpectRewrites(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = ShapeOf(%0)
  %2 = Broadcast(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Result(%0)
})");
}

TEST(DecomposeBroadcastTest, RefusesWhatHasToBeInMemory) {
  ExpectRefuses(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [4,1]}
  %1 = Constant() {value = i64[2]{4, 5}}
  %2 = Broadcast(%0, %1)
  %3 = Result(%2)
})",
                "has to be broadcast in memory");
  ExpectRefuses(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [4,1]}
  %1 = Constant() {value = i64[2]{4, 5}}
  %2 = Broadcast(%0, %1)
  %3 = Relu(%2)
  %4 = Result(%3)
})",
                "has to be broadcast in memory");
}

TEST(DecomposeBroadcastTest, SizesThatAreNotProvenToAgree) {
  // y may have one row where the target has five.
  ExpectRefuses(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [1,4]}
  %1 "y" = Parameter() {shape = [?,4]}
  %2 "shape" = Parameter() {element_type = i64, shape = [2]}
  %3 = Broadcast(%0, %2)
  %4 = Add(%3, %1)
  %5 = Result(%4)
})",
                "has to be broadcast in memory");
}

TEST(DecomposeBroadcastTest, ReadersUnderAnotherRule) {
  ExpectRefuses(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [4,5]}
  %1 "y" = Parameter() {shape = [4,1]}
  %2 = Constant() {value = i64[2]{4, 5}}
  %3 = Broadcast(%1, %2)
  %4 = Add(%0, %3) {auto_broadcast = none}
  %5 = Result(%4)
})",
                "has to be broadcast in memory");
}

TEST(DecomposeBroadcastTest, NeedsConstantAxes) {
  ExpectRefuses(&DecomposeBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [4]}
  %1 "y" = Parameter() {shape = [4,5]}
  %2 "axes" = Parameter() {element_type = i64, shape = [1]}
  %3 = Constant() {value = i64[2]{4, 5}}
  %4 = Broadcast(%0, %3, %2) {mode = explicit}
  %5 = Add(%4, %1)
  %6 = Result(%5)
})",
                "The axes are not constant");
}

}  // namespace
}  // namespace burin::snippets
