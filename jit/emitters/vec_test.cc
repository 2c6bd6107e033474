#include "jit/emitters/vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct VecArgs {
  const float* in;
  float* out;
  int64_t count;
};
BURIN_ARG_OFFSET(VecArgs, in, 0);
BURIN_ARG_OFFSET(VecArgs, out, 8);
BURIN_ARG_OFFSET(VecArgs, count, 16);

template <class V>
constexpr IsaLevel kLevel = IsaLevel::kAvx2;
template <>
constexpr IsaLevel kLevel<VecAvx512> = IsaLevel::kAvx512;

template <class V>
class VecTest : public ::testing::Test {
 protected:
  using Emit = std::function<void(V& v, const Reg64& in, const Reg64& out, const Reg64& count)>;

  static constexpr size_t kLanes = V::kLanes;

  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
    if (!host.Supports(kLevel<V>)) GTEST_SKIP() << host.Require(kLevel<V>);
  }

  // Runs what `emit` emits.
  void Run(const float* in, float* out, int64_t count, const Emit& emit) {
    Assembler code("vec_test", IsaSet::From(kLevel<V>));
    AbiFrame frame(code);
    {
      V v(code);
      const GprReg in_reg = code.regs().Gpr("in");
      const GprReg out_reg = code.regs().Gpr("out");
      const GprReg count_reg = code.regs().Gpr("count");
      frame.Load(in_reg, BURIN_ARG_FIELD(VecArgs, in));
      frame.Load(out_reg, BURIN_ARG_FIELD(VecArgs, out));
      frame.Load(count_reg, BURIN_ARG_FIELD(VecArgs, count));
      emit(v, in_reg, out_reg, count_reg);
    }
    frame.Finish();
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
    ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob));
    const VecArgs args = {in, out, count};
    kernel.template entry<void (*)(const VecArgs*)>()(&args);
  }

  // Runs what replaces one vector.
  std::vector<float> Map(std::vector<float> in, const std::function<void(V& v, const Xmm& x)>& emit) {
    in.resize(kLanes);
    std::vector<float> out(kLanes);
    Run(in.data(), out.data(), 0, [&](V& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64&) {
      const VecReg x = v.New("x");
      v.Load(x, ptr[in_reg]);
      emit(v, x);
      v.Store(ptr[out_reg], x);
    });
    return out;
  }

  // Returns `count` distinct numbers.
  static std::vector<float> Numbers(size_t count) {
    std::vector<float> numbers(count);
    for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>((i * 37 + 11) % 257) - 64.0f;
    return numbers;
  }
};

using Widths = ::testing::Types<VecAvx2, VecAvx512>;
TYPED_TEST_SUITE(VecTest, Widths);

TYPED_TEST(VecTest, MasksTailsOfEveryLengthAgainstGuardPages) {
  constexpr size_t kLanes = TypeParam::kLanes;
  const std::vector<float> numbers = this->Numbers(kLanes);
  for (size_t count = 0; count <= kLanes; ++count) {
    for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
      ASSERT_OK_AND_ASSIGN(const GuardedBuffer in, GuardedBuffer::Create(count * 4, end));
      ASSERT_OK_AND_ASSIGN(const GuardedBuffer out, GuardedBuffer::Create(count * 4, end));
      for (const bool constant : {false, true}) {
        for (size_t i = 0; i < count; ++i) in.As<float>()[i] = numbers[i];
        for (size_t i = 0; i < count; ++i) out.As<float>()[i] = 0;
        this->Run(in.As<float>(), out.As<float>(), static_cast<int64_t>(count),
                  [&](TypeParam& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64& count_reg) {
                    const typename TypeParam::MaskRegister mask = v.NewMask("mask");
                    if (constant) {
                      v.SetMaskFor(mask, static_cast<int>(count));
                    } else {
                      const GprReg scratch = v.code().regs().Gpr("scratch");
                      v.SetMaskFor(mask, count_reg, scratch);
                    }
                    const VecReg x = v.New("x");
                    v.LoadMasked(x, mask, ptr[in_reg]);
                    v.StoreMasked(ptr[out_reg], mask, x);
                  });
        for (size_t i = 0; i < count; ++i) ASSERT_EQ(out.As<float>()[i], numbers[i]) << i << " of " << count;
      }
    }
  }
}

