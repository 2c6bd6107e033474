#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
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

TEST(ShapeOfArithmeticTest, AShapeThatIsKnown) {
  ExpectRewrites(&ShapeOfArithmetic,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = ShapeOf(%0)
  %2 "out" = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = i64[2]{2, 3}}
  %2 "out" = Result(%1)
})");
}

TEST(ShapeOfArithmeticTest, OneSizeThatIsKnownAmongOthers) {
  ExpectRewrites(&ShapeOfArithmetic,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %1 = ShapeOf(%0)
  %2 = Constant() {value = i64[]{1}}
  %3 = Constant() {value = i64[]{0}}
  %4 = Gather(%1, %2, %3)
  %5 = Constant() {value = i64[]{2}}
  %6 = Multiply(%4, %5)
  %7 = Greater(%6, %5)
  %8 "out" = Result(%6)
  %9 "out2" = Result(%7)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %6 = Constant() {value = i64[]{6}}
  %7 = Constant() {value = boolean[]{1}}
  %8 "out" = Result(%6)
  %9 "out2" = Result(%7)
})");
}

TEST(ShapeOfArithmeticTest, OneOutputOfSeveral) {
  ExpectRewrites(&ShapeOfArithmetic,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = ShapeOf(%0)
  %2 = Constant() {value = i64[]{0}}
  %3 = Split(%1, %2) {num_splits = 2}
  %4 "out" = Result(%3)
  %5 "out2" = Result(%3.1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = ShapeOf(%0)
  %2 = Constant() {value = i64[]{0}}
  %3 = Split(%1, %2) {num_splits = 2}
  %6 = Constant() {value = i64[1]{3}}
  %4 "out" = Result(%3)
  %5 "out2" = Result(%6)
})");
}

TEST(ShapeOfArithmeticTest, WhatIsUnknownStays) {
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = ShapeOf(%0)
  %2 = Constant() {value = i64[2]{1, 2}}
  %3 = Multiply(%1, %2)
  %4 "out" = Result(%3)
})");
}

TEST(ShapeOfArithmeticTest, FloatsAndMarkedOperationsStay) {
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 = Constant() {value = f32[2]{1, 2}}
  %1 = Add(%0, %0)
  %2 "out" = Result(%1)
})");
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 = Constant() {value = u8[2]{1, 2}}
  %1 = Constant() {value = i64[2]{2, 1}}
  %2 = Reshape(%0, %1) info("decompression" = "kept")
  %3 "out" = Result(%2)
})");
}

TEST(ShapeOfArithmeticTest, ConstantsAndParametersStay) {
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [2]}
  %1 = Constant() {value = i64[2]{1, 2}}
  %2 "out" = Result(%0)
  %3 "out2" = Result(%1)
})");
}

TEST(ShapeOfArithmeticTest, AShapeIsTakenBeforeElementwiseOperations) {
  ExpectRewrites(&ShapeOfArithmetic,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Relu(%0)
  %2 = Convert(%1) {destination_type = f16}
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Relu(%0)
  %2 = Convert(%1) {destination_type = f16}
  %3 = ShapeOf(%0)
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})");
}

TEST(ShapeOfArithmeticTest, TheInputWithTheShapeOfTheOutputIsTaken) {
  ExpectRewrites(&ShapeOfArithmetic,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 "c" = Parameter() {shape = [1,3]}
  %2 = Add(%1, %0)
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 "c" = Parameter() {shape = [1,3]}
  %3 = ShapeOf(%0)
  %4 "out" = Result(%3)
})");
}

constexpr char kBroadcasting[] = R"(model "" {
  %0 "x" = Parameter() {shape = [n]}
  %1 "y" = Parameter() {shape = [m]}
  %2 = Add(%0, %1)
  %3 "shape" = ShapeOf(%2)
  %4 "out" = Result(%3)
})";

TEST(ShapeOfArithmeticTest, BroadcastOfUnknownSizesStays) {
  ExpectUnchanged(&ShapeOfArithmetic, kBroadcasting);
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [?]}
  %1 "y" = Parameter() {shape = [1]}
  %2 = Add(%0, %1)
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
})");
}

TEST(ShapeOfArithmeticTest, OtherOperationsChangeShapes) {
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [?,?]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Unsqueeze(%0, %1)
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
})");
}

TEST(ShapeOfArithmeticTest, AShapeIsTakenBeforeATranspose) {
  ExpectRewrites(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [b,3,?]}
  %1 = Constant() {value = i64[3]{0, 2, 1}}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%2) {output_type = i32}
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [b,3,?]}
  %1 = Constant() {value = i64[3]{0, 2, 1}}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%0) {output_type = i32}
  %6 = Constant() {value = i64[3]{0, 2, 1}}
  %7 = Constant() {value = i64[1]{0}}
  %8 = Gather(%3, %6, %7)
  %4 "out" = Result(%8)
  %5 "out2" = Result(%2)
})");
}

