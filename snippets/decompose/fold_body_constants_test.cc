#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(FoldBodyConstantsTest, ComputesOnce) {
  ExpectRewrites(&FoldBodyConstants,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = f32[3]{1, 4, 9}}
  %2 = Constant() {value = f32[]{2}}
  %3 = Sqrt(%1)
  %4 = Divide(%2, %3)
  %5 = Add(%0, %4)
  %6 = Result(%5)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = f32[3]{2, 1, 0.6666667}}
  %2 = Add(%0, %1)
  %3 = Result(%2)
})");
}

TEST(FoldBodyConstantsTest, GivesConstantsAnotherShape) {
  ExpectRewrites(&FoldBodyConstants,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 = Constant() {value = f32[3]{1, 4, 9}}
  %2 = Constant() {value = i64[1]{1}}
  %3 = Unsqueeze(%1, %2)
  %5 = Add(%0, %3)
  %6 = Result(%5)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 = Constant() {value = f32[3,1]{1, 4, 9}}
  %2 = Add(%0, %1)
  %3 = Result(%2)
})");
}

TEST(FoldBodyConstantsTest, LeavesWhatWouldGrow) {
  ExpectUnchanged(&FoldBodyConstants, R"(model "" {
  %0 = Constant() {value = f32[3]{1, 4, 9}}
  %1 = Constant() {value = f32[2,1]{1, 2}}
  %2 = Add(%0, %1)
  %3 = Result(%2)
})");
}

TEST(FoldBodyConstantsTest, LeavesWhatVaries) {
  ExpectUnchanged(&FoldBodyConstants, R"(model "" {
  %0 "x" = Parameter() {shape = [3]}
  %1 = Constant() {value = f32[3]{1, 4, 9}}
  %2 = Add(%0, %1)
  %3 = Result(%2)
  %4 = Result(%1)
})");
}

}  // namespace
}  // namespace burin::snippets
