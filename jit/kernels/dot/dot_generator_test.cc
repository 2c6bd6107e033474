#include "jit/kernels/dot/dot_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/dot/dot_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

template <class V>
absl::StatusOr<CodeBlob> Generate(const DotSpec& spec, IsaLevel level) {
  Assembler code(spec.Name(), IsaSet::From(level));
  EmitDot<V>(spec, nullptr, code);
  return std::move(code).Finalize();
}

// Every tile that the registers allow is generated, without a register that is not there.
TEST(DotGeneratorTest, TilesTakeTheRegistersThatTheSpecSays) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    int generated = 0;
    for (int rows = 1; rows <= DotSpec::kMaxRows; ++rows) {
      for (int group = 1; group <= DotSpec::kMaxGroup; ++group) {
        for (const bool add_to_c : {false, true}) {
          DotSpec spec;
          spec.rows = rows;
          spec.group = group;
          spec.add_to_c = add_to_c;
          spec.prefetch = true;
          if (!spec.Validate(IsaSet::From(level)).ok()) continue;
          const absl::StatusOr<CodeBlob> blob =
              level == IsaLevel::kAvx2 ? Generate<VecAvx2>(spec, level) : Generate<VecAvx512>(spec, level);
          ASSERT_OK(blob.status()) << spec.Name();
          ++generated;
        }
      }
    }
    EXPECT_GT(generated, level == IsaLevel::kAvx2 ? 20 : 60);
  }
}

}  // namespace
}  // namespace burin::jit
