#include "jit/emitters/elementary/elementary_catalogue.h"

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
      {"Cos", RealReference(+[](long double x) { return std::cos(x); })},
      {"Erf", RealReference(+[](long double x) { return std::erf(x); })},
      {"Exp", RealReference(+[](long double x) { return std::exp(x); })},
      {"Log", RealReference(+[](long double x) { return std::log(x); })},
      {"Sin", RealReference(+[](long double x) { return std::sin(x); })},
      {"Tan", RealReference(+[](long double x) { return std::tan(x); })},
      {"Tanh", RealReference(+[](long double x) { return std::tanh(x); })},
  };
  return JoinReferences(ElementaryCatalogue(), references);
}

class ElementaryCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ElementaryCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(ElementaryCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ElementaryCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
