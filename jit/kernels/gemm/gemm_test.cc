#include "jit/kernels/gemm/gemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

// Returns this machine with caches so small that little problems are cut as large ones are.
absl::StatusOr<Target> SmallCaches(MicroarchClass id) {
  const absl::StatusOr<Target> host = Target::Host();
  if (!host.ok()) return host.status();
  CacheSizes caches;
  caches.l2 = 32 << 10;
  caches.l3 = caches.l3_share = 64 << 10;
  return Target::ForTesting(host->isa(), Microarch::Of(id), caches);
}

// Says how operands of `m` x `n` x `k` lie: the spec, and the bytes of each.
struct Problem {
  GemmSpec spec;
  int64_t m = 0;
  int64_t a_bytes = 0;
  int64_t b_bytes = 0;
  int64_t c_bytes = 0;
};

class ProblemMaker {
 public:
  explicit ProblemMaker(std::mt19937& random) : random_(random) {}

  Problem Make() {
    Problem problem;
    GemmSpec& spec = problem.spec;
    problem.m = Size(70);
    spec.n = Size(200);
    spec.k = Size(300);
    if (Below(3) != 0) spec.m = problem.m;
    spec.add_to_c = Below(3) == 0;
    const bool a_transposed = Below(4) == 0;
    const int64_t a_gap = 4 * Below(3);
    spec.a_row_stride = a_transposed ? 4 : 4 * spec.k + a_gap;
    spec.a_depth_stride = a_transposed ? 4 * problem.m + a_gap : 4;
    problem.a_bytes = Reach({{problem.m, spec.a_row_stride}, {spec.k, spec.a_depth_stride}});
    spec.c_row_stride = 4 * (spec.n + Below(4));
    problem.c_bytes = Reach({{problem.m, spec.c_row_stride}, {spec.n, 4}});
    spec.b_packed = Below(2) == 0;
    if (!spec.b_packed) {
      const bool b_transposed = Below(2) == 0;
      const int64_t b_gap = 4 * Below(3);
      spec.b_depth_stride = b_transposed ? 4 : 4 * spec.n + b_gap;
      spec.b_column_stride = b_transposed ? 4 * spec.k + b_gap : 4;
    }
    problem.b_bytes = spec.b_packed ? (spec.n + 63) / 64 * 256 * spec.k
                                    : Reach({{spec.k, spec.b_depth_stride}, {spec.n, spec.b_column_stride}});
    for (int i = Below(3); i > 0; --i) {
      GemmBatchDim dim;
      dim.extent = 1 + Below(3);
      if (Below(2) == 0) dim.a_stride = problem.a_bytes;
      if (Below(2) == 0) dim.b_stride = problem.b_bytes;
      dim.c_stride = problem.m * spec.c_row_stride;
      for (GemmBatchDim& outer : spec.batch) {
        outer.a_stride *= dim.extent;
        outer.b_stride *= dim.extent;
        outer.c_stride *= dim.extent;
      }
      spec.batch.push_back(dim);
    }
    for (const GemmBatchDim& dim : spec.batch) {
      problem.a_bytes += (dim.extent - 1) * dim.a_stride;
      problem.b_bytes += (dim.extent - 1) * dim.b_stride;
      if (problem.c_bytes > 0) problem.c_bytes += (dim.extent - 1) * dim.c_stride;
    }
    return problem;
  }

