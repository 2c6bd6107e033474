#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/control_flow/unroll_limits.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

// Returns a model of x - w - 0 - w - 1 ...; `condition` defines value %3 of the body, whether another iteration
// follows.
std::string Countdown(absl::string_view trips, absl::string_view enters = "Constant() {value = boolean[]{true}}",
                      absl::string_view condition = "%3 = Constant() {value = boolean[]{true}}") {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [?,n]}
  %1 "w" = Parameter() {element_type = i64, shape = [n]}
  %2 = )",
                      trips, R"(
  %3 = )",
                      enters, R"(
  %4 "loop" = Loop(%2, %3, %0, %1) {parameter_inputs = [-1, 2, 3], back_edges = [-1, 1, -1], output_results = [1]}
    names("y") from("L")
    model "body" {
      %0 "i" = Parameter() {element_type = i64, shape = []}
      %1 "state" = Parameter() {element_type = i64}
      %2 "step" = Parameter() {element_type = i64}
      )",
                      condition, R"(
      %4 "a" = Subtract(%1, %2) from("A")
      %5 "b" = Subtract(%4, %0) from("B")
      %6 "again" = Result(%3)
      %7 "next" = Result(%5)
    }
  %5 "out" = Result(%4)
})");
}

constexpr char kTwoIterations[] = R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [?,n]}
  %1 "w" = Parameter() {element_type = i64, shape = [n]}
  %2 "Constant" = Constant() {value = i64[]{0}} from("L")
  %3 "a_iteration0" = Subtract(%0, %1) from("A")
  %4 "b_iteration0" = Subtract(%3, %2) from("B")
  %5 "Constant_1" = Constant() {value = i64[]{1}} from("L")
  %6 "a_iteration1" = Subtract(%4, %1) from("A")
  %7 "b_iteration1" = Subtract(%6, %5) names("y") from("B")
  %8 "out" = Result(%7)
})";

TEST(UnrollLoopTest, MakesItsIterationsOneAfterTheOther) {
  ExpectRewrites(&UnrollLoop, Countdown("Constant() {value = i64[]{2}}"), kTwoIterations);
  ExpectRewrites(&UnrollLoop,
                 Countdown("Constant() {value = i32[1]{2}}", "Constant() {value = boolean[1]{true}}",
                           "%3 = Constant() {value = boolean[1]{true}}"),
                 kTwoIterations);
}

TEST(UnrollLoopTest, NamesTheIterationsAndKeepsOriginalNames) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       ir::ParseModel(Countdown("Constant() {value = i64[]{2}}")));
  ASSERT_OK_AND_ASSIGN(std::optional<ir::Patch> patch, UnrollLoop(*model, model->FindNode("loop"), ir::PassContext()));
  ASSERT_TRUE(patch.has_value());
  ASSERT_OK(std::move(*patch).Apply(model.get()));
  const ir::NodeId last = model->FindNode("b_iteration1");
  ASSERT_NE(last, ir::NodeId::kNone);
  EXPECT_THAT(model->node(last).original_names(), ::testing::ElementsAre("B"));
  EXPECT_THAT(model->node(last).output_names(0), ::testing::ElementsAre("y"));
  EXPECT_NE(model->FindNode("a_iteration0"), ir::NodeId::kNone);
}

TEST(UnrollLoopTest, TheBodyMayEndIt) {
  // Whatever the limit, the second iteration is the last one.
  for (const char* trips : {"i64[]{-1}", "i64[]{9223372036854775807}", "i64[]{3}"}) {
    ExpectRewrites(&UnrollLoop,
                   Countdown(absl::StrCat("Constant() {value = ", trips, "}"), "Constant() {value = boolean[]{true}}",
                             "%8 = Constant() {value = i64[]{1}}\n      %3 = Less(%0, %8)"),
                   kTwoIterations);
  }
}

TEST(UnrollLoopTest, TheConditionMayPassThrough) {
  ExpectRewrites(&UnrollLoop,
                 R"(model "" {
  %0 "x" = Parameter()
  %1 = Constant() {value = i64[]{2}}
  %2 = Constant() {value = boolean[]{true}}
  %3 = Loop(%1, %2, %2, %0) {parameter_inputs = [2, 3], back_edges = [0, 1], output_results = [1, 0]}
    model "" {
      %0 "c" = Parameter() {element_type = boolean}
      %1 "s" = Parameter()
      %2 = Sqrt(%1)
      %3 = Result(%0)
      %4 = Result(%2)
    }
  %4 = Result(%3)
  %5 = Result(%3.1)
})",
                 R"(model "" {
  %0 "x" = Parameter()
  %1 = Sqrt(%0)
  %2 = Sqrt(%1)
  %3 = Constant() {value = boolean[]{true}}
  %4 = Result(%2)
  %5 = Result(%3)
})");
}

