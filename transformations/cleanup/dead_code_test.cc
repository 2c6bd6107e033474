#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

TEST(DeadCodeTest, RemovesWhatReachesNoResult) {
  ExpectRewrites(&DeadCode, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "c" = Constant() {value = f32[]{2}}
    %2 "dead" = Multiply(%0, %1)
    %3 "deader" = Relu(%2)
    %4 "alive" = Abs(%0)
    %5 "out" = Result(%4)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "alive" = Abs(%0)
    %2 "out" = Result(%1)
  })");
}

TEST(DeadCodeTest, RemovesFromBodies) {
  ExpectRewrites(&DeadCode, R"(model "" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "dead" = Relu(%0)
        %2 "result" = Result(%0)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })",
                 R"(model "" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })");
}

TEST(DeadCodeTest, KeepsTheSignature) {
  ExpectUnchanged(&DeadCode, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "unread" = Parameter() {shape = [3]}
    %2 "out" = Result(%0)
  })");
}

TEST(DeadCodeTest, KeepsWhatIsAssigned) {
  ExpectUnchanged(&DeadCode, R"(model "" {
    variable "v" : f32[2]
    %0 "x" = Parameter() {shape = [2]}
    %1 "read" = ReadValue(%0) {variable_id = "v"}
    %2 "kept" = Negative(%0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "out" = Result(%1)
  })");
}

}  // namespace
}  // namespace burin::transformations
