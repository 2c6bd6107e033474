#include "jit/kernels/cumulative/cumulative_code.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(CumulativeCodeTest, EveryKernelIsGeneratedForEveryWidth) {
  const AffineEpilogue epilogue;
  std::set<std::string> names;
  std::set<Hash128> keys;
  size_t count = 0;
  for (const ElementType type : {ElementType::kF32, ElementType::kF64, ElementType::kI32, ElementType::kI64}) {
    for (const bool exclusive : {false, true}) {
      for (const bool along_row : {false, true}) {
        for (const bool reverse : {false, true}) {
          const CumulativeCodeSpec spec = {type, exclusive, along_row, reverse};
          for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
            ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(level)));
            ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCumulative(spec, target, nullptr));
            EXPECT_EQ(blob.name, spec.Name());
            if (type == ElementType::kF32) {
              EXPECT_OK(GenerateCumulative(spec, target, &epilogue).status());
            }
          }
          names.insert(spec.Name());
          keys.insert(spec.ContentKey());
          ++count;
        }
      }
    }
  }
  EXPECT_EQ(names.size(), count);
  EXPECT_EQ(keys.size(), count);
}

}  // namespace
}  // namespace burin::jit
