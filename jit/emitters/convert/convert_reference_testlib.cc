#include "jit/emitters/convert/convert_reference_testlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "absl/base/casts.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/vec.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using Visit = std::function<void(const uint8_t* elements, int64_t count)>;

constexpr size_t kPiece = 4096;

// Collects elements and hands them on in pieces.
template <class T>
class Pieces {
 public:
  explicit Pieces(const Visit& visit) : visit_(visit) {}
  ~Pieces() { Flush(); }

  void Add(T element) {
    elements_.push_back(element);
    if (elements_.size() == kPiece) Flush();
  }
  // Adds the element and those next to it.
  void AddAround(T element) {
    for (const T offset : {T{0}, T{1}, static_cast<T>(-1)}) Add(static_cast<T>(element + offset));
  }

 private:
  void Flush() {
    visit_(reinterpret_cast<const uint8_t*>(elements_.data()), static_cast<int64_t>(elements_.size()));
    elements_.clear();
  }

  const Visit& visit_;
  std::vector<T> elements_;
};

bool Emulated() {
  const char* const emulated = std::getenv("BURIN_EMULATED");
  return emulated != nullptr && *emulated != '\0';
}

// Visits all elements of so many bits, several times where they are few.
template <class T>
void VisitAll(const Visit& visit) {
  Pieces<T> pieces(visit);
  for (uint32_t i = 0; i <= 0xFFFF; ++i) pieces.Add(static_cast<T>(i));
}

void VisitFloats(uint32_t seed, Pieces<uint32_t>& pieces) {
  for (uint32_t upper = 0; upper <= 0xFFFF; ++upper) {
    // bfloat16 numbers, and the middle between them; numbers of fewer bits are among them.
    pieces.AddAround(upper << 16);
    pieces.AddAround(upper << 16 | 0x8000);
    // The same for float16.
    const double f16 = DecodeF16(static_cast<uint16_t>(upper));
    const double next = DecodeF16(static_cast<uint16_t>(upper + 1));
    pieces.AddAround(absl::bit_cast<uint32_t>(static_cast<float>((f16 + next) / 2)));
    // Halves of integers.
    pieces.AddAround(absl::bit_cast<uint32_t>(static_cast<float>(upper) * 0.5f));
    pieces.AddAround(absl::bit_cast<uint32_t>(static_cast<float>(upper) * -0.5f));
    pieces.AddAround(absl::bit_cast<uint32_t>(static_cast<float>(upper) * 0.5f + 32768.0f));
  }
  const uint32_t step = Emulated() ? 1u << 14 : 1u << 8;
  for (uint64_t base = 0; base < uint64_t{1} << 32; base += step) {
    const uint32_t hash = (static_cast<uint32_t>(base >> 8) + seed) * 2654435761u;
    pieces.Add(static_cast<uint32_t>(base) | (hash >> 8) % step);
  }
}

void VisitIntegers(uint32_t seed, Pieces<uint32_t>& pieces) {
  // Numbers of few bits, with those next to them: ties of narrower floats.
  for (uint32_t bits = 0; bits < 1u << 11; ++bits) {
    for (int shift = 0; shift < 32; ++shift) {
      pieces.AddAround(bits << shift);
      pieces.AddAround(0u - (bits << shift));
    }
  }
  for (uint32_t i = 0; i < 1u << 18; ++i) pieces.Add(i - (1u << 17));
  VisitFloats(seed, pieces);
}

void VisitWideIntegers(uint32_t seed, Pieces<uint64_t>& pieces) {
  std::mt19937_64 random(seed);
  // Numbers around those in the middle between two floats.
  for (int i = 0; i < 1 << (Emulated() ? 10 : 16); ++i) {
    const uint64_t bits = (random() & 0xFFFFFF) << 1 | 1u << 24 | 1;
    for (int shift = 0; shift < 40; ++shift) {
      pieces.AddAround(bits << shift);
      pieces.AddAround(0u - (bits << shift));
    }
  }
  for (int shift = 0; shift < 64; ++shift) {
    for (uint64_t offset = 0; offset < 64; ++offset) {
      pieces.Add((uint64_t{1} << shift) + offset - 32);
      pieces.Add(0u - (uint64_t{1} << shift) + offset - 32);
    }
  }
  for (int i = 0; i < 1 << (Emulated() ? 16 : 21); ++i) {
    const uint64_t bits = random() >> (i % 64);
    pieces.Add(i % 128 < 64 ? bits : 0u - bits);
  }
}

