#include "snippets/linear/linear_ir_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "snippets/linear/linear_ir.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kRowSums[] = R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
output0: f32 [a0]
for a0 {
  %0 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    Step(sum a1) %0, %1
  }
  %2 f32[a0] = End(sum a1) %0
  Store(output0) %2
}
)";

// Everything that can stand in a text: two operands of one port, strides, a buffer, types, attributes, constants,
// counts, two reductions at a time, an empty set of axes.
constexpr char kEverything[] = R"(axis a0 parallel
axis a1
axis a2 vector
input0: f16 [a0,a1,a2]
input0.1: f16 [a0,a1,a2] strided
input1: u8 []
buffer0: f32 [a2]
output0: bf16 [a0]
output2: i64 [a0,a1,a2] strided
%0 u8[] = Load(input1)
%1 f32[] = Constant(0x7fc00000)
%2 f32[] = Count(a1,a2)
for a0 {
  %3 f32[a0] = Begin(maximum a1,a2)
  %4 f32[a0] = Begin(product a1,a2)
  for a1 {
    for a2 by vectors {
      %5 f16[a0,a1,a2] = Load(input0)
      %6 f16[a0,a1,a2] = Load(input0.1)
      %7 f16[a0,a1,a2] = Clamp {min = -1.5, max = inf} %5
      %8 f16[a0,a1,a2] = Subtract %7, %6
      Step(maximum a1,a2) %3, %8
      Step(product a1,a2) %4, %8
      Store(buffer0) %8
    }
    for a2 by vectors {
      %9 f32[a2] = Load(buffer0)
      %10 i64[a2] = Convert {destination_type = i64} %9
      Store(output2) %10
    }
  }
  %11 f32[a0] = End(maximum a1,a2) %3
  %12 f32[a0] = End(product a1,a2) %4
  %13 f32[a0] = Add %11, %12
  %14 bf16[a0] = Convert {destination_type = bf16} %13
  Store(output0) %14
}
)";

// Each second element of one operand; the second pass brings the next row of the others closer.
constexpr char kTwoPasses[] = R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
input1: f32 [a0,a1] strided by 2
output0: f32 [a0,a1]
for a0 {
  %0 f32[a0] = Begin(maximum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    Step(maximum a1) %0, %1
  }
  %2 f32[a0] = End(maximum a1) %0
  for a1 by vectors ahead of input0, output0 {
    %3 f32[a0,a1] = Load(input1)
    %4 f32[a0,a1] = Subtract %3, %2
    Store(output0) %4
  }
}
)";

// Rows that have no loops: of three vectors, all of which are whole, or not.
constexpr char kRows[] = R"(axis a0 parallel
axis a1 vector in 3 whole
input0: f32 [a0,a1]
output0: f32 [a0,a1]
for a0 {
  %0 f32[a0,a1] = Load(input0)
  %1 f32[a0,a1] = Exp %0
  Store(output0) %1
}
)";

void ExpectError(const std::string& text, const std::string& what) {
  EXPECT_THAT(ParseLinearIr(text), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(what))) << text;
}

// Returns kRowSums with `from` replaced by `to`.
std::string RowSumsWith(const std::string& from, const std::string& to) {
  std::string text = kRowSums;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(LinearIrParserTest, ReadsWhatIsPrinted) {
  std::string with_last = kRows;
  with_last.erase(with_last.find(" whole"), 6);
  for (const std::string& text : std::vector<std::string>{kRowSums, kEverything, kRows, with_last}) {
    ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(text));
    EXPECT_EQ(ir.ToString(), text);
  }
}

TEST(LinearIrParserTest, FillsInEverything) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(kEverything));
  EXPECT_EQ(ir.vector_axis, 2);
  ASSERT_EQ(ir.axes.size(), 3u);
  EXPECT_TRUE(ir.axes[0].parallel);
  EXPECT_FALSE(ir.axes[1].parallel);
  ASSERT_EQ(ir.operands.size(), 6u);
  EXPECT_EQ(ir.operands[1].port, 0);
  EXPECT_EQ(ir.operands[1].axes, 7u);
  EXPECT_FALSE(ir.operands[1].contiguous);
  EXPECT_EQ(ir.operands[3].kind, OperandKind::kBuffer);
  EXPECT_EQ(ir.operands[5].port, 2);
  ASSERT_EQ(ir.values.size(), 15u);
  EXPECT_EQ(ir.exprs[1].bits, 0x7fc00000u);
  EXPECT_EQ(ir.exprs[2].axes, 6u);
  EXPECT_EQ(ir.exprs[6].operand, 1);
  EXPECT_EQ(ir.exprs[8].inputs, (std::vector<ValueId>{7, 6}));
  EXPECT_EQ(ir.root->items.back().block->parent, ir.root.get());
}