 private:
  int Below(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  // Mostly of all magnitudes; sometimes 0 or 1.
  int64_t Size(int most) {
    const int kind = Below(12);
    if (kind < 2) return kind;
    return 1 + Below(kind < 6 ? 20 : most);
  }

  static int64_t Reach(const std::vector<std::pair<int64_t, int64_t>>& dims) {
    int64_t bytes = 4;
    for (const auto& [extent, stride] : dims) {
      if (extent == 0) return 0;
      bytes += (extent - 1) * stride;
    }
    return bytes;
  }

  std::mt19937& random_;
};

float At(const uint8_t* data, int64_t offset) {
  float value;
  std::memcpy(&value, data + offset, 4);
  return value;
}

// Holds operands in memory at whose ends lie inaccessible pages.
class Operands {
 public:
  static absl::StatusOr<Operands> Create(const Problem& problem, GuardedEnd end, const std::function<float()>& value) {
    absl::StatusOr<GuardedBuffer> a = GuardedBuffer::Create(static_cast<size_t>(problem.a_bytes), end);
    absl::StatusOr<GuardedBuffer> b = GuardedBuffer::Create(static_cast<size_t>(problem.b_bytes), end);
    absl::StatusOr<GuardedBuffer> c = GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end);
    absl::StatusOr<GuardedBuffer> output = GuardedBuffer::Create(static_cast<size_t>(problem.c_bytes), end);
    for (const absl::StatusOr<GuardedBuffer>* const buffer : {&a, &b, &c, &output}) {
      if (!buffer->ok()) return buffer->status();
    }
    for (const GuardedBuffer* const buffer : {&*a, &*b, &*c}) {
      for (size_t i = 0; i < buffer->size() / 4; ++i) buffer->As<float>()[i] = value();
    }
    return Operands(*std::move(a), *std::move(b), *std::move(c), *std::move(output));
  }

  const GuardedBuffer& a() const { return a_; }
  const GuardedBuffer& b() const { return b_; }
  const GuardedBuffer& c() const { return c_; }
  const GuardedBuffer& output() const { return output_; }

 private:
  Operands(GuardedBuffer a, GuardedBuffer b, GuardedBuffer c, GuardedBuffer output)
      : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)), output_(std::move(output)) {}

  GuardedBuffer a_;
  GuardedBuffer b_;
  GuardedBuffer c_;
  GuardedBuffer output_;
};

// Runs a product in pieces of `items_at_once` items.
void RunAll(const Gemm& gemm, GemmArgs args, int64_t items_at_once) {
  absl::StatusOr<AlignedBuffer> scratch = AlignedBuffer::Create(static_cast<size_t>(gemm.scratch_bytes()));
  ASSERT_OK(scratch.status());
  args.scratch = scratch->data();
  const int64_t items = gemm.work_items(args);
  for (int64_t item = 0; item < items; item += items_at_once) {
    // Uninitialised as far as anybody knows.
    std::memset(scratch->data(), 0xff, scratch->size());
    gemm.Run(args, item, std::min(items, item + items_at_once));
  }
}

// Returns B[p, j] of the product at `offset`.
float BOf(const GemmSpec& spec, const uint8_t* b, int64_t offset, int64_t p, int64_t j) {
  if (spec.b_packed) return At(b, offset + (j / 64 * spec.k + p) * 256 + j % 64 * 4);
  return At(b, offset + p * spec.b_depth_stride + j * spec.b_column_stride);
}

// Calls each(row of the epilogue's matrix, offsets of A, B and C) for each row of each product.
void EachRow(const Problem& problem, const std::function<void(int64_t, int64_t, int64_t, int64_t)>& each) {
  const GemmSpec& spec = problem.spec;
  for (int64_t index = 0; index < spec.BatchSize(); ++index) {
    int64_t rest = index;
    int64_t a = 0;
    int64_t b = 0;
    int64_t c = 0;
    for (size_t i = spec.batch.size(); i-- > 0;) {
      const int64_t digit = rest % spec.batch[i].extent;
      rest /= spec.batch[i].extent;
      a += digit * spec.batch[i].a_stride;
      b += digit * spec.batch[i].b_stride;
      c += digit * spec.batch[i].c_stride;
    }
    for (int64_t row = 0; row < problem.m; ++row) {
      each(index * problem.m + row, a + row * spec.a_row_stride, b, c + row * spec.c_row_stride);
    }
  }
}

