#include "snippets/lowering/fetch_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/cache_info.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Returns the loops of `nodes`, which read "x" as %0 and 1, the axis of rows, as %1, on a machine whose second-level
// cache has 512 KiB.
absl::StatusOr<std::string> Loops(int64_t rows, int64_t columns, absl::string_view nodes) {
  const std::string text = absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {element_type = f32, shape = [", rows,
                                        ",", columns, "]}\n%1 = Constant() {value = i64[1]{1}}\n", nodes, "}\n");
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_ASSIGN_OR_RETURN(const BodyGraph graph, BodyGraph::Create(*body));
  BURIN_ASSIGN_OR_RETURN(LoweredKernel kernel, Lower(graph, *body, {16, 0}, "test"));
  jit::CacheSizes caches;
  caches.l2 = 512 << 10;
  FetchAhead(caches, kernel);
  BURIN_RETURN_IF_ERROR(kernel.ir.Verify());
  return kernel.ir.ToString();
}

// Subtracts maxima before exponentials, of which each row's sum goes with it.
constexpr char kExponentials[] = R"(
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 = Exp(%3)
    %5 = ReduceSum(%4, %1) {keep_dims = true}
    %6 = Divide(%4, %5)
    %7 "out" = Result(%6)
)";

TEST(FetchAheadTest, ThePassThatComputesMostFetchesTheNextRow) {
  ASSERT_OK_AND_ASSIGN(const std::string loops, Loops(1000, 1000, kExponentials));
  const size_t at = loops.find(" ahead of input0, output0 {");
  ASSERT_NE(at, std::string::npos) << loops;
  EXPECT_EQ(loops.find(" ahead of ", at + 1), std::string::npos) << loops;
  const std::string pass = loops.substr(at, loops.find('}', at) - at);
  EXPECT_THAT(pass, HasSubstr("Exp"));
}

TEST(FetchAheadTest, WhatTheCacheHoldsIsNotFetched) {
  ASSERT_OK_AND_ASSIGN(const std::string loops, Loops(50, 1000, kExponentials));
  EXPECT_THAT(loops, Not(HasSubstr("ahead")));
}

TEST(FetchAheadTest, RowsThatWouldDisplaceEachOtherAreNotFetched) {
  ASSERT_OK_AND_ASSIGN(const std::string loops, Loops(50, 100000, kExponentials));
  EXPECT_THAT(loops, Not(HasSubstr("ahead")));
}

TEST(FetchAheadTest, OnePassReadsInOrderByItself) {
  ASSERT_OK_AND_ASSIGN(const std::string loops, Loops(1000, 1000, R"(
    %2 = Exp(%0)
    %3 "out" = Result(%2)
  )"));
  EXPECT_THAT(loops, Not(HasSubstr("ahead")));
}

TEST(FetchAheadTest, WhereLittleIsComputedMemoryIsBusyAnyway) {
  ASSERT_OK_AND_ASSIGN(const std::string loops, Loops(1000, 1000, R"(
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 "out" = Result(%3)
  )"));
  EXPECT_THAT(loops, Not(HasSubstr("ahead")));
}

}  // namespace
}  // namespace burin::snippets
