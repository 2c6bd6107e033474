#include "base/element_type.h"

#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Pinned {
  ElementType type;
  int value;
  const char* name;
  int bits;
};

// The values are in files and may never change.
constexpr Pinned kPinned[] = {
    {ElementType::kUndefined, 0, "undefined", 0},
    {ElementType::kBoolean, 1, "boolean", 8},
    {ElementType::kBf16, 2, "bf16", 16},
    {ElementType::kF16, 3, "f16", 16},
    {ElementType::kF32, 4, "f32", 32},
    {ElementType::kF64, 5, "f64", 64},
    {ElementType::kI2, 6, "i2", 2},
    {ElementType::kI4, 7, "i4", 4},
    {ElementType::kI8, 8, "i8", 8},
    {ElementType::kI16, 9, "i16", 16},
    {ElementType::kI32, 10, "i32", 32},
    {ElementType::kI64, 11, "i64", 64},
    {ElementType::kU2, 12, "u2", 2},
    {ElementType::kU4, 13, "u4", 4},
    {ElementType::kU8, 14, "u8", 8},
    {ElementType::kU16, 15, "u16", 16},
    {ElementType::kU32, 16, "u32", 32},
    {ElementType::kU64, 17, "u64", 64},
    {ElementType::kF8E4M3FN, 18, "f8e4m3fn", 8},
    {ElementType::kF8E4M3FNUZ, 19, "f8e4m3fnuz", 8},
    {ElementType::kF8E5M2, 20, "f8e5m2", 8},
    {ElementType::kF8E5M2FNUZ, 21, "f8e5m2fnuz", 8},
    {ElementType::kF8E8M0, 22, "f8e8m0", 8},
    {ElementType::kF4E2M1, 23, "f4e2m1", 4},
    {ElementType::kString, 24, "string", 0},
};

TEST(ElementTypeTest, ValuesNamesAndWidthsArePinned) {
  for (const Pinned& pinned : kPinned) {
    EXPECT_EQ(static_cast<int>(pinned.type), pinned.value) << pinned.name;
    EXPECT_EQ(Name(pinned.type), pinned.name);
    EXPECT_EQ(BitWidth(pinned.type), pinned.bits) << pinned.name;
    EXPECT_THAT(ParseElementType(pinned.name), IsOkAndHolds(pinned.type));
    EXPECT_THAT(ElementTypeFromValue(pinned.value), IsOkAndHolds(pinned.type));
  }
  EXPECT_EQ(std::size(kPinned), std::size(kAllElementTypes) + 1);
}

TEST(ElementTypeTest, TableIsSortedAndUnique) {
  std::set<int> values;
  std::set<std::string> names;
  for (const EnumEntry<ElementType>& entry : EnumNames<ElementType>::kEntries) {
    EXPECT_TRUE(values.insert(static_cast<int>(entry.value)).second) << entry.name;
    EXPECT_TRUE(names.insert(std::string(entry.name)).second) << entry.name;
  }
  const char* const enumerators[] = {
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) #enumerator,
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
  };
  for (size_t i = 1; i < std::size(enumerators); ++i) {
    EXPECT_LT(absl::string_view(enumerators[i - 1]), absl::string_view(enumerators[i]));
  }
}

TEST(ElementTypeTest, KindsPartitionTheTypes) {
  for (ElementType type : kAllElementTypes) {
    const int kinds = IsFloat(type) + IsSignedInteger(type) + IsUnsignedInteger(type) +
                      (type == ElementType::kBoolean) + (type == ElementType::kString);
    EXPECT_EQ(kinds, 1) << type;
    EXPECT_EQ(IsInteger(type), IsSignedInteger(type) || IsUnsignedInteger(type)) << type;
    const char initial = Name(type)[0];
    EXPECT_EQ(IsSignedInteger(type), initial == 'i') << type;
    EXPECT_EQ(IsUnsignedInteger(type), initial == 'u') << type;
    EXPECT_EQ(IsFloat(type), initial == 'f' || type == ElementType::kBf16) << type;
  }
  EXPECT_EQ(KindOf(ElementType::kUndefined), ElementKind::kNone);
}

