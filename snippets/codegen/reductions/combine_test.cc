#include "snippets/codegen/reductions/combine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "snippets/linear/linear_ir.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

constexpr size_t kCount = 33;

// Combines two rows, element by element.
std::vector<uint32_t> Combine(Reduction reduction, bool is_float, const std::vector<uint32_t>& acc,
                              const std::vector<uint32_t>& x) {
  const absl::StatusOr<jit::Target> target = jit::Target::Host();
  EXPECT_OK(target.status());
  const auto emit = [&](auto& v, absl::Span<const jit::VecGroup> o) {
    EmitCombine(v, reduction, is_float, false, o[0], o[1]);
  };
  const absl::StatusOr<jit::RowKernel> kernel =
      jit::RowKernel::Create(jit::RowFunction::Of("combine", 2, emit), *target);
  EXPECT_OK(kernel.status());
  std::vector<uint32_t> out(acc.size());
  const void* const inputs[] = {acc.data(), x.data()};
  kernel->Run(absl::MakeConstSpan(inputs), out.data(), static_cast<int64_t>(acc.size()));
  return out;
}

TEST(CombineTest, Integers) {
  std::vector<uint32_t> a(kCount);
  std::vector<uint32_t> b(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    a[i] = static_cast<uint32_t>(i) * 2654435761u;
    b[i] = static_cast<uint32_t>(i) * 40503u - 70000u;
  }
  const std::vector<uint32_t> sum = Combine(Reduction::kSum, false, a, b);
  const std::vector<uint32_t> product = Combine(Reduction::kProduct, false, a, b);
  const std::vector<uint32_t> maximum = Combine(Reduction::kMaximum, false, a, b);
  const std::vector<uint32_t> minimum = Combine(Reduction::kMinimum, false, a, b);
  for (size_t i = 0; i < kCount; ++i) {
    const auto x = static_cast<int32_t>(a[i]);
    const auto y = static_cast<int32_t>(b[i]);
    EXPECT_EQ(sum[i], a[i] + b[i]);
    EXPECT_EQ(product[i], a[i] * b[i]);
    EXPECT_EQ(static_cast<int32_t>(maximum[i]), std::max(x, y));
    EXPECT_EQ(static_cast<int32_t>(minimum[i]), std::min(x, y));
  }
}

TEST(CombineTest, FloatsKeepNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  for (const float x : {-3.0f, 0.5f, nan, std::numeric_limits<float>::infinity()}) {
    for (const float y : {-7.0f, 2.0f, nan}) {
      a.push_back(absl::bit_cast<uint32_t>(x));
      b.push_back(absl::bit_cast<uint32_t>(y));
    }
  }
  for (const Reduction reduction : {Reduction::kSum, Reduction::kProduct, Reduction::kMaximum, Reduction::kMinimum}) {
    const std::vector<uint32_t> out = Combine(reduction, true, a, b);
    for (size_t i = 0; i < a.size(); ++i) {
      const auto x = absl::bit_cast<float>(a[i]);
      const auto y = absl::bit_cast<float>(b[i]);
      const auto got = absl::bit_cast<float>(out[i]);
      if (std::isnan(x) || std::isnan(y)) {
        EXPECT_TRUE(std::isnan(got)) << x << " " << y;
        continue;
      }
      const float expected = reduction == Reduction::kSum       ? x + y
                             : reduction == Reduction::kProduct ? x * y
                             : reduction == Reduction::kMaximum ? std::max(x, y)
                                                                : std::min(x, y);
      EXPECT_EQ(got, expected) << x << " " << y;
    }
  }
}

// One vector whose lanes are combined, and three at once.
TEST(CombineTest, LanesOfAllVectors) {
  const absl::StatusOr<jit::Target> target = jit::Target::Host();
  ASSERT_OK(target.status());
  const size_t lanes = target->Supports(jit::IsaLevel::kAvx512) ? 16 : 8;
  for (const bool has_nan : {false, true}) {
    for (size_t at = 0; at < (has_nan ? 3 * lanes : 1); ++at) {
      std::vector<float> rows(3 * lanes);
      for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(static_cast<int>(i * 29 % 64) - 40);
      if (has_nan) rows[at] = std::numeric_limits<float>::quiet_NaN();
      for (const bool maximum : {false, true}) {
        const Reduction reduction = maximum ? Reduction::kMaximum : Reduction::kMinimum;
        const auto emit = [&](auto& v, absl::Span<const jit::VecGroup> o) {
          // Steps keep NaNs where lanes meet; then the lanes do.
          const jit::VecRegs acc = v.New("acc", 2);
          v.Copy(acc, jit::VecGroup(o[0][0]));
          jit::VecGroup x;
          x.Append(o[1][0]);
          x.Append(o[2][0]);
          EmitCombine(v, reduction, true, true, acc, x);
          EmitCombineLanes(v, reduction, true, acc);
          v.Copy(jit::VecGroup(o[0][0]), jit::VecGroup(acc[0]));
        };
        const absl::StatusOr<jit::RowKernel> kernel =
            jit::RowKernel::Create(jit::RowFunction::Of("lanes", 3, emit), *target, 1);
        ASSERT_OK(kernel.status());
        std::vector<float> out(lanes);
        const void* const inputs[] = {rows.data(), rows.data() + lanes, rows.data() + 2 * lanes};
        kernel->Run(absl::MakeConstSpan(inputs), out.data(), static_cast<int64_t>(lanes));
        for (const float got : out) {
          if (has_nan) {
            ASSERT_TRUE(std::isnan(got)) << at;
          } else {
            ASSERT_EQ(got, maximum ? *std::max_element(rows.begin(), rows.end())
                                   : *std::min_element(rows.begin(), rows.end()));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::snippets
