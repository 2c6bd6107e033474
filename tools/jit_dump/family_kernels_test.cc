#include "tools/jit_dump/family_kernels.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/jit_dump/generator.h"
#include "tools/jit_dump/kernels.h"

namespace burin::jit_dump {
namespace {

TEST(FamilyKernelsTest, EachIsGeneratedAtTheWidthsThatItHas) {
  std::vector<Generator> generators;
  AddDenseKernels(generators);
  AddSelectionKernels(generators);
  std::set<std::string> names;
  for (const Generator& generator : generators) {
    EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
    for (const jit::IsaLevel level : {jit::IsaLevel::kAvx2, jit::IsaLevel::kAvx512}) {
      const absl::StatusOr<jit::Target> target = TargetOf(level);
      ASSERT_OK(target.status());
      const absl::StatusOr<jit::CodeBlob> code = generator.generate(*target);
      if (level == jit::IsaLevel::kAvx2 && absl::IsUnimplemented(code.status())) continue;
      EXPECT_OK(code.status()) << generator.name;
    }
  }
  EXPECT_GE(names.size(), 15);
}

TEST(FamilyKernelsTest, DotKernelsHaveTheTilesOfTheWidth) {
  std::vector<Generator> generators;
  AddDenseKernels(generators);
  for (const char* const name : {"dot_1x4", "dot_3x2"}) {
    EXPECT_OK(FindKernel(generators, name, jit::IsaLevel::kAvx2).status());
    EXPECT_OK(FindKernel(generators, name, jit::IsaLevel::kAvx512).status());
  }
  for (const char* const name : {"dot_1x8", "dot_4x4"}) {
    EXPECT_THAT(FindKernel(generators, name, jit::IsaLevel::kAvx2), StatusIs(absl::StatusCode::kUnimplemented));
    EXPECT_OK(FindKernel(generators, name, jit::IsaLevel::kAvx512).status());
  }
}

}  // namespace
}  // namespace burin::jit_dump
