#include "tools/kernel_bench/families/dense/gemm_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

TEST(GemmWorkTest, SaysWhatIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const GemmCase transposed = {40, 5, 7, GemmOperand::kTransposed};
  EXPECT_EQ(transposed.Name(), "transposed/40x5x7");
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<GemmWork> work, GemmWork::Create(transposed, {host, false, {}}));
  const auto product = [&](float addend) {
    for (int64_t i = 0; i < 40; ++i) {
      for (int64_t j = 0; j < 5; ++j) {
        float sum = addend;
        for (int64_t p = 0; p < 7; ++p) sum += work->a(0)[i * 7 + p] * work->b(0)[j * 7 + p];
        work->c(0)[i * 5 + j] = sum;
      }
    }
  };
  EXPECT_TRUE(work->Check([&] { product(0); }).right);
  EXPECT_FALSE(work->Check([&] { product(0.01f); }).right);
  EXPECT_FALSE(work->Check([] {}).right);
  const auto after = [](double sum, int64_t row, int64_t column) { return row == 39 && column == 4 ? sum + 1 : sum; };
  EXPECT_FALSE(work->Check([&] { product(0); }, after).right);
}

TEST(GemmWorkTest, ConstantsAreConstantsOfTheGraph) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<GemmWork> work, GemmWork::Create({2, 70, 3}, {host, false, {}}));
  EXPECT_EQ(work->b_bytes(), 2 * 256 * 3);
  const PeerGraph graph = work->Graph();
  ASSERT_EQ(graph.constants.size(), 1);
  EXPECT_EQ(graph.inputs.size(), 1);
  // Packed B is the same.
  EXPECT_EQ(graph.constants[0].values[70 + 65], work->b(0)[3 * 64 + 64 + 1]);
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<GemmWork> plain,
                       GemmWork::Create({2, 70, 3, GemmOperand::kPlain}, {host, false, {}}));
  EXPECT_EQ(plain->Graph().inputs.size(), 2);
  EXPECT_EQ(plain->Graph().copies[0].in[1], plain->b(0));
}

}  // namespace
}  // namespace burin::kernel_bench
