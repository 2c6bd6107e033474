#include "ir/forms/element_text.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/element_access.h"
#include "base/float_conversion.h"

namespace burin::ir {
namespace {

// Returns the bits of an element of at least 8 bits.
uint64_t LoadBits(ElementType type, const void* data, int64_t index) {
  const size_t bytes = static_cast<size_t>(BitWidth(type)) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(data) + static_cast<size_t>(index) * bytes, bytes);
  return bits;
}

void StoreBits(ElementType type, void* data, int64_t index, uint64_t bits) {
  const size_t bytes = static_cast<size_t>(BitWidth(type)) / 8;
  std::memcpy(static_cast<char*>(data) + static_cast<size_t>(index) * bytes, &bits, bytes);
}

template <class T>
bool ParseWhole(absl::string_view text, T* value) {
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, *value);
  return result.ec == std::errc() && result.ptr == end;
}

// Parses `0x` and hexadecimal digits of at most `bits` bits.
bool ParseBits(absl::string_view text, int bits, uint64_t* value) {
  if (!absl::ConsumePrefix(&text, "0x")) return false;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, *value, 16);
  return result.ec == std::errc() && result.ptr == end && (bits >= 64 || *value >> bits == 0);
}

template <class T>
void AppendShortest(T value, std::string* text) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  text->append(digits, static_cast<size_t>(result.ptr - digits));
}

bool ParseFloatElement(absl::string_view text, ElementType type, void* data, int64_t index) {
  uint64_t bits = 0;
  if (!IsPacked(type) && ParseBits(text, BitWidth(type), &bits)) {
    StoreBits(type, data, index, bits);
    return true;
  }
  double value = 0;
  if (type == ElementType::kF64) {
    if (!ParseWhole(text, &value)) return false;
  } else {
    // Shortest digits are those of a float: reading them as a double first would round twice.
    float narrow = 0;
    if (!ParseWhole(text, &narrow)) return false;
    value = static_cast<double>(narrow);
  }
  if (std::isnan(value) && type == ElementType::kF4E2M1) return false;  // The type has none.
  if (std::isinf(value) && BitWidth(type) <= 8) {
    // A conversion would saturate, also where the type has infinities.
    if (type != ElementType::kF8E5M2) return false;
    StoreBits(type, data, index, EncodeF8E5M2(value, Overflow::kNonFinite));
    return true;
  }
  StoreFromDouble(type, data, index, value);
  return true;
}

bool ParseIntegerElement(absl::string_view text, ElementType type, void* data, int64_t index) {
  const int bits = BitWidth(type);
  int64_t stored = 0;
  if (IsUnsignedInteger(type)) {
    uint64_t value = 0;
    if (!ParseWhole(text, &value) || (bits < 64 && value >> bits != 0)) return false;
    stored = static_cast<int64_t>(value);
  } else {
    if (!ParseWhole(text, &stored)) return false;
    const int64_t max = bits == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << (bits - 1)) - 1;
    if (stored > max || stored < -max - 1) return false;
  }
  StoreFromInt64(type, data, index, stored);
  return true;
}

bool ParseBooleanElement(absl::string_view text, void* data, int64_t index) {
  uint64_t bits = 0;
  if (text == "1" || text == "true") {
    bits = 1;
  } else if (text != "0" && text != "false" && !ParseBits(text, 8, &bits)) {
    return false;
  }
  StoreBits(ElementType::kBoolean, data, index, bits);
  return true;
}

}  // namespace

void AppendElementText(ElementType type, const void* data, int64_t index, std::string* text) {
  if (IsFloat(type)) {
    const double value = LoadAsDouble(type, data, index);
    if (std::isnan(value)) {
      absl::StrAppend(text, "0x", absl::Hex(LoadBits(type, data, index)));
    } else if (type == ElementType::kF64) {
      AppendShortest(value, text);
    } else {
      AppendShortest(static_cast<float>(value), text);
    }
  } else if (type == ElementType::kBoolean) {
    const uint64_t bits = LoadBits(type, data, index);
    absl::StrAppend(text, bits <= 1 ? "" : "0x", absl::Hex(bits));
  } else if (IsUnsignedInteger(type)) {
    absl::StrAppend(text, static_cast<uint64_t>(LoadAsInt64(type, data, index)));
  } else {
    absl::StrAppend(text, LoadAsInt64(type, data, index));
  }
}

bool ParseElementText(absl::string_view text, ElementType type, void* data, int64_t index) {
  if (IsFloat(type)) return ParseFloatElement(text, type, data, index);
  if (type == ElementType::kBoolean) return ParseBooleanElement(text, data, index);
  return ParseIntegerElement(text, type, data, index);
}

void AppendDoubleText(double value, std::string* text) { AppendElementText(ElementType::kF64, &value, 0, text); }

bool ParseDoubleText(absl::string_view text, double* value) {
  return ParseFloatElement(text, ElementType::kF64, value, 0);
}

bool ParseIntegerText(absl::string_view text, int64_t* value) {
  int64_t parsed = 0;
  if (!ParseWhole(text, &parsed)) return false;
  *value = parsed;
  return true;
}

}  // namespace burin::ir
