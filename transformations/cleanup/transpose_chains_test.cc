#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

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

TEST(TransposeChainsTest, MergesTwo) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?,4]}
  %1 "a" = Constant() {value = i32[4]{3, 0, 1, 2}}
  %2 "t1" = Transpose(%0, %1) from("T1")
  %3 "b" = Constant() {value = i64[4]{0, 2, 1, 3}}
  %4 "t2" = Transpose(%2, %3) names("y") from("T2")
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?,4]}
  %1 "Constant" = Constant() {value = i64[4]{3, 1, 0, 2}} from("T1", "T2")
  %4 "t2" = Transpose(%0, %1) names("y") from("T1", "T2")
  %5 "out" = Result(%4)
})",
                 options);
}

TEST(TransposeChainsTest, CancelsTwo) {
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?]}
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %2 = Transpose(%0, %1)
  %3 = Constant() {value = i64[3]{1, 2, 0}}
  %4 = Transpose(%2, %3)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?]}
  %5 "out" = Result(%0)
})");
}

TEST(TransposeChainsTest, TakesTheOrderFromTheOuterOneWhereTheRankIsUnknown) {
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %3 = Transpose(%2, %1)
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %4 "out" = Result(%0)
})");
}

TEST(TransposeChainsTest, AnEmptyOrderReverses) {
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,3]}
  %1 = Constant() {value = i64[0]{}}
  %2 = Transpose(%0, %1)
  %3 = Constant() {value = i64[3]{0, 2, 1}}
  %4 = Transpose(%2, %3)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,3]}
  %3 = Constant() {value = i64[3]{2, 0, 1}}
  %4 = Transpose(%0, %3)
  %5 "out" = Result(%4)
})");
}

TEST(TransposeChainsTest, MergesALongChain) {
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 = Constant() {value = i64[3]{1, 2, 0}}
  %2 = Transpose(%0, %1)
  %3 = Transpose(%2, %1)
  %4 = Transpose(%3, %1)
  %5 = Transpose(%4, %1)
  %6 "out" = Result(%5)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3,4]}
  %1 = Constant() {value = i64[3]{1, 2, 0}}
  %2 = Transpose(%0, %1)
  %6 "out" = Result(%2)
})");
}

TEST(TransposeChainsTest, OthersKeepTheInnerOne) {
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,?]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %3 = Transpose(%2, %1)
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,?]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %4 "out" = Result(%0)
  %5 "out2" = Result(%2)
})");
}

TEST(TransposeChainsTest, KeepsTheMarkOfDecompression) {
  RewriteTestOptions options;
  ExpectRewrites(&TransposeChains,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [2,3,4]}
  %1 = Constant() {value = i64[3]{1, 2, 0}}
  %2 = Transpose(%0, %1)
  %3 = Transpose(%2, %1) info("decompression" = "kept")
  %6 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [2,3,4]}
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %2 = Transpose(%0, %1) info("decompression" = "kept")
  %6 "out" = Result(%2)
})",
                 options);
}

constexpr char kUnknownOrder[] = R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "order" = Parameter() {element_type = i64, shape = [2]}
  %2 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %1)
  %4 "t" = Transpose(%3, %2)
  %5 "out" = Result(%4)
})";

TEST(TransposeChainsTest, LeavesAnUnknownOrder) {
  RewriteTestOptions options;
  options.min_integer = 0;
  options.max_integer = 1;
  ExpectUnchanged(&TransposeChains, kUnknownOrder, options);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kUnknownOrder));
  EXPECT_THAT(Explain(&TransposeChains, *model, model->FindNode("t"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("an order is not known")));
}

TEST(TransposeChainsTest, LeavesReversalsOfUnknownRank) {
  ExpectUnchanged(&TransposeChains, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[0]{}}
  %2 = Transpose(%0, %1)
  %3 = Transpose(%2, %1)
  %4 "out" = Result(%3)
})");
}

TEST(TransposeChainsTest, LeavesOne) {
  ExpectUnchanged(&TransposeChains, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %3 = Relu(%2)
  %4 = Transpose(%3, %1)
  %5 "out" = Result(%4)
})");
}

}  // namespace
}  // namespace burin::transformations