TEST(LinearIrParserTest, OperandsMayHaveAStepAndBeFetchedAhead) {
  std::string text = kTwoPasses;
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(text));
  EXPECT_EQ(ir.ToString(), text);
  EXPECT_EQ(ir.operands[1].step, 2);
  EXPECT_EQ(ir.root->items[0].block->items[3].block->ahead, (std::vector<int32_t>{0, 2}));
  const auto with = [](absl::string_view from, absl::string_view to) {
    return absl::StrReplaceAll(kTwoPasses, {{from, to}});
  };
  ExpectError(with("by 2", "by"), "Expected a number of elements");
  ExpectError(with("by 2", "by 0"), "Expected a number of elements");
  ExpectError(with("by 2", "by 5"), "L6:");
  ExpectError(with("f32 [a0,a1] strided", "f16 [a0,a1] strided"), "L6:");
  ExpectError(with("ahead of input0,", "ahead input0,"), "Expected 'of'");
  ExpectError(with("ahead of input0,", "ahead of input7,"), "There is no such operand");
  ExpectError(with("ahead of input0,", "ahead of input1,"), "L8:");
  ExpectError(with("for a0 {", "for a0 ahead of input0 {"), "L8:");
}

TEST(LinearIrParserTest, RowsMayHaveNoLoops) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(kRows));
  EXPECT_EQ(ir.block_vectors, 3);
  EXPECT_TRUE(ir.whole_vectors);
  ASSERT_OK_AND_ASSIGN(const LinearIr loops, ParseLinearIr(kRowSums));
  EXPECT_EQ(loops.block_vectors, 0);
  ExpectError(RowSumsWith("vector", "vector in 2"), "A loop lies where its axis is open already");
  ExpectError(RowSumsWith("vector", "vector in 0"), "Expected a number of vectors");
  ExpectError(RowSumsWith("vector", "vector in x"), "Expected a number of vectors");
  ExpectError(RowSumsWith("vector", "vector in 99999"), "There are too many vectors at once");
}

TEST(LinearIrParserTest, BlanksAndCommentsDoNotMatter) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(R"(// Sums of rows.
axis a0 parallel axis a1 vector
input0 : f32[ a1, a0 ] output0:f32[a0]
for a0{%0 f32[a0]=Begin(sum a1) for a1 by vectors{%1 f32[a0,a1]=Load( input0 ) Step(sum a1)%0,%1}
%2 f32[a0]=End(sum a1)%0  // Complete here.
Store(output0)%2})"));
  EXPECT_EQ(ir.ToString(), kRowSums);
}

TEST(LinearIrParserTest, AttributesThatAreDefaultsDoNotPrint) {
  ASSERT_OK_AND_ASSIGN(const LinearIr given, ParseLinearIr(R"(axis a0 vector
input0: f32 [a0]
output0: f32 [a0]
for a0 by vectors {
  %0 f32[a0] = Load(input0)
  %1 f32[a0] = Gelu {approximation_mode = ERF} %0
  Store(output0) %1
}
)"));
  EXPECT_THAT(given.ToString(), HasSubstr("= Gelu %0\n"));
}

TEST(LinearIrParserTest, ErrorsTellWhere) {
  EXPECT_THAT(ParseLinearIr(RowSumsWith("Load(input0)", "Load(input1)")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("line 8, column 26"), HasSubstr("There is no such operand"))));
}

