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

TEST(BroadcastRemovalTest, AnElementwiseReaderStretchesItself) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3]}
  %1 "y" = Parameter() {shape = [2,5,3]}
  %2 = Constant() {value = i64[3]{2, 5, 3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Subtract(%1, %3)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3]}
  %1 "y" = Parameter() {shape = [2,5,3]}
  %4 "f" = Subtract(%1, %0)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, SymbolsProveTheShape) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [1,k]}
  %1 "y" = Parameter() {element_type = i32, shape = [n,k]}
  %2 = ShapeOf(%1)
  %3 = Broadcast(%0, %2)
  %4 "f" = Less(%3, %1)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [1,k]}
  %1 "y" = Parameter() {element_type = i32, shape = [n,k]}
  %4 "f" = Less(%0, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, BothWaysToo) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [4,1]}
  %1 "y" = Parameter() {element_type = f16, shape = [0..2,4,3]}
  %2 = Constant() {value = i64[2]{1, 3}}
  %3 = Broadcast(%0, %2) {mode = bidirectional}
  %4 "f" = Divide(%1, %3)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [4,1]}
  %1 "y" = Parameter() {element_type = f16, shape = [0..2,4,3]}
  %4 "f" = Divide(%1, %0)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, ExplicitAxesMustBeTheInnermost) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3,1]}
  %1 "y" = Parameter() {shape = [?,3,3]}
  %2 = Constant() {value = i64[3]{1, 3, 3}}
  %3 = Constant() {value = i64[2]{1, 2}}
  %4 = Broadcast(%0, %2, %3) {mode = explicit}
  %5 "f" = Maximum(%1, %4)
  %6 "out" = Result(%5)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [3,1]}
  %1 "y" = Parameter() {shape = [?,3,3]}
  %5 "f" = Maximum(%1, %0)
  %6 "out" = Result(%5)
})");
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [3,1]}
  %1 "y" = Parameter() {shape = [?,3,3]}
  %2 = Constant() {value = i64[3]{1, 3, 3}}
  %3 = Constant() {value = i64[2]{1, 2}}
  %9 = Constant() {value = i64[2]{0, 2}}
  %4 = Constant() {value = i64[3]{3, 3, 3}}
  %5 = Broadcast(%0, %4, %9) {mode = explicit}
  %6 "f" = Maximum(%1, %5)
  %7 "out" = Result(%6)
})");
}

TEST(BroadcastRemovalTest, AllOfThreeOperandsMayStretch) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "c" = Parameter() {element_type = boolean, shape = [n,1]}
  %1 "y" = Parameter() {shape = [n,m]}
  %2 "x" = Parameter() {shape = []}
  %3 = ShapeOf(%1)
  %4 = Broadcast(%0, %3)
  %5 = Broadcast(%2, %3)
  %6 "f" = Select(%4, %5, %1)
  %7 "out" = Result(%6)
})",
                 R"(model "" {
  %0 "c" = Parameter() {element_type = boolean, shape = [n,1]}
  %1 "y" = Parameter() {shape = [n,m]}
  %2 "x" = Parameter() {shape = []}
  %6 "f" = Select(%0, %2, %1)
  %7 "out" = Result(%6)
})");
}

TEST(BroadcastRemovalTest, ATileOfOnesIsABroadcast) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f64, shape = [1,k]}
  %1 "y" = Parameter() {element_type = f64, shape = [2,5,k]}
  %2 = Constant() {value = i64[3]{2, 5, 1}}
  %3 = Tile(%0, %2)
  %4 "f" = Power(%3, %1)
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f64, shape = [1,k]}
  %1 "y" = Parameter() {element_type = f64, shape = [2,5,k]}
  %4 "f" = Power(%0, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, ATileOfMoreStays) {
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [?]}
  %1 "y" = Parameter() {shape = [n]}
  %2 = Constant() {value = i64[1]{2}}
  %3 = Tile(%0, %2)
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
})");
  // The repeats are not known; of a vector against a row of the same symbol.
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [n]}
  %1 "y" = Parameter() {shape = [n]}
  %2 = Parameter() {element_type = i64, shape = [1]}
  %3 = Tile(%0, %2)
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, OneThatMakesTheShapeStays) {
  // y has fewer rows, and may have fewer columns.
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1,3]}
  %1 "y" = Parameter() {shape = [1,3]}
  %2 = Constant() {value = i64[2]{4, 3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
})");
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %1 "y" = Parameter() {shape = [?]}
  %2 "s" = Parameter() {element_type = i64, shape = [1]}
  %3 = Broadcast(%0, %2)
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
})");
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "y" = Parameter() {shape = [2,3]}
  %2 = Constant() {value = i64[2]{2, 3}}
  %3 = Broadcast(%0, %2) {mode = bidirectional}
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, AReaderOfAnotherRuleStays) {
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [?]}
  %1 "y" = Parameter() {shape = [3]}
  %2 = Constant() {value = i64[1]{3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Add(%3, %1) {auto_broadcast = none}
  %5 "g" = Add(%1, %3) {auto_broadcast = pdpd}
  %6 "out" = Result(%4)
  %7 "out2" = Result(%5)
})");
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %1 "y" = Parameter() {shape = [1,3,2]}
  %2 = Constant() {value = i64[3]{1, 3, 2}}
  %3 = Broadcast(%0, %2)
  %4 "f" = PRelu(%3, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, AConcatNeedsIt) {
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %2 = Constant() {value = i64[1]{3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Concat(%3, %3)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, OtherReadersKeepTheBroadcast) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [1]}
  %1 "y" = Parameter() {element_type = bf16, shape = [3]}
  %2 = Constant() {value = i64[1]{3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Add(%3, %1)
  %5 "out" = Result(%4)
  %6 "out2" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [1]}
  %1 "y" = Parameter() {element_type = bf16, shape = [3]}
  %2 = Constant() {value = i64[1]{3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = Add(%0, %1)
  %5 "out" = Result(%4)
  %6 "out2" = Result(%3)
})");
}

TEST(BroadcastRemovalTest, AMatMulStretchesBatches) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,k]}
  %1 "y" = Parameter() {shape = [4,k,0..5]}
  %2 = Constant() {value = i64[1]{4}}
  %3 = ShapeOf(%0)
  %4 = Constant() {value = i64[2]{1, 2}}
  %5 = Constant() {value = i64[]{0}}
  %6 = Gather(%3, %4, %5)
  %7 = Concat(%2, %6)
  %8 = Broadcast(%0, %7)
  %9 "f" = MatMul(%8, %1)
  %10 "out" = Result(%9)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,k]}
  %1 "y" = Parameter() {shape = [4,k,0..5]}
  %9 "f" = MatMul(%0, %1)
  %10 "out" = Result(%9)
})");
}