TYPED_TEST(VecTest, MaskedLoadsZeroTheRest) {
  const std::vector<float> out = this->Map(this->Numbers(16), [](TypeParam& v, const Xmm& x) {
    const typename TypeParam::MaskRegister mask = v.NewMask("mask");
    v.SetMaskFor(mask, 3);
    v.LoadMasked(x, mask, v.code().Repeated(5.0f, TypeParam::kBits / 8));
  });
  for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < 3 ? 5.0f : 0.0f) << i;
}

TYPED_TEST(VecTest, ComparesAndSelects) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> in = {-1, 0, 1, 2, 3, kNan, 2, -0.0f};
  const std::pair<VecCompare, std::vector<bool>> cases[] = {
      {VecCompare::kEqual, {0, 0, 0, 1, 0, 0, 1, 0}},      {VecCompare::kNotEqual, {1, 1, 1, 0, 1, 1, 0, 1}},
      {VecCompare::kLess, {1, 1, 1, 0, 0, 0, 0, 1}},       {VecCompare::kLessEqual, {1, 1, 1, 1, 0, 0, 1, 1}},
      {VecCompare::kGreater, {0, 0, 0, 0, 1, 0, 0, 0}},    {VecCompare::kGreaterEqual, {0, 0, 0, 1, 1, 0, 1, 0}},
      {VecCompare::kNotGreater, {1, 1, 1, 1, 0, 1, 1, 1}}, {VecCompare::kUnordered, {0, 0, 0, 0, 0, 1, 0, 0}},
  };
  for (const auto& [compare, expected] : cases) {
    const std::vector<float> out = this->Map(in, [compare = compare](TypeParam& v, const Xmm& x) {
      const typename TypeParam::Mask mask = v.NewMask("mask", 1);
      const VecReg yes = v.New("yes");
      v.Compare(mask, x, v.Const(2.0f), compare);
      v.BroadcastConst(yes, 1.0f);
      v.Zero(x);
      v.Select(x, mask, yes, x);
    });
    for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], expected[i]) << static_cast<int>(compare) << " " << i;
  }
}

TYPED_TEST(VecTest, JumpsWhereNoElementIsSet) {
  for (int vectors = 1; vectors <= 3; ++vectors) {
    for (int set = -1; set < vectors; ++set) {
      const std::vector<float> out = this->Map({1, 1, 1, 5}, [&](TypeParam& v, const Xmm& x) {
        const VecRegs compared = v.New("compared", vectors);
        const typename TypeParam::Mask mask = v.NewMask("mask", vectors);
        v.Zero(compared);
        if (set >= 0) v.Copy(compared[set], x);
        v.Compare(mask, compared, v.Const(4.0f), VecCompare::kGreater);
        Label none;
        v.JumpIfNone(mask, none);
        v.Zero(x);
        v.code().Bind(none);
      });
      EXPECT_EQ(out[0], set < 0 ? 1.0f : 0.0f) << set << " of " << vectors;
    }
  }
}

TYPED_TEST(VecTest, TakesMasksFromSigns) {
  const std::vector<float> out = this->Map({-1, 0, 1, -0.0f}, [](TypeParam& v, const Xmm& x) {
    const typename TypeParam::Mask mask = v.NewMask("mask", 1);
    const VecReg yes = v.New("yes");
    v.MaskOfSigns(mask, x);
    v.BroadcastConst(yes, 1.0f);
    v.Zero(x);
    v.Select(x, mask, yes, x);
  });
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4), (std::vector<float>{1, 0, 0, 1}));
}

