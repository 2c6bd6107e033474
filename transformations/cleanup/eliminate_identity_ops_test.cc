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

// x is %0, %8 the result.
std::string ModelOf(absl::string_view x, absl::string_view lines) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", x, "}\n", lines, "\n  %9 \"out\" = Result(%8)\n}");
}

void ExpectGone(absl::string_view x, absl::string_view lines) {
  SCOPED_TRACE(lines);
  const std::string after =
      absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", x, "}\n  %9 \"out\" = Result(%0)\n}");
  ExpectRewrites(&EliminateIdentityOps, ModelOf(x, lines), after);
}

void ExpectKept(absl::string_view x, absl::string_view lines) {
  SCOPED_TRACE(lines);
  ExpectUnchanged(&EliminateIdentityOps, ModelOf(x, lines));
}

TEST(EliminateIdentityOpsTest, ConvertToTheSameType) {
  ExpectGone("shape = [?,3]", "%8 = Convert(%0) {destination_type = f32}");
  ExpectGone("element_type = boolean, shape = [3]", "%8 = Convert(%0) {destination_type = boolean}");
  ExpectGone("element_type = i4, shape = [3]", "%8 = Convert(%0) {destination_type = i4}");
  ExpectGone("element_type = bf16, shape = [...]", "%8 = Convert(%0) {destination_type = bf16}");
  ExpectKept("shape = [3]", "%8 = Convert(%0) {destination_type = f16}");
  ExpectKept("element_type = i32, shape = [3]", "%8 = Convert(%0) {destination_type = u32}");
}

TEST(EliminateIdentityOpsTest, ConvertOfSmallFloatsChangesInfinities) {
  ExpectKept("element_type = f8e5m2, shape = [8]", "%8 = Convert(%0) {destination_type = f8e5m2}");
}

TEST(EliminateIdentityOpsTest, ConvertLikeOfTheSameType) {
  ExpectGone("shape = [3]", "%1 = Constant() {value = f32[1]{0}} %8 = ConvertLike(%0, %1)");
  ExpectKept("shape = [3]", "%1 = Constant() {value = f16[1]{0}} %8 = ConvertLike(%0, %1)");
}

TEST(EliminateIdentityOpsTest, RoundingOfIntegers) {
  for (const char* op : {"Floor", "Ceiling", "Round"}) {
    ExpectGone("element_type = i32, shape = [3]", absl::StrCat("%8 = ", op, "(%0)"));
    ExpectKept("shape = [3]", absl::StrCat("%8 = ", op, "(%0)"));
  }
  ExpectGone("element_type = u8, shape = [3]", "%8 = Abs(%0)");
  ExpectKept("element_type = i8, shape = [3]", "%8 = Abs(%0)");
}

TEST(EliminateIdentityOpsTest, ReshapeToTheSameShape) {
  ExpectGone("shape = [2,3]", "%1 = Constant() {value = i64[2]{2, 3}} %8 = Reshape(%0, %1)");
  ExpectGone("shape = [2,3]", "%1 = Constant() {value = i64[2]{-1, 3}} %8 = Reshape(%0, %1)");
  ExpectGone("shape = [?,3]", "%1 = Constant() {value = i64[2]{-1, 3}} %8 = Reshape(%0, %1)");
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[2]{0, 0}} %8 = Reshape(%0, %1) {special_zero = true}");
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[2]{0, -1}} %8 = Reshape(%0, %1) {special_zero = true}");
  ExpectGone("shape = [0,3]", "%1 = Constant() {value = i64[2]{0, 3}} %8 = Reshape(%0, %1)");
  ExpectGone("shape = []", "%1 = Constant() {value = i64[0]{}} %8 = Reshape(%0, %1)");
  ExpectGone("shape = []", "%1 = Constant() {value = i64[]{1}} %8 = Reshape(%0, %1)");
}

TEST(EliminateIdentityOpsTest, ReshapeToItsOwnShapeOf) {
  ExpectGone("shape = [...]", "%1 = ShapeOf(%0) %8 = Reshape(%0, %1)");
  ExpectGone("shape = [?,?]",
             "%1 = ShapeOf(%0) {output_type = i32} %2 = Convert(%1) {destination_type = i64}"
             " %8 = Reshape(%0, %2) {special_zero = true}");
}

