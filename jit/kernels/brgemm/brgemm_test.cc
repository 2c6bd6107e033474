#include "jit/kernels/brgemm/brgemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/asm/code_blob.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

// Returns whole numbers of few bits, so that sums are exact in any order.
void Fill(const GuardedBuffer& buffer, std::mt19937& random) {
  for (size_t i = 0; i < buffer.size() / 4; ++i) {
    buffer.As<float>()[i] = static_cast<float>(static_cast<int>(random() % 17) - 8);
  }
}

// Is a tile with all of its operands: `spec` with what it leaves to run time.
struct Problem {
  BrgemmSpec spec;
  BrgemmArgs args;
  // In bytes from the start of the memory of A and C, by row; of A's including what makes tap offsets nonnegative.
  std::vector<int64_t> a_rows;
  std::vector<int64_t> c_rows;
  int64_t depth = 0;
  int64_t a_step = 4;
  int64_t b_step = 0;
  int64_t a_origin = 0;
  int64_t b_origin = 0;
  int64_t columns = 0;
  int64_t a_bytes = 0;
  int64_t b_bytes = 0;
  int64_t c_bytes = 0;
};

class ProblemMaker {
 public:
  ProblemMaker(const Target& target, std::mt19937& random)
      : target_(target), random_(random), lanes_(target.Supports(IsaLevel::kAvx512) ? 16 : 8) {}

  Problem Make() {
    Problem problem;
    BrgemmSpec& spec = problem.spec;
    do {
      spec.rows = 1 + Below(Below(3) == 0 ? BrgemmSpec::kMaxRows : 14);
      spec.vectors = 1 + Below(4);
      spec.partial = Below(2) == 0;
      spec.b_padded = Below(2) == 0;
      spec.broadcast = Below(2) == 0 ? BroadcastForm::kEmbedded : BroadcastForm::kRegister;
    } while (!spec.Validate(target_.isa()).ok());
    spec.unroll = 1 + Below(5);
    spec.prefetch_lines = Below(3);
    spec.prefetch_c = Below(2) == 0;
    spec.start = Below(2) == 0 ? BrgemmStart::kAddToC : BrgemmStart::kZero;
    problem.args.last_columns = spec.partial ? 1 + Below(lanes_) : lanes_;
    problem.columns = (spec.vectors - 1) * lanes_ + problem.args.last_columns;
    problem.depth = Below(4) == 0 ? Below(4) : Below(40);
    MakeSteps(problem);
    MakeTaps(problem);
    MakeRows(problem);
    return problem;
  }

