#include "jit/emitters/memory/raw_load.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit::internal {
namespace {

struct LoadDwords {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadDwords(v, RawSource<V>{from, part}, bytes, is_signed, to);
  }
  int bytes;
  bool is_signed;
};

// Widens the words once more, so that lanes of 32 bits are stored.
struct LoadWords {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    EmitLoadWords(v, RawSource<V>{from, part}, bytes, to);
    for (int i = 0; i < to.size(); ++i) v.code().vpmovsxwd(to[i], HalfOf(to[i]));
  }
  int bytes;
};

// Keeps the lower halves of elements, then the upper ones.
struct LoadQwords {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    const VecReg high = v.New("high");
    for (int i = 0; i < to.size(); ++i) {
      EmitLoadQwords(v, RawSource<V>{from, part}, i, to.size(), to[i], high);
      v.Xor(to[i], to[i], high);
    }
  }
};

std::vector<uint8_t> Bytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i * 73 + 19);
  return bytes;
}

template <class Load>
std::vector<int32_t> Loaded(int bytes, const Load& load, const std::vector<uint8_t>& in) {
  const absl::StatusOr<Target> target = Target::Host();
  const absl::StatusOr<MemoryKernel> kernel =
      MemoryKernel::Create(Movement::Of(bytes, 4, load, RawLanesStore()), *target, 3);
  EXPECT_OK(kernel.status());
  std::vector<int32_t> out(in.size() / static_cast<size_t>(bytes));
  kernel->Run(in.data(), out.data(), static_cast<int64_t>(out.size()));
  return out;
}

TEST(RawLoadTest, ExtendsWithSignsOrZeros) {
  const std::vector<uint8_t> in = Bytes(200);
  const std::vector<int32_t> u8 = Loaded(1, LoadDwords{1, false}, in);
  const std::vector<int32_t> i8 = Loaded(1, LoadDwords{1, true}, in);
  const std::vector<int32_t> words = Loaded(1, LoadWords{1}, in);
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(u8[i], in[i]) << i;
    EXPECT_EQ(i8[i], static_cast<int8_t>(in[i])) << i;
    EXPECT_EQ(words[i], static_cast<int8_t>(in[i])) << i;
  }
  const std::vector<int32_t> u16 = Loaded(2, LoadDwords{2, false}, in);
  const std::vector<int32_t> i16 = Loaded(2, LoadDwords{2, true}, in);
  const std::vector<int32_t> as_words = Loaded(2, LoadWords{2}, in);
  for (size_t i = 0; i < u16.size(); ++i) {
    const auto element = static_cast<uint16_t>(in[2 * i] | in[2 * i + 1] << 8);
    EXPECT_EQ(u16[i], element) << i;
    EXPECT_EQ(i16[i], static_cast<int16_t>(element)) << i;
    EXPECT_EQ(as_words[i], static_cast<int16_t>(element)) << i;
  }
}

TEST(RawLoadTest, TouchesOnlyThePart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<uint8_t> in = Bytes(48 * 4);
  for (const int bytes : {1, 2, 4}) {
    EXPECT_OK(CheckParts(Movement::Of(bytes, 4, LoadDwords{bytes, true}, RawLanesStore()), target, in)) << bytes;
  }
  for (const int bytes : {1, 2}) {
    EXPECT_OK(CheckParts(Movement::Of(bytes, 4, LoadWords{bytes}, RawLanesStore()), target, in)) << bytes;
  }
}

TEST(RawLoadTest, LanesOutsideThePartAreZero) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<uint8_t> in(8 * 16, 0xFF);
  const auto lanes = static_cast<size_t>(LanesOf(target));
  // Stores whole vectors whatever the part is.
  const auto store = [](auto& v, const VecGroup& from, const Address& to, const auto&) { v.Store(to, from[0]); };
  const auto check = [&](const auto& load, int bytes, bool in_halves) {
    ASSERT_OK_AND_ASSIGN(const MemoryKernel kernel,
                         MemoryKernel::Create(Movement::Of(bytes, 4, load, store), target, 1, 3));
    std::vector<uint32_t> out(lanes, 1);
    kernel.Run(in.data(), out.data(), 3);
    for (size_t i = 3; i < lanes; ++i) {
      // Three elements of 8 bytes take twice as many lanes.
      if (in_halves && i < 6) continue;
      EXPECT_EQ(out[i], 0u) << bytes << " " << i;
    }
  };
  for (const int bytes : {1, 2, 4}) check(LoadDwords{bytes, true}, bytes, false);
  for (const int bytes : {1, 2}) check(LoadWords{bytes}, bytes, false);
  check(LoadQwords(), 8, true);
}

TEST(RawLoadTest, NamesNarrowerRegisters) {
  EXPECT_EQ(HalfOf(AsZmm(Xmm(20))).getBit(), 256);
  EXPECT_EQ(HalfOf(AsYmm(Xmm(3))).getBit(), 128);
  EXPECT_EQ(QuarterOf(AsZmm(Xmm(20))).getBit(), 128);
  EXPECT_EQ(HalfOf(AsZmm(Xmm(20))).getIdx(), 20);
}

}  // namespace
}  // namespace burin::jit::internal