TYPED_TEST(VecTest, Rounds) {
  const std::vector<float> in = {-1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 2.75f, -2.25f, 7.0f};
  using Function = float (*)(float);
  const std::pair<VecRounding, Function> cases[] = {{VecRounding::kNearestEven, std::nearbyint},
                                                    {VecRounding::kDown, std::floor},
                                                    {VecRounding::kUp, std::ceil},
                                                    {VecRounding::kTowardsZero, std::trunc}};
  for (const auto& [rounding, function] : cases) {
    const std::vector<float> out =
        this->Map(in, [rounding = rounding](TypeParam& v, const Xmm& x) { v.Round(x, x, rounding); });
    for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], function(in[i])) << in[i];
  }
}

TYPED_TEST(VecTest, ComputesOnFloats) {
  const std::vector<float> in = this->Numbers(TypeParam::kLanes);
  const std::vector<float> out = this->Map(in, [](TypeParam& v, const Xmm& x) {
    const VecReg y = v.New("y");
    const VecReg z = v.New("z");
    v.Add(y, x, v.Const(3.0f));       // x + 3
    v.Sub(z, x, v.Const(5.0f));       // x - 5
    v.Mul(y, y, z);                   // (x + 3) (x - 5)
    v.ScaleAdd(y, x, v.Const(2.0f));  // x (x + 3) (x - 5) + 2
    v.MulAdd(y, x, v.Const(4.0f));    // + 4 x
    v.MulSubtractFrom(y, z, z);       // - (x - 5)^2
    v.Copy(x, y);
  });
  for (size_t i = 0; i < in.size(); ++i) {
    const double x = in[i];
    EXPECT_EQ(out[i], x * (x + 3) * (x - 5) + 2 + 4 * x - (x - 5) * (x - 5)) << x;
  }
}

TYPED_TEST(VecTest, ComputesOnGroupsOfEverySizeAndSource) {
  constexpr size_t kLanes = TypeParam::kLanes;
  using Operate = void (*)(TypeParam&, const VecGroup&, const VecGroup&, const VecSource&);
  const std::pair<Operate, float (*)(float, float)> cases[] = {
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Add(to, a, b); },
       [](float a, float b) { return a + b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Sub(to, a, b); },
       [](float a, float b) { return a - b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Mul(to, a, b); },
       [](float a, float b) { return a * b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Div(to, a, b); },
       [](float a, float b) { return a / b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Min(to, a, b); },
       [](float a, float b) { return a < b ? a : b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) { v.Max(to, a, b); },
       [](float a, float b) { return a > b ? a : b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) {
         v.Copy(to, a);
         v.ScaleAdd(to, a, b);
       },
       [](float a, float b) { return a * a + b; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) {
         v.Copy(to, a);
         v.NegativeScaleAdd(to, a, b);
       },
       [](float a, float b) { return b - a * a; }},
      {[](TypeParam& v, const VecGroup& to, const VecGroup& a, const VecSource& b) {
         v.Copy(to, a);
         v.ScaleSub(to, a, b);
       },
       [](float a, float b) { return a * a - b; }},
  };
  for (int size = 1; size <= 4; ++size) {
    const std::vector<float> in = this->Numbers(kLanes * static_cast<size_t>(size));
    const std::vector<float> table = this->Numbers(kLanes + 3);
    for (const auto& [operate, expected] : cases) {
      // The second source is a group, one register, a constant, a vector in memory.
      for (int source = 0; source < 4; ++source) {
        std::vector<float> out(in.size());
        this->Run(in.data(), out.data(), 0,
                  [&, operate = operate](TypeParam& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64&) {
                    const VecRegs to = v.New("to", size);
                    const VecRegs a = v.New("a", size);
                    for (int i = 0; i < size; ++i) v.Load(a[i], ptr[in_reg + i * TypeParam::kBits / 8]);
                    if (source == 0) {
                      const VecRegs b = v.New("b", size);
                      for (int i = 0; i < size; ++i) v.BroadcastConst(b[i], static_cast<float>(7 + i));
                      operate(v, to, a, b);
                    }
                    if (source == 1) {
                      const VecReg one = v.ConstReg(3.0f);
                      operate(v, to, a, static_cast<const Xmm&>(one));
                    }
                    if (source == 2) operate(v, to, a, v.Const(5.0f));
                    if (source == 3) operate(v, to, a, v.code().Table(absl::MakeConstSpan(table).first(kLanes)));
                    for (int i = 0; i < size; ++i) v.Store(ptr[out_reg + i * TypeParam::kBits / 8], to[i]);
                  });
        for (size_t i = 0; i < out.size(); ++i) {
          const float second[] = {static_cast<float>(7 + i / kLanes), 3.0f, 5.0f, table[i % kLanes]};
          EXPECT_EQ(out[i], expected(in[i], second[source]))
              << "size " << size << ", source " << source << ", element " << i;
        }
      }
    }
  }
}

