#include "jit/kernels/gather/gather_code.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(GatherCodeTest, EveryKernelIsGeneratedForEveryWidth) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  size_t count = 0;
  for (const int64_t row_bytes : {1, 3, 8, 60, 512, 513, 3072, 1000000}) {
    for (const int index_bytes : {4, 8}) {
      for (const int prefetch_rows : {0, 4}) {
        const GatherCodeSpec spec = {row_bytes, index_bytes, prefetch_rows};
        for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
          ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateGather(spec, IsaSet::From(level)));
          EXPECT_EQ(blob.name, spec.Name());
        }
        names.insert(spec.Name());
        keys.insert(spec.ContentKey());
        ++count;
      }
    }
  }
  EXPECT_EQ(names.size(), count);
  EXPECT_EQ(keys.size(), count);
}

}  // namespace
}  // namespace burin::jit