TEST(ElementTypeTest, PackedTypesAreThoseBelowAByte) {
  const std::set<ElementType> packed = {ElementType::kI2, ElementType::kI4, ElementType::kU2, ElementType::kU4,
                                        ElementType::kF4E2M1};
  for (ElementType type : kAllElementTypes) EXPECT_EQ(IsPacked(type), packed.count(type) == 1) << type;
  EXPECT_FALSE(IsPacked(ElementType::kUndefined));
}

TEST(ElementTypeTest, RefusesUnknownNamesAndValues) {
  EXPECT_THAT(ParseElementType("float"), StatusIs(absl::StatusCode::kInvalidArgument,
                                                  AllOf(HasSubstr("bf16, boolean, f16, f32"), HasSubstr("\"float\""))));
  EXPECT_THAT(ParseElementType("F32"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementTypeFromValue(25), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementTypeFromValue(-1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementTypeFromValue(256 + 4), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(Name(static_cast<ElementType>(200)), "unknown");
}

TEST(ElementTypeTest, Prints) {
  std::ostringstream out;
  out << ElementType::kF8E5M2;
  EXPECT_EQ(out.str(), "f8e5m2");
}

TEST(ElementTypeTest, SignificandDigitsOfFloatsOnly) {
  EXPECT_EQ(SignificandDigits(ElementType::kF64), std::numeric_limits<double>::digits);
  EXPECT_EQ(SignificandDigits(ElementType::kF32), std::numeric_limits<float>::digits);
  EXPECT_EQ(SignificandDigits(ElementType::kF16), 11);
  EXPECT_EQ(SignificandDigits(ElementType::kBf16), 8);
  EXPECT_EQ(SignificandDigits(ElementType::kF8E4M3FN), 4);
  EXPECT_EQ(SignificandDigits(ElementType::kF8E5M2FNUZ), 3);
  EXPECT_EQ(SignificandDigits(ElementType::kF4E2M1), 2);
  EXPECT_EQ(SignificandDigits(ElementType::kF8E8M0), 1);
  EXPECT_EQ(SignificandDigits(ElementType::kI32), 0);
  EXPECT_EQ(SignificandDigits(ElementType::kBoolean), 0);
  EXPECT_EQ(SignificandDigits(ElementType::kUndefined), 0);
}

TEST(ElementTypeTest, BytesForRoundsPackedTypesUp) {
  EXPECT_THAT(BytesFor(ElementType::kF32, 3), IsOkAndHolds(12u));
  EXPECT_THAT(BytesFor(ElementType::kF64, 0), IsOkAndHolds(0u));
  EXPECT_THAT(BytesFor(ElementType::kBoolean, 5), IsOkAndHolds(5u));
  EXPECT_THAT(BytesFor(ElementType::kU4, 0), IsOkAndHolds(0u));
  EXPECT_THAT(BytesFor(ElementType::kU4, 1), IsOkAndHolds(1u));
  EXPECT_THAT(BytesFor(ElementType::kI4, 2), IsOkAndHolds(1u));
  EXPECT_THAT(BytesFor(ElementType::kF4E2M1, 3), IsOkAndHolds(2u));
  EXPECT_THAT(BytesFor(ElementType::kI2, 4), IsOkAndHolds(1u));
  EXPECT_THAT(BytesFor(ElementType::kU2, 5), IsOkAndHolds(2u));
}

TEST(ElementTypeTest, BytesForCatchesOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(BytesFor(ElementType::kU8, kMax), IsOkAndHolds(static_cast<size_t>(kMax)));
  EXPECT_THAT(BytesFor(ElementType::kU4, kMax), IsOkAndHolds(size_t{1} << 62));
  EXPECT_THAT(BytesFor(ElementType::kF16, kMax / 2), IsOkAndHolds(static_cast<size_t>(kMax - 1)));
  EXPECT_THAT(BytesFor(ElementType::kF16, kMax / 2 + 1), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(BytesFor(ElementType::kF64, kMax), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ElementTypeTest, BytesForRefusesWhatHasNoSize) {
  EXPECT_THAT(BytesFor(ElementType::kF32, -1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BytesFor(ElementType::kUndefined, 1), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BytesFor(ElementType::kString, 1), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin
