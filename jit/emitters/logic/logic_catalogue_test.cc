#include "jit/emitters/logic/logic_catalogue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

RowReference BitsReference(uint32_t (*function)(uint32_t x, uint32_t y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) { return function(inputs[0], inputs[1]); };
  return reference;
}

// Sets the bits that move in one by one.
uint32_t ShiftRight(uint32_t x, uint32_t y) {
  for (uint32_t i = 0; i < y && i < 32; ++i) x = (x >> 1) | (x & 0x80000000U);
  return x;
}

std::vector<RowCase> Cases() {
  RowReference select;
  select.bits = [](absl::Span<const uint32_t> inputs) { return inputs[0] != 0 ? inputs[1] : inputs[2]; };
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"BitwiseAnd", BitsReference(+[](uint32_t x, uint32_t y) { return x & y; })},
      {"BitwiseLeftShift", BitsReference(+[](uint32_t x, uint32_t y) { return y < 32 ? x << y : 0; })},
      {"BitwiseNot", I32Reference(+[](int32_t x) { return -1 - x; })},
      {"BitwiseOr", BitsReference(+[](uint32_t x, uint32_t y) { return x | y; })},
      {"BitwiseRightShift", BitsReference(&ShiftRight)},
      {"BitwiseRightShiftU32", BitsReference(+[](uint32_t x, uint32_t y) { return y < 32 ? x >> y : 0; })},
      {"BitwiseXor", BitsReference(+[](uint32_t x, uint32_t y) { return x ^ y; })},
      {"LogicalAnd", BitsReference(+[](uint32_t x, uint32_t y) { return x & y; })},
      {"LogicalNot", I32Reference(+[](int32_t x) { return 1 - x; })},
      {"LogicalOr", BitsReference(+[](uint32_t x, uint32_t y) { return x | y; })},
      {"LogicalXor", BitsReference(+[](uint32_t x, uint32_t y) { return x ^ y; })},
      {"Select", select},
  };
  return JoinReferences(LogicCatalogue(), references);
}

class LogicCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(LogicCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(LogicCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, LogicCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
