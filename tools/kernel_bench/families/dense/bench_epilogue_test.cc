#include "tools/kernel_bench/families/dense/bench_epilogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

TEST(BenchEpilogueTest, PlacesAreThoseOfTheOperands) {
  std::vector<float> out(15);
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const BenchEpilogue> epilogue,
                       BenchEpilogue::Create(EpilogueKind::kBiasResidualRelu, 3, 5, out.data()));
  const auto operands = epilogue->emitter().operands();
  ASSERT_EQ(operands.size(), 3u);
  EXPECT_FALSE(operands[0].per_row);
  EXPECT_TRUE(operands[1].per_row);
  EXPECT_TRUE(operands[2].is_output);
  EXPECT_EQ(epilogue->places()[1].row_stride, 20);
  EXPECT_EQ(epilogue->places()[2].data, out.data());
  const auto* const bias = static_cast<const float*>(epilogue->places()[0].data);
  const auto* const residual = static_cast<const float*>(epilogue->places()[1].data);
  EXPECT_NEAR(epilogue->After(2, 1, 3), 2.0 + bias[3] + residual[8], 1e-6);
  EXPECT_EQ(epilogue->After(-9, 1, 3), 0);
}

TEST(BenchEpilogueTest, GeluHasNoResidual) {
  float out = 0;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const BenchEpilogue> epilogue,
                       BenchEpilogue::Create(EpilogueKind::kBiasGelu, 1, 1, &out));
  EXPECT_EQ(epilogue->emitter().operands().size(), 2u);
  const double x = 0.25 + static_cast<double>(*static_cast<const float*>(epilogue->places()[0].data));
  EXPECT_NEAR(epilogue->After(0.25, 0, 0), x * 0.5 * std::erfc(-x / std::sqrt(2.0)), 1e-12);
}

}  // namespace
}  // namespace burin::kernel_bench
