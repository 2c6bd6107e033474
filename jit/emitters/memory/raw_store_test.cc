#include "jit/emitters/memory/raw_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit::internal {
namespace {

struct Store {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    EmitStoreDwords(v, RawDestination<V>{to, part}, bytes, narrowing, from);
  }
  int bytes;
  Narrowing narrowing;
};

// Stores the lanes of the lower half of a vector, extended, as either half of the elements.
struct StoreLowerTwice {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    const VecReg extended = v.New("extended");
    for (int i = 0; i < from.size(); ++i) {
      v.code().vpmovzxdq(extended, HalfOf(from[i]));
      EmitStoreQwords(v, RawDestination<V>{to, part}, i, from.size(), extended, extended);
    }
  }
};

std::vector<int32_t> Numbers() {
  std::vector<int32_t> numbers;
  for (int shift = 0; shift < 32; ++shift) {
    for (const uint32_t offset : {0u, 1u, 2u, 0u - 1, 0u - 2}) {
      numbers.push_back(static_cast<int32_t>((1u << shift) + offset));
      numbers.push_back(static_cast<int32_t>(offset - (1u << shift)));
    }
  }
  return numbers;
}

int32_t Expected(int32_t x, int bytes, Narrowing narrowing) {
  const int bits = 8 * bytes;
  switch (narrowing) {
    case Narrowing::kSaturate:
      return std::clamp(x, -(1 << (bits - 1)), (1 << (bits - 1)) - 1);
    case Narrowing::kSaturateUnsigned:
      return std::clamp(x, 0, (1 << bits) - 1);
    case Narrowing::kWrap:
      break;
  }
  return x;
}

TEST(RawStoreTest, Narrows) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const std::vector<int32_t> in = Numbers();
  for (const int bytes : {1, 2}) {
    for (const Narrowing narrowing : {Narrowing::kWrap, Narrowing::kSaturate, Narrowing::kSaturateUnsigned}) {
      ASSERT_OK_AND_ASSIGN(
          const MemoryKernel kernel,
          MemoryKernel::Create(Movement::Of(4, bytes, RawLanesLoad(), Store{bytes, narrowing}), target, 3));
      std::vector<uint8_t> out(in.size() * static_cast<size_t>(bytes));
      kernel.Run(in.data(), out.data(), static_cast<int64_t>(in.size()));
      for (size_t i = 0; i < in.size(); ++i) {
        const int32_t expected = Expected(in[i], bytes, narrowing);
        EXPECT_EQ(std::memcmp(&out[i * static_cast<size_t>(bytes)], &expected, static_cast<size_t>(bytes)), 0)
            << in[i] << " " << bytes << " " << static_cast<int>(narrowing);
      }
    }
  }
}

TEST(RawStoreTest, TouchesOnlyThePart) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  std::vector<uint8_t> in(48 * 4);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 73 + 19);
  for (const int bytes : {1, 2, 4}) {
    EXPECT_OK(CheckParts(Movement::Of(4, bytes, RawLanesLoad(), Store{bytes, Narrowing::kWrap}), target, in)) << bytes;
  }
  EXPECT_OK(CheckParts(Movement::Of(4, 8, RawLanesLoad(), StoreLowerTwice()), target, in));
}

}  // namespace
}  // namespace burin::jit::internal