TYPED_TEST(VecTest, ComparesIntegers) {
  const std::vector<int32_t> in = {-7, 2, 3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(),
                                   0};
  const std::pair<VecCompareI32, bool (*)(int32_t, int32_t)> cases[] = {
      {VecCompareI32::kEqual, [](int32_t a, int32_t b) { return a == b; }},
      {VecCompareI32::kNotEqual, [](int32_t a, int32_t b) { return a != b; }},
      {VecCompareI32::kLess, [](int32_t a, int32_t b) { return a < b; }},
      {VecCompareI32::kLessEqual, [](int32_t a, int32_t b) { return a <= b; }},
      {VecCompareI32::kGreater, [](int32_t a, int32_t b) { return a > b; }},
      {VecCompareI32::kGreaterEqual, [](int32_t a, int32_t b) { return a >= b; }}};
  std::vector<float> bits;
  for (const int32_t x : in) bits.push_back(absl::bit_cast<float>(x));
  for (const auto& [compare, expected] : cases) {
    for (const bool in_register : {false, true}) {
      const std::vector<float> out = this->Map(bits, [&, compare = compare](TypeParam& v, const Xmm& x) {
        const typename TypeParam::Mask mask = v.NewMask("mask", 1);
        const VecReg two = v.ConstReg(int32_t{2});
        if (in_register) {
          v.CompareI32(mask, x, static_cast<const Xmm&>(two), compare);
        } else {
          v.CompareI32(mask, x, v.Const(int32_t{2}), compare);
        }
        const VecReg yes = v.ConstReg(1.0f);
        v.Zero(x);
        v.Select(x, mask, yes, x);
      });
      for (size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(out[i], expected(in[i], 2)) << static_cast<int>(compare) << " " << in[i];
      }
    }
  }
}

TYPED_TEST(VecTest, CombinesMasks) {
  const std::vector<float> in = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const bool both : {false, true}) {
    const std::vector<float> out = this->Map(in, [both](TypeParam& v, const Xmm& x) {
      const typename TypeParam::Mask above = v.NewMask("above", 1);
      const typename TypeParam::Mask below = v.NewMask("below", 1);
      v.Compare(above, x, v.Const(2.0f), VecCompare::kGreater);
      v.Compare(below, x, v.Const(5.0f), VecCompare::kLess);
      if (both) v.AndMasks(above, above, below);
      if (!both) v.OrMasks(above, above, below);
      const VecReg yes = v.ConstReg(1.0f);
      v.Zero(x);
      v.Select(x, above, yes, x);
    });
    for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], both ? i > 2 && i < 5 : true) << i;
  }
}

