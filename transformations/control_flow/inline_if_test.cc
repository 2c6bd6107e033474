#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

// Returns a model that chooses by `condition` between -x - y (then) and x, y being the second parameter.
std::string Choice(absl::string_view condition) {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "y" = Parameter() {shape = [n]}
  %2 "c" = )",
                      condition, R"(
  %3 "if" = If(%2, %1, %0) {then_inputs = [2, 1], else_inputs = [2]} names("z") from("If_0")
    model "then" {
      %0 "a" = Parameter() {shape = [...]}
      %1 "b" = Parameter() {shape = [?]}
      %2 "neg" = Negative(%0) names("inner") from("Neg_0")
      %3 "sub" = Subtract(%2, %1)
      %4 "r" = Result(%3)
    }
    model "else" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %4 "out" = Result(%3)
})");
}

TEST(InlineIfTest, TakesTheThenBody) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&InlineIf, Choice("Constant() {value = boolean[]{true}}"), R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "y" = Parameter() {shape = [n]}
  %2 "neg" = Negative(%0) from("Neg_0")
  %3 "sub" = Subtract(%2, %1) names("z") from("If_0")
  %4 "out" = Result(%3)
})",
                 options);
}

TEST(InlineIfTest, TakesTheElseBody) {
  ExpectRewrites(&InlineIf, Choice("Constant() {value = boolean[1]{false}}"), R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "y" = Parameter() {shape = [n]}
  %4 "out" = Result(%0)
})");
}

TEST(InlineIfTest, TheConditionMayBeKnownFromShapes) {
  ExpectRewrites(&InlineIf,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = ShapeOf(%0)
  %2 = Constant() {value = i64[1]{1}}
  %3 = Constant() {value = i64[]{0}}
  %4 = Gather(%1, %2, %3)
  %5 = Constant() {value = i64[1]{3}}
  %6 = Equal(%4, %5)
  %7 = If(%6, %0) {then_inputs = [1], else_inputs = [1]}
    model "" {
      %0 "a" = Parameter()
      %1 = Exp(%0)
      %2 "r" = Result(%1)
    }
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %8 "out" = Result(%7)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = Exp(%0)
  %8 "out" = Result(%1)
})");
}

TEST(InlineIfTest, FollowsThePortMapsOfTheOutputs) {
  ExpectRewrites(&InlineIf,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [?]}
  %1 = Constant() {value = boolean[]{true}}
  %2 = If(%1, %0) {then_inputs = [1, 1], else_inputs = [1], then_outputs = [1, 0, 1], else_outputs = [0, 0, 0]}
    model "" {
      %0 "a" = Parameter() {element_type = i32}
      %1 "b" = Parameter() {element_type = i32}
      %2 = Negative(%0)
      %3 = Abs(%1)
      %4 "r0" = Result(%2)
      %5 "r1" = Result(%3)
    }
    model "" {
      %0 "a" = Parameter() {element_type = i32}
      %1 "r" = Result(%0)
    }
  %3 = Subtract(%2, %2.1)
  %4 = Multiply(%3, %2.2)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [?]}
  %1 = Abs(%0)
  %2 = Negative(%0)
  %3 = Subtract(%1, %2)
  %4 = Multiply(%3, %1)
  %5 "out" = Result(%4)
})");
}

// The inner If moves along; its condition becomes known where it has moved to.
TEST(InlineIfTest, InlinesNestedOnesToo) {
  ExpectRewrites(&InlineIf,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [0..4]}
  %1 = Constant() {value = boolean[]{true}}
  %2 = If(%1, %1, %0) {then_inputs = [1, 2], else_inputs = [2]}
    model "" {
      %0 "c" = Parameter() {element_type = boolean}
      %1 "a" = Parameter() {element_type = f16}
      %2 = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
        model "" {
          %0 "a" = Parameter() {element_type = f16}
          %1 = Relu(%0)
          %2 "r" = Result(%1)
        }
        model "" {
          %0 "a" = Parameter() {element_type = f16}
          %1 "r" = Result(%0)
        }
      %3 "r" = Result(%2)
    }
    model "" {
      %0 "a" = Parameter() {element_type = f16}
      %1 "r" = Result(%0)
    }
  %3 "out" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [0..4]}
  %1 = Relu(%0)
  %3 "out" = Result(%1)
})");
}

