#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/passes.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

TEST(CommonSubexpressionsTest, MergesWholeChains) {
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "a1" = Softmax(%0) {axis = 1}
    %2 "b1" = Relu(%1)
    %3 "a2" = Softmax(%0) {axis = 1}
    %4 "b2" = Relu(%3)
    %5 "sum" = Add(%2, %4)
    %6 "out" = Result(%5)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "a1" = Softmax(%0) {axis = 1}
    %2 "b1" = Relu(%1)
    %3 "sum" = Add(%2, %2)
    %4 "out" = Result(%3)
  })");
}

TEST(CommonSubexpressionsTest, MergesEqualConstants) {
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "c1" = Constant() {value = f32[2]{1, 2}}
    %2 "c2" = Constant() {value = f32[2]{1, 2}}
    %3 "c3" = Constant() {value = f32[2]{1, 3}}
    %4 "y" = Add(%0, %1)
    %5 "z" = Subtract(%4, %2)
    %6 "w" = Subtract(%5, %3)
    %7 "out" = Result(%6)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "c1" = Constant() {value = f32[2]{1, 2}}
    %3 "c3" = Constant() {value = f32[2]{1, 3}}
    %4 "y" = Add(%0, %1)
    %5 "z" = Subtract(%4, %1)
    %6 "w" = Subtract(%5, %3)
    %7 "out" = Result(%6)
  })");
}

TEST(CommonSubexpressionsTest, ReadsCommutativeInputsInEitherOrder) {
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 "a" = Multiply(%0, %1)
    %3 "b" = Multiply(%1, %0)
    %4 "c" = Subtract(%2, %3)
    %5 "out" = Result(%4)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 "a" = Multiply(%0, %1)
    %4 "c" = Subtract(%2, %2)
    %5 "out" = Result(%4)
  })");
}

TEST(CommonSubexpressionsTest, MergesRandomNumbersOfOneStreamAlone) {
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "sizes" = ShapeOf(%0)
    %2 "a" = RandomUniform(%1) {seed = 1}
    %3 "b" = RandomUniform(%1) {seed = 2}
    %4 "c" = RandomUniform(%1) {seed = 1}
    %5 "y" = Subtract(%2, %3)
    %6 "z" = Multiply(%5, %4)
    %7 "out" = Result(%6)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "sizes" = ShapeOf(%0)
    %2 "a" = RandomUniform(%1) {seed = 1}
    %3 "b" = RandomUniform(%1) {seed = 2}
    %5 "y" = Subtract(%2, %3)
    %6 "z" = Multiply(%5, %2)
    %7 "out" = Result(%6)
  })");
}

TEST(CommonSubexpressionsTest, TellsTheOrdersOfFloatMaximumApart) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 "a" = Maximum(%0, %1)
    %3 "b" = Maximum(%1, %0)
    %4 "c" = Minimum(%0, %1)
    %5 "d" = Minimum(%1, %0)
    %6 "ab" = Subtract(%2, %3)
    %7 "cd" = Subtract(%4, %5)
    %8 "out" = Result(%6)
    %9 "out2" = Result(%7)
  })");
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [2]}
    %1 "y" = Parameter() {element_type = i32, shape = [2]}
    %2 "a" = Maximum(%0, %1)
    %3 "b" = Maximum(%1, %0)
    %4 "c" = Subtract(%2, %3)
    %5 "out" = Result(%4)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [2]}
    %1 "y" = Parameter() {element_type = i32, shape = [2]}
    %2 "a" = Maximum(%0, %1)
    %4 "c" = Subtract(%2, %2)
    %5 "out" = Result(%4)
  })");
}

TEST(CommonSubexpressionsTest, MergesAllOutputs) {
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [4,n]}
    %1 "axis" = Constant() {value = i64[]{0}}
    %2 "a" = Split(%0, %1) {num_splits = 2}
    %3 "b" = Split(%0, %1) {num_splits = 2}
    %4 "sum" = Add(%2.0, %3.1)
    %5 "out" = Result(%4)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [4,n]}
    %1 "axis" = Constant() {value = i64[]{0}}
    %2 "a" = Split(%0, %1) {num_splits = 2}
    %4 "sum" = Add(%2.0, %2.1)
    %5 "out" = Result(%4)
  })");
}

TEST(CommonSubexpressionsTest, KeepsNamesOfOutputsAndOfBothOrigins) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "a" = Relu(%0) : f32[2] names("first") from("A")
    %2 "b" = Relu(%0) : f32[2] names("second") from("B")
    %3 "out1" = Result(%1)
    %4 "out2" = Result(%2)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "a" = Relu(%0) : f32[2] names("first", "second") from("A", "B")
    %3 "out1" = Result(%1)
    %4 "out2" = Result(%1)
  })",
                 options);
}