TEST(LinearIrParserTest, RefusesWhatIsNoText) {
  ExpectError("", "No axis is the vectors'");
  ExpectError("axis a1 vector", "Expected the next axis: a0");
  ExpectError("axis a0 vector axis a1 vector", "A second axis");
  ExpectError(RowSumsWith("input0:", "input00:"), "Expected an operand");
  ExpectError(RowSumsWith("output0:", "inputs0:"), "Expected an operand");
  ExpectError(RowSumsWith("output0:", "input0:"), "The next operand of this port is input0.1");
  ExpectError(RowSumsWith("input0:", "input0.1:"), "The next operand of this port is input0");
  ExpectError(RowSumsWith("input0: f32", "input0: f33"), "Not an element type");
  ExpectError(RowSumsWith("[a0,a1]", "[a0,a2]"), "There is no such axis");
  ExpectError(RowSumsWith("[a0,a1]", "[a1,a1]"), "An axis is listed twice");
  ExpectError(RowSumsWith("[a0,a1]", "[b]"), "Expected an axis");
  ExpectError(RowSumsWith("a1 by vectors", "a1"), "A loop is 'by vectors'");
  ExpectError(RowSumsWith("for a0", "for a0 by vectors"), "A loop is 'by vectors'");
  ExpectError(RowSumsWith("by vectors", "by vector"), "Expected 'vectors'");
  ExpectError(RowSumsWith("a1 by vectors", "a0"), "A loop lies where its axis is open already");
  ExpectError(RowSumsWith("%1 f32", "%99999999 f32"), "A value's number is too large");
  ExpectError(RowSumsWith("%1 f32", "%x f32"), "Expected the number of a value");
  ExpectError(RowSumsWith("Load(input0)", "Loaded(input0)"), "Expected Load, Constant");
  ExpectError(RowSumsWith("Load(input0)", "Constant(0x1)"), "Expected 0x and 8 hexadecimal digits");
  ExpectError("axis a0 vector\n%0 i64[] = Constant(0x00000001)\n", "Expected 0x and 16 hexadecimal digits");
  ExpectError(RowSumsWith("Load(input0)", "Sum %0"), "There is no such operation");
  ExpectError(RowSumsWith("Load(input0)", "Add %0"), "A wrong number of inputs: 1");
  ExpectError(RowSumsWith("Load(input0)", "Exp {base = 2} %0"), "The op has no such attribute");
  ExpectError(RowSumsWith("Store(", "Keep("), "Expected a loop, a value, Store or Step");
  ExpectError(RowSumsWith("Begin(sum", "Begin(mean"), "Expected sum, product");
  ExpectError(std::string(kRowSums) + "}", "Unexpected text");
  ExpectError(std::string(kRowSums).substr(0, sizeof(kRowSums) - 3), "Expected '}'");
}

TEST(LinearIrParserTest, RefusesKernelsThatBreakAnInvariant) {
  ExpectError(RowSumsWith("Step(sum a1) %0, %1", "Step(sum a1) %0, %2"), "L2:");
  ExpectError(RowSumsWith("Step(sum a1) %0, %1", "Step(sum a1) %0, %77"), "L1:");
  ExpectError(RowSumsWith("%2 f32[a0] =", "%1 f32[a0] ="), "L1: Linear IR: a second definition");
  ExpectError(RowSumsWith("axis a1", "axis a1 parallel"), "L7:");
}

TEST(LinearIrParserTest, TellsOperandsOfOnePortApart) {
  const std::string swapped = [] {
    std::string text = kEverything;
    text.replace(text.find("%7, %6"), 6, "%6, %7");
    return text;
  }();
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(kEverything));
  ASSERT_OK_AND_ASSIGN(LinearIr other, ParseLinearIr(kEverything));
  std::swap(other.exprs[5].operand, other.exprs[6].operand);
  EXPECT_NE(ir.ToString(), other.ToString());
  EXPECT_THAT(ParseLinearIr(swapped), IsOk());
}

// Changes a text in one of the ways in which texts go wrong.
std::string Mutate(const std::string& text, std::mt19937_64& random) {
  const auto below = [&](size_t bound) { return static_cast<size_t>(random() % std::max<size_t>(bound, 1)); };
  std::string mutant = text;
  for (size_t changes = 1 + below(3); changes > 0; --changes) {
    const size_t at = below(mutant.size());
    const size_t count = below(std::min<size_t>(mutant.size() - at, 24));
    switch (below(5)) {
      case 0:
        mutant.erase(at, count);
        break;
      case 1:
        mutant.insert(at, mutant.substr(below(mutant.size()), count));
        break;
      case 2:
        if (!mutant.empty()) mutant[at] = static_cast<char>(random());
        break;
      case 3:
        if (!mutant.empty()) mutant[at] = "0123456789%{}[](),:.=a\n\"/"[below(25)];
        break;
      default:
        mutant.replace(at, count, mutant.substr(below(mutant.size()), count));
        break;
    }
  }
  return mutant;
}

TEST(LinearIrParserTest, AnyTextIsAnErrorOrAKernelThatPrints) {
  constexpr uint64_t kSeed = 20261130;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  int kernels = 0;
  int errors = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string text = Mutate(round % 3 == 0 ? kEverything : round % 3 == 1 ? kRowSums : kRows, random);
    const absl::StatusOr<LinearIr> ir = ParseLinearIr(text);
    if (!ir.ok()) {
      ++errors;
      ASSERT_EQ(ir.status().code(), absl::StatusCode::kInvalidArgument) << text;
      continue;
    }
    ++kernels;
    const std::string printed = ir->ToString();
    ASSERT_OK_AND_ASSIGN(const LinearIr again, ParseLinearIr(printed));
    ASSERT_EQ(again.ToString(), printed) << text;
  }
  EXPECT_GT(kernels, 100);
  EXPECT_GT(errors, 10000);
}

}  // namespace
}  // namespace burin::snippets
