#include <gtest/gtest.h>

#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

TEST(DropEmptyOperandsTest, EmptyOperandsGo) {
  ExpectRewrites(&DropEmptyOperands,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?,n,3]}
  %1 "e" = Parameter() {element_type = f16, shape = [?,0,3]}
  %2 "y" = Parameter() {element_type = f16, shape = [?,2,3]}
  %3 "c" = Concat(%1, %0, %1, %2) {axis = -2}
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?,n,3]}
  %1 "e" = Parameter() {element_type = f16, shape = [?,0,3]}
  %2 "y" = Parameter() {element_type = f16, shape = [?,2,3]}
  %3 "c" = Concat(%0, %2) {axis = -2}
  %4 "out" = Result(%3)
})");
}

TEST(DropEmptyOperandsTest, OneRemainsWhereAllAreEmpty) {
  ExpectRewrites(&DropEmptyOperands,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [0,3]}
  %1 "y" = Parameter() {element_type = i32, shape = [0,?]}
  %3 "c" = Concat(%0, %1)
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [0,3]}
  %1 "y" = Parameter() {element_type = i32, shape = [0,?]}
  %3 "c" = Concat(%0)
  %4 "out" = Result(%3)
})");
}

TEST(DropEmptyOperandsTest, AnEmptyOneDoesNotTellTheRankToTheOthers) {
  ExpectUnchanged(&DropEmptyOperands,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "e" = Parameter() {shape = [0,3]}
  %3 "c" = Concat(%0, %1)
  %4 "out" = Result(%3)
})");
}

TEST(DropEmptyOperandsTest, OneThatSaysMoreOfTheShapeStays) {
  ExpectUnchanged(&DropEmptyOperands,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [?,?]}
  %1 "e" = Parameter() {shape = [0,3]}
  %3 "c" = Concat(%0, %1)
  %4 "out" = Result(%3)
})");
}

TEST(DropEmptyOperandsTest, OneThatMayHaveElementsStays) {
  ExpectUnchanged(&DropEmptyOperands,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 "e" = Parameter() {shape = [0..1,3]}
  %2 "other_axis" = Parameter() {shape = [2,0]}
  %3 "c" = Concat(%0, %1)
  %4 "d" = Concat(%2, %2)
  %5 "out" = Result(%3)
  %6 "out2" = Result(%4)
})");
}

TEST(DropEmptyOperandsTest, OtherReadersKeepTheirs) {
  ExpectRewrites(&DropEmptyOperands,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "e" = Parameter() {shape = [2,0]}
  %2 "a" = Abs(%1)
  %3 "c" = Concat(%0, %2, %0) {axis = 1}
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "e" = Parameter() {shape = [2,0]}
  %2 "a" = Abs(%1)
  %3 "c" = Concat(%0, %0) {axis = 1}
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})");
}

}  // namespace
}  // namespace burin::transformations
