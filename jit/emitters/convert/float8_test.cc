#include "jit/emitters/convert/float8.h"

#include <gtest/gtest.h>
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/base/casts.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit::internal {
namespace {

constexpr ElementType kTypes[] = {ElementType::kF8E4M3FN, ElementType::kF8E4M3FNUZ, ElementType::kF8E5M2,
                                  ElementType::kF8E5M2FNUZ, ElementType::kF8E8M0};

struct Load {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadF8(v, type, RawSource<V>{from, part}, to);
  }
  ElementType type;
};

TEST(Float8Test, TellsItsTypes) {
  int count = 0;
  for (const ElementType type : kAllElementTypes) count += IsFloat8(type) ? 1 : 0;
  EXPECT_EQ(count, 5);
  for (const ElementType type : kTypes) EXPECT_TRUE(IsFloat8(type)) << type;
}

// In a mode in which denormal floats count as zeros, numbers that are denormal in the narrow type alone do not.
TEST(Float8Test, DenormalsOfTheTypeDoNotDependOnTheProcessorsMode) {
  const char* const emulator = std::getenv("BURIN_EMULATED");
  if (emulator != nullptr && std::strcmp(emulator, "qemu") == 0) {
    GTEST_SKIP() << "qemu takes denormal halves for zeros in that mode; processors do not";
  }
  constexpr unsigned kFlush = 0x8040;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  std::vector<uint8_t> codes(256);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint8_t>(i);
  for (const ElementType type : kTypes) {
    if (type == ElementType::kF8E8M0) continue;
    ASSERT_OK_AND_ASSIGN(const MemoryKernel load,
                         MemoryKernel::Create(Movement::Of(1, 4, Load{type}, RawLanesStore()), target, 2));
    const auto encode = [type](auto& v, const VecGroup& x) {
      EmitConvertF32ToF8(v, type, Overflow::kSaturate, PowerOfTwoRounding::kUp, x);
    };
    ASSERT_OK_AND_ASSIGN(
        const MemoryKernel store,
        MemoryKernel::Create(Movement::Of(4, 4, RawLanesLoad(), RawLanesStoreOf<decltype(encode)>{encode}), target, 2));
    std::vector<uint32_t> floats(codes.size());
    std::vector<uint32_t> again(codes.size());
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | kFlush);
    load.Run(codes.data(), floats.data(), static_cast<int64_t>(codes.size()));
    store.Run(floats.data(), again.data(), static_cast<int64_t>(codes.size()));
    _mm_setcsr(mode);
    for (size_t i = 0; i < codes.size(); ++i) {
      const uint32_t code = again[i] > 0x7F ? again[i] & 0x7F : again[i];
      const uint32_t nan = 0x7F800000;
      if ((floats[i] & 0x7FFFFFFF) > nan) continue;
      if (type == ElementType::kF8E5M2 && (floats[i] & 0x7FFFFFFF) == nan) continue;
      EXPECT_EQ(again[i], codes[i]) << type;
      EXPECT_EQ(floats[i] == 0 || floats[i] == 0x80000000, code == 0) << type << " " << i;
    }
  }
}

TEST(Float8Test, PinsTheEndsOfTheTypes) {
  struct Case {
    ElementType type;
    float value;
    uint8_t saturated;
    uint8_t not_saturated;
  };
  const std::vector<Case> cases = {
      {ElementType::kF8E4M3FN, 448.0f, 0x7E, 0x7E},     {ElementType::kF8E4M3FN, 464.0f, 0x7E, 0x7E},
      {ElementType::kF8E4M3FN, 464.1f, 0x7E, 0x7F},     {ElementType::kF8E4M3FN, -1e30f, 0xFE, 0xFF},
      {ElementType::kF8E4M3FN, -0.0f, 0x80, 0x80},      {ElementType::kF8E4M3FNUZ, -0.0f, 0x00, 0x00},
      {ElementType::kF8E4M3FNUZ, 240.0f, 0x7F, 0x7F},   {ElementType::kF8E4M3FNUZ, -1000.0f, 0xFF, 0x80},
      {ElementType::kF8E4M3FNUZ, -1e-9f, 0x00, 0x00},   {ElementType::kF8E5M2, 61440.0f, 0x7B, 0x7C},
      {ElementType::kF8E5M2, 61439.0f, 0x7B, 0x7B},     {ElementType::kF8E5M2FNUZ, 57344.0f, 0x7F, 0x7F},
      {ElementType::kF8E5M2FNUZ, 65536.0f, 0x7F, 0x80}, {ElementType::kF8E8M0, -3.0f, 0x81, 0x81},
      {ElementType::kF8E8M0, 3e38f, 0xFE, 0xFF},
  };
  for (const Case& c : cases) {
    for (const Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> out,
                           MapLanes({absl::bit_cast<uint32_t>(c.value)}, 1, [&](auto& v, const VecGroup& x) {
                             EmitConvertF32ToF8(v, c.type, overflow, PowerOfTwoRounding::kUp, x);
                           }));
      EXPECT_EQ(out[0], overflow == Overflow::kSaturate ? c.saturated : c.not_saturated) << c.type << " " << c.value;
    }
  }
}

}  // namespace
}  // namespace burin::jit::internal
