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

// x is %0, c is %1, the operation %2.
std::string ModelOf(absl::string_view x, absl::string_view c, absl::string_view operation) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", x, "}\n  %1 \"c\" = Constant() {value = ", c,
                      "}\n  %2 \"y\" = ", operation, "\n  %3 \"out\" = Result(%2)\n}");
}

void ExpectGone(absl::string_view x, absl::string_view c, absl::string_view operation) {
  SCOPED_TRACE(absl::StrCat(x, " ", c, " ", operation));
  const std::string after =
      absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", x, "}\n  %3 \"out\" = Result(%0)\n}");
  ExpectRewrites(&ArithmeticIdentities, ModelOf(x, c, operation), after);
}

void ExpectKept(absl::string_view x, absl::string_view c, absl::string_view operation) {
  SCOPED_TRACE(absl::StrCat(x, " ", c, " ", operation));
  ExpectUnchanged(&ArithmeticIdentities, ModelOf(x, c, operation));
}

TEST(ArithmeticIdentitiesTest, One) {
  for (const char* operation : {"Multiply(%0, %1)", "Multiply(%1, %0)", "Divide(%0, %1)", "Power(%0, %1)"}) {
    ExpectGone("shape = [?,3]", "f32[]{1}", operation);
    ExpectGone("element_type = i64, shape = [?,3]", "i64[]{1}", operation);
    ExpectKept("shape = [?,3]", "f32[]{2}", operation);
  }
  ExpectGone("element_type = u8, shape = [3]", "u8[1]{1}", "Divide(%0, %1)");
  ExpectGone("element_type = bf16, shape = [3]", "bf16[1]{1}", "Multiply(%0, %1)");
  ExpectKept("shape = [3]", "f32[3]{1, 1, 2}", "Multiply(%0, %1)");
}

TEST(ArithmeticIdentitiesTest, OneOnTheOtherSide) {
  ExpectKept("shape = [?,3]", "f32[]{1}", "Divide(%1, %0)");
  ExpectKept("shape = [?,3]", "f32[]{1}", "Power(%1, %0)");
}

TEST(ArithmeticIdentitiesTest, ZeroOfFloatsHasASign) {
  ExpectGone("shape = [?,3]", "f32[]{-0}", "Add(%0, %1)");
  ExpectGone("shape = [?,3]", "f32[]{-0}", "Add(%1, %0)");
  ExpectGone("shape = [?,3]", "f32[]{0}", "Subtract(%0, %1)");
  ExpectKept("shape = [?,3]", "f32[]{0}", "Add(%0, %1)");
  ExpectKept("shape = [?,3]", "f32[]{-0}", "Subtract(%0, %1)");
  ExpectKept("shape = [2]", "f32[2]{-0, 0}", "Add(%0, %1)");
}

TEST(ArithmeticIdentitiesTest, ZeroOfIntegers) {
  ExpectGone("element_type = i32, shape = [?,3]", "i32[]{0}", "Add(%0, %1)");
  ExpectGone("element_type = i32, shape = [?,3]", "i32[]{0}", "Add(%1, %0)");
  ExpectGone("element_type = u8, shape = [?,3]", "u8[]{0}", "Subtract(%0, %1)");
  ExpectKept("element_type = i32, shape = [?,3]", "i32[]{0}", "Subtract(%1, %0)");
  ExpectKept("element_type = i32, shape = [?,3]", "i32[]{1}", "Add(%0, %1)");
}

TEST(ArithmeticIdentitiesTest, ZeroOnWhatIsNeverMinusZero) {
  for (const char* op : {"Abs", "Exp", "Sigmoid", "Softmax"}) {
    const auto text = [op](const char* rest) {
      return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = [2,3]}\n  %2 = ", op, "(%0)\n", rest, "\n}");
    };
    ExpectRewrites(&ArithmeticIdentities,
                   text("  %1 = Constant() {value = f32[]{0}}\n  %3 = Add(%1, %2)\n  %4 = Result(%3)"),
                   text("  %4 = Result(%2)"));
  }
  ExpectRewrites(&ArithmeticIdentities,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [3]}
  %1 "c" = Constant() {value = f32[]{-0}}
  %2 = Convert(%0) {destination_type = f32}
  %3 = Subtract(%2, %1)
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [3]}
  %2 = Convert(%0) {destination_type = f32}
  %4 "out" = Result(%2)
})");
  ExpectUnchanged(&ArithmeticIdentities, R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [3]}
  %1 "c" = Constant() {value = f32[]{0}}
  %2 = Convert(%0) {destination_type = f32}
  %3 = Add(%2, %1)
  %4 "out" = Result(%3)
})");
}

TEST(ArithmeticIdentitiesTest, TheConstantMayNotChangeTheShape) {
  ExpectGone("shape = [?,3]", "f32[3]{1, 1, 1}", "Multiply(%0, %1)");
  ExpectGone("shape = [?,3]", "f32[1,1]{1}", "Multiply(%0, %1)");
  ExpectGone("shape = [...]", "f32[]{1}", "Multiply(%0, %1)");
  ExpectKept("shape = [...]", "f32[1]{1}", "Multiply(%0, %1)");
  ExpectKept("shape = [?,3]", "f32[1,1,1]{1}", "Multiply(%0, %1)");
  ExpectKept("shape = [?,1]", "f32[3]{1, 1, 1}", "Multiply(%0, %1)");
  // The size may be 1, and then stretches.
  ExpectKept("shape = [?]", "f32[3]{1, 1, 1}", "Multiply(%0, %1)");
  ExpectKept("shape = [1]", "f32[0]{}", "Multiply(%0, %1)");
}

TEST(ArithmeticIdentitiesTest, OtherRulesOfBroadcast) {
  ExpectGone("shape = [2,3]", "f32[2,3]{1, 1, 1, 1, 1, 1}", "Multiply(%0, %1) {auto_broadcast = none}");
  ExpectGone("shape = [2,3]", "f32[1]{1}", "Multiply(%0, %1) {auto_broadcast = pdpd, axis = 0}");
  ExpectKept("shape = [2,3]", "f32[2]{1, 1}", "Multiply(%0, %1) {auto_broadcast = pdpd, axis = 0}");
  ExpectGone("shape = [2,3]", "f32[1]{1}", "Divide(%0, %1) {auto_broadcast = pdpd, axis = 0}");
}

TEST(ArithmeticIdentitiesTest, SmallFloatsStay) {
  ExpectKept("element_type = f8e5m2, shape = [3]", "f8e5m2[]{1}", "Multiply(%0, %1)");
}

TEST(ArithmeticIdentitiesTest, NeutralComputedFromShapes) {
  ExpectRewrites(&ArithmeticIdentities,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [1]}
  %1 = ShapeOf(%0)
  %2 = Multiply(%1, %0)
  %4 "out" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i64, shape = [1]}
  %4 "out" = Result(%0)
})");
}

TEST(ArithmeticIdentitiesTest, TellsWhatItDeclines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       ir::ParseModel(ModelOf("shape = [?]", "f32[2]{1, 1}", "Multiply(%0, %1)")));
  EXPECT_THAT(Explain(&ArithmeticIdentities, *model, model->FindNode("y"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("keeps the shape of 'x'")));
}

}  // namespace
}  // namespace burin::transformations
