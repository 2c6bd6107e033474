#include "jit/kernels/depthwise/depthwise_strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
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
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

// Three taps of four outputs, the first of which lies in the padding for the first output.
DepthwiseStripSpec Make() {
  DepthwiseStripSpec spec;
  spec.pixels = 4;
  spec.kernel_height = 2;
  spec.kernel_width = 3;
  spec.inside = {0xe, 0xf, 0xf};
  spec.rows = 2;
  spec.row_step = 4096;
  spec.input_step = 256;
  spec.output_step = 512;
  return spec;
}

TEST(DepthwiseStripTest, KernelsAreGeneratedForEachWidth) {
  DepthwiseStripSpec loops = Make();
  loops.unrolled = false;
  DepthwiseStripSpec expands = Make();
  expands.expands = true;
  expands.tail = 3;
  const TestEpilogue epilogue;
  std::set<std::string> names;
  for (const DepthwiseStripSpec& spec : {Make(), loops, expands}) {
    for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateDepthwiseStrip(spec, IsaSet::From(level), nullptr));
      EXPECT_EQ(blob.name, spec.Name());
      EXPECT_OK(GenerateDepthwiseStrip(spec, IsaSet::From(level), &epilogue).status());
    }
    names.insert(spec.Name());
  }
  EXPECT_EQ(names.size(), 3u);
}

TEST(DepthwiseStripTest, WhatChangesTheCodeChangesTheKey) {
  std::vector<DepthwiseStripSpec> specs(14, Make());
  specs[1].pixels = 3;
  specs[2].vectors = 2;
  specs[3].tail = 5;
  specs[4].expands = true;
  specs[5].kernel_height = 3;
  specs[6].stride = 2;
  specs[7].dilation = 2;
  specs[8].inside[0] = 0xf;
  specs[9].unrolled = false;
  specs[10].rows = 1;
  specs[11].row_step = 8192;
  specs[12].input_step = 128;
  specs[13].output_step = 128;
  const TestEpilogue epilogue;
  std::set<Hash128> keys;
  for (const DepthwiseStripSpec& spec : specs) keys.insert(spec.ContentKey(nullptr));
  keys.insert(Make().ContentKey(&epilogue));
  EXPECT_EQ(keys.size(), specs.size() + 1);
}

TEST(DepthwiseStripTest, RefusesWhatDoesNotFit) {
  std::vector<DepthwiseStripSpec> specs(5, Make());
  specs[0].pixels = 32;
  specs[1].inside.pop_back();
  specs[2].input_step = int64_t{1} << 30;
  specs[3].output_step = int64_t{1} << 30;
  specs[4].row_step = int64_t{1} << 31;
  for (const DepthwiseStripSpec& spec : specs) {
    EXPECT_FALSE(spec.Fits());
    EXPECT_THAT(GenerateDepthwiseStrip(spec, IsaSet::From(IsaLevel::kAvx2), nullptr).status(),
                StatusIs(absl::StatusCode::kInternal));
  }
  // The distances of rows are arguments where there is a loop.
  specs[4].unrolled = false;
  EXPECT_TRUE(specs[4].Fits());
}

TEST(DepthwiseStripTest, SumsWhatIsInside) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int lanes = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  DepthwiseStripSpec spec = Make();
  spec.tail = 3;
  const int channels = 2 * lanes + 3;
  spec.input_step = spec.output_step = channels * 4;
  spec.row_step = 6 * spec.input_step;
  ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateDepthwiseStrip(spec, target.isa(), nullptr));
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    // A row of 5 pixels, of which the one before does not exist, and one more behind a gap of a pixel.
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, GuardedBuffer::Create(static_cast<size_t>(11 * channels * 4), end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer weights,
                         GuardedBuffer::Create(static_cast<size_t>(3 * 6 * lanes * 4), end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(4 * channels * 4), end));
    for (int i = 0; i < 11 * channels; ++i) input.As<float>()[i] = static_cast<float>(i / channels + 1);
    for (int i = 0; i < 3 * 6 * lanes; ++i) weights.As<float>()[i] = static_cast<float>(i / lanes % 6 + 1);
    DepthwiseStripArgs args = {};
    args.input = reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(input.data()) -
                                               static_cast<uintptr_t>(spec.input_step));
    args.weights = weights.data();
    args.output = output.data();
    args.vectors = 2;
    args.tail = 1;
    code.entry<void (*)(const DepthwiseStripArgs*)>()(&args);
    for (int pixel = 0; pixel < 4; ++pixel) {
      float expected = 0;
      for (int row = 0; row < 2; ++row) {
        for (int tap = 0; tap < 3; ++tap) {
          if (pixel + tap == 0) continue;
          expected += static_cast<float>(row * 6 + pixel + tap) * static_cast<float>(row * 3 + tap + 1);
        }
      }
      for (int channel = 0; channel < channels; ++channel) {
        ASSERT_EQ(output.As<float>()[pixel * channels + channel], expected) << pixel << ", " << channel;
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