// Returns a model that takes slices of x, which has that shape, and joins their exponentials.
std::string Scan(absl::string_view shape, int trips, absl::string_view slice, absl::string_view join) {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = )",
                      shape, R"(}
  %1 = Constant() {value = i64[]{)",
                      trips, R"(}}
  %2 = Constant() {value = boolean[]{true}}
  %3 = Loop(%1, %2, %0) {parameter_inputs = [2], slices = [0,)",
                      slice, "], output_results = [1], concatenations = [0,", join, R"(]}
    model "" {
      %0 "part" = Parameter()
      %1 = Exp(%0)
      %2 = Constant() {value = boolean[]{true}}
      %3 = Result(%2)
      %4 = Result(%1)
    }
  %4 = Result(%3)
})");
}

TEST(UnrollLoopTest, SlicesInputsAndJoinsOutputs) {
  ExpectRewrites(&UnrollLoop, Scan("[?,2..]", 2, "1,0,1,1,-1", "1,1"), R"(model "" {
  %0 "x" = Parameter() {shape = [?,2..]}
  %1 = Constant() {value = i64[1]{0}}
  %2 = Constant() {value = i64[1]{1}}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Constant() {value = i64[1]{1}}
  %5 = Slice(%0, %1, %2, %3, %4)
  %6 = Exp(%5)
  %7 = Constant() {value = i64[1]{1}}
  %8 = Constant() {value = i64[1]{2}}
  %9 = Constant() {value = i64[1]{1}}
  %10 = Constant() {value = i64[1]{1}}
  %11 = Slice(%0, %7, %8, %9, %10)
  %12 = Exp(%11)
  %13 = Concat(%6, %12) {axis = 1}
  %14 = Result(%13)
})");
}

TEST(UnrollLoopTest, SlicesFromTheEndAndJoinsInFront) {
  ExpectRewrites(&UnrollLoop, Scan("[5,0..3]", 2, "-2,-1,-3,2,0", "-1,-1"), R"(model "" {
  %0 "x" = Parameter() {shape = [5,0..3]}
  %1 = Constant() {value = i64[1]{3}}
  %2 = Constant() {value = i64[1]{5}}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Constant() {value = i64[1]{0}}
  %5 = Slice(%0, %1, %2, %3, %4)
  %6 = Exp(%5)
  %7 = Constant() {value = i64[1]{0}}
  %8 = Constant() {value = i64[1]{2}}
  %9 = Constant() {value = i64[1]{1}}
  %10 = Constant() {value = i64[1]{0}}
  %11 = Slice(%0, %7, %8, %9, %10)
  %12 = Exp(%11)
  %13 = Concat(%12, %6) {axis = -1}
  %14 = Result(%13)
})");
}

TEST(UnrollLoopTest, OneIterationNeedsNoConcat) {
  ExpectRewrites(&UnrollLoop, Scan("[4,?]", 1, "0,2,1,1,-1", "0,1"), R"(model "" {
  %0 "x" = Parameter() {shape = [4,?]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = Constant() {value = i64[1]{3}}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Constant() {value = i64[1]{0}}
  %5 = Slice(%0, %1, %2, %3, %4)
  %6 = Exp(%5)
  %14 = Result(%6)
})");
}

// A slice may be certain to lie inside for the front of any input that is long enough, else only for one size.
TEST(UnrollLoopTest, ASliceThatMayLieOutsideStays) {
  ExpectUnchanged(&UnrollLoop, Scan("[?,1..]", 2, "1,0,1,1,-1", "1,1"));
  ExpectUnchanged(&UnrollLoop, Scan("[4..8]", 2, "0,-1,-1,1,0", "0,1"));
  ExpectUnchanged(&UnrollLoop, Scan("[4..8]", 2, "0,0,1,1,-2", "0,1"));
  ExpectUnchanged(&UnrollLoop, Scan("[4..8]", 2, "0,3,-1,1,-1", "0,1"));
  ExpectUnchanged(&UnrollLoop, Scan("[...]", 1, "0,0,1,1,-1", "0,1"));
}