TEST(InlineIfTest, ANestedOneOfUnknownConditionMovesAsItIs) {
  ExpectRewrites(&InlineIf,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "c" = Parameter() {element_type = boolean, shape = []}
  %2 = Constant() {value = boolean[]{false}}
  %3 = If(%2, %1, %0) {then_inputs = [2], else_inputs = [1, 2]}
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
    model "" {
      %0 "c" = Parameter() {element_type = boolean}
      %1 "a" = Parameter()
      %2 = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
        model "" {
          %0 "a" = Parameter()
          %1 = Relu(%0)
          %2 "r" = Result(%1)
        }
        model "" {
          %0 "a" = Parameter()
          %1 "r" = Result(%0)
        }
      %3 "r" = Result(%2)
    }
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "c" = Parameter() {element_type = boolean, shape = []}
  %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
    model "" {
      %0 "a" = Parameter()
      %1 = Relu(%0)
      %2 "r" = Result(%1)
    }
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %4 "out" = Result(%2)
})");
}

TEST(InlineIfTest, NamesThatAreTakenGetANumberAndOriginalNamesStay) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&InlineIf,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "abs" = Abs(%0) from("outer_abs")
  %2 "c" = Constant() {value = boolean[]{true}} from("c")
  %3 "if" = If(%2, %1) {then_inputs = [1], else_inputs = [1]} names("z") from("If_0")
    model "then" {
      %0 "a" = Parameter()
      %1 "abs" = Sqrt(%0) names("inner") from("inner_sqrt")
      %2 "exp" = Exp(%1)
      %3 "r" = Result(%2)
    }
    model "else" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "abs" = Abs(%0) from("outer_abs")
  %2 "abs_1" = Sqrt(%1) from("inner_sqrt")
  %3 "exp" = Exp(%2) names("z") from("If_0")
  %4 "out" = Result(%3)
})",
                 options);
}

TEST(InlineIfTest, AConditionThatIsNotKnownStays) {
  const std::string text = Choice("Parameter() {element_type = boolean, shape = []}");
  ExpectUnchanged(&InlineIf, text);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(text));
  EXPECT_THAT(Explain(&InlineIf, *model, model->FindNode("if"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("the condition is not known")));
}

TEST(InlineIfTest, VariablesStayInTheirBody) {
  ExpectUnchanged(&InlineIf,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %1 = Constant() {value = boolean[]{true}}
  %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
    model "" {
      variable "v" : f32[1]
      %0 "a" = Parameter() {shape = [1]}
      %1 = ReadValue(%0) {variable_id = "v"}
      %2 "r" = Result(%1)
    }
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %3 "out" = Result(%2)
})");
}

// Who reads the output knows two elements; of x only that they are at most four is known.
TEST(InlineIfTest, WhatAParameterDeclaresIsNotLost) {
  ExpectUnchanged(&InlineIf,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [0..4]}
  %1 = Constant() {value = boolean[]{true}}
  %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
    model "" {
      %0 "a" = Parameter() {shape = [2]}
      %1 = Relu(%0)
      %2 "r" = Result(%1)
    }
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %3 "out" = Result(%2)
})");
}

TEST(InlineIfTest, OneThatNobodyReadsIsLeftToOthers) {
  ExpectUnchanged(&InlineIf,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 = Constant() {value = boolean[]{true}}
  %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
    model "" {
      %0 "a" = Parameter()
      %1 = Relu(%0)
      %2 "r" = Result(%1)
    }
    model "" {
      %0 "a" = Parameter()
      %1 "r" = Result(%0)
    }
  %3 "out" = Result(%0)
})");
}

}  // namespace
}  // namespace burin::transformations
