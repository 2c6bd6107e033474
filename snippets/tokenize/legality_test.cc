#include "snippets/tokenize/legality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

absl::Status Check(absl::string_view text) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(text);
  EXPECT_OK(body.status());
  const absl::Status status = CheckBody(**body).status();
  // The body itself stays as it was.
  const absl::StatusOr<std::unique_ptr<ir::Model>> same = ir::ParseModel(text);
  EXPECT_EQ(ir::PrintModel(**body).value_or("?"), ir::PrintModel(**same).value_or("!"));
  return status;
}

std::string OneOp(absl::string_view op, absl::string_view type, absl::string_view shape) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape,
                      "}\n  %1 \"y\" = ", op, "\n  %2 \"out\" = Result(%1)\n}");
}

TEST(CheckBody, AcceptsWhatCompiles) {
  EXPECT_OK(Check(OneOp("Exp(%0)", "f32", "[2, 3]")));
  EXPECT_OK(Check(OneOp("Exp(%0)", "bf16", "[]")));
  EXPECT_OK(Check(OneOp("Abs(%0)", "i32", "[0, 3]")));
  EXPECT_OK(Check(OneOp("Softmax(%0) {axis = 1}", "f32", "[2, 3]")));
}

TEST(CheckBody, AcceptsDynamicSizes) {
  EXPECT_OK(Check(OneOp("Softmax(%0) {axis = 1}", "f32", "[n, ?]")));
  EXPECT_OK(Check(OneOp("Exp(%0)", "f32", "[2..8, 5]")));
  EXPECT_OK(Check(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, c]}
    %1 "y" = Parameter() {element_type = f32, shape = [1..2, 1]}
    %2 "sum" = Add(%0, %1)
    %3 "out" = Result(%2)
  })"));
  EXPECT_OK(Check(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 12]}
    %1 "pattern" = Constant() {value = i64[3]{-1, 4, 6}}
    %2 "split" = Reshape(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
  })"));
}

TEST(CheckBody, RefusesWithTheReason) {
  const auto refused = [](const char* reason) { return StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)); };
  EXPECT_THAT(Check(OneOp("Sin(%0)", "f64", "[2, 3]")), refused("f64"));
  EXPECT_THAT(Check(OneOp("Abs(%0)", "u64", "[2, 3]")), refused("u64"));
  EXPECT_THAT(Check(OneOp("Exp(%0)", "f32", "[...]")), refused("rank"));
  EXPECT_THAT(Check(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, n]}
    %1 "exp" = Exp(%0)
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%1, %2)
    %4 "sum" = Add(%3, %1)
    %5 "out" = Result(%4)
  })"),
              refused("twice along one axis"));
  EXPECT_THAT(Check(R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [4, 4]}
    %1 "axes" = Constant() {value = i64[1]{0}}
    %2 "mean" = ReduceMean(%0, %1) {keep_dims = true}
    %3 "out" = Result(%2)
  })"),
              refused("integer"));
}

TEST(CheckBody, RefusesShapesThatDependOnValues) {
  EXPECT_THAT(Check(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 12]}
    %1 "pattern" = Parameter() {element_type = i64, shape = [3]}
    %2 "split" = Reshape(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
  })"),
              StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(CheckAnchoredBody, AcceptsWhatCompiles) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 4]}
    %1 "w" = Parameter() {element_type = f32, shape = [4, 3]}
    %2 "product" = MatMul(%0, %1)
    %3 "bias" = Constant() {value = f32[3]{1, 2, 3}}
    %4 "biased" = Add(%2, %3)
    %5 "half" = Convert(%4) {destination_type = f16}
    %6 "out" = Result(%5)
  })");
  ASSERT_OK(body);
  CheckedEpilogues checked;
  ASSERT_OK_AND_ASSIGN(const AnchoredBody split, CheckAnchoredBody(**body, &checked));
  EXPECT_EQ(split.anchor->name(), "product");
}

TEST(CheckAnchoredBody, RefusesWithTheReason) {
  const auto check = [](absl::string_view type, absl::string_view epilogue) {
    const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(absl::StrCat(R"(model "" {
    %0 "x" = Parameter() {element_type = )",
                                                                                        type, R"(, shape = [n, 4]}
    %1 "w" = Parameter() {element_type = )",
                                                                                        type, R"(, shape = [4, 3]}
    %2 "product" = MatMul(%0, %1)
    %3 "y" = )",
                                                                                        epilogue, R"(
    %4 "out" = Result(%3)
  })"));
    EXPECT_OK(body.status());
    CheckedEpilogues checked;
    return CheckAnchoredBody(**body, &checked).status();
  };
  const auto refused = [](const char* reason) { return StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(reason)); };
  EXPECT_OK(check("f32", "Exp(%2)"));
  EXPECT_THAT(check("bf16", "Exp(%2)"), refused("element type bf16: 'product' (MatMul)"));
  EXPECT_THAT(check("i32", "Abs(%2)"), refused("element type i32"));
  EXPECT_THAT(check("f32", "Convert(%2) {destination_type = f64}"), refused("Elements of type f64"));
  EXPECT_THAT(check("f32", "Softmax(%2) {axis = 1}"), refused("not element-wise"));
}

TEST(CheckAnchoredBody, CompilesLikeEpiloguesOnce) {
  CheckedEpilogues checked;
  const auto check = [&checked](int64_t columns, absl::string_view op) {
    const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(absl::StrCat(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 4]}
    %1 "w" = Parameter() {element_type = f32, shape = [4, )",
                                                                                        columns, R"(]}
    %2 "product" = MatMul(%0, %1)
    %3 "y" = )",
                                                                                        op, R"((%2)
    %4 "out" = Result(%3)
  })"));
    EXPECT_OK(body.status());
    return CheckAnchoredBody(**body, &checked).status();
  };
  EXPECT_OK(check(3, "Exp"));
  EXPECT_EQ(checked.compiled(), 1);
  // An epilogue is for any number of rows and columns.
  EXPECT_OK(check(8, "Exp"));
  EXPECT_EQ(checked.compiled(), 1);
  EXPECT_OK(check(3, "Abs"));
  EXPECT_EQ(checked.compiled(), 2);
}

}  // namespace
}  // namespace burin::snippets