TEST(CommonSubexpressionsTest, LeavesOtherOrdersOfInputsAlone) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 "a" = Divide(%0, %1)
    %3 "b" = Divide(%1, %0)
    %4 "c" = Add(%2, %3)
    %5 "out" = Result(%4)
  })");
}

TEST(CommonSubexpressionsTest, LeavesOtherAttributesAlone) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2,2]}
    %1 "a" = Softmax(%0) {axis = 0}
    %2 "b" = Softmax(%0) {axis = 1}
    %3 "c" = Add(%1, %2)
    %4 "out" = Result(%3)
  })");
}

TEST(CommonSubexpressionsTest, LeavesOtherTypesAndSignsOfConstantsAlone) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "zero" = Constant() {value = f32[1]{0}}
    %1 "minus_zero" = Constant() {value = f32[1]{-0}}
    %2 "scalar" = Constant() {value = f32[]{0}}
    %3 "double" = Constant() {value = f64[1]{0}}
    %4 "a" = Result(%0)
    %5 "b" = Result(%1)
    %6 "c" = Result(%2)
    %7 "d" = Result(%3)
  })");
}

TEST(CommonSubexpressionsTest, LeavesVariablesAlone) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    variable "v" : f32[2]
    %0 "x" = Parameter() {shape = [2]}
    %1 "a" = ReadValue(%0) {variable_id = "v"}
    %2 "b" = ReadValue(%0) {variable_id = "v"}
    %3 "sum" = Add(%1, %2)
    %4 "assign" = Assign(%3) {variable_id = "v"}
    %5 "out" = Result(%3)
  })");
}

TEST(CommonSubexpressionsTest, LeavesParametersAlone) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 "sum" = Add(%0, %1)
    %3 "out" = Result(%2)
  })");
}

TEST(CommonSubexpressionsTest, LeavesKeptDecompressionApartFromWhatMayBeFolded) {
  ExpectUnchanged(&CommonSubexpressions, R"(model "" {
    %0 "x" = Parameter() {shape = [1,2]}
    %1 "w" = Constant() {value = f16[2,2]{1, 2, 3, 4}}
    %2 "kept" = Convert(%1) {destination_type = f32} : f32[2,2] info("decompression" = "kept")
    %3 "other" = Convert(%1) {destination_type = f32}
    %4 "y" = MatMul(%0, %2)
    %5 "z" = Add(%4, %3)
    %6 "out" = Result(%5)
  })");
}

// Large constants differ where the samples of the key do not look.
TEST(CommonSubexpressionsTest, ComparesAllBytesOfLargeConstants) {
  const auto constant = [](int ones_at) {
    std::string elements;
    for (int i = 0; i < 4096; ++i) absl::StrAppend(&elements, i == 0 ? "" : ", ", i == ones_at ? 1 : 0);
    return absl::StrCat("Constant() {value = f32[4096]{", elements, "}}");
  };
  const auto text = [&constant](int first, int second) {
    return absl::StrCat("model \"\" {\n%0 \"a\" = ", constant(first), "\n%1 \"b\" = ", constant(second),
                        "\n%2 \"out1\" = Result(%0)\n%3 \"out2\" = Result(%1)\n}");
  };
  ExpectUnchanged(&CommonSubexpressions, text(1000, 1001));
  ExpectRewrites(&CommonSubexpressions, text(1000, 1000),
                 absl::StrCat("model \"\" {\n%0 \"a\" = ", constant(1000),
                              "\n%2 \"out1\" = Result(%0)\n%3 \"out2\" = Result(%0)\n}"));
}

TEST(CommonSubexpressionsTest, StopsInTheMiddle) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "a" = Relu(%0)
    %2 "b" = Relu(%0)
    %3 "c" = Relu(%0)
    %4 "out1" = Result(%1)
    %5 "out2" = Result(%2)
    %6 "out3" = Result(%3)
  })");
  ASSERT_OK(model);
  const Pass pass = {"CommonSubexpressions", "", nullptr, &CommonSubexpressions};
  const PassGroup groups[] = {{&pass}};
  PipelineOptions options;
  options.stop_after_rewrite = 1;
  CompileReport report;
  ASSERT_OK(RunPasses(model->get(), groups, {}, options, &report));
  EXPECT_EQ((*model)->node_count(), 6);
}

}  // namespace
}  // namespace burin::transformations