TEST(EliminateIdentityOpsTest, ReshapeBySymbols) {
  ExpectGone("shape = [n,m]", R"(%1 = Relu(%0) %2 = ShapeOf(%1) %3 = Constant() {value = i64[2]{0, 1}}
      %4 = Constant() {value = i64[]{0}} %5 = Gather(%2, %3, %4) %8 = Reshape(%0, %5))");
  ExpectGone("shape = [n,m:1..9]", R"(%1 = ShapeOf(%0) %3 = Constant() {value = i64[1]{1}}
      %4 = Constant() {value = i64[]{0}} %5 = Gather(%1, %3, %4) %6 = Constant() {value = i64[1]{-1}}
      %7 = Concat(%6, %5) {axis = 0} %8 = Reshape(%0, %7))");
}

TEST(EliminateIdentityOpsTest, ReshapeToAnotherShape) {
  ExpectKept("shape = [2,3]", "%1 = Constant() {value = i64[2]{3, 2}} %8 = Reshape(%0, %1)");
  ExpectKept("shape = [2,3]", "%1 = Constant() {value = i64[1]{6}} %8 = Reshape(%0, %1)");
  ExpectKept("shape = [?,3]", "%1 = Constant() {value = i64[2]{3, -1}} %8 = Reshape(%0, %1)");
  ExpectKept("shape = [?,?]", "%1 = Constant() {value = i64[2]{-1, 2}} %8 = Reshape(%0, %1)");
  ExpectKept("shape = [1]", "%1 = Constant() {value = i64[0]{}} %8 = Reshape(%0, %1)");
  // It says that the unknown size is 2.
  ExpectKept("shape = [?,3]", "%1 = Constant() {value = i64[2]{2, 3}} %8 = Reshape(%0, %1)");
  // Two symbols in another order.
  ExpectKept("shape = [n,m]", R"(%1 = ShapeOf(%0) %3 = Constant() {value = i64[2]{1, 0}}
      %4 = Constant() {value = i64[]{0}} %5 = Gather(%1, %3, %4) %8 = Reshape(%0, %5))");
}

// With m = 0 the first dimension comes out as 0, whatever n is.
TEST(EliminateIdentityOpsTest, ReshapeThatInfersADimensionOfAnEmptyTensor) {
  ExpectKept("shape = [n,m]", R"(%1 = ShapeOf(%0) %3 = Constant() {value = i64[1]{1}}
      %4 = Constant() {value = i64[]{0}} %5 = Gather(%1, %3, %4) %6 = Constant() {value = i64[1]{-1}}
      %7 = Concat(%6, %5) {axis = 0} %8 = Reshape(%0, %7))");
  ExpectKept("shape = [?,0]", "%1 = Constant() {value = i64[2]{-1, 0}} %8 = Reshape(%0, %1)");
}

TEST(EliminateIdentityOpsTest, SqueezeAndUnsqueezeOfNothing) {
  ExpectGone("shape = [2,3]", "%8 = Squeeze(%0)");
  ExpectGone("shape = [2,3]", "%1 = Constant() {value = i64[1]{0}} %8 = Squeeze(%0, %1) {allow_axis_skip = true}");
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[0]{}} %8 = Unsqueeze(%0, %1)");
  ExpectKept("shape = [1,3]", "%8 = Squeeze(%0)");
  ExpectKept("shape = [?,3]", "%8 = Squeeze(%0)");
  ExpectKept("shape = [?,3]", "%1 = Constant() {value = i64[1]{0}} %8 = Unsqueeze(%0, %1)");
}

TEST(EliminateIdentityOpsTest, TransposeInOrder) {
  ExpectGone("shape = [?,2,?]", "%1 = Constant() {value = i64[3]{0, 1, 2}} %8 = Transpose(%0, %1)");
  ExpectGone("shape = [?]", "%1 = Constant() {value = i64[0]{}} %8 = Transpose(%0, %1)");
  ExpectKept("shape = [2,2]", "%1 = Constant() {value = i64[0]{}} %8 = Transpose(%0, %1)");
  ExpectKept("shape = [2,2]", "%1 = Constant() {value = i64[2]{1, 0}} %8 = Transpose(%0, %1)");
  ExpectKept("shape = [...]", "%1 = Constant() {value = i64[0]{}} %8 = Transpose(%0, %1)");
}