TEST(UnrollLoopTest, WithoutIterationsOutputsAreInitialOrEmpty) {
  for (const char* enters : {"true", "false"}) {
    // Where the condition does not hold, the trip count need not be known.
    const std::string count = std::string(enters) == "true" ? "Constant() {value = i64[]{0}}"
                                                            : "Parameter() {element_type = i64, shape = []}";
    const std::string before = absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?,3]}
  %1 "m" = )",
                                            count, R"(
  %2 = Constant() {value = boolean[]{)",
                                            enters, R"(}}
  %3 = Loop(%1, %2, %0) {parameter_inputs = [2], back_edges = [1], output_results = [1, 2], concatenations = [1, 1, 1]}
    model "" {
      %0 "s" = Parameter() {element_type = f16}
      %1 = Relu(%0)
      %2 = Constant() {value = f16[2,1]{1, 2}}
      %3 = Constant() {value = boolean[]{true}}
      %4 = Result(%3)
      %5 = Result(%1)
      %6 = Result(%2)
    }
  %4 = Result(%3)
  %5 = Result(%3.1)
})");
    const std::string after = absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?,3]}
  )",
                                           std::string(enters) == "true" ? "" : "%1 \"m\" = " + count, R"(
  %2 = Constant() {value = f16[2,0]{}}
  %4 = Result(%0)
  %5 = Result(%2)
})");
    ExpectRewrites(&UnrollLoop, before, after);
  }
}

TEST(UnrollLoopTest, WithoutIterationsAnOutputOfUnknownShapeStays) {
  ExpectUnchanged(&UnrollLoop, Scan("[3,?]", 0, "0,0,1,1,-1", "0,1"));
}

TEST(UnrollLoopTest, WhatDoesNotChangeIsThereOnce) {
  ExpectRewrites(&UnrollLoop,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [?]}
  %1 = Constant() {value = i64[]{2}}
  %2 = Constant() {value = boolean[]{true}}
  %3 = Loop(%1, %2, %0, %0) {parameter_inputs = [2, 3], back_edges = [1, -1], output_results = [1]}
    model "" {
      %0 "s" = Parameter() {element_type = bf16}
      %1 "w" = Parameter() {element_type = bf16}
      %2 = Constant() {value = bf16[]{3}}
      %3 = Power(%1, %2)
      %4 = Divide(%0, %3)
      %5 = Constant() {value = boolean[]{true}}
      %6 = Result(%5)
      %7 = Result(%4)
    }
  %4 = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [?]}
  %2 = Constant() {value = bf16[]{3}}
  %3 = Power(%0, %2)
  %4 = Divide(%0, %3)
  %5 = Divide(%4, %3)
  %6 = Result(%5)
})");
}

// Returns a Loop of `outer` iterations around one of `inner`, which runs the square root.
std::string Nest(int outer, absl::string_view inner) {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter()
  %1 = Constant() {value = i64[]{)",
                      outer, R"(}}
  %2 = Constant() {value = boolean[]{true}}
  %9 "n" = Parameter() {element_type = i64, shape = []}
  %3 = Loop(%1, %2, %0, %9) {parameter_inputs = [2, 3], back_edges = [1, -1], output_results = [1]}
    model "" {
      %0 "s" = Parameter()
      %9 "n" = Parameter() {element_type = i64, shape = []}
      %1 "inner" = )",
                      inner, R"(
      %2 = Constant() {value = boolean[]{true}}
      %3 = Loop(%1, %2, %0) {parameter_inputs = [2], back_edges = [1], output_results = [1]}
        model "" {
          %0 "s" = Parameter()
          %1 = Sqrt(%0)
          %2 = Constant() {value = boolean[]{true}}
          %3 = Result(%2)
          %4 = Result(%1)
        }
      %4 = Result(%2)
      %5 = Result(%3)
    }
  %4 = Result(%3)
})");
}

TEST(UnrollLoopTest, UnrollsNestedOnes) {
  ExpectRewrites(&UnrollLoop, Nest(2, "Constant() {value = i64[]{2}}"), R"(model "" {
  %0 "x" = Parameter()
  %9 "n" = Parameter() {element_type = i64, shape = []}
  %1 = Sqrt(%0)
  %2 = Sqrt(%1)
  %3 = Sqrt(%2)
  %4 = Sqrt(%3)
  %5 = Result(%4)
})");
}