void VisitDoubles(uint32_t seed, Pieces<uint64_t>& pieces) {
  std::mt19937_64 random(seed);
  for (uint64_t upper = 0; upper <= 0xFFFF; ++upper) pieces.AddAround(upper << 48);
  for (int i = 0; i < 1 << (Emulated() ? 14 : 21); ++i) {
    const uint64_t bits = random();
    pieces.Add(bits);
    // Floats, and the middle between them.
    const float x = absl::bit_cast<float>(static_cast<uint32_t>(bits >> 32));
    const uint64_t wide = absl::bit_cast<uint64_t>(static_cast<double>(x));
    pieces.AddAround(wide);
    pieces.AddAround(wide | uint64_t{1} << 28);
    // About the range of 32-bit integers.
    pieces.Add(absl::bit_cast<uint64_t>(std::ldexp(static_cast<double>(static_cast<int64_t>(bits)), -(i % 64))));
  }
  for (const double border : {0x1p31, -0x1p31, 0x1p32, 0x1p31 - 1, -0x1p31 - 1, 0x1p31 - 0.5, -0x1p31 - 0.5}) {
    pieces.AddAround(absl::bit_cast<uint64_t>(border));
  }
}

uint8_t EncodeF8(ElementType type, const StoreOptions& options, double value) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return EncodeF8E4M3FN(value, options.f8_overflow);
    case ElementType::kF8E4M3FNUZ:
      return EncodeF8E4M3FNUZ(value, options.f8_overflow);
    case ElementType::kF8E5M2:
      return EncodeF8E5M2(value, options.f8_overflow);
    case ElementType::kF8E5M2FNUZ:
      return EncodeF8E5M2FNUZ(value, options.f8_overflow);
    default:
      return EncodeF8E8M0(value, options.f8_overflow, options.f8e8m0_rounding);
  }
}

double Rounded(double value, VecRounding rounding) {
  switch (rounding) {
    case VecRounding::kNearestEven:
      return std::nearbyint(value);
    case VecRounding::kDown:
      return std::floor(value);
    case VecRounding::kUp:
      return std::ceil(value);
    case VecRounding::kTowardsZero:
      break;
  }
  return std::trunc(value);
}

// Returns the integer of the type that is nearest to `value`.
int64_t Saturated(ElementType type, int64_t value) {
  const int bits = BitWidth(type);
  if (!IsSignedInteger(type)) {
    return std::clamp<int64_t>(value, 0, bits < 64 ? (int64_t{1} << bits) - 1 : std::numeric_limits<int64_t>::max());
  }
  if (bits == 64) return value;
  return std::clamp<int64_t>(value, -(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1);
}

void StoreDoubles(ElementType type, const StoreOptions& options, std::vector<double> values, uint8_t* elements) {
  if (IsFloat(type) && BitWidth(type) == 8) {
    for (size_t i = 0; i < values.size(); ++i) elements[i] = EncodeF8(type, options, values[i]);
    return;
  }
  if (IsInteger(type)) {
    for (double& value : values) value = Rounded(value, options.rounding);
  }
  StoreRangeFromDouble(type, elements, 0, static_cast<int64_t>(values.size()), values.data());
}

// Makes NaN quiet.
void Quieten(std::vector<uint8_t>& floats) {
  for (size_t i = 0; i < floats.size(); i += 4) {
    uint32_t bits;
    std::memcpy(&bits, &floats[i], 4);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) bits |= 0x00400000;
    std::memcpy(&floats[i], &bits, 4);
  }
}

}  // namespace

std::vector<ElementType> VectorElementTypes() {
  std::vector<ElementType> types;
  for (const ElementType type : kAllElementTypes) {
    if (BitWidth(type) >= 8) types.push_back(type);
  }
  return types;
}

void ForEachInput(ElementType type, uint32_t seed, const Visit& visit) {
  switch (BitWidth(type)) {
    case 8:
      return VisitAll<uint8_t>(visit);
    case 16:
      return VisitAll<uint16_t>(visit);
    case 32: {
      Pieces<uint32_t> pieces(visit);
      return IsFloat(type) ? VisitFloats(seed, pieces) : VisitIntegers(seed, pieces);
    }
    default: {
      Pieces<uint64_t> pieces(visit);
      return IsFloat(type) ? VisitDoubles(seed, pieces) : VisitWideIntegers(seed, pieces);
    }
  }
}

