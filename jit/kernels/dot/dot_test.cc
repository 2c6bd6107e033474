#include "jit/kernels/dot/dot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/dot/dot_args.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

float At(const uint8_t* data, int64_t offset) {
  float value;
  std::memcpy(&value, data + offset, 4);
  return value;
}

// Is a call with the bytes of its operands.
struct Problem {
  DotSpec spec;
  DotArgs args;
  int64_t a_bytes = 0;
  // Columns that are read before the first.
  int64_t before = 0;
  int64_t b_bytes = 0;
  int64_t c_bytes = 0;
};

Problem Make(const Target& target, std::mt19937& random) {
  const auto below = [&](int64_t count) { return static_cast<int64_t>(random() % static_cast<uint32_t>(count)); };
  Problem problem;
  DotArgs& args = problem.args;
  do {
    problem.spec.rows = static_cast<int>(1 + below(DotSpec::kMaxRows));
    problem.spec.group = static_cast<int>(1 + below(DotSpec::kMaxGroup));
  } while (!problem.spec.Validate(target.isa()).ok());
  problem.spec.add_to_c = below(2) == 0;
  problem.spec.prefetch = below(2) == 0;
  args.depth = below(4) == 0 ? below(4) : below(200);
  args.columns = 1 + below(below(3) == 0 ? 10 : DotSpec::kMaxColumns);
  args.a_row_stride = 4 * (args.depth + below(3));
  args.b_column_stride = 4 * (args.depth + below(3));
  args.c_row_stride = 4 * (args.columns + below(4));
  problem.before = std::max<int64_t>(0, problem.spec.group - args.columns);
  if (args.depth > 0) {
    problem.a_bytes = (problem.spec.rows - 1) * args.a_row_stride + 4 * args.depth;
    problem.b_bytes = (problem.before + args.columns - 1) * args.b_column_stride + 4 * args.depth;
  }
  problem.c_bytes = (problem.spec.rows - 1) * args.c_row_stride + 4 * args.columns;
  return problem;
}

// Runs the problem; each element of C, or of the epilogue's output, is what `sum` says of its row and column, and no
// other is written.
void Check(
    Problem problem, bool with_epilogue, GuardedEnd end, const Target& target, const std::function<float()>& value,
    const std::function<float(const Problem&, const uint8_t* a, const uint8_t* b, int row, int64_t column)>& sum) {
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer a, GuardedBuffer::Create(static_cast<size_t>(problem.a_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer b, GuardedBuffer::Create(static_cast<size_t>(problem.b_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer c, GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end));
  for (const GuardedBuffer* const buffer : {&a, &b, &c}) {
    for (size_t i = 0; i < buffer->size() / 4; ++i) buffer->As<float>()[i] = value();
  }
  const std::vector<uint8_t> before(c.data(), c.data() + c.size());
  constexpr int64_t kRow = 3;
  constexpr int64_t kColumn = 5;
  const std::vector<float> bias(static_cast<size_t>(kColumn + problem.args.columns), 2.0f);
  const std::vector<float> scale(static_cast<size_t>(kRow + problem.spec.rows), 3.0f);
  const int64_t stride = problem.args.c_row_stride;
  const int64_t shift = -kRow * stride - 4 * kColumn;
  const std::vector<EpiloguePlace> places = {{const_cast<float*>(bias.data()), 0},
                                             {const_cast<float*>(scale.data()), 4},
                                             {c.data() + shift, stride},
                                             {output.data() + shift, stride}};
  problem.args.a = a.data();
  problem.args.b = b.data() + (problem.args.depth > 0 ? problem.before * problem.args.b_column_stride : 0);
  problem.args.c = c.data();
  problem.args.places = places.data();
  problem.args.row = kRow;
  problem.args.column = kColumn;
  const TestEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const DotKernel kernel, DotKernel::Create(problem.spec, with_epilogue ? &epilogue : nullptr,
                                                                 target.isa(), CodeCache::Process()));
  kernel.Run(problem.args);
  std::vector<uint8_t> expected = with_epilogue ? std::vector<uint8_t>(before.size()) : before;
  const auto* const b_first = static_cast<const uint8_t*>(problem.args.b);
  for (int row = 0; row < problem.spec.rows; ++row) {
    for (int64_t column = 0; column < problem.args.columns; ++column) {
      const int64_t at = row * stride + 4 * column;
      float result = sum(problem, a.data(), b_first, row, column);
      if (problem.spec.add_to_c) result += At(before.data(), at);
      if (with_epilogue) {
        result = static_cast<float>(TestEpilogue::Reference(result, 2.0f, 3.0f, At(before.data(), at)));
      }
      std::memcpy(expected.data() + at, &result, 4);
    }
  }
  const uint8_t* const stored = (with_epilogue ? output : c).data();
  for (int64_t i = 0; i < problem.c_bytes; i += 4) ASSERT_EQ(At(stored, i), At(expected.data(), i)) << "byte " << i;
}

TEST(DotTest, AnyCallIsRightAndTouchesNothingElse) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  constexpr uint32_t kSeed = 5;
  std::mt19937 random(kSeed);
  for (int i = 0; i < 400 && !testing::Test::HasFatalFailure(); ++i) {
    const Problem problem = Make(target, random);
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, ", case ", i, ": ", problem.spec.Name(), ", ", problem.args.columns,
                              " columns of ", problem.args.depth));
    // Whole numbers of few bits: sums are exact in any order.
    Check(
        problem, i % 2 == 0, i % 4 < 2 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte, target,
        [&] { return static_cast<float>(static_cast<int>(random() % 17) - 8); },
        [](const Problem& p, const uint8_t* a, const uint8_t* b, int row, int64_t column) {
          float sum = 0;
          for (int64_t k = 0; k < p.args.depth; ++k) {
            sum += At(a, row * p.args.a_row_stride + 4 * k) * At(b, column * p.args.b_column_stride + 4 * k);
          }
          return sum;
        });
  }
}

// The bits are those that the spec's comment promises, at every width.
TEST(DotTest, SumsAreSixteenChains) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  std::mt19937 random(6);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int i = 0; i < 60 && !testing::Test::HasFatalFailure(); ++i) {
    Check(
        Make(target, random), false, GuardedEnd::kLastByte, target, [&] { return uniform(random); },
        [](const Problem& p, const uint8_t* a, const uint8_t* b, int row, int64_t column) {
          std::array<float, 16> c = {};
          for (int64_t k = 0; k < p.args.depth; ++k) {
            float& chain = c[static_cast<size_t>(k % 16)];
            chain = std::fma(At(a, row * p.args.a_row_stride + 4 * k), At(b, column * p.args.b_column_stride + 4 * k),
                             chain);
          }
          std::array<float, 8> h = {};
          for (size_t j = 0; j < 8; ++j) h[j] = c[j] + c[j + 8];
          return ((h[0] + h[2]) + (h[1] + h[3])) + ((h[4] + h[6]) + (h[5] + h[7]));
        });
  }
}

TEST(DotTest, BadSpecsAreErrors) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  DotSpec spec;
  spec.rows = 0;
  EXPECT_THAT(DotKernel::Create(spec, nullptr, target.isa(), CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
