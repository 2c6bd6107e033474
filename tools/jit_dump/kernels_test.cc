#include "tools/jit_dump/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/emitters/catalogue.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit_dump {
namespace {

using jit::CodeBlob;
using jit::IsaLevel;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST(KernelsTest, NamesAreUniqueAndHaveEveryEmitter) {
  std::set<std::string> names;
  for (const Generator& generator : AllGenerators()) {
    EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
  }
  for (const jit::CatalogueEntry& entry : jit::EmitterCatalogue()) {
    EXPECT_THAT(names, Contains("row_" + entry.function.name));
  }
  EXPECT_THAT(names, Contains("fma_512_x12"));
  EXPECT_THAT(names, Contains("copy_rows_nt"));
  EXPECT_THAT(names, Contains("transpose_4_line_wide"));
}

TEST(KernelsTest, EveryKernelIsGeneratedAtSomeLevel) {
  const std::vector<Generator> generators = AllGenerators();
  for (const Generator& generator : generators) {
    EXPECT_OK(FindKernel(generators, generator.name, std::nullopt)) << generator.name;
  }
}

TEST(KernelsTest, TheLevelChoosesTheWidth) {
  const std::vector<Generator> generators = AllGenerators();
  ASSERT_OK_AND_ASSIGN(const CodeBlob wide, FindKernel(generators, "row_Exp", IsaLevel::kAvx512));
  EXPECT_THAT(wide.name, MatchesRegex("row_Exp_512_x[1-8]"));
  ASSERT_OK_AND_ASSIGN(const CodeBlob narrow, FindKernel(generators, "row_Exp", IsaLevel::kAvx2));
  EXPECT_THAT(narrow.name, MatchesRegex("row_Exp_256_x[1-8]"));
  ASSERT_OK_AND_ASSIGN(const CodeBlob highest, FindKernel(generators, "row_Exp", std::nullopt));
  EXPECT_EQ(highest.name, wide.name);
}

TEST(KernelsTest, AKernelsOwnNameFindsItsLevel) {
  const std::vector<Generator> generators = AllGenerators();
  ASSERT_OK_AND_ASSIGN(const CodeBlob narrow, FindKernel(generators, "read_256", std::nullopt));
  EXPECT_EQ(narrow.name, "read_256");
  ASSERT_OK_AND_ASSIGN(const CodeBlob wide, FindKernel(generators, "copy_512", std::nullopt));
  EXPECT_EQ(wide.name, "copy_512");
  EXPECT_THAT(FindKernel(generators, "copy_512", IsaLevel::kAvx2), StatusIs(absl::StatusCode::kNotFound));
}

TEST(KernelsTest, SaysWhatTheLevelLacks) {
  const std::vector<Generator> generators = AllGenerators();
  EXPECT_THAT(FindKernel(generators, "dot_bf16_512_x12", IsaLevel::kAvx512),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_OK(FindKernel(generators, "dot_bf16_512_x12", std::nullopt));
  EXPECT_THAT(FindKernel(generators, "transpose_4_masked", IsaLevel::kAvx2),
              StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(KernelsTest, UnknownNamesGetNearOnes) {
  const std::vector<Generator> generators = AllGenerators();
  EXPECT_THAT(FindKernel(generators, "row_Tahn", std::nullopt),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("row_Tanh")));
  EXPECT_THAT(FindKernel(generators, "gelu", std::nullopt),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("row_GeluErf, row_GeluTanh")));
}

TEST(KernelsTest, ListsWhatEachLevelChanges) {
  const std::vector<Generator> generators = AllGenerators();
  const std::string all = ListKernels(generators, std::nullopt);
  EXPECT_THAT(all,
              ContainsRegex("row_Exp: row_Exp_256_x[0-9] \\(avx2, [0-9]+ bytes\\), row_Exp_512_x[0-9] \\(avx512,"));
  EXPECT_THAT(all, ContainsRegex("\nread: read_256 \\(avx2, [0-9]+ bytes\\), read_512 \\(avx512, [0-9]+ bytes\\)\n"));
  const std::string narrow = ListKernels(generators, IsaLevel::kAvx2);
  EXPECT_THAT(narrow, Not(HasSubstr("row_Exp_512")));
  EXPECT_THAT(narrow, HasSubstr("fma_512_x12: not at this level\n"));
}

}  // namespace
}  // namespace burin::jit_dump