void CheckProduct(const Problem& problem, const Target& target, bool with_epilogue, GuardedEnd end, int64_t at_once,
                  std::mt19937& random) {
  const GemmSpec& spec = problem.spec;
  // Whole numbers of few bits: sums are exact in any order.
  ASSERT_OK_AND_ASSIGN(const Operands operands, Operands::Create(problem, end, [&] {
                         return static_cast<float>(static_cast<int>(random() % 17) - 8);
                       }));
  const std::vector<uint8_t> before(operands.c().data(), operands.c().data() + operands.c().size());
  const int64_t all_rows = spec.BatchSize() * problem.m;
  std::vector<float> bias;
  std::vector<float> scale;
  for (int64_t i = 0; i < spec.n; ++i) bias.push_back(static_cast<float>(i % 7) - 3);
  for (int64_t i = 0; i < all_rows; ++i) scale.push_back(static_cast<float>(i % 5) + 1);
  std::vector<float> residual;
  for (int64_t i = 0; i < all_rows * spec.n; ++i) residual.push_back(static_cast<float>(i % 11));
  // All products lie below each other.
  const std::vector<EpiloguePlace> places = {{bias.data(), 0},
                                             {scale.data(), 4},
                                             {residual.data(), 4 * spec.n},
                                             {operands.output().data(), spec.c_row_stride}};
  const TestEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const Gemm gemm,
                       Gemm::Create(spec, with_epilogue ? &epilogue : nullptr, target, CodeCache::Process()));
  GemmArgs args;
  args.a = operands.a().data();
  args.b = operands.b().data();
  args.c = with_epilogue && !gemm.UsesC() ? nullptr : operands.c().data();
  args.m = problem.m;
  args.places = places.data();
  RunAll(gemm, args, at_once);
  std::vector<uint8_t> expected = with_epilogue ? std::vector<uint8_t>(before.size()) : before;
  EachRow(problem, [&](int64_t row, int64_t a, int64_t b, int64_t c) {
    for (int64_t j = 0; j < spec.n; ++j) {
      double sum = spec.add_to_c ? At(before.data(), c + 4 * j) : 0;
      for (int64_t p = 0; p < spec.k; ++p) {
        sum += static_cast<double>(At(operands.a().data(), a + p * spec.a_depth_stride)) *
               BOf(spec, operands.b().data(), b, p, j);
      }
      if (with_epilogue) {
        sum = TestEpilogue::Reference(sum, bias[static_cast<size_t>(j)], scale[static_cast<size_t>(row)],
                                      residual[static_cast<size_t>(row * spec.n + j)]);
      }
      const auto value = static_cast<float>(sum);
      std::memcpy(expected.data() + (with_epilogue ? row * spec.c_row_stride : c) + 4 * j, &value, 4);
    }
  });
  const uint8_t* const stored = (with_epilogue ? operands.output() : operands.c()).data();
  for (int64_t i = 0; i < static_cast<int64_t>(expected.size()); i += 4) {
    ASSERT_EQ(At(stored, i), At(expected.data(), i)) << "byte " << i << "; " << gemm.plan().ToString();
  }
}

TEST(GemmTest, AnyProductIsRightAndTouchesNothingElse) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const Target zen4, SmallCaches(MicroarchClass::kZen4));
  ASSERT_OK_AND_ASSIGN(const Target sapphire_rapids, SmallCaches(MicroarchClass::kSapphireRapids));
  constexpr uint32_t kSeed = 9;
  std::mt19937 random(kSeed);
  ProblemMaker maker(random);
  for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) {
    const Problem problem = maker.Make();
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, ", case ", i, ": ", problem.spec.ToString(), ", m = ", problem.m));
    const Target& target = i % 3 == 0 ? host : i % 3 == 1 ? zen4 : sapphire_rapids;
    CheckProduct(problem, target, i % 2 == 0, i % 4 < 2 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte,
                 i % 5 == 0 ? 1000000 : 1 + i % 5, random);
  }
}