TEST(UnrollLoopTest, InnerLoopsCountWithAllTheirIterations) {
  UnrollLimits limits;
  limits.max_iterations = 4;
  limits.max_nodes = 12;
  ir::PassContext context;
  context.Provide(&limits);
  RewriteTestOptions options;
  options.context = &context;
  // The outer body counts 1 + (1 + 2 * 2) = 6 nodes: two of them are allowed. Then four of the inner one's 2.
  ExpectRewrites(&UnrollLoop, Nest(2, "Constant() {value = i64[]{2}}"), R"(model "" {
  %0 "x" = Parameter()
  %9 "n" = Parameter() {element_type = i64, shape = []}
  %1 = Sqrt(%0)
  %2 = Sqrt(%1)
  %3 = Sqrt(%2)
  %4 = Sqrt(%3)
  %5 = Result(%4)
})",
                 options);
  limits.max_nodes = 11;
  // Now the inner one alone can be unrolled, and then the outer one, whose body holds 1 + 2.
  ExpectRewrites(&UnrollLoop, Nest(4, "Constant() {value = i64[]{3}}"), R"(model "" {
  %0 "x" = Parameter()
  %1 = Constant() {value = i64[]{4}}
  %2 = Constant() {value = boolean[]{true}}
  %9 "n" = Parameter() {element_type = i64, shape = []}
  %3 = Loop(%1, %2, %0, %9) {parameter_inputs = [2, 3], back_edges = [1, -1], output_results = [1]}
    model "" {
      %0 "s" = Parameter()
      %9 "n" = Parameter() {element_type = i64, shape = []}
      %1 = Sqrt(%0)
      %2 = Sqrt(%1)
      %3 = Sqrt(%2)
      %4 = Constant() {value = boolean[]{true}}
      %5 = Result(%4)
      %6 = Result(%3)
    }
  %4 = Result(%3)
})",
                 options);
  // One whose trip count is not known yet counts as if it made as many as are allowed: 1 + 1 + 1 + 4 * 2.
  limits.max_nodes = 21;
  ExpectUnchanged(&UnrollLoop, Nest(2, "Abs(%9)"), options);
  limits.max_nodes = 22;
  ExpectRewrites(&UnrollLoop, Nest(2, "Abs(%9)"), R"(model "" {
  %0 "x" = Parameter()
  %9 "n" = Parameter() {element_type = i64, shape = []}
  %1 = Abs(%9)
  %2 = Constant() {value = boolean[]{true}}
  %3 = Loop(%1, %2, %0) {parameter_inputs = [2], back_edges = [1], output_results = [1]}
    model "" {
      %0 "s" = Parameter()
      %1 = Sqrt(%0)
      %2 = Constant() {value = boolean[]{true}}
      %3 = Result(%2)
      %4 = Result(%1)
    }
  %4 = Loop(%1, %2, %3) {parameter_inputs = [2], back_edges = [1], output_results = [1]}
    model "" {
      %0 "s" = Parameter()
      %1 = Sqrt(%0)
      %2 = Constant() {value = boolean[]{true}}
      %3 = Result(%2)
      %4 = Result(%1)
    }
  %5 = Result(%4)
})",
                 options);
}

TEST(UnrollLoopTest, TheLimitsHold) {
  const std::string text = Countdown("Constant() {value = i64[]{17}}");
  ExpectUnchanged(&UnrollLoop, text);
  ExpectUnchanged(&UnrollLoop, Countdown("Constant() {value = i64[]{-1}}"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(text));
  EXPECT_THAT(Explain(&UnrollLoop, *model, model->FindNode("loop"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("more iterations than the limits allow")));
  UnrollLimits limits;
  ir::PassContext context;
  context.Provide(&limits);
  RewriteTestOptions options;
  options.context = &context;
  // The body counts 1 + 2.
  limits.max_nodes = 5;
  ExpectUnchanged(&UnrollLoop, Countdown("Constant() {value = i64[]{2}}"), options);
  limits.max_nodes = 6;
  ExpectRewrites(&UnrollLoop, Countdown("Constant() {value = i64[]{2}}"), kTwoIterations, options);
  limits.max_iterations = 1;
  ExpectUnchanged(&UnrollLoop, Countdown("Constant() {value = i64[]{2}}"), options);
}

TEST(UnrollLoopTest, WhatIsNotKnownStays) {
  ExpectUnchanged(&UnrollLoop, Countdown("Parameter() {element_type = i64, shape = []}"));
  ExpectUnchanged(&UnrollLoop,
                  Countdown("Constant() {value = i64[]{2}}", "Parameter() {element_type = boolean, shape = []}"));
  // Depends on the data.
  ExpectUnchanged(&UnrollLoop, Countdown("Constant() {value = i64[]{2}}", "Constant() {value = boolean[]{true}}",
                                         "%8 = Constant() {value = i64[2]{0, 1}}\n      %9 = ReduceMax(%1, %8)\n"
                                         "      %3 = Less(%0, %9)"));
}

// But after the last iteration that the trip count allows, the condition does not matter.
TEST(UnrollLoopTest, TheLastConditionNeedNotBeKnown) {
  ExpectRewrites(&UnrollLoop,
                 Countdown("Constant() {value = i64[]{1}}", "Constant() {value = boolean[]{true}}",
                           "%8 = Constant() {value = i64[2]{0, 1}}\n      %9 = ReduceMax(%1, %8)\n"
                           "      %3 = Less(%0, %9)"),
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [?,n]}
  %1 "w" = Parameter() {element_type = i64, shape = [n]}
  %2 = Constant() {value = i64[]{0}}
  %3 = Subtract(%0, %1)
  %4 = Subtract(%3, %2)
  %8 = Result(%4)
})");
}

