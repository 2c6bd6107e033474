#include "jit/kernels/pooling/pooling_code.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/element_type.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "jit/kernels/pooling/pooling_code_spec.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

std::vector<PoolingCodeSpec> Specs() {
  std::vector<PoolingCodeSpec> specs;
  for (const PoolingKind kind : {PoolingKind::kMax, PoolingKind::kAverage, PoolingKind::kLp}) {
    for (const int tail : {0, 3}) {
      PoolingCodeSpec spec;
      spec.kind = kind;
      spec.single_vectors = 4;
      spec.tail_channels = tail;
      specs.push_back(spec);
      spec.strip_windows = 4;
      spec.strip_taps = 3;
      spec.strip_tap_step = 64;
      spec.strip_window_step = 128;
      spec.strip_output_step = 64;
      specs.push_back(spec);
      spec.first_begin = 64;
      spec.last_windows = 2;
      spec.last_end = 256;
      specs.push_back(spec);
    }
  }
  PoolingCodeSpec indices;
  indices.index_type = ElementType::kI64;
  indices.single_vectors = 2;
  specs.push_back(indices);
  return specs;
}

TEST(PoolingCodeTest, EverySpecIsGeneratedForEveryWidth) {
  const AffineEpilogue epilogue;
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(level)));
    for (const PoolingCodeSpec& spec : Specs()) {
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GeneratePooling(spec, target, nullptr));
      EXPECT_EQ(blob.name, spec.Name());
      EXPECT_OK(GeneratePooling(spec, target, &epilogue).status());
    }
  }
}

}  // namespace
}  // namespace burin::jit
