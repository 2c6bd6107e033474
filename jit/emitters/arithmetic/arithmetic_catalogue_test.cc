#include "jit/emitters/arithmetic/arithmetic_catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

std::vector<RowCase> Cases() {
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"Abs", FloatReference(+[](float x) { return std::fabs(x); })},
      {"Negative", FloatReference(+[](float x) { return -x; })},
      {"Sqrt", FloatReference(+[](float x) { return std::sqrt(x); })},
  };
  return JoinReferences(ArithmeticCatalogue(), references);
}

class ArithmeticCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ArithmeticCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(ArithmeticCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ArithmeticCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