TEST(ShapeOfArithmeticTest, ASizeIsTakenBeforeATranspose) {
  ExpectRewrites(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %1 = Constant() {value = i64[0]{}}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%2)
  %5 = Constant() {value = i32[]{-1}}
  %6 = Constant() {value = i64[]{0}}
  %7 = Gather(%3, %5, %6)
  %4 "out" = Result(%7)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %3 = ShapeOf(%0)
  %6 = Constant() {value = i64[]{0}}
  %8 = Constant() {value = i64[1]{0}}
  %7 = Gather(%3, %6, %8)
  %4 "out" = Result(%7)
})");
}

// The sizes keep their symbols, so that what is known of the result stays known.
TEST(ShapeOfArithmeticTest, SymbolsStayKnownPastATranspose) {
  ExpectRewrites(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [b,3,w]}
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%2)
  %5 "y" = Parameter() {shape = [...]}
  %6 = Reshape(%5, %3)
  %4 "out" = Result(%6)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [b,3,w]}
  %3 = ShapeOf(%0)
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %7 = Constant() {value = i64[1]{0}}
  %8 = Gather(%3, %1, %7)
  %5 "y" = Parameter() {shape = [...]}
  %6 = Reshape(%5, %8)
  %4 "out" = Result(%6)
})");
}

TEST(ShapeOfArithmeticTest, ShapesOfOtherTransposesStay) {
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [?,?]}
  %1 "p" = Parameter() {element_type = i64, shape = [2]}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
})");
  ExpectUnchanged(&ShapeOfArithmetic, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %3 = ShapeOf(%2)
  %4 "out" = Result(%3)
})");
}

std::string TwoGathers(const char* list, const char* places, const char* index, const char* attributes = "") {
  return absl::StrCat("model \"\" {\n  %0 \"l\" = Parameter() ", list, "\n  %1 = Constant() {value = ", places,
                      "}\n  %2 = Constant() {value = i64[1]{0}}\n  %3 = Constant() {value = ", index,
                      "}\n  %4 = Gather(%0, %1, %2)\n  %5 = Gather(%4, %3, %2)", attributes,
                      "\n  %6 \"out\" = Result(%5)\n  %7 \"out2\" = Result(%4)\n}");
}

TEST(ShapeOfArithmeticTest, ListsAreGatheredFromOnce) {
  ExpectRewrites(&ShapeOfArithmetic,
                 TwoGathers("{element_type = i32, shape = [?]}", "i64[4]{3, -1, 9, 0}", "i32[2]{-2, 1}"),
                 R"(model "" {
  %0 "l" = Parameter() {element_type = i32, shape = [?]}
  %1 = Constant() {value = i64[4]{3, -1, 9, 0}}
  %2 = Constant() {value = i64[1]{0}}
  %4 = Gather(%0, %1, %2)
  %3 = Constant() {value = i64[2]{9, -1}}
  %5 = Gather(%0, %3, %2)
  %6 "out" = Result(%5)
  %7 "out2" = Result(%4)
})");
}

TEST(ShapeOfArithmeticTest, OtherGathersStay) {
  const char* const list = "{element_type = i64, shape = [?]}";
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers(list, "i64[2]{1, 2}", "i64[2]{0, 2}"));
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers(list, "i64[2]{1, 2}", "i64[2]{-3, 1}"));
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers("{element_type = f32, shape = [?]}", "i64[2]{1, 2}", "i64[1]{0}"));
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers("{element_type = i64, shape = [?,2]}", "i64[2]{1, 2}", "i64[1]{0}"));
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers(list, "i64[2,2]{1, 2, 0, 1}", "i64[1]{0}"));
  ExpectUnchanged(&ShapeOfArithmetic, TwoGathers("{element_type = i64, shape = [...]}", "i64[2]{1, 2}", "i64[1]{0}"));
}

TEST(ShapeOfArithmeticTest, GathersByUnknownIndicesStay) {
  for (const char* const gathers : {"  %4 = Gather(%0, %1, %2)\n  %5 = Gather(%4, %3, %2)\n",
                                    "  %4 = Gather(%0, %3, %2)\n  %5 = Gather(%4, %1, %2)\n"}) {
    ExpectUnchanged(&ShapeOfArithmetic, absl::StrCat(R"(model "" {
  %0 "l" = Parameter() {element_type = i64, shape = [?]}
  %1 "p" = Parameter() {element_type = i64, shape = [3]}
  %2 = Constant() {value = i64[1]{0}}
  %3 = Constant() {value = i64[2]{0, 1}}
)",
                                                     gathers, "  %6 \"out\" = Result(%5)\n}"));
  }
}

TEST(ShapeOfArithmeticTest, TellsWhatItDeclines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kBroadcasting));
  EXPECT_THAT(Explain(&ShapeOfArithmetic, *model, model->FindNode("shape"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("no element-wise operation of one shape")));
  EXPECT_THAT(Explain(&ShapeOfArithmetic, *model, model->FindNode("x"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("not known")));
}

}  // namespace
}  // namespace burin::transformations