TEST(BroadcastRemovalTest, AMatMulDoesNotStretchMatrices) {
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [4,1,3]}
  %1 "y" = Parameter() {shape = [4,3,5]}
  %2 = Constant() {value = i64[3]{4, 2, 3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = MatMul(%3, %1)
  %5 "out" = Result(%4)
})");
  // A row is not a vector.
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [3]}
  %1 "y" = Parameter() {shape = [1,3,5]}
  %2 = Constant() {value = i64[3]{1, 1, 3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = MatMul(%3, %1)
  %5 "out" = Result(%4)
})");
  // The batch comes from x.
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,3]}
  %1 "y" = Parameter() {shape = [3,5]}
  %2 = Constant() {value = i64[3]{4, 2, 3}}
  %3 = Broadcast(%0, %2)
  %4 "f" = MatMul(%3, %1)
  %5 "out" = Result(%4)
})");
}

TEST(BroadcastRemovalTest, MovesBelowOperationsOnOneValue) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "s" = Parameter() {element_type = i64, shape = [2]}
  %2 "b" = Broadcast(%0, %1) {mode = bidirectional} from("B")
  %3 "f" = Exp(%2) names("y") from("F")
  %4 "out" = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "s" = Parameter() {element_type = i64, shape = [2]}
  %2 "Exp" = Exp(%0) from("F")
  %3 "f" = Broadcast(%2, %1) {mode = bidirectional} names("y") from("B")
  %4 "out" = Result(%3)
})",
                 options);
}

TEST(BroadcastRemovalTest, MovesBelowOperationsWithScalars) {
  ExpectRewrites(&BroadcastRemoval,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [?]}
  %1 = Constant() {value = i64[2]{3, 2}}
  %2 = Tile(%0, %1)
  %3 = Constant() {value = i32[1]{4}}
  %4 = Constant() {value = i32[]{2}}
  %5 = Greater(%3, %2)
  %6 = Select(%5, %3, %4)
  %7 "out" = Result(%6)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [?]}
  %1 = Constant() {value = i64[2]{3, 2}}
  %3 = Constant() {value = i32[1]{4}}
  %4 = Constant() {value = i32[]{2}}
  %5 = Greater(%3, %0)
  %6 = Select(%5, %3, %4)
  %7 = Tile(%6, %1)
  %8 "out" = Result(%7)
})");
}

TEST(BroadcastRemovalTest, DoesNotMoveBelow) {
  // One that others read, conversions, an operand that adds a dimension, and one of more elements.
  const std::unique_ptr<ir::Model> model = [] {
    auto parsed = ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %1 = Constant() {value = i64[1]{3}}
  %2 = Broadcast(%0, %1)
  %3 "read_twice" = Exp(%2)
  %4 "reader" = Sqrt(%2)
  %5 = Broadcast(%0, %1)
  %6 "convert" = Convert(%5) {destination_type = f16}
  %7 = Broadcast(%0, %1)
  %8 = Constant() {value = f32[1,1]{2}}
  %9 "higher_rank" = Add(%7, %8)
  %10 = Broadcast(%0, %1)
  %11 = Constant() {value = f32[2,1]{2, 3}}
  %12 "more_elements" = Add(%10, %11)
  %20 = Result(%3)
  %21 = Result(%4)
  %22 = Result(%6)
  %23 = Result(%9)
  %24 = Result(%12)
})");
    EXPECT_OK(parsed.status());
    return *std::move(parsed);
  }();
  for (const char* name : {"read_twice", "convert", "higher_rank", "more_elements"}) {
    EXPECT_THAT(Explain(&BroadcastRemoval, *model, model->FindNode(name), ir::PassContext()),
                IsOkAndHolds(HasSubstr("a broadcast input may be needed as it is")))
        << name;
  }
}

TEST(BroadcastRemovalTest, KeptDecompressionStays) {
  ExpectUnchanged(&BroadcastRemoval,
                  R"(model "" {
  %0 "x" = Parameter() {shape = [1]}
  %1 = Constant() {value = i64[1]{3}}
  %2 = Broadcast(%0, %1)
  %3 = Constant() {value = f32[]{3}}
  %4 = Multiply(%2, %3) info("decompression" = "kept")
  %5 = Result(%4)
})");
}

}  // namespace
}  // namespace burin::transformations
