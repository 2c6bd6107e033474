#include "jit/kernels/winograd/input_transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

constexpr int kSide = 6;

constexpr double kTransform[kSide][kSide] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0}, {0, 4, -4, -1, 1, 0},
                                             {0, -2, -1, 2, 1, 0}, {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};

InputTransformSpec Make(int64_t channels) {
  InputTransformSpec spec;
  spec.channels = channels;
  spec.pixel_step = (channels + 1) * 4;
  spec.row_step = 7 * spec.pixel_step;
  spec.plane_step = (channels + 15) / 16 * 64;
  return spec;
}

// Returns element (i, j) of the transformed tile; what lies outside is 0.
double Expected(const InputTransformSpec& spec, const float* pixels, int64_t channel, int i, int j) {
  double sum = 0;
  for (int64_t row = spec.rows.begin; row < spec.rows.end; ++row) {
    for (int64_t column = spec.columns.begin; column < spec.columns.end; ++column) {
      sum += kTransform[i][row] * kTransform[j][column] *
             pixels[(row * spec.row_step + column * spec.pixel_step) / 4 + channel];
    }
  }
  return sum;
}

// The buffer is as large as the rows and columns that lie inside.
void Check(const InputTransformSpec& spec, GuardedEnd end) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateInputTransform(spec, target.isa()));
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
  const bool empty = spec.rows.count() == 0 || spec.columns.count() == 0;
  const int64_t skipped = empty ? 0 : spec.rows.begin * spec.row_step + spec.columns.begin * spec.pixel_step;
  const int64_t bytes = empty ? 0
                              : (spec.rows.count() - 1) * spec.row_step + (spec.columns.count() - 1) * spec.pixel_step +
                                    spec.channels * 4;
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, GuardedBuffer::Create(static_cast<size_t>(bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer output,
                       GuardedBuffer::Create(static_cast<size_t>(36 * spec.plane_step), end));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> distribution(-1, 1);
  for (int64_t i = 0; i < bytes / 4; ++i) input.As<float>()[i] = distribution(random);
  for (int64_t i = 0; i < 36 * spec.plane_step / 4; ++i) output.As<float>()[i] = 77;
  const auto start = reinterpret_cast<uintptr_t>(input.data()) - static_cast<uintptr_t>(skipped);
  const InputTransformArgs args = {reinterpret_cast<const void*>(start), output.data()};
  code.entry<void (*)(const InputTransformArgs*)>()(&args);
  const auto* const pixels = reinterpret_cast<const float*>(start);
  const int64_t lanes = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const float* const plane = output.As<float>() + (i * kSide + j) * spec.plane_step / 4;
      for (int64_t channel = 0; channel < spec.channels; ++channel) {
        ASSERT_NEAR(plane[channel], Expected(spec, pixels, channel, i, j), 3e-5) << i << ", " << j << ", " << channel;
      }
      for (int64_t channel = spec.channels; channel < (spec.channels + lanes - 1) / lanes * lanes; ++channel) {
        ASSERT_EQ(plane[channel], 0) << i << ", " << j << ", " << channel;
      }
    }
  }
}

TEST(InputTransformTest, TransformsWhatIsInside) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    for (const int64_t channels : {1, 8, 16, 35}) {
      InputTransformSpec spec = Make(channels);
      Check(spec, end);
      spec.rows = {1, 6};
      spec.fetches = true;
      Check(spec, end);
      spec.columns = {2, 3};
      Check(spec, end);
      spec.rows = {0, 0};
      Check(spec, end);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(InputTransformTest, KernelsAreGeneratedForEachWidth) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateInputTransform(Make(70), IsaSet::From(level)));
    EXPECT_EQ(blob.name, "winograd_input_c70");
  }
}

TEST(InputTransformTest, WhatChangesTheCodeChangesTheKey) {
  std::vector<InputTransformSpec> specs(8, Make(40));
  specs[1].channels = 41;
  specs[2].rows.begin = 1;
  specs[3].columns.end = 5;
  specs[4].row_step = 4096;
  specs[5].pixel_step = 4;
  specs[6].plane_step = 4096;
  specs[7].fetches = true;
  std::set<Hash128> keys;
  for (const InputTransformSpec& spec : specs) keys.insert(spec.ContentKey());
  EXPECT_EQ(keys.size(), specs.size());
}

TEST(InputTransformTest, RefusesWhatDoesNotFit) {
  std::vector<InputTransformSpec> specs(4, Make(40));
  specs[0].rows.end = 7;
  specs[1].row_step = int64_t{1} << 30;
  specs[2].plane_step = int64_t{1} << 26;
  specs[3].pixel_step = -4;
  for (const InputTransformSpec& spec : specs) {
    EXPECT_FALSE(spec.Fits());
    EXPECT_THAT(GenerateInputTransform(spec, IsaSet::From(IsaLevel::kAvx2)).status(),
                StatusIs(absl::StatusCode::kInternal));
  }
}

}  // namespace
}  // namespace burin::jit
