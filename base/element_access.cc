#include "base/element_access.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "base/element_type.h"
#include "base/float_conversion.h"

namespace burin {
namespace {

// Each codec below converts one element of one type: static LoadDouble, LoadInt64, StoreDouble and StoreInt64 with the
// data and an index. The public functions choose a codec once and loop over it.

// Returns `value` truncated towards zero, or the nearest bound of [min, max] where it lies outside; 0 for NaN.
int64_t TruncateToInt64(double value, int64_t min, int64_t max) {
  if (std::isnan(value)) return 0;
  // Comparing as double is exact for the bounds of all types but i64's maximum, which rounds up to 2^63: a value that
  // passes the second test is then below 2^63, so it fits.
  if (value <= static_cast<double>(min)) return min;
  if (value >= static_cast<double>(max)) return max;
  return static_cast<int64_t>(value);
}

uint64_t TruncateToUint64(double value) {
  if (!(value > 0)) return 0;
  if (value >= 0x1p64) return std::numeric_limits<uint64_t>::max();
  return static_cast<uint64_t>(value);
}

int64_t TruncateToInt64(double value) {
  return TruncateToInt64(value, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
}

// Returns a double that rounds to any format of at most 50 bits as `value` itself does: inexact results are rounded to
// an odd last place, which keeps them off the ties of the narrower format.
double ToDoubleRoundedToOdd(int64_t value) {
  const uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  // A 64-bit magnitude has at most 11 bits beyond the 53 of a double.
  constexpr uint64_t kLow = (uint64_t{1} << 11) - 1;
  uint64_t rounded = magnitude;
  if (magnitude >> 53 != 0 && (magnitude & kLow) != 0) rounded = (magnitude & ~kLow) | (kLow + 1);
  return value < 0 ? -static_cast<double>(rounded) : static_cast<double>(rounded);
}

template <class T>
T LoadRaw(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void StoreRaw(void* data, int64_t index, T value) {
  std::memcpy(static_cast<char*>(data) + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
struct IntegerCodec {
  static double LoadDouble(const void* data, int64_t index) { return static_cast<double>(LoadRaw<T>(data, index)); }
  static int64_t LoadInt64(const void* data, int64_t index) { return static_cast<int64_t>(LoadRaw<T>(data, index)); }
  static void StoreDouble(void* data, int64_t index, double value) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      StoreRaw<T>(data, index, TruncateToUint64(value));
    } else {
      StoreRaw<T>(data, index,
                  static_cast<T>(TruncateToInt64(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));
    }
  }
  static void StoreInt64(void* data, int64_t index, int64_t value) { StoreRaw<T>(data, index, static_cast<T>(value)); }
};

struct BooleanCodec {
  static double LoadDouble(const void* data, int64_t index) { return LoadRaw<uint8_t>(data, index) != 0 ? 1.0 : 0.0; }
  static int64_t LoadInt64(const void* data, int64_t index) { return LoadRaw<uint8_t>(data, index) != 0 ? 1 : 0; }
  static void StoreDouble(void* data, int64_t index, double value) {
    StoreRaw<uint8_t>(data, index, value != 0.0 ? 1 : 0);
  }
  static void StoreInt64(void* data, int64_t index, int64_t value) {
    StoreRaw<uint8_t>(data, index, value != 0 ? 1 : 0);
  }
};

// f32 and f64, which the language converts.
template <class T>
struct NativeFloatCodec {
  static double LoadDouble(const void* data, int64_t index) { return static_cast<double>(LoadRaw<T>(data, index)); }
  static int64_t LoadInt64(const void* data, int64_t index) { return TruncateToInt64(LoadDouble(data, index)); }
  static void StoreDouble(void* data, int64_t index, double value) { StoreRaw<T>(data, index, static_cast<T>(value)); }
  static void StoreInt64(void* data, int64_t index, int64_t value) { StoreRaw<T>(data, index, static_cast<T>(value)); }
};

// Float formats stored as whole codes.
template <class Code, double (*kDecode)(Code), Code (*kEncode)(double)>
struct SmallFloatCodec {
  static double LoadDouble(const void* data, int64_t index) { return kDecode(LoadRaw<Code>(data, index)); }
  static int64_t LoadInt64(const void* data, int64_t index) { return TruncateToInt64(LoadDouble(data, index)); }
  static void StoreDouble(void* data, int64_t index, double value) { StoreRaw<Code>(data, index, kEncode(value)); }
  static void StoreInt64(void* data, int64_t index, int64_t value) {
    StoreRaw<Code>(data, index, kEncode(ToDoubleRoundedToOdd(value)));
  }
};

// Reads and writes a field of kBits bits in an array packed from the low-order bits up.
template <int kBits>
struct PackedField {
  static constexpr unsigned kMask = (1u << kBits) - 1;

  static unsigned Load(const void* data, int64_t index) {
    return (static_cast<const uint8_t*>(data)[index * kBits / 8] >> (index * kBits % 8)) & kMask;
  }
  static void Store(void* data, int64_t index, unsigned field) {
    uint8_t& byte = static_cast<uint8_t*>(data)[index * kBits / 8];
    const int shift = static_cast<int>(index * kBits % 8);
    byte = static_cast<uint8_t>((byte & ~(kMask << shift)) | ((field & kMask) << shift));
  }
};

template <int kBits, bool kSigned>
struct PackedIntegerCodec {
  static constexpr int64_t kMin = kSigned ? -(int64_t{1} << (kBits - 1)) : 0;
  static constexpr int64_t kMax = kMin + (int64_t{1} << kBits) - 1;

  static double LoadDouble(const void* data, int64_t index) { return static_cast<double>(LoadInt64(data, index)); }
  static int64_t LoadInt64(const void* data, int64_t index) {
    const int64_t field = PackedField<kBits>::Load(data, index);
    return field > kMax ? field - (int64_t{1} << kBits) : field;
  }
  static void StoreDouble(void* data, int64_t index, double value) {
    StoreInt64(data, index, TruncateToInt64(value, kMin, kMax));
  }
  static void StoreInt64(void* data, int64_t index, int64_t value) {
    PackedField<kBits>::Store(data, index, static_cast<unsigned>(value));
  }
};

struct F4E2M1Codec {
  static double LoadDouble(const void* data, int64_t index) {
    return DecodeF4E2M1(static_cast<uint8_t>(PackedField<4>::Load(data, index)));
  }
  static int64_t LoadInt64(const void* data, int64_t index) { return TruncateToInt64(LoadDouble(data, index)); }
  static void StoreDouble(void* data, int64_t index, double value) {
    PackedField<4>::Store(data, index, EncodeF4E2M1(value));
  }
  static void StoreInt64(void* data, int64_t index, int64_t value) {
    StoreDouble(data, index, ToDoubleRoundedToOdd(value));
  }
};

template <uint8_t (*kEncode)(double, Overflow)>
uint8_t EncodeSaturated(double value) {
  return kEncode(value, Overflow::kSaturate);
}

uint8_t EncodeF8E8M0Up(double value) { return EncodeF8E8M0(value, Overflow::kSaturate, PowerOfTwoRounding::kUp); }

using F16Codec = SmallFloatCodec<uint16_t, DecodeF16, EncodeF16>;
using BF16Codec = SmallFloatCodec<uint16_t, DecodeBF16, EncodeBF16>;
using F8E4M3FNCodec = SmallFloatCodec<uint8_t, DecodeF8E4M3FN, EncodeSaturated<EncodeF8E4M3FN>>;
using F8E4M3FNUZCodec = SmallFloatCodec<uint8_t, DecodeF8E4M3FNUZ, EncodeSaturated<EncodeF8E4M3FNUZ>>;
using F8E5M2Codec = SmallFloatCodec<uint8_t, DecodeF8E5M2, EncodeSaturated<EncodeF8E5M2>>;
using F8E5M2FNUZCodec = SmallFloatCodec<uint8_t, DecodeF8E5M2FNUZ, EncodeSaturated<EncodeF8E5M2FNUZ>>;
using F8E8M0Codec = SmallFloatCodec<uint8_t, DecodeF8E8M0, EncodeF8E8M0Up>;

// Calls `function` with an instance of the codec of `type`.
template <class Function>
auto WithCodec(ElementType type, const Function& function) {
  switch (type) {
    case ElementType::kBoolean:
      return function(BooleanCodec());
    case ElementType::kBf16:
      return function(BF16Codec());
    case ElementType::kF16:
      return function(F16Codec());
    case ElementType::kF32:
      return function(NativeFloatCodec<float>());
    case ElementType::kF64:
      return function(NativeFloatCodec<double>());
    case ElementType::kF4E2M1:
      return function(F4E2M1Codec());
    case ElementType::kF8E4M3FN:
      return function(F8E4M3FNCodec());
    case ElementType::kF8E4M3FNUZ:
      return function(F8E4M3FNUZCodec());
    case ElementType::kF8E5M2:
      return function(F8E5M2Codec());
    case ElementType::kF8E5M2FNUZ:
      return function(F8E5M2FNUZCodec());
    case ElementType::kF8E8M0:
      return function(F8E8M0Codec());
    case ElementType::kI2:
      return function(PackedIntegerCodec<2, true>());
    case ElementType::kI4:
      return function(PackedIntegerCodec<4, true>());
    case ElementType::kI8:
      return function(IntegerCodec<int8_t>());
    case ElementType::kI16:
      return function(IntegerCodec<int16_t>());
    case ElementType::kI32:
      return function(IntegerCodec<int32_t>());
    case ElementType::kI64:
      return function(IntegerCodec<int64_t>());
    case ElementType::kU2:
      return function(PackedIntegerCodec<2, false>());
    case ElementType::kU4:
      return function(PackedIntegerCodec<4, false>());
    case ElementType::kU8:
      return function(IntegerCodec<uint8_t>());
    case ElementType::kU16:
      return function(IntegerCodec<uint16_t>());
    case ElementType::kU32:
      return function(IntegerCodec<uint32_t>());
    case ElementType::kU64:
      return function(IntegerCodec<uint64_t>());
    case ElementType::kUndefined:
    case ElementType::kString:
      break;
  }
  BURIN_CHECK(false) << "elements of type " << type << " have no numeric value";
  return function(BooleanCodec());
}

}  // namespace

double LoadAsDouble(ElementType type, const void* data, int64_t index) {
  double value;
  LoadRangeAsDouble(type, data, index, 1, &value);
  return value;
}

int64_t LoadAsInt64(ElementType type, const void* data, int64_t index) {
  int64_t value;
  LoadRangeAsInt64(type, data, index, 1, &value);
  return value;
}

void StoreFromDouble(ElementType type, void* data, int64_t index, double value) {
  StoreRangeFromDouble(type, data, index, 1, &value);
}

void StoreFromInt64(ElementType type, void* data, int64_t index, int64_t value) {
  StoreRangeFromInt64(type, data, index, 1, &value);
}

void LoadRangeAsDouble(ElementType type, const void* data, int64_t begin, int64_t count, double* out) {
  BURIN_CHECK(begin >= 0 && count >= 0);
  WithCodec(type, [=](auto codec) {
    for (int64_t i = 0; i < count; ++i) out[i] = decltype(codec)::LoadDouble(data, begin + i);
  });
}

void LoadRangeAsInt64(ElementType type, const void* data, int64_t begin, int64_t count, int64_t* out) {
  BURIN_CHECK(begin >= 0 && count >= 0);
  WithCodec(type, [=](auto codec) {
    for (int64_t i = 0; i < count; ++i) out[i] = decltype(codec)::LoadInt64(data, begin + i);
  });
}

void StoreRangeFromDouble(ElementType type, void* data, int64_t begin, int64_t count, const double* values) {
  BURIN_CHECK(begin >= 0 && count >= 0);
  WithCodec(type, [=](auto codec) {
    for (int64_t i = 0; i < count; ++i) decltype(codec)::StoreDouble(data, begin + i, values[i]);
  });
}

void StoreRangeFromInt64(ElementType type, void* data, int64_t begin, int64_t count, const int64_t* values) {
  BURIN_CHECK(begin >= 0 && count >= 0);
  WithCodec(type, [=](auto codec) {
    for (int64_t i = 0; i < count; ++i) decltype(codec)::StoreInt64(data, begin + i, values[i]);
  });
}

}  // namespace burin
