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
      {"Acos", RealReference(+[](long double x) { return std::acos(x); })},
      {"Acosh", RealReference(+[](long double x) { return std::acosh(x); })},
      {"Asin", RealReference(+[](long double x) { return std::asin(x); })},
      {"Asinh", RealReference(+[](long double x) { return std::asinh(x); })},
      {"Atan", RealReference(+[](long double x) { return std::atan(x); })},
      {"Atanh", RealReference(+[](long double x) { return std::atanh(x); })},
      {"Cos", RealReference(+[](long double x) { return std::cos(x); })},
      {"Cosh", RealReference(+[](long double x) { return std::cosh(x); })},
      {"Erf", RealReference(+[](long double x) { return std::erf(x); })},
      {"Exp", RealReference(+[](long double x) { return std::exp(x); })},
      {"Exp2", RealReference(+[](long double x) { return std::exp2(x); })},
      {"Expm1", RealReference(+[](long double x) { return std::expm1(x); })},
      {"Log", RealReference(+[](long double x) { return std::log(x); })},
      {"Log1p", RealReference(+[](long double x) { return std::log1p(x); })},
      {"Power", RealReference(+[](long double x, long double y) { return std::pow(x, y); })},
      {"Sin", RealReference(+[](long double x) { return std::sin(x); })},
      {"Sinh", RealReference(+[](long double x) { return std::sinh(x); })},
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