 private:
  int Below(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  int64_t StoredColumns(const Problem& problem) const {
    return problem.spec.b_padded ? problem.spec.vectors * lanes_ : problem.columns;
  }

  void MakeSteps(Problem& problem) {
    problem.a_step = 4 * (1 + Below(3));
    problem.b_step = 4 * (StoredColumns(problem) + Below(3));
    BrgemmSpec& spec = problem.spec;
    spec.a_step.reset();
    spec.b_step.reset();
    spec.depth.reset();
    if (Below(2) == 0) spec.a_step = problem.a_step;
    if (Below(2) == 0) spec.b_step = problem.b_step;
    if (Below(2) == 0) spec.depth = problem.depth;
    problem.args.a_step = problem.a_step;
    problem.args.b_step = problem.b_step;
    problem.args.depth = problem.depth;
  }

  void MakeTaps(Problem& problem) {
    // Many at equal distances become a loop; others do not.
    const int taps = Below(3) == 0 ? 10 + Below(60) : Below(5);
    const bool regular = Below(2) == 0;
    const int64_t b_tap = std::max<int64_t>(problem.depth, 1) * problem.b_step;
    BrgemmSpec& spec = problem.spec;
    spec.taps.clear();
    int64_t least = 0;
    for (int i = 0; i < taps; ++i) {
      BrgemmTap tap;
      tap.a_offset = regular ? i * problem.a_step : 4 * (Below(50) - 25);
      tap.b_offset = i * b_tap;
      if (Below(regular ? 20 : 2) == 0) tap.rows = static_cast<uint32_t>(random_());
      if (Below(regular ? 20 : 3) == 0) tap.depth = Below(static_cast<int>(problem.depth) + 1);
      least = std::min(least, tap.a_offset);
      spec.taps.push_back(tap);
    }
    problem.a_origin = -least;
    problem.b_bytes = std::max(taps - 1, 0) * b_tap;
    if (problem.depth > 0) problem.b_bytes += (problem.depth - 1) * problem.b_step + 4 * StoredColumns(problem);
  }

  void MakeRows(Problem& problem) {
    BrgemmSpec& spec = problem.spec;
    const int64_t a_stride = 4 * (1 + Below(60));
    const int64_t c_stride = 4 * (problem.columns + Below(5));
    const bool a_list = Below(2) == 0;
    const bool c_list = Below(2) == 0;
    problem.args.a_row_stride = a_stride;
    problem.args.c_row_stride = c_stride;
    for (int row = 0; row < spec.rows; ++row) {
      problem.a_rows.push_back(a_list ? 4 * Below(200) : row * a_stride);
      problem.c_rows.push_back((c_list ? spec.rows - 1 - row : row) * c_stride);
    }
    if (a_list) spec.a_rows = problem.a_rows;
    if (c_list) spec.c_rows = problem.c_rows;
    for (const BrgemmTap& tap : spec.taps) {
      for (const int64_t row : problem.a_rows) {
        problem.a_bytes = std::max(problem.a_bytes, problem.a_origin + tap.a_offset + row +
                                                        std::max<int64_t>(problem.depth - 1, 0) * problem.a_step + 4);
      }
    }
    problem.c_bytes = (spec.rows - 1) * c_stride + 4 * problem.columns;
  }

  const Target& target_;
  std::mt19937& random_;
  const int lanes_;
};

float At(const uint8_t* data, int64_t offset) {
  float value;
  std::memcpy(&value, data + offset, 4);
  return value;
}

// Runs `problem` and compares each element of C, or of the epilogue's output.
void Check(Problem problem, bool with_epilogue, GuardedEnd end, const Target& target, std::mt19937& random) {
  const BrgemmSpec& spec = problem.spec;
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer a, GuardedBuffer::Create(static_cast<size_t>(problem.a_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer b, GuardedBuffer::Create(static_cast<size_t>(problem.b_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer c, GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end));
  for (const GuardedBuffer* const buffer : {&a, &b, &c}) Fill(*buffer, random);
  const std::vector<uint8_t> c_before(c.data(), c.data() + c.size());
  constexpr int64_t kRow = 3;
  constexpr int64_t kColumn = 5;
  std::vector<float> bias;
  std::vector<float> scale;
  for (int64_t i = 0; i < kColumn + problem.columns; ++i) bias.push_back(static_cast<float>(i % 7) - 3);
  for (int64_t i = 0; i < kRow + spec.rows; ++i) scale.push_back(static_cast<float>(i % 5) + 1);
  const int64_t stride = problem.args.c_row_stride;
  const int64_t shift = -kRow * stride - 4 * kColumn;
  const std::vector<EpiloguePlace> places = {
      {bias.data(), 0}, {scale.data(), 4}, {c.data() + shift, stride}, {output.data() + shift, stride}};
  problem.args.a = a.data() + problem.a_origin;
  problem.args.b = b.data();
  problem.args.c = c.data();
  problem.args.prefetch = b.data();
  problem.args.places = places.data();
  problem.args.row = kRow;
  problem.args.column = kColumn;
  const TestEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const Brgemm kernel,
                       Brgemm::Create(spec, with_epilogue ? &epilogue : nullptr, target.isa(), CodeCache::Process()));
  kernel.Run(problem.args);
  std::vector<uint8_t> expected = with_epilogue ? std::vector<uint8_t>(c.size()) : c_before;
  for (int row = 0; row < spec.rows; ++row) {
    for (int64_t column = 0; column < problem.columns; ++column) {
      const int64_t at = problem.c_rows[static_cast<size_t>(row)] + 4 * column;
      double sum = spec.start == BrgemmStart::kAddToC ? At(c_before.data(), at) : 0;
      for (const BrgemmTap& tap : spec.taps) {
        if (((tap.rows >> row) & 1) == 0) continue;
        for (int64_t k = 0; k < tap.depth.value_or(problem.depth); ++k) {
          const int64_t from = problem.a_origin + problem.a_rows[static_cast<size_t>(row)] + tap.a_offset;
          sum += static_cast<double>(At(a.data(), from + k * problem.a_step)) *
                 At(b.data(), tap.b_offset + k * problem.b_step + 4 * column);
        }
      }
      float value = static_cast<float>(sum);
      if (with_epilogue) {
        const int64_t place = row * stride + 4 * column;
        value = static_cast<float>(TestEpilogue::Reference(sum, bias[static_cast<size_t>(kColumn + column)],
                                                           scale[static_cast<size_t>(kRow + row)],
                                                           At(c_before.data(), place)));
        std::memcpy(expected.data() + place, &value, 4);
      } else {
        std::memcpy(expected.data() + at, &value, 4);
      }
    }
  }
  const uint8_t* const stored = with_epilogue ? output.data() : c.data();
  for (size_t i = 0; i < expected.size(); i += 4) {
    ASSERT_EQ(At(stored, static_cast<int64_t>(i)), At(expected.data(), static_cast<int64_t>(i)))
        << spec.Name() << ", byte " << i << (with_epilogue ? " of the output" : " of C");
  }
}

TEST(BrgemmTest, AnySpecComputesItsTileAndTouchesNothingElse) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  constexpr uint32_t kSeed = 20261130;
  std::mt19937 random(kSeed);
  ProblemMaker maker(target, random);
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, ", case ", i));
    const Problem problem = maker.Make();
    // With rows of C in another order, rows of the epilogue's matrix are still those of the tile.
    const bool with_epilogue = problem.spec.c_rows.empty() && i % 3 == 0;
    Check(problem, with_epilogue, i % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte, target, random);
  }
}