// However the items are shared, and whatever the plan, each element is the same chain of FMAs.
TEST(GemmTest, BitsDependOnOperandsAlone) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const Target small, SmallCaches(MicroarchClass::kSapphireRapids));
  for (const bool packed : {false, true}) {
    Problem problem;
    problem.m = 61;
    problem.spec = packed ? GemmSpec::Packed(61, 130, 700) : GemmSpec::Plain(61, 130, 700);
    problem.a_bytes = 4 * 61 * 700;
    problem.b_bytes = packed ? 3 * 256 * 700 : 4 * 130 * 700;
    problem.c_bytes = 4 * 61 * 130;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    ASSERT_OK_AND_ASSIGN(const Operands operands,
                         Operands::Create(problem, GuardedEnd::kLastByte, [&] { return uniform(random); }));
    GemmArgs args;
    args.a = operands.a().data();
    args.b = operands.b().data();
    args.c = operands.c().data();
    std::vector<uint8_t> expected;
    for (const Target* const target : {&host, &small}) {
      ASSERT_OK_AND_ASSIGN(const Gemm gemm, Gemm::Create(problem.spec, nullptr, *target, CodeCache::Process()));
      for (const int64_t at_once : {1000, 1, 2, 3}) {
        std::memset(operands.c().data(), 0xff, operands.c().size());
        RunAll(gemm, args, at_once);
        const std::vector<uint8_t> stored(operands.c().data(), operands.c().data() + operands.c().size());
        if (expected.empty()) expected = stored;
        EXPECT_EQ(stored, expected) << at_once << ", " << gemm.plan().ToString();
      }
    }
    float sum = 0;
    for (int p = 0; p < 700; ++p) {
      sum = std::fma(At(operands.a().data(), 4 * p), BOf(problem.spec, operands.b().data(), 0, p, 0), sum);
    }
    EXPECT_EQ(At(operands.c().data(), 0), sum);
  }
}

TEST(GemmTest, LargeProductsHaveItemsForThreads) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const struct { int64_t m, n, k; } kSizes[] = {{384, 768, 768}, {1, 4096, 4096}, {4096, 64, 512}, {1024, 1024, 1024}};
  for (const auto& [m, n, k] : kSizes) {
    ASSERT_OK_AND_ASSIGN(const Gemm gemm,
                         Gemm::Create(GemmSpec::Packed(m, n, k), nullptr, target, CodeCache::Process()));
    EXPECT_GE(gemm.work_items(GemmArgs()), 8) << gemm.spec().ToString();
  }
  ASSERT_OK_AND_ASSIGN(const Gemm small,
                       Gemm::Create(GemmSpec::Packed(8, 64, 64), nullptr, target, CodeCache::Process()));
  EXPECT_EQ(small.work_items(GemmArgs()), 1);
}

// Kernels take sizes and strides at run time: another size needs no other code, as long as its plan is alike.
TEST(GemmTest, AnotherSizeTakesTheSameCode) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  // Whether panels are fetched ahead depends on the processor: on this one none are.
  CacheSizes caches;
  caches.l2 = 1 << 20;
  caches.l3 = caches.l3_share = 32 << 20;
  ASSERT_OK_AND_ASSIGN(const Target target,
                       Target::ForTesting(host.isa(), Microarch::Of(MicroarchClass::kZen4), caches));
  CodeCache cache(CodeCache::kDefaultMaxBytes);
  {
    ASSERT_OK_AND_ASSIGN(const Gemm any, Gemm::Create(GemmSpec::Packed({}, 128, 64), nullptr, target, cache));
    ASSERT_OK_AND_ASSIGN(const Gemm large, Gemm::Create(GemmSpec::Packed(370, 128, 300), nullptr, target, cache));
    const int64_t generations = cache.GetStats().generations;
    ASSERT_OK_AND_ASSIGN(const Gemm other, Gemm::Create(GemmSpec::Packed({}, 640, 96), nullptr, target, cache));
    ASSERT_OK_AND_ASSIGN(const Gemm longer, Gemm::Create(GemmSpec::Packed(370, 192, 360), nullptr, target, cache));
    EXPECT_EQ(cache.GetStats().generations, generations);
  }
}

TEST(GemmTest, BadSpecsAreErrors) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  GemmSpec spec = GemmSpec::Packed(4, 4, 4);
  spec.type = ElementType::kBf16;
  EXPECT_THAT(Gemm::Create(spec, nullptr, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(Gemm::Create(GemmSpec::Packed(4, -4, 4), nullptr, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
