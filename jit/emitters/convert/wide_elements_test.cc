#include "jit/emitters/convert/wide_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit::internal {
namespace {

struct LoadAsF32 {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadWideAsF32(v, type, RawSource<V>{from, part}, to);
  }
  ElementType type;
};
struct LoadAsI32 {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadWideAsI32(v, type, RawSource<V>{from, part}, to);
  }
  ElementType type;
};
struct StoreF32 {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    EmitStoreF32AsWide(v, type, RawDestination<V>{to, part}, VecRounding::kNearestEven, from);
  }
  ElementType type;
};
struct StoreI32 {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    EmitStoreI32AsWide(v, type, RawDestination<V>{to, part}, saturate, from);
  }
  ElementType type;
  bool saturate;
};

// Returns what the movement makes of elements.
template <class Out, class In>
std::vector<Out> Move(const Movement& movement, const std::vector<In>& in) {
  const absl::StatusOr<Target> target = Target::Host();
  const absl::StatusOr<MemoryKernel> kernel = MemoryKernel::Create(movement, *target, 2);
  EXPECT_OK(kernel.status());
  std::vector<Out> out(in.size());
  kernel->Run(in.data(), out.data(), static_cast<int64_t>(in.size()));
  return out;
}

TEST(WideElementsTest, IntegersRoundOnceToFloats) {
  // The last ones lie next to the middle of two floats, which is the nearest double.
  const std::vector<int64_t> in = {0,
                                   -1,
                                   std::numeric_limits<int64_t>::max(),
                                   std::numeric_limits<int64_t>::min(),
                                   0x4000004000000001,
                                   -0x4000004000000001,
                                   0x400000BFFFFFFFFF,
                                   0x4000004000000000,
                                   0x0020000100000001,
                                   -1234567890123456789};
  const std::vector<float> out = Move<float>(Movement::Of(8, 4, LoadAsF32{ElementType::kI64}, RawLanesStore()), in);
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], static_cast<float>(in[i])) << in[i];
  EXPECT_NE(out[4], static_cast<float>(static_cast<double>(in[4])));
  std::vector<uint64_t> as_unsigned(in.begin(), in.end());
  const std::vector<float> from_unsigned =
      Move<float>(Movement::Of(8, 4, LoadAsF32{ElementType::kU64}, RawLanesStore()), as_unsigned);
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(from_unsigned[i], static_cast<float>(as_unsigned[i])) << in[i];
}

TEST(WideElementsTest, IntegersLoseTheirUpperHalves) {
  const std::vector<int64_t> in = {0, -1, 0x123456789ABCDEF0, -0x123456789ABCDEF0, 5};
  const std::vector<int32_t> out = Move<int32_t>(Movement::Of(8, 4, LoadAsI32{ElementType::kI64}, RawLanesStore()), in);
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], static_cast<int32_t>(in[i])) << in[i];
}

TEST(WideElementsTest, DoublesTruncateAndSaturate) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> in = {1.75, -1.75, 0x1p31, -0x1p31 - 0.5, 0x1p31 - 0.25, infinity, -infinity, std::nan("")};
  const std::vector<int32_t> out = Move<int32_t>(Movement::Of(8, 4, LoadAsI32{ElementType::kF64}, RawLanesStore()), in);
  const int32_t max = std::numeric_limits<int32_t>::max();
  const int32_t min = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(out, (std::vector<int32_t>{1, -1, max, min, max, max, min, 0}));
}

TEST(WideElementsTest, FloatsRoundAndSaturate) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {2.5f,     -3.5f,     -0.25f,  0x1.000002p62f, -0x1.fffffep62f, 0x1p63f,
                                 -0x1p63f, 0x1.8p63f, 0x1p64f, infinity,       -infinity,       std::nanf("")};
  const int64_t max = std::numeric_limits<int64_t>::max();
  const int64_t min = std::numeric_limits<int64_t>::min();
  const uint64_t all = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ((Move<int64_t>(Movement::Of(4, 8, RawLanesLoad(), StoreF32{ElementType::kI64}), in)),
            (std::vector<int64_t>{2, -4, 0, 0x4000008000000000, -0x7FFFFF8000000000, max, min, max, max, max, min, 0}));
  EXPECT_EQ(
      (Move<uint64_t>(Movement::Of(4, 8, RawLanesLoad(), StoreF32{ElementType::kU64}), in)),
      (std::vector<uint64_t>{2, 0, 0, 0x4000008000000000, 0, uint64_t{1} << 63, 0, uint64_t{3} << 62, all, all, 0, 0}));
}

TEST(WideElementsTest, IntegersWidenWithTheirSign) {
  const std::vector<int32_t> in = {0, -1, 7, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  const std::vector<int64_t> i64 =
      Move<int64_t>(Movement::Of(4, 8, RawLanesLoad(), StoreI32{ElementType::kI64, true}), in);
  const std::vector<double> f64 =
      Move<double>(Movement::Of(4, 8, RawLanesLoad(), StoreI32{ElementType::kF64, true}), in);
  const std::vector<int64_t> wrapped =
      Move<int64_t>(Movement::Of(4, 8, RawLanesLoad(), StoreI32{ElementType::kU64, false}), in);
  const std::vector<int64_t> saturated =
      Move<int64_t>(Movement::Of(4, 8, RawLanesLoad(), StoreI32{ElementType::kU64, true}), in);
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(i64[i], in[i]);
    EXPECT_EQ(f64[i], in[i]);
    EXPECT_EQ(wrapped[i], in[i]);
    EXPECT_EQ(saturated[i], in[i] < 0 ? 0 : in[i]);
  }
}

}  // namespace
}  // namespace burin::jit::internal
