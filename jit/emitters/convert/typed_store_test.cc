#include "jit/emitters/convert/typed_store.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/convert_reference_testlib.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

struct StoreF32As {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    EmitStoreF32As(v, type, to, from, options, part);
  }
  ElementType type;
  StoreOptions options;
};

struct StoreI32As {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    EmitStoreI32As(v, type, to, from, options, part);
  }
  ElementType type;
  StoreOptions options;
};

template <class Store>
Movement MovementOf(ElementType type, const Store& store) {
  return Movement::Of(4, BitWidth(type) / 8, RawLanesLoad(), store);
}

class TypedStoreTest : public ::testing::TestWithParam<ElementType> {
 protected:
  // Returns the options that make a difference for the type, when it is stored from floats or from integers.
  static std::vector<StoreOptions> OptionsFor(bool floats) {
    std::vector<StoreOptions> result = {StoreOptions::Convert()};
    if (IsInteger(GetParam())) result.push_back(StoreOptions::Quantize());
    if (IsInteger(GetParam()) && floats) {
      for (const VecRounding rounding : {VecRounding::kDown, VecRounding::kUp}) {
        result.emplace_back().rounding = rounding;
      }
    }
    if (IsFloat(GetParam()) && BitWidth(GetParam()) == 8) result.emplace_back().f8_overflow = Overflow::kNonFinite;
    if (GetParam() == ElementType::kF8E8M0) {
      for (const Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
        for (const PowerOfTwoRounding rounding : {PowerOfTwoRounding::kDown, PowerOfTwoRounding::kNearest}) {
          StoreOptions& options = result.emplace_back();
          options.f8_overflow = overflow;
          options.f8e8m0_rounding = rounding;
        }
      }
    }
    return result;
  }
};

TEST_P(TypedStoreTest, ConvertsFloats) {
  for (const StoreOptions& options : OptionsFor(/*floats=*/true)) {
    ExpectConverts(MovementOf(GetParam(), StoreF32As{GetParam(), options}), ElementType::kF32,
                   /*float_lanes=*/GetParam() == ElementType::kF32,
                   [&](const uint8_t* in, int64_t count, uint8_t* out) {
                     ReferenceStoreF32As(GetParam(), options, in, count, out);
                   });
  }
}

TEST_P(TypedStoreTest, ConvertsIntegers) {
  for (const StoreOptions& options : OptionsFor(/*floats=*/false)) {
    ExpectConverts(MovementOf(GetParam(), StoreI32As{GetParam(), options}), ElementType::kI32, /*float_lanes=*/false,
                   [&](const uint8_t* in, int64_t count, uint8_t* out) {
                     ReferenceStoreI32As(GetParam(), options, in, count, out);
                   });
  }
}

TEST_P(TypedStoreTest, TouchesOnlyThePart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<uint8_t> in = SomeElements(ElementType::kF32);
  for (const StoreOptions& options : {StoreOptions::Convert(), StoreOptions::Quantize()}) {
    EXPECT_OK(CheckParts(MovementOf(GetParam(), StoreF32As{GetParam(), options}), target, in));
    EXPECT_OK(CheckParts(MovementOf(GetParam(), StoreI32As{GetParam(), options}), target, in));
  }
}

TEST_P(TypedStoreTest, LeavesRegistersForGroups) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int vectors = target.Supports(IsaLevel::kAvx512) ? 6 : 2;
  for (const StoreOptions& options : OptionsFor(/*floats=*/true)) {
    EXPECT_OK(MemoryKernel::Create(MovementOf(GetParam(), StoreF32As{GetParam(), options}), target, vectors).status());
    EXPECT_OK(MemoryKernel::Create(MovementOf(GetParam(), StoreI32As{GetParam(), options}), target, vectors).status());
  }
}

std::string NameOf(const ::testing::TestParamInfo<ElementType>& info) { return std::string(Name(info.param)); }

INSTANTIATE_TEST_SUITE_P(AllTypes, TypedStoreTest, ::testing::ValuesIn(VectorElementTypes()), NameOf);

TEST(TypedStoreErrorTest, RefusesTypesThatShareBytes) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const ElementType type : {ElementType::kI4, ElementType::kU2, ElementType::kString, ElementType::kUndefined}) {
    const StoreOptions options = StoreOptions::Convert();
    EXPECT_THAT(MemoryKernel::Create(Movement::Of(4, 1, RawLanesLoad(), StoreF32As{type, options}), target, 1).status(),
                StatusIs(absl::StatusCode::kUnimplemented));
    EXPECT_THAT(MemoryKernel::Create(Movement::Of(4, 1, RawLanesLoad(), StoreI32As{type, options}), target, 1).status(),
                StatusIs(absl::StatusCode::kUnimplemented));
  }
}

}  // namespace
}  // namespace burin::jit