TEST(EliminateIdentityOpsTest, BroadcastToTheSameShape) {
  ExpectGone("shape = [2,3]", "%1 = Constant() {value = i64[2]{2, 3}} %8 = Broadcast(%0, %1)");
  ExpectGone("shape = [...]", "%1 = ShapeOf(%0) %8 = Broadcast(%0, %1)");
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[2]{1, 1}} %8 = Broadcast(%0, %1) {mode = bidirectional}");
  ExpectKept("shape = [1,3]", "%1 = Constant() {value = i64[2]{2, 3}} %8 = Broadcast(%0, %1)");
  ExpectKept("shape = [?,3]", "%1 = Constant() {value = i64[2]{2, 3}} %8 = Broadcast(%0, %1)");
  ExpectKept("shape = [3]", "%1 = Constant() {value = i64[2]{1, 3}} %8 = Broadcast(%0, %1)");
  ExpectKept("shape = [?]", "%1 = Constant() {value = i64[2]{1, 1}} %8 = Broadcast(%0, %1) {mode = bidirectional}");
}

TEST(EliminateIdentityOpsTest, TileOnce) {
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[2]{1, 1}} %8 = Tile(%0, %1)");
  ExpectGone("shape = [?,?]", "%1 = Constant() {value = i64[1]{1}} %8 = Tile(%0, %1)");
  ExpectKept("shape = [?,?]", "%1 = Constant() {value = i64[3]{1, 1, 1}} %8 = Tile(%0, %1)");
  ExpectKept("shape = [?,?]", "%1 = Constant() {value = i64[2]{1, 2}} %8 = Tile(%0, %1)");
  ExpectKept("shape = [...]", "%1 = Constant() {value = i64[1]{1}} %8 = Tile(%0, %1)");
}

TEST(EliminateIdentityOpsTest, PadByNothing) {
  ExpectGone("shape = [?,?]", R"(%1 = Constant() {value = i64[2]{0, 0}} %8 = Pad(%0, %1, %1) {pad_mode = reflect})");
  ExpectKept("shape = [?,?]", R"(%1 = Constant() {value = i64[2]{0, 0}} %2 = Constant() {value = i64[2]{0, 1}}
      %8 = Pad(%0, %1, %2))");
  ExpectKept("shape = [?,?]", R"(%1 = Constant() {value = i64[2]{0, 0}} %2 = Constant() {value = i64[2]{-1, 0}}
      %8 = Pad(%0, %2, %1))");
}

std::string SliceOf(absl::string_view start, absl::string_view stop, absl::string_view step) {
  return absl::StrCat("%1 = Constant() {value = i64[1]{", start, "}} %2 = Constant() {value = i64[1]{", stop,
                      "}} %3 = Constant() {value = i64[1]{", step,
                      "}} %4 = Constant() {value = i64[1]{-1}} %8 = Slice(%0, %1, %2, %3, %4)");
}

TEST(EliminateIdentityOpsTest, SliceOfEverything) {
  ExpectGone("shape = [?,3]", SliceOf("0", "3", "1"));
  ExpectGone("shape = [?,3]", SliceOf("-9", "100", "1"));
  ExpectGone("shape = [?,1]", SliceOf("0", "1", "2"));
  ExpectGone("shape = [2,?]", SliceOf("0", "9223372036854775807", "1"));
  ExpectGone("shape = [2,?]", SliceOf("0", "2147483647", "1"));
  ExpectGone("shape = [2,0..5]", SliceOf("0", "5", "1"));
  ExpectGone("shape = [2,n]", SliceOf("0", "9223372036854775807", "1"));
}

TEST(EliminateIdentityOpsTest, SliceOfSomething) {
  ExpectKept("shape = [?,3]", SliceOf("0", "2", "1"));
  ExpectKept("shape = [?,3]", SliceOf("1", "3", "1"));
  ExpectKept("shape = [?,3]", SliceOf("-1", "-4", "-1"));
  ExpectKept("shape = [?,3]", SliceOf("0", "3", "2"));
  ExpectKept("shape = [2,?]", SliceOf("0", "5", "1"));
  ExpectKept("shape = [2,?]", SliceOf("0", "-1", "1"));
  ExpectKept("shape = [2,0..5]", SliceOf("0", "4", "1"));
  ExpectKept("shape = [2,?]", SliceOf("0", "2147483647", "2"));
}