TYPED_TEST(VecTest, Shifts) {
  const std::vector<int32_t> in = {1, -1, 12345678, -12345678, 0, 7};
  std::vector<float> bits;
  for (const int32_t x : in) bits.push_back(absl::bit_cast<float>(x));
  const std::vector<float> out = this->Map(bits, [](TypeParam& v, const Xmm& x) {
    const VecReg y = v.New("y");
    v.ShiftLeftI32(y, x, 4);                      // x << 4
    v.ShiftRightI32(y, y, v.Const(int32_t{2}));   // >> 2, with the sign
    v.ShiftRightU32(x, x, v.Const(int32_t{33}));  // no bit is left
    v.AddI32(x, x, y);
  });
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(absl::bit_cast<int32_t>(out[i]), in[i] * 16 / 4) << in[i];
}

TEST(VecAvx512DivisionTest, IsWithinOneUlpByEitherMeans) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  if (!host.Supports(IsaLevel::kAvx512)) GTEST_SKIP() << host.Require(IsaLevel::kAvx512);
  for (const VecDivision division : {VecDivision::kInstruction, VecDivision::kReciprocal}) {
    Assembler code("divide", IsaSet::From(IsaLevel::kAvx512));
    AbiFrame frame(code);
    {
      VecAvx512 v(code, division);
      const GprReg in = code.regs().Gpr("in");
      const GprReg out = code.regs().Gpr("out");
      frame.Load(in, BURIN_ARG_FIELD(VecArgs, in));
      frame.Load(out, BURIN_ARG_FIELD(VecArgs, out));
      const VecReg a = v.New("a");
      const VecReg b = v.New("b");
      const VecReg to = v.New("to");
      v.Load(a, ptr[in]);
      v.Load(b, ptr[in + 64]);
      v.DivFast(to, a, b);
      v.Store(ptr[out], to);
    }
    frame.Finish();
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
    ASSERT_OK_AND_ASSIGN(const ExecutableCode kernel, ExecutableCode::Load(blob));
    const uint32_t seed = std::random_device()();
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> distribution(-1e6f, 1e6f);
    for (int round = 0; round < 1000; ++round) {
      std::vector<float> operands(32);
      std::vector<float> quotients(16);
      for (float& x : operands) x = distribution(random);
      const VecArgs args = {operands.data(), quotients.data(), 0};
      kernel.entry<void (*)(const VecArgs*)>()(&args);
      for (size_t i = 0; i < quotients.size(); ++i) {
        const double exact = static_cast<double>(operands[i]) / static_cast<double>(operands[i + 16]);
        EXPECT_LE(std::abs(quotients[i] - exact), std::ldexp(1.0, std::ilogb(exact) - 23)) << "seed " << seed;
      }
    }
  }
}

TYPED_TEST(VecTest, Reduces) {
  const std::vector<float> in = this->Numbers(TypeParam::kLanes);
  float sum = 0;
  for (const float x : in) sum += x;
  for (const float x : this->Map(in, [](TypeParam&v, const Xmm&x) { v.ReduceAdd(x); })) EXPECT_EQ(x, sum);
  const auto [least, greatest] = std::minmax_element(in.begin(), in.end());
  for (const float x : this->Map(in, [](TypeParam&v, const Xmm&x) { v.ReduceMin(x); })) EXPECT_EQ(x, *least);
  for (const float x : this->Map(in, [](TypeParam&v, const Xmm&x) { v.ReduceMax(x); })) EXPECT_EQ(x, *greatest);
}

TYPED_TEST(VecTest, LooksUpModuloTheLanes) {
  constexpr int kLanes = TypeParam::kLanes;
  const std::vector<float> table = this->Numbers(kLanes);
  std::vector<float> in(kLanes);
  for (int i = 0; i < kLanes; ++i) {
    const int32_t index = (i * 5 + 3) % kLanes + 64 * i;
    std::memcpy(&in[static_cast<size_t>(i)], &index, sizeof(index));
  }
  const std::vector<float> out = this->Map(in, [&](TypeParam& v, const Xmm& x) {
    const VecReg indices = v.New("indices");
    v.Copy(indices, x);
    v.Lookup(x, indices, v.code().Table(absl::Span<const float>(table)));
  });
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_EQ(out[static_cast<size_t>(i)], table[static_cast<size_t>((i * 5 + 3) % kLanes)]) << i;
  }
}

