#include "tools/coverage_doc/document.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/coverage_doc/operator_coverage.h"

namespace burin::coverage_doc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

OperatorCoverage Twice() {
  OperatorCoverage coverage;
  coverage.op = "Add";
  coverage.versions = {1, 7};
  coverage.operations = {"Add", "Reshape"};
  coverage.groups = {{{0, 2}, {{ElementType::kF32, CpuWay::kKernel}, {ElementType::kI64, CpuWay::kReference}}},
                     {{1}, {{ElementType::kF32, CpuWay::kMixed}}}};
  return coverage;
}

TEST(DocumentTest, ALineForEachGroup) {
  const std::string text = CoverageDocument({Twice()});
  EXPECT_THAT(text, HasSubstr("\n| `Add` | 1 7 | Add Reshape | 0, 2 | f32 i64 | kernel: f32; reference: i64 |\n"
                              "|  |  |  | 1 | f32 | mixed: f32 |\n"));
}

TEST(DocumentTest, OperationsTellWhoBecomesThem) {
  OperatorCoverage other = Twice();
  other.domain = "com.microsoft";
  other.op = "BiasAdd";
  other.groups.clear();
  const std::string text = CoverageDocument({Twice(), other});
  EXPECT_THAT(text, HasSubstr("\n| `Reshape` | opset1 | Add, BiasAdd (com.microsoft) |\n"));
  EXPECT_THAT(text, HasSubstr("\n| `BiasAdd` | 1 7 | Add Reshape |  |  |  |\n"));
  EXPECT_THAT(text, HasSubstr("`ImageDecoder`"));
  EXPECT_THAT(text, Not(HasSubstr("`Add`,")));
}

TEST(DocumentTest, WholeClassesOfTypesHaveALetter) {
  EXPECT_EQ(TypesText({ElementType::kBf16, ElementType::kF16, ElementType::kF32, ElementType::kF64, ElementType::kI8}),
            "F i8");
  EXPECT_EQ(TypesText({}), "");
}

}  // namespace
}  // namespace burin::coverage_doc
