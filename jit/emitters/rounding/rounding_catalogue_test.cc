#include "jit/emitters/rounding/rounding_catalogue.h"

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
      {"Ceiling", FloatReference(+[](float x) { return std::ceil(x); })},
      {"Floor", FloatReference(+[](float x) { return std::floor(x); })},
      {"RoundHalfAwayFromZero", FloatReference(+[](float x) { return std::round(x); })},
      {"RoundHalfToEven", FloatReference(+[](float x) { return std::nearbyint(x); })},
      {"Truncate", FloatReference(+[](float x) { return std::trunc(x); })},
  };
  return JoinReferences(RoundingCatalogue(), references);
}

class RoundingCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(RoundingCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(RoundingCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, RoundingCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
