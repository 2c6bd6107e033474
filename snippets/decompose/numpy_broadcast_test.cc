#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(NumpyBroadcastTest, DimensionsFromTheAxisOn) {
  ExpectRewrites(&NumpyBroadcast,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,5]}
  %1 "y" = Parameter() {shape = [4]}
  %2 = Add(%1, %0) {auto_broadcast = pdpd, axis = 1}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,5]}
  %1 "y" = Parameter() {shape = [4]}
  %2 = Constant() {value = i64[2]{1, 2}}
  %3 = Unsqueeze(%1, %2)
  %4 = Add(%3, %0)
  %5 = Result(%4)
})");
}

TEST(NumpyBroadcastTest, OnesThatReachBeyondGo) {
  ExpectRewrites(&NumpyBroadcast,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "y" = Parameter() {shape = [4,1]}
  %2 = Divide(%0, %1) {auto_broadcast = pdpd, axis = 2}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "y" = Parameter() {shape = [4,1]}
  %2 = Constant() {value = i64[1]{1}}
  %3 = Squeeze(%1, %2)
  %4 = Divide(%0, %3)
  %5 = Result(%4)
})");
}

TEST(NumpyBroadcastTest, TheInnermostAlreadyMeet) {
  ExpectRewrites(&NumpyBroadcast,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "y" = Parameter() {shape = [3,1]}
  %2 = Multiply(%0, %1) {auto_broadcast = pdpd}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "y" = Parameter() {shape = [3,1]}
  %2 = Multiply(%0, %1)
  %3 = Result(%2)
})");
}

TEST(NumpyBroadcastTest, ComputesTheSame) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "y" = Parameter() {element_type = $T, shape = [3]}
  %2 = Subtract(%1, %0) {auto_broadcast = pdpd, axis = 1}
  %3 = Result(%2)
})",
                      {"[2,3]", "[2,3,5]", "[n,3,?,3]"});
}

TEST(NumpyBroadcastTest, ConditionsAlignWithBranches) {
  ExpectDecomposes(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "c" = Parameter() {element_type = boolean, shape = [2]}
  %2 = Select(%1, %0, %0) {auto_broadcast = pdpd, axis = 0}
  %3 = Result(%2)
})");
  ExpectRefuses(&NumpyBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 "c" = Parameter() {element_type = boolean, shape = [3]}
  %2 "y" = Parameter() {shape = [3]}
  %3 = Select(%1, %0, %2) {auto_broadcast = pdpd, axis = 1}
  %4 = Result(%3)
})",
                "Branches of different ranks");
}

TEST(NumpyBroadcastTest, LeavesTheOtherRules) {
  ExpectUnchanged(&NumpyBroadcast, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "y" = Parameter() {shape = [3]}
  %2 = Subtract(%0, %1)
  %3 = Subtract(%2, %0) {auto_broadcast = none}
  %4 = Result(%3)
})");
}

}  // namespace
}  // namespace burin::snippets
