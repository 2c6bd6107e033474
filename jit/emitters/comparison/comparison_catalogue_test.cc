#include "jit/emitters/comparison/comparison_catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

// Return references of functions that give truth values.
RowReference FloatPredicate(bool (*function)(float x)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return uint32_t{function(absl::bit_cast<float>(inputs[0]))};
  };
  return reference;
}
RowReference FloatPredicate(bool (*function)(float x, float y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return uint32_t{function(absl::bit_cast<float>(inputs[0]), absl::bit_cast<float>(inputs[1]))};
  };
  return reference;
}
RowReference U32Predicate(bool (*function)(uint32_t x, uint32_t y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) { return uint32_t{function(inputs[0], inputs[1])}; };
  return reference;
}

std::vector<RowCase> Cases() {
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"Equal", FloatPredicate(+[](float x, float y) { return x == y; })},
      {"EqualI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x == y}; })},
      {"Greater", FloatPredicate(+[](float x, float y) { return x > y; })},
      {"GreaterEqual", FloatPredicate(+[](float x, float y) { return x >= y; })},
      {"GreaterEqualI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x >= y}; })},
      {"GreaterEqualU32", U32Predicate(+[](uint32_t x, uint32_t y) { return x >= y; })},
      {"GreaterI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x > y}; })},
      {"GreaterU32", U32Predicate(+[](uint32_t x, uint32_t y) { return x > y; })},
      {"IsFinite", FloatPredicate(+[](float x) { return std::isfinite(x); })},
      {"IsInf", FloatPredicate(+[](float x) { return std::isinf(x); })},
      {"IsInf(negative)", FloatPredicate(+[](float x) { return std::isinf(x) && x < 0; })},
      {"IsInf(none)", FloatPredicate(+[](float) { return false; })},
      {"IsInf(positive)", FloatPredicate(+[](float x) { return std::isinf(x) && x > 0; })},
      {"IsNaN", FloatPredicate(+[](float x) { return std::isnan(x); })},
      {"Less", FloatPredicate(+[](float x, float y) { return x < y; })},
      {"LessEqual", FloatPredicate(+[](float x, float y) { return x <= y; })},
      {"LessEqualI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x <= y}; })},
      {"LessEqualU32", U32Predicate(+[](uint32_t x, uint32_t y) { return x <= y; })},
      {"LessI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x < y}; })},
      {"LessU32", U32Predicate(+[](uint32_t x, uint32_t y) { return x < y; })},
      {"NotEqual", FloatPredicate(+[](float x, float y) { return x != y; })},
      {"NotEqualI32", I32Reference(+[](int32_t x, int32_t y) { return int32_t{x != y}; })},
  };
  return JoinReferences(ComparisonCatalogue(), references);
}

class ComparisonCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ComparisonCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(ComparisonCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ComparisonCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
