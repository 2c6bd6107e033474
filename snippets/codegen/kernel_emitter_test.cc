#include "snippets/codegen/kernel_emitter.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/target.h"
#include "snippets/codegen/fused_kernel_args.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Returns the text of a body of `count` parameters: the sum of all products of each with its successor.
std::string SumOfProducts(int count) {
  std::string text = "model \"\" {\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%", i, " \"x", i, "\" = Parameter() {element_type = f32, shape = [100]}\n");
  }
  int next = count;
  for (int i = 0; i < count; ++i)
    absl::StrAppend(&text, "%", next++, " = Multiply(%", i, ", %", (i + 1) % count, ")\n");
  int sum = count;
  for (int i = 1; i < count; ++i) {
    absl::StrAppend(&text, "%", next, " = Add(%", sum, ", %", count + i, ")\n");
    sum = next++;
  }
  absl::StrAppend(&text, "%", next, " \"out\" = Result(%", sum, ")\n}");
  return text;
}

class KernelEmitterTest : public ::testing::TestWithParam<RegisterLimits> {};

// Every product is needed only after the last parameter was read: more values than there are registers.
TEST_P(KernelEmitterTest, ComputesTheSameWithFewRegisters) {
  constexpr int kCount = 20;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(SumOfProducts(kCount)));
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, BodyGraph::Create(*body));
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, Lower(graph, *body, VectorFile{}, "products"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  KernelStats stats;
  ASSERT_OK_AND_ASSIGN(const jit::CodeBlob blob, GenerateKernel(kernel.ir, target, GetParam(), &stats));
  if (GetParam().vectors <= 8) {
    EXPECT_GT(stats.spilled_values, 0);
  }
  if (GetParam().general <= 8) {
    EXPECT_EQ(stats.spilled_pointers, kCount + 1);
  }
  ASSERT_OK_AND_ASSIGN(const jit::ExecutableCode code, jit::ExecutableCode::Load(blob));
  std::vector<std::vector<float>> rows(kCount + 1, std::vector<float>(100));
  for (size_t k = 0; k < kCount; ++k) {
    for (size_t i = 0; i < 100; ++i) rows[k][i] = static_cast<float>((k * 7 + i * 3) % 11);
  }
  std::vector<void*> operands;
  std::vector<int64_t> strides;
  for (const LinearOperand& operand : kernel.ir.operands) {
    operands.push_back(rows[operand.kind == OperandKind::kOutput ? kCount : static_cast<size_t>(operand.port)].data());
    strides.push_back(4);
  }
  const FusedKernelArgs args = {operands.data(), kernel.extents.data(), strides.data()};
  code.entry<void (*)(const FusedKernelArgs*)>()(&args);
  for (size_t i = 0; i < 100; ++i) {
    float expected = 0;
    for (size_t k = 0; k < kCount; ++k) expected += rows[k][i] * rows[(k + 1) % kCount][i];
    ASSERT_EQ(rows[kCount][i], expected) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, KernelEmitterTest,
                         ::testing::Values(RegisterLimits{}, RegisterLimits{16, 16}, RegisterLimits{8, 8},
                                           RegisterLimits{6, 8}),
                         [](const auto& info) {
                           return absl::StrCat("general_", info.param.general, "_vectors_", info.param.vectors);
                         });

}  // namespace
}  // namespace burin::snippets