std::string StridedSliceOf(absl::string_view begin, absl::string_view end, absl::string_view attributes) {
  return absl::StrCat("%1 = Constant() {value = i64[2]{", begin, "}} %2 = Constant() {value = i64[2]{", end,
                      "}} %8 = StridedSlice(%0, %1, %2) {", attributes, "}");
}

TEST(EliminateIdentityOpsTest, StridedSliceOfEverything) {
  ExpectGone("shape = [?,3,?]", StridedSliceOf("0, 0", "2147483647, 3", ""));
  ExpectGone("shape = [?,3,?]", StridedSliceOf("5, 0", "1, 3", "begin_mask = [1], end_mask = [1,0]"));
  ExpectGone("shape = [2,3]",
             "%1 = Constant() {value = i64[1]{0}} %2 = Constant() {value = i64[1]{7}}"
             " %3 = Constant() {value = i64[1]{1}} %8 = StridedSlice(%0, %1, %2, %3)");
}

TEST(EliminateIdentityOpsTest, StridedSliceOfSomething) {
  ExpectKept("shape = [?,3]", StridedSliceOf("0, 0", "2, 3", ""));
  ExpectKept("shape = [?,3]", StridedSliceOf("1, 0", "2147483647, 3", ""));
  ExpectKept("shape = [?,3]", StridedSliceOf("0, 0", "0, 0", "new_axis_mask = [1], end_mask = [0,1]"));
  ExpectKept("shape = [1,3]", StridedSliceOf("0, 0", "1, 3", "shrink_axis_mask = [1]"));
  ExpectKept("shape = [1,3]", StridedSliceOf("0, 0", "1, 2", "ellipsis_mask = [1]"));
  ExpectKept("shape = [2,3]",
             "%1 = Constant() {value = i64[1]{-1}} %2 = Constant() {value = i64[1]{-5}}"
             " %3 = Constant() {value = i64[1]{-1}} %8 = StridedSlice(%0, %1, %2, %3)");
}

TEST(EliminateIdentityOpsTest, RollByNothing) {
  ExpectGone("shape = [?,3]",
             "%1 = Constant() {value = i64[]{0}} %2 = Constant() {value = i64[1]{1}}"
             " %8 = Roll(%0, %1, %2)");
  ExpectKept("shape = [?,3]",
             "%1 = Constant() {value = i64[]{1}} %2 = Constant() {value = i64[1]{1}}"
             " %8 = Roll(%0, %1, %2)");
}

TEST(EliminateIdentityOpsTest, ConcatAndSplitOfOne) {
  ExpectGone("shape = [?,4]", "%8 = Concat(%0) {axis = 1}");
  ExpectKept("shape = [?,4]", "%8 = Concat(%0, %0) {axis = 1}");
  ExpectGone("shape = [?,4]", "%1 = Constant() {value = i64[]{1}} %8 = Split(%0, %1) {num_splits = 1}");
  ExpectKept("shape = [?,4]", "%1 = Constant() {value = i64[]{1}} %8 = Split(%0, %1) {num_splits = 2}");
  ExpectGone("shape = [?,4]",
             "%1 = Constant() {value = i64[]{1}} %2 = Constant() {value = i64[1]{-1}}"
             " %8 = VariadicSplit(%0, %1, %2)");
  ExpectKept("shape = [?,4]",
             "%1 = Constant() {value = i64[]{1}} %2 = Constant() {value = i64[2]{1, 3}}"
             " %8 = VariadicSplit(%0, %1, %2)");
}

TEST(EliminateIdentityOpsTest, ResultsKeepTheirNames) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&EliminateIdentityOps,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3]} names("x")
  %1 "y" = Convert(%0) {destination_type = f32} names("y")
  %2 "out" = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3]} names("x", "y")
  %2 "out" = Result(%0)
})",
                 options);
}

TEST(EliminateIdentityOpsTest, TellsWhatItDeclines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       ir::ParseModel(ModelOf("shape = [3]", "%8 \"half\" = Convert(%0) {destination_type = f16}")));
  EXPECT_THAT(Explain(&EliminateIdentityOps, *model, model->FindNode("half"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("Convert may change its input")));
}

}  // namespace
}  // namespace burin::transformations
