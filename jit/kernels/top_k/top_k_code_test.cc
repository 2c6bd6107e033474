#include "jit/kernels/top_k/top_k_code.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(TopKCodeTest, EveryKernelIsGeneratedForEveryWidth) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  size_t count = 0;
  for (const ElementType type : {ElementType::kF32, ElementType::kI32}) {
    for (const bool smallest : {false, true}) {
      for (const bool along_row : {false, true}) {
        for (const bool is_single : {false, true}) {
          if (is_single && along_row) continue;
          const TopKCodeSpec spec = {type, smallest, along_row, is_single};
          for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
            ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(level)));
            ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateTopK(spec, target));
            EXPECT_EQ(blob.name, spec.Name());
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
