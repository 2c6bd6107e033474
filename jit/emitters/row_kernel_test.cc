#include "jit/emitters/row_kernel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

TEST(RowKernelTest, RunsFunctionsOfAnyNumberOfInputs) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int inputs = 1; inputs <= RowFunction::kMaxInputs; ++inputs) {
    const RowFunction sum = RowFunction::Of("sum", inputs, [](auto& v, Operands o) {
      for (size_t k = 1; k < o.size(); ++k) v.Add(o[0], o[0], o[k]);
    });
    for (int vectors = 1; vectors <= VecGroup::kMaxSize; ++vectors) {
      ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(sum, target, vectors));
      constexpr int kCount = 333;
      std::vector<std::vector<float>> rows;
      std::vector<const void*> pointers;
      for (int k = 0; k < inputs; ++k) {
        std::vector<float> row;
        for (int i = 0; i < kCount; ++i) row.push_back(static_cast<float>(i + 1000 * k));
        rows.push_back(row);
      }
      for (const std::vector<float>& row : rows) pointers.push_back(row.data());
      std::vector<float> result(kCount);
      kernel.Run(pointers, result.data(), kCount);
      for (int i = 0; i < kCount; ++i) {
        ASSERT_EQ(result[static_cast<size_t>(i)], static_cast<float>(inputs * i + 500 * inputs * (inputs - 1)));
      }
    }
  }
}

TEST(RowKernelTest, TakesFewerVectorsWhereRegistersRunOut) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const RowFunction hungry = RowFunction::Of("hungry", 1, [](auto& v, Operands o) {
    const VecRegs more[] = {v.New("a", o[0].size()), v.New("b", o[0].size()), v.New("c", o[0].size()),
                            v.New("d", o[0].size()), v.New("e", o[0].size()), v.New("f", o[0].size())};
    for (const VecRegs& regs : more) v.Copy(regs, o[0]);
    for (const VecRegs& regs : more) v.Add(o[0], o[0], regs);
  });
  ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(hungry, target));
  std::vector<float> row(100, 1.5f);
  kernel.Run(row.data(), row.data(), 100);
  EXPECT_EQ(row, std::vector<float>(100, 10.5f));
}

TEST(RowKernelTest, RefusesWhatNoRegistersHold) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const RowFunction impossible =
      RowFunction::Of("impossible", 1, [](auto& v, Operands) { const VecRegs all = v.New("all", 33); });
  EXPECT_THAT(RowKernel::Create(impossible, target).status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(RowKernelTest, RefusesBadNumbers) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const RowFunction none = RowFunction::Of("none", 0, [](auto&, Operands) {});
  const RowFunction one = RowFunction::Of("one", 1, [](auto&, Operands) {});
  EXPECT_THAT(RowKernel::Create(none, target).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RowKernel::Create(one, target, 0).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(RowKernel::Create(one, target, VecGroup::kMaxSize + 1).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
