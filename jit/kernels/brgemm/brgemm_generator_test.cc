#include "jit/kernels/brgemm/brgemm_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

template <class V>
absl::StatusOr<CodeBlob> Generate(const BrgemmSpec& spec, IsaLevel level) {
  Assembler code(spec.Name(), IsaSet::From(level));
  EmitBrgemm<V>(spec, nullptr, code);
  return std::move(code).Finalize();
}

// Every tile that the registers allow is generated, without one that is not there.
TEST(BrgemmGeneratorTest, TilesTakeTheRegistersThatTheSpecSays) {
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    int generated = 0;
    for (int rows = 1; rows <= BrgemmSpec::kMaxRows; ++rows) {
      for (int vectors = 1; vectors <= 16; ++vectors) {
        for (const bool masked : {false, true}) {
          for (const BroadcastForm form : {BroadcastForm::kEmbedded, BroadcastForm::kRegister}) {
            BrgemmSpec spec;
            spec.rows = rows;
            spec.vectors = vectors;
            spec.partial = masked;
            spec.b_padded = !masked;
            spec.broadcast = form;
            spec.start = BrgemmStart::kAddToC;
            spec.a_step.reset();
            spec.b_step.reset();
            spec.prefetch_lines = 1;
            if (!spec.Validate(IsaSet::From(level)).ok()) continue;
            const absl::StatusOr<CodeBlob> blob =
                level == IsaLevel::kAvx2 ? Generate<VecAvx2>(spec, level) : Generate<VecAvx512>(spec, level);
            ASSERT_OK(blob.status()) << spec.Name();
            ++generated;
          }
        }
      }
    }
    EXPECT_GT(generated, level == IsaLevel::kAvx2 ? 90 : 250);
  }
}

// A window of 13 x 13 positions becomes loops: its code is not 169 times that of one position.
TEST(BrgemmGeneratorTest, ManyTapsAreLoops) {
  const auto bytes_of = [](int window) {
    BrgemmSpec spec;
    spec.rows = 6;
    spec.vectors = 4;
    spec.depth = 64;
    spec.taps.clear();
    for (int64_t i = 0; i < window; ++i) {
      for (int64_t j = 0; j < window; ++j) {
        BrgemmTap tap;
        tap.a_offset = i * 10000 + j * 256;
        tap.b_offset = (i * window + j) * 64 * 256;
        spec.taps.push_back(tap);
      }
    }
    const absl::StatusOr<CodeBlob> blob = Generate<VecAvx512>(spec, IsaLevel::kAvx512);
    EXPECT_OK(blob.status());
    return blob->bytes.size();
  };
  EXPECT_LT(bytes_of(13), 30 * bytes_of(1));
}

}  // namespace
}  // namespace burin::jit