TYPED_TEST(VecTest, GathersOnlyWhatTheMaskSelects) {
  constexpr size_t kLanes = TypeParam::kLanes;
  // Index -2 is the element before `in`, and what the mask leaves out would be far outside.
  const std::vector<float> numbers = this->Numbers(64);
  std::vector<int32_t> indices(kLanes, 1 << 28);
  for (size_t i = 0; i < 5; ++i) indices[i] = static_cast<int32_t>(i * 7) - 2;
  std::vector<float> out(kLanes, -1.0f);
  this->Run(numbers.data() + 2, out.data(), 0,
            [&](TypeParam& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64&) {
              const VecReg x = v.New("x");
              const VecReg index = v.New("index");
              const typename TypeParam::MaskRegister mask = v.NewMask("mask");
              v.SetMaskFor(mask, 5);
              v.Load(index, v.code().Table(absl::Span<const int32_t>(indices)));
              v.GatherMasked(x, mask, in_reg, index);
              v.Store(ptr[out_reg], x);
            });
  for (size_t i = 0; i < kLanes; ++i) EXPECT_EQ(out[i], i < 5 ? numbers[i * 7] : 0.0f) << i;
  for (size_t i = 0; i < kLanes; ++i) indices[i] = static_cast<int32_t>((i * 11) % 62) - 2;
  this->Run(numbers.data() + 2, out.data(), 0,
            [&](TypeParam& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64&) {
              const VecReg x = v.New("x");
              const VecReg index = v.New("index");
              v.Load(index, v.code().Table(absl::Span<const int32_t>(indices)));
              v.Gather(x, in_reg, index);
              v.Store(ptr[out_reg], x);
            });
  for (size_t i = 0; i < kLanes; ++i) EXPECT_EQ(out[i], numbers[(i * 11) % 62]) << i;
}

TYPED_TEST(VecTest, Transposes) {
  constexpr size_t kLanes = TypeParam::kLanes;
  std::vector<float> in(kLanes * kLanes);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  std::vector<float> out(in.size());
  this->Run(in.data(), out.data(), 0, [&](TypeParam& v, const Reg64& in_reg, const Reg64& out_reg, const Reg64&) {
    std::vector<VecReg> rows;
    for (int i = 0; i < TypeParam::kLanes; ++i) {
      rows.push_back(v.New("row"));
      v.Load(rows.back(), ptr[in_reg + i * TypeParam::kBits / 8]);
    }
    v.Transpose(rows);
    for (int i = 0; i < TypeParam::kLanes; ++i) {
      v.Store(ptr[out_reg + i * TypeParam::kBits / 8], rows[static_cast<size_t>(i)]);
    }
  });
  for (size_t i = 0; i < kLanes; ++i) {
    for (size_t j = 0; j < kLanes; ++j) ASSERT_EQ(out[j * kLanes + i], in[i * kLanes + j]) << i << " " << j;
  }
}

TYPED_TEST(VecTest, BroadcastsRegistersAndElements) {
  for (const float x : this->Map({4, 5}, [](TypeParam&v, const Xmm&x) { v.BroadcastFirst(x, x); })) EXPECT_EQ(x, 4);
  const std::vector<float> out = this->Map({}, [](TypeParam& v, const Xmm& x) {
    const GprReg one = v.code().regs().Gpr("one");
    v.code().mov(one.cvt32(), 7);
    v.BroadcastGpr(x, one.cvt32());
    v.I32ToFloat(x, x);
  });
  for (const float x : out) EXPECT_EQ(x, 7);
}

}  // namespace
}  // namespace burin::jit
