#include "tools/kernel_bench/families/case_buffers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/isa/cache_info.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CaseBuffersTest, OneCopyWhileHot) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<CaseBuffers> buffers,
                       CaseBuffers::Create(2, 4096, 4096, false, jit::CacheSizes()));
  EXPECT_EQ(buffers->copies(), 1);
  const float* const first = buffers->In<float>(0, 0);
  const float* const second = buffers->In<float>(0, 1);
  const float* const out = buffers->Out<float>(0);
  for (const float* const buffer : {first, second, out}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer) % 64, 0u);
    EXPECT_EQ(buffer[0], 0);
    EXPECT_EQ(buffer[1023], 0);
  }
  EXPECT_GE(second, first + 1024);
  EXPECT_GE(out, second + 1024);
  EXPECT_NE(reinterpret_cast<uintptr_t>(first) % 4096, reinterpret_cast<uintptr_t>(out) % 4096);
  EXPECT_EQ(buffers->Describe(), "2 inputs of 4 KiB, output of 4 KiB, aligned to 64 bytes; the same at each repeat");
}

TEST(CaseBuffersTest, MoreThanTheCachesHoldWhileCold) {
  jit::CacheSizes caches;
  caches.l3 = 4 << 20;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<CaseBuffers> buffers, CaseBuffers::Create(1, 1 << 20, 100, true, caches));
  EXPECT_GT(int64_t{buffers->copies()} << 20, 3 * caches.l3);
  EXPECT_THAT(buffers->Describe(), HasSubstr("copies at each repeat: cold"));
  const int last = buffers->copies() - 1;
  buffers->In<int32_t>(0, 0)[7] = 42;
  EXPECT_EQ(buffers->In<int32_t>(last, 0)[7], 0);
  buffers->Replicate();
  EXPECT_EQ(buffers->In<int32_t>(last, 0)[7], 42);
  EXPECT_EQ(buffers->Out<int32_t>(last)[7], 0);
}

TEST(CaseBuffersTest, SpoiledFloatsAreNoNumbers) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<CaseBuffers> buffers,
                       CaseBuffers::Create(1, 64, 64, false, jit::CacheSizes()));
  buffers->Spoil();
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isnan(buffers->Out<float>(0)[i]));
  EXPECT_EQ(buffers->In<float>(0, 0)[15], 0);
}

TEST(CaseBuffersTest, RefusesWhatDoesNotFitIntoMemory) {
  EXPECT_THAT(CaseBuffers::Create(1, int64_t{1} << 50, 64, false, jit::CacheSizes()).status(),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(CaseBuffersTest, RotatingGoesOnWhereItStopped) {
  std::vector<int> called;
  const std::function<void(int64_t)> run = Rotating(3, [&](int copy) { called.push_back(copy); });
  run(2);
  run(2);
  EXPECT_THAT(called, ElementsAre(0, 1, 2, 0));
}

}  // namespace
}  // namespace burin::kernel_bench
