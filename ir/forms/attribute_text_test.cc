#include "ir/forms/attribute_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ir/forms/every_kind_testlib.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "ir/structural.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kAll = -1;

absl::Status Parse(const std::string& text, Attributes* attributes) {
  TextScanner scanner(text);
  absl::Status status = ParseAttributes(&scanner, attributes);
  return status.ok() ? scanner.ExpectEnd() : status;
}

TEST(AttributeTextTest, PrintsOnlyWhatDiffersFromTheDefaults) {
  EveryKindAttributes attributes;
  EXPECT_EQ(PrintAttributes(attributes, EveryKindAttributes(), kAll), "");
  attributes.an_int = -3;
  attributes.flavour = Flavour::kVerySour;
  EXPECT_EQ(PrintAttributes(attributes, EveryKindAttributes(), kAll), R"({an_int = -3, flavour = "very, \"sour\"}"})");
}

TEST(AttributeTextTest, ParsesEveryKind) {
  EveryKindAttributes attributes;
  ASSERT_OK(Parse(R"({ a_bool = true, an_int=12, a_double = -inf, a_string = "a\nb", ints = [ ], doubles = [1, 0.25],
                       strings = ["x, y", "}"], type = u4, shape = [?, batch, 2..8],  // comment, }
                       tensor = u4[3]{1, 15, 0}, flavour = sour })",
                  &attributes));
  EXPECT_TRUE(attributes.a_bool);
  EXPECT_EQ(attributes.an_int, 12);
  EXPECT_EQ(attributes.a_double, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(attributes.a_string, "a\nb");
  EXPECT_TRUE(attributes.ints.empty());
  EXPECT_EQ(attributes.doubles, (std::vector<double>{1, 0.25}));
  EXPECT_EQ(attributes.strings, (std::vector<std::string>{"x, y", "}"}));
  EXPECT_EQ(attributes.type, ElementType::kU4);
  EXPECT_EQ(attributes.shape, (PartialShape{Dimension(), Dimension::Symbol("batch"), Dimension(2, 8)}));
  EXPECT_EQ(attributes.tensor.ToString(), "u4[3]{1, 15, 0}");
  EXPECT_EQ(attributes.flavour, Flavour::kVerySour);
}

TEST(AttributeTextTest, RandomValuesOfEveryKindComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    EveryKindAttributes written;
    RandomizeAttributes(random, /*wild=*/i % 2 == 0, {}, &written);
    const std::string text = PrintAttributes(written, EveryKindAttributes(), kAll);
    EveryKindAttributes read;
    ASSERT_OK(Parse(text, &read)) << text;
    ASSERT_TRUE(AttributesEqual(read, written)) << text;
  }
}

TEST(AttributeTextTest, RandomAttributesOfEveryOpComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const OpDef* op : AllOps()) {
    for (int i = 0; i < 100; ++i) {
      const std::unique_ptr<Attributes> written = op->make_attributes();
      RandomizeAttributes(random, /*wild=*/i % 2 == 0, {}, written.get());
      const std::string text = PrintAttributes(*written, *op->make_attributes(), kAll);
      const std::unique_ptr<Attributes> read = op->make_attributes();
      ASSERT_OK(Parse(text, read.get())) << op->name << text;
      ASSERT_TRUE(AttributesEqual(*read, *written)) << op->name << text;
    }
  }
}

TEST(AttributeTextTest, LongTensorsPrintTheirHashAndDoNotParse) {
  std::mt19937_64 random(1);
  EveryKindAttributes attributes;
  attributes.tensor = RandomTensor(random, ElementType::kF32, {3});
  const std::string text = PrintAttributes(attributes, EveryKindAttributes(), /*max_elements=*/2);
  EXPECT_EQ(text, "{tensor = f32[3]#" + attributes.tensor.ContentHash().ToHex() + "}");
  EXPECT_THAT(Parse(text, &attributes),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("printed without its elements")));
}

TEST(AttributeTextTest, RefusesMalformedAttributes) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"{an_int = 1, an_int = 2}", "given twice"},
      {"{no_such = 1}", "no such attribute: 'no_such'"},
      {"{an_int = 1.5}", "64-bit integer"},
      {"{an_int = 1 2}", "Unexpected text"},
      {"{an_int = }", "Expected an integer"},
      {"{an_int 1}", "Expected '='"},
      {"{an_int = 1", "does not end"},
      {"{a_bool = 1}", "Expected true or false"},
      {"{a_double = x}", "Not a number"},
      {"{a_string = x}", "Expected a string"},
      {"{ints = [1,]}", "Expected an integer"},
      {"{ints = [1 2]}", "Expected ']'"},
      {"{type = f31}", "Not an element type"},
      {"{shape = 1}", "Expected a shape"},
      {"{flavour = salty}", "No value of the enumeration"},
      {"{tensor = f32[2]{1}}", "Expected ','"},
      {"{tensor = f32[1]{1, 2}}", "Expected '}'"},
      {"{tensor = f32[?]{1}}", "not static"},
      {"{tensor = u4[1]{16}}", "Not a value of type u4"},
      {"{tensor = string[1]{1}}", "String"},
      {"{tensor = f32[4611686018427387904,4]{1}}", "64"},
      {"{tensor = u2[1000000000000]{1}}", "fewer elements"},
  };
  for (const auto& c : kCases) {
    EveryKindAttributes attributes;
    const absl::Status status = Parse(c.text, &attributes);
    EXPECT_FALSE(status.ok()) << c.text;
    EXPECT_THAT(std::string(status.message()), AllOf(StartsWith("line 1, column "), HasSubstr(c.message))) << c.text;
  }
}

TEST(AttributeTextTest, SingleAttributesAreShownAndSet) {
  EveryKindAttributes attributes;
  ASSERT_OK(ParseAttribute("an_int", " 7 ", &attributes));
  ASSERT_OK(ParseAttribute("ints", "[1, 2]", &attributes));
  ASSERT_OK(ParseAttribute("flavour", "sour", &attributes));
  ASSERT_OK(ParseAttribute("tensor", "u4[3]{1, 15, 0}", &attributes));
  EXPECT_EQ(attributes.an_int, 7);
  EXPECT_EQ(attributes.ints, (std::vector<int64_t>{1, 2}));
  EveryKindAttributes copy;
  for (const auto& [name, text] : AttributeTextsOf(attributes, kAll)) ASSERT_OK(ParseAttribute(name, text, &copy));
  EXPECT_TRUE(AttributesEqual(copy, attributes));
}

TEST(AttributeTextTest, SingleStringsMayStandWithoutQuotes) {
  EveryKindAttributes attributes;
  for (const char* text : {"state", "two words, // and more}", " blank", ""}) {
    ASSERT_OK(ParseAttribute("a_string", text, &attributes));
    EXPECT_EQ(attributes.a_string, text);
  }
  ASSERT_OK(ParseAttribute("a_string", "\"a\\nb\"", &attributes));
  EXPECT_EQ(attributes.a_string, "a\nb");
}

TEST(AttributeTextTest, ErrorsOfSingleAttributesNameThem) {
  EveryKindAttributes attributes;
  EXPECT_THAT(ParseAttribute("an_int", "1.5", &attributes),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'an_int'"), HasSubstr("64-bit integer"))));
  EXPECT_THAT(ParseAttribute("an_int", "1 2", &attributes), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ParseAttribute("a_string", "\"open", &attributes), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ParseAttribute("no_such", "1", &attributes),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'no_such'"), HasSubstr("a_bool, an_int"))));
}

}  // namespace
}  // namespace burin::ir
