#include "tools/kernel_bench/families/yardsticks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"

namespace burin::kernel_bench {
namespace {

TEST(YardsticksTest, CopiesEveryCopyInTurn) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  jit::CacheSizes caches;
  caches.l3 = 1 << 20;
  constexpr int64_t kBytes = 32 << 20;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<CaseBuffers> buffers,
                       CaseBuffers::Create(1, kBytes, kBytes, true, caches));
  ASSERT_GE(buffers->copies(), 2);
  buffers->In<int32_t>(0, 0)[1023] = 7;
  buffers->In<int32_t>(0, 0)[1024] = 8;
  buffers->Replicate();
  ASSERT_OK_AND_ASSIGN(const Entrant copy, CopyYardstick(host.isa(), buffers, 4096, 1024));
  EXPECT_EQ(copy.role, Role::kYardstick);
  EXPECT_EQ(copy.bytes_per_repeat, 8192);
  EXPECT_EQ(copy.units_per_repeat, 1024);
  copy.run(1);
  EXPECT_EQ(buffers->Out<int32_t>(0)[1023], 7);
  EXPECT_EQ(buffers->Out<int32_t>(0)[1024], 0);
  EXPECT_EQ(buffers->Out<int32_t>(1)[1023], 0);
  copy.run(1);
  EXPECT_EQ(buffers->Out<int32_t>(1)[1023], 7);
}

TEST(YardsticksTest, MultipliesAtTheWidthOfTheLevel) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const Entrant narrow, FmaYardstick(host.isa().CappedAt(jit::IsaLevel::kAvx2)));
  EXPECT_EQ(narrow.units_per_repeat, 48 * 8);
  narrow.run(10);
  if (!host.Supports(jit::IsaLevel::kAvx512)) GTEST_SKIP() << "this machine has no AVX-512";
  ASSERT_OK_AND_ASSIGN(const Entrant wide, FmaYardstick(host.isa()));
  EXPECT_EQ(wide.units_per_repeat, 48 * 16);
  wide.run(10);
}

}  // namespace
}  // namespace burin::kernel_bench
