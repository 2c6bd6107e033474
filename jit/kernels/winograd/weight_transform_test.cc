#include "jit/kernels/winograd/weight_transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

constexpr double kTransform[6][3] = {{1.0 / 4, 0, 0},
                                     {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                     {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                     {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                     {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                     {0, 0, 1}};

TEST(WeightTransformTest, TransformsEachWindow) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  constexpr int64_t kChannels = 5;
  constexpr int64_t kPlane = (kChannels + 1) * 64;
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateWeightTransform(kPlane * 4, target.isa()));
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer weights, GuardedBuffer::Create(kChannels * 9 * 64 * 4, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create((35 * kPlane + kChannels * 64) * 4, end));
    std::mt19937 random(1);
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (int64_t i = 0; i < kChannels * 9 * 64; ++i) weights.As<float>()[i] = distribution(random);
    const WeightTransformArgs args = {weights.data(), output.data(), kChannels};
    code.entry<void (*)(const WeightTransformArgs*)>()(&args);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        for (int64_t at = 0; at < kChannels * 64; ++at) {
          double expected = 0;
          for (int tap = 0; tap < 9; ++tap) {
            expected += kTransform[i][tap / 3] * kTransform[j][tap % 3] *
                        weights.As<float>()[(at / 64 * 9 + tap) * 64 + at % 64];
          }
          // Rounded once, from double.
          ASSERT_NEAR(output.As<float>()[(i * 6 + j) * kPlane + at], expected, std::abs(expected) * 6e-8 + 1e-15)
              << i << ", " << j << ", " << at;
        }
      }
    }
  }
}

TEST(WeightTransformTest, KernelsAreGeneratedForEachWidth) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateWeightTransform(256, IsaSet::From(level)));
    EXPECT_EQ(blob.name, "winograd_weights");
  }
}

TEST(WeightTransformTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(GenerateWeightTransform(int64_t{1} << 26, IsaSet::From(IsaLevel::kAvx2)).status(),
              StatusIs(absl::StatusCode::kInternal));
}

}  // namespace
}  // namespace burin::jit
