#include "jit/emitters/vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

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
                    const typename TypeParam::Mask mask = v.NewMask("mask");
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
    const typename TypeParam::Mask mask = v.NewMask("mask");
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
      const typename TypeParam::Mask mask = v.NewMask("mask");
      const VecReg yes = v.New("yes");
      v.Compare(mask, x, v.Const(2.0f), compare);
      v.BroadcastConst(yes, 1.0f);
      v.Zero(x);
      v.Select(x, mask, yes, x);
    });
    for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], expected[i]) << static_cast<int>(compare) << " " << i;
  }
}

TYPED_TEST(VecTest, TakesMasksFromSigns) {
  const std::vector<float> out = this->Map({-1, 0, 1, -0.0f}, [](TypeParam& v, const Xmm& x) {
    const typename TypeParam::Mask mask = v.NewMask("mask");
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
              const typename TypeParam::Mask mask = v.NewMask("mask");
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
