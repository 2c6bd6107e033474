#include "jit/emitters/convert/typed_load.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/convert_reference_testlib.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct LoadAsF32 {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadAsF32(v, type, to, from, part);
  }
  ElementType type;
};

struct LoadAsI32 {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadAsI32(v, type, to, from, part);
  }
  ElementType type;
};

// Loads the first element into all lanes.
struct Broadcast {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>&) const {
    for (int i = 0; i < to.size(); ++i) {
      if (as_f32) {
        EmitBroadcastAsF32(v, type, to[i], from);
      } else {
        EmitBroadcastAsI32(v, type, to[i], from);
      }
    }
  }
  ElementType type;
  bool as_f32;
};

template <class Load>
Movement MovementOf(ElementType type, const Load& load) {
  return Movement::Of(BitWidth(type) / 8, 4, load, RawLanesStore());
}

class TypedLoadTest : public ::testing::TestWithParam<ElementType> {};

TEST_P(TypedLoadTest, GivesFloatsAsConvertDoes) {
  ExpectConverts(
      MovementOf(GetParam(), LoadAsF32{GetParam()}), GetParam(), /*float_lanes=*/true,
      [](const uint8_t* in, int64_t count, uint8_t* out) { ReferenceLoadAsF32(GetParam(), in, count, out); });
}

TEST_P(TypedLoadTest, GivesIntegersAsConvertDoes) {
  ExpectConverts(
      MovementOf(GetParam(), LoadAsI32{GetParam()}), GetParam(), /*float_lanes=*/false,
      [](const uint8_t* in, int64_t count, uint8_t* out) { ReferenceLoadAsI32(GetParam(), in, count, out); });
}

TEST_P(TypedLoadTest, TouchesOnlyThePart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<uint8_t> in = SomeElements(GetParam());
  EXPECT_OK(CheckParts(MovementOf(GetParam(), LoadAsF32{GetParam()}), target, in));
  EXPECT_OK(CheckParts(MovementOf(GetParam(), LoadAsI32{GetParam()}), target, in));
}

TEST_P(TypedLoadTest, BroadcastsOneElement) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<uint8_t> in = SomeElements(GetParam());
  const auto bytes = static_cast<size_t>(BitWidth(GetParam()) / 8);
  const int lanes = LanesOf(target);
  for (const bool as_f32 : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const MemoryKernel kernel,
                         MemoryKernel::Create(MovementOf(GetParam(), Broadcast{GetParam(), as_f32}), target, 1, lanes));
    for (size_t i = 0; i < in.size(); i += bytes) {
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer element, GuardedBuffer::Create(bytes, end));
        std::memcpy(element.data(), &in[i], bytes);
        std::vector<uint32_t> out(static_cast<size_t>(lanes));
        kernel.Run(element.data(), out.data(), lanes);
        uint32_t expected = 0;
        if (as_f32) {
          ReferenceLoadAsF32(GetParam(), element.data(), 1, reinterpret_cast<uint8_t*>(&expected));
        } else {
          ReferenceLoadAsI32(GetParam(), element.data(), 1, reinterpret_cast<uint8_t*>(&expected));
        }
        for (const uint32_t lane : out) ASSERT_EQ(lane, expected) << i / bytes;
      }
    }
  }
}

TEST_P(TypedLoadTest, LeavesRegistersForGroups) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int vectors = target.Supports(IsaLevel::kAvx512) ? 6 : 2;
  EXPECT_OK(MemoryKernel::Create(MovementOf(GetParam(), LoadAsF32{GetParam()}), target, vectors).status());
  EXPECT_OK(MemoryKernel::Create(MovementOf(GetParam(), LoadAsI32{GetParam()}), target, vectors).status());
}

std::string NameOf(const ::testing::TestParamInfo<ElementType>& info) { return std::string(Name(info.param)); }

INSTANTIATE_TEST_SUITE_P(AllTypes, TypedLoadTest, ::testing::ValuesIn(VectorElementTypes()), NameOf);

TEST(TypedLoadErrorTest, RefusesTypesThatShareBytes) {
  for (const ElementType type : {ElementType::kI4, ElementType::kU2, ElementType::kString, ElementType::kUndefined}) {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
    EXPECT_THAT(MemoryKernel::Create(Movement::Of(1, 4, LoadAsF32{type}, RawLanesStore()), target, 1).status(),
                StatusIs(absl::StatusCode::kUnimplemented));
    EXPECT_THAT(MemoryKernel::Create(Movement::Of(1, 4, LoadAsI32{type}, RawLanesStore()), target, 1).status(),
                StatusIs(absl::StatusCode::kUnimplemented));
  }
}

}  // namespace
}  // namespace burin::jit
