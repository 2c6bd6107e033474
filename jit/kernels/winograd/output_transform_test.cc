#include "jit/kernels/winograd/output_transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

constexpr int kSide = 6;

constexpr double kTransform[4][kSide] = {
    {1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}};

// Runs a kernel of whole vectors and a tail.
class OutputTransformTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
    isa_ = target.isa();
    lanes_ = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  }

  OutputTransformSpec Make(int rows, int columns, int tail) const {
    OutputTransformSpec spec;
    spec.rows = rows;
    spec.columns = columns;
    spec.tail = tail;
    spec.plane_step = int64_t{64} * kVectors;
    spec.pixel_step = (Channels(spec) + 1) * 4;
    spec.row_step = 5 * spec.pixel_step;
    spec.row_pixels = 5;
    return spec;
  }

  int64_t Channels(const OutputTransformSpec& spec) const {
    return int64_t{lanes_} * (kVectors - 1) + (spec.tail > 0 ? spec.tail : lanes_);
  }

  int64_t WholeVectors(const OutputTransformSpec& spec) const { return spec.tail > 0 ? kVectors - 1 : kVectors; }

  void FillSums() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (float& sum : sums_) sum = distribution(random);
  }

  double Expected(const OutputTransformSpec& spec, int row, int column, int64_t channel) const {
    double sum = 0;
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        const size_t at = static_cast<size_t>((i * kSide + j) * spec.plane_step / 4 + channel);
        sum += kTransform[row][i] * kTransform[column][j] * sums_[at];
      }
    }
    return sum;
  }

  static constexpr int kVectors = 3;

  IsaSet isa_;
  int lanes_ = 8;
  std::vector<float> sums_ = std::vector<float>(static_cast<size_t>(36 * 16 * kVectors));
};

TEST_F(OutputTransformTest, StoresTheOutputsThatThereAre) {
  FillSums();
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    for (const int rows : {1, 2, 3, 4}) {
      for (const int columns : {1, 3, 4}) {
        for (const int tail : {0, 5}) {
          const OutputTransformSpec spec = Make(rows, columns, tail);
          ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateOutputTransform(spec, isa_, nullptr));
          ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
          const int64_t size = ((rows - 1) * spec.row_step + (columns - 1) * spec.pixel_step) / 4 + Channels(spec);
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(size * 4), end));
          for (int64_t i = 0; i < size; ++i) output.As<float>()[i] = 77;
          OutputTransformArgs args = {};
          args.sums = sums_.data();
          args.output = output.data();
          args.vectors = WholeVectors(spec);
          code.entry<void (*)(const OutputTransformArgs*)>()(&args);
          for (int64_t i = 0; i < size; ++i) {
            const int64_t row = i / (spec.row_step / 4);
            const int64_t column = i % (spec.row_step / 4) / (spec.pixel_step / 4);
            const int64_t channel = i % (spec.pixel_step / 4);
            const bool is_output = column < columns && channel < Channels(spec);
            const double expected =
                is_output ? Expected(spec, static_cast<int>(row), static_cast<int>(column), channel) : 77;
            ASSERT_NEAR(output.As<float>()[i], expected, 3e-4) << spec.Name() << " " << i;
          }
        }
      }
    }
  }
}

TEST_F(OutputTransformTest, GivesTheOutputsToTheEpilogue) {
  FillSums();
  // Epilogues that leave room for several rows of a tile, for two and for one.
  for (const int vectors : {2, 6, 12, 25}) {
    for (const int general : {3, 14}) {
      const TestEpilogue epilogue(vectors, general);
      const OutputTransformSpec spec = Make(3, 4, 5);
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateOutputTransform(spec, isa_, &epilogue));
      ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
      constexpr int kRows = 30;
      constexpr int kFirstRow = 6;
      constexpr int kFirstColumn = 2;
      const int64_t width = Channels(spec) + kFirstColumn;
      const std::vector<float> bias(static_cast<size_t>(width), 0.25f);
      std::vector<float> scale;
      for (int row = 0; row < kRows; ++row) scale.push_back(static_cast<float>(row));
      const std::vector<float> residual(static_cast<size_t>(kRows * width), 3);
      std::vector<float> output(residual.size(), 77);
      std::array<EpiloguePlace, TestEpilogue::kOperandCount> places;
      places[TestEpilogue::kBias] = {const_cast<float*>(bias.data()), 0};
      places[TestEpilogue::kScale] = {scale.data(), 4};
      places[TestEpilogue::kResidual] = {const_cast<float*>(residual.data()), width * 4};
      places[TestEpilogue::kOutput] = {output.data(), width * 4};
      OutputTransformArgs args = {};
      args.sums = sums_.data();
      args.vectors = WholeVectors(spec);
      args.places = places.data();
      args.row = kFirstRow;
      args.column = kFirstColumn;
      code.entry<void (*)(const OutputTransformArgs*)>()(&args);
      for (int row = 0; row < kRows; ++row) {
        const int y = (row - kFirstRow) / 5;
        const int x = (row - kFirstRow) % 5;
        for (int64_t column = 0; column < width; ++column) {
          double expected = 77;
          if (row >= kFirstRow && y < 3 && x < 4 && column >= kFirstColumn) {
            expected =
                TestEpilogue::Reference(Expected(spec, y, x, column - kFirstColumn), 0.25f, static_cast<float>(row), 3);
          }
          ASSERT_NEAR(output[static_cast<size_t>(row * width + column)], expected, 1e-2) << row << ", " << column;
        }
      }
    }
  }
}

TEST_F(OutputTransformTest, KernelsAreGeneratedForEachWidth) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateOutputTransform(Make(4, 2, 5), IsaSet::From(level), nullptr));
    EXPECT_EQ(blob.name, "winograd_output_4x2_tail5");
  }
}

TEST_F(OutputTransformTest, WhatChangesTheCodeChangesTheKey) {
  std::vector<OutputTransformSpec> specs(8, Make(4, 4, 0));
  specs[1].rows = 3;
  specs[2].columns = 3;
  specs[3].tail = 1;
  specs[4].plane_step = 4096;
  specs[5].row_step = 4096;
  specs[6].pixel_step = 4096;
  specs[7].row_pixels = 9;
  const TestEpilogue epilogue;
  std::set<Hash128> keys;
  for (const OutputTransformSpec& spec : specs) keys.insert(spec.ContentKey(nullptr));
  keys.insert(specs[0].ContentKey(&epilogue));
  EXPECT_EQ(keys.size(), specs.size() + 1);
}

TEST_F(OutputTransformTest, RefusesWhatDoesNotFit) {
  std::vector<OutputTransformSpec> specs(5, Make(4, 4, 0));
  specs[0].rows = 5;
  specs[1].columns = 0;
  specs[2].plane_step = int64_t{1} << 26;
  specs[3].row_step = int64_t{1} << 30;
  specs[4].row_pixels = int64_t{1} << 30;
  for (const OutputTransformSpec& spec : specs) {
    EXPECT_FALSE(spec.Fits());
    EXPECT_THAT(GenerateOutputTransform(spec, isa_, nullptr).status(), StatusIs(absl::StatusCode::kInternal));
  }
}

}  // namespace
}  // namespace burin::jit