// A sum that is cut into calls has the bits of one call: a chain of FMAs.
TEST(BrgemmTest, PartsOfASumHaveTheBitsOfTheWhole) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  constexpr int kDepth = 61;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> a(kDepth);
  std::vector<float> b(kDepth * 64);
  for (float& value : a) value = uniform(random);
  for (float& value : b) value = uniform(random);
  BrgemmSpec spec;
  ASSERT_OK_AND_ASSIGN(const Brgemm whole, Brgemm::Create(spec, nullptr, target.isa(), CodeCache::Process()));
  spec.start = BrgemmStart::kAddToC;
  ASSERT_OK_AND_ASSIGN(const Brgemm part, Brgemm::Create(spec, nullptr, target.isa(), CodeCache::Process()));
  std::vector<float> expected(16);
  std::vector<float> c(16);
  BrgemmArgs args;
  args.a = a.data();
  args.b = b.data();
  args.c = expected.data();
  args.depth = kDepth;
  whole.Run(args);
  args.c = c.data();
  for (int done = 0; done < kDepth; done += static_cast<int>(args.depth)) {
    args.depth = std::min(kDepth - done, 7);
    args.a = a.data() + done;
    args.b = b.data() + done * 64;
    part.Run(args);
  }
  EXPECT_EQ(c, expected);
  float sum = 0;
  for (int k = 0; k < kDepth; ++k) sum = std::fma(a[static_cast<size_t>(k)], b[static_cast<size_t>(k) * 64], sum);
  EXPECT_EQ(c[0], sum);
}

TEST(BrgemmTest, TilesAreRepeatedAlongColumns) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int64_t lanes = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  for (const auto& [rows, vectors] : {std::pair<int, int>{1, 4}, {3, 2}, {2, 1}}) {
    for (const int64_t depth : {0, 1, 5, 8, 19}) {
      for (const BrgemmStart start : {BrgemmStart::kZero, BrgemmStart::kAddToC}) {
        constexpr int64_t kRepeats = 5;
        const int64_t columns = kRepeats * vectors * lanes;
        BrgemmSpec spec;
        spec.rows = rows;
        spec.vectors = vectors;
        spec.unroll = 8;
        spec.b_step.reset();
        spec.repeated = true;
        spec.start = start;
        ASSERT_OK_AND_ASSIGN(const Brgemm kernel, Brgemm::Create(spec, nullptr, target.isa(), CodeCache::Process()));
        std::vector<float> a(static_cast<size_t>(rows * depth));
        std::vector<float> b(static_cast<size_t>(depth * columns));
        std::vector<float> c(static_cast<size_t>(rows * columns), 3);
        for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
        for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 11) - 5;
        std::vector<float> expected = c;
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t column = 0; column < columns; ++column) {
            float sum = start == BrgemmStart::kZero ? 0 : 3;
            for (int64_t k = 0; k < depth; ++k) {
              sum += a[static_cast<size_t>(row * depth + k)] * b[static_cast<size_t>(k * columns + column)];
            }
            expected[static_cast<size_t>(row * columns + column)] = sum;
          }
        }
        BrgemmArgs args;
        args.a = a.data();
        args.b = b.data();
        args.c = c.data();
        args.a_row_stride = 4 * depth;
        args.c_row_stride = 4 * columns;
        args.b_step = 4 * columns;
        args.depth = depth;
        args.repeats = kRepeats;
        kernel.Run(args);
        EXPECT_EQ(c, expected) << spec.Name() << ", depth " << depth;
      }
    }
  }
  BrgemmSpec spec;
  spec.repeated = true;
  const TestEpilogue epilogue;
  EXPECT_THAT(GenerateBrgemm(spec, &epilogue, target.isa()).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BrgemmTest, BothWidthsAreGenerated) {
  BrgemmSpec spec;
  spec.rows = 6;
  spec.vectors = 2;
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateBrgemm(spec, nullptr, IsaSet::From(level)));
    EXPECT_EQ(blob.name, spec.Name());
  }
  spec.rows = 7;
  EXPECT_THAT(GenerateBrgemm(spec, nullptr, IsaSet::From(IsaLevel::kAvx2)).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