// Returns a Loop of two iterations around a body of one parameter, %0, and one result, %1, beside the condition.
std::string Twice(absl::string_view shape, absl::string_view body) {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = )",
                      shape, R"(}
  %1 = Constant() {value = i64[]{2}}
  %2 = Constant() {value = boolean[]{true}}
  %3 "loop" = Loop(%1, %2, %0)
    {parameter_inputs = [2], back_edges = [1], output_results = [1, 1], concatenations = [1, 0, 1]}
    model "" {
      )",
                      body, R"(
      %7 = Constant() {value = boolean[]{true}}
      %8 = Result(%7)
      %9 = Result(%1)
    }
  %4 = Result(%3)
  %5 = Result(%3.1)
})");
}

TEST(UnrollLoopTest, StatesMayGrow) {
  ExpectRewrites(&UnrollLoop, Twice("[n,2]", "%0 = Parameter()\n      %1 = Concat(%0, %0)"), R"(model "" {
  %0 "x" = Parameter() {shape = [n,2]}
  %1 = Concat(%0, %0)
  %2 = Concat(%1, %1)
  %3 = Concat(%1, %2)
  %4 = Result(%2)
  %5 = Result(%3)
})");
}

TEST(UnrollLoopTest, EffectsStay) {
  ExpectUnchanged(&UnrollLoop, Twice("[2]", R"(variable "v" : f32[2]
      %0 = Parameter() {shape = [2]}
      %1 = ReadValue(%0) {variable_id = "v"})"));
  ExpectUnchanged(&UnrollLoop, Twice("[2]", R"(%0 = Parameter() {shape = [2]}
      %6 = Constant() {value = boolean[]{true}}
      %1 = If(%6, %0) {then_inputs = [1], else_inputs = [1]}
        model "" {
          variable "v" : f32[2]
          %0 = Parameter() {shape = [2]}
          %1 = ReadValue(%0) {variable_id = "v"}
          %2 = Add(%1, %0)
          %3 = Assign(%2) {variable_id = "v"}
          %4 = Result(%1)
        }
        model "" {
          %0 = Parameter() {shape = [2]}
          %4 = Result(%0)
        })"));
}

TEST(UnrollLoopTest, WhatAParameterDeclaresIsNotLost) {
  ExpectUnchanged(&UnrollLoop, Twice("[0..4]", "%0 = Parameter() {shape = [2]}\n      %1 = Exp(%0)"));
}

// Such a model fails where it runs. The first does in its second iteration, the second when its pieces are joined.
TEST(UnrollLoopTest, AModelThatCannotRunStays) {
  for (const char* body :
       {"%0 = Parameter()\n      %5 = Constant() {value = f32[2]{1, 2}}\n"
        "      %6 = Add(%0, %5)\n      %1 = Concat(%6, %6)",
        "%0 = Parameter()\n      %5 = Constant() {value = i64[]{0}}\n      %1 = Unsqueeze(%0, %5)"}) {
    const std::string text = Twice("[2]", body);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(text));
    ASSERT_OK_AND_ASSIGN(const std::optional<ir::Patch> patch,
                         UnrollLoop(*model, model->FindNode("loop"), ir::PassContext()));
    EXPECT_FALSE(patch.has_value()) << body;
  }
}

TEST(UnrollLoopTest, OneThatNobodyReadsIsLeftToOthers) {
  ExpectUnchanged(&UnrollLoop,
                  R"(model "" {
  %0 "x" = Parameter()
  %1 = Constant() {value = i64[]{2}}
  %2 = Constant() {value = boolean[]{true}}
  %3 = Loop(%1, %2, %0) {parameter_inputs = [2], back_edges = [1], output_results = [1]}
    model "" {
      %0 = Parameter()
      %1 = Sqrt(%0)
      %2 = Constant() {value = boolean[]{true}}
      %3 = Result(%2)
      %4 = Result(%1)
    }
  %4 = Result(%0)
})");
}

}  // namespace
}  // namespace burin::transformations