void ReferenceLoadAsF32(ElementType type, const uint8_t* elements, int64_t count, uint8_t* lanes) {
  if (!IsInteger(type)) {
    std::vector<double> values(static_cast<size_t>(count));
    LoadRangeAsDouble(type, elements, 0, count, values.data());
    return StoreRangeFromDouble(ElementType::kF32, lanes, 0, count, values.data());
  }
  std::vector<int64_t> values(static_cast<size_t>(count));
  LoadRangeAsInt64(type, elements, 0, count, values.data());
  if (type != ElementType::kU64) return StoreRangeFromInt64(ElementType::kF32, lanes, 0, count, values.data());
  // An int64_t does not hold the value, but its bits.
  for (size_t i = 0; i < values.size(); ++i) {
    const float value = static_cast<float>(static_cast<uint64_t>(values[i]));
    std::memcpy(lanes + 4 * i, &value, 4);
  }
}

void ReferenceLoadAsI32(ElementType type, const uint8_t* elements, int64_t count, uint8_t* lanes) {
  if (IsFloat(type)) {
    std::vector<double> values(static_cast<size_t>(count));
    LoadRangeAsDouble(type, elements, 0, count, values.data());
    StoreRangeFromDouble(ElementType::kI32, lanes, 0, count, values.data());
  } else {
    std::vector<int64_t> values(static_cast<size_t>(count));
    LoadRangeAsInt64(type, elements, 0, count, values.data());
    StoreRangeFromInt64(ElementType::kI32, lanes, 0, count, values.data());
  }
}

void ReferenceStoreF32As(ElementType type, const StoreOptions& options, const uint8_t* lanes, int64_t count,
                         uint8_t* elements) {
  std::vector<double> values(static_cast<size_t>(count));
  LoadRangeAsDouble(ElementType::kF32, lanes, 0, count, values.data());
  StoreDoubles(type, options, values, elements);
}

void ReferenceStoreI32As(ElementType type, const StoreOptions& options, const uint8_t* lanes, int64_t count,
                         uint8_t* elements) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  LoadRangeAsInt64(ElementType::kI32, lanes, 0, count, values.data());
  if (IsInteger(type)) {
    if (options.integer_overflow == IntegerOverflow::kSaturate) {
      for (int64_t& value : values) value = Saturated(type, value);
    }
    StoreRangeFromInt64(type, elements, 0, count, values.data());
  } else {
    StoreDoubles(type, options, std::vector<double>(values.begin(), values.end()), elements);
  }
}

void ExpectConverts(const Movement& movement, ElementType in, bool float_lanes, const ReferenceConversion& reference) {
  constexpr uint32_t kSeed = 20221;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const MemoryKernel kernel, MemoryKernel::Create(movement, target, 2));
  const auto in_bytes = static_cast<size_t>(movement.in_bytes);
  const auto out_bytes = static_cast<size_t>(movement.out_bytes);
  int64_t wrong = 0;
  ForEachInput(in, kSeed, [&](const uint8_t* elements, int64_t count) {
    std::vector<uint8_t> actual(static_cast<size_t>(count) * out_bytes);
    std::vector<uint8_t> expected(actual.size());
    kernel.Run(elements, actual.data(), count);
    reference(elements, count, expected.data());
    if (float_lanes) {
      Quieten(actual);
      Quieten(expected);
    }
    if (actual == expected) return;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      if (std::memcmp(&actual[i * out_bytes], &expected[i * out_bytes], out_bytes) == 0) continue;
      if (++wrong > 4) continue;
      uint64_t from = 0;
      uint64_t got = 0;
      uint64_t want = 0;
      std::memcpy(&from, elements + i * in_bytes, in_bytes);
      std::memcpy(&got, &actual[i * out_bytes], out_bytes);
      std::memcpy(&want, &expected[i * out_bytes], out_bytes);
      ADD_FAILURE() << "seed " << kSeed << ": "
                    << absl::StrCat(absl::Hex(from), " becomes ", absl::Hex(got), ", which should be ",
                                    absl::Hex(want));
    }
  });
  EXPECT_EQ(wrong, 0);
}

std::vector<uint8_t> SomeElements(ElementType type) {
  constexpr size_t kCount = 48;
  std::mt19937 random(7);
  std::vector<uint8_t> elements(kCount * static_cast<size_t>(BitWidth(type) / 8));
  for (uint8_t& element : elements) element = static_cast<uint8_t>(random());
  return elements;
}

}  // namespace burin::jit
