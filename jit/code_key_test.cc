#include "jit/code_key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/hash.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

Hash128 Spec(int value) {
  Hasher hasher;
  hasher.UpdateInt(value);
  return hasher.Finish();
}

TEST(CodeKeyTest, DependsOnFamilyInstructionsAndSpec) {
  const IsaSet avx2 = IsaSet::From(IsaLevel::kAvx2);
  const IsaSet avx512 = IsaSet::From(IsaLevel::kAvx512);
  std::set<Hash128> keys;
  for (const char* family : {"", "copy", "copy2"}) {
    for (const IsaSet& isa : {IsaSet(), avx2, avx512}) {
      for (const int spec : {0, 1}) {
        const CodeKey key = CodeKey::Of(family, isa, Spec(spec));
        EXPECT_TRUE(keys.insert(key.hash()).second) << family << " " << isa << " " << spec;
        EXPECT_EQ(key, CodeKey::Of(std::string(family), isa, Spec(spec)));
      }
    }
  }
}

TEST(CodeKeyTest, DependsOnAllOfATarget) {
  const IsaSet avx2 = IsaSet::From(IsaLevel::kAvx2);
  CacheSizes caches;
  caches.l2 *= 2;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(avx2));
  ASSERT_OK_AND_ASSIGN(const Target other, Target::ForTesting(avx2, Microarch(), caches));
  const CodeKey key = CodeKey::Of("copy", target, Spec(1));
  EXPECT_EQ(key, CodeKey::Of("copy", target, Spec(1)));
  EXPECT_NE(key, CodeKey::Of("copy", other, Spec(1)));
  EXPECT_NE(key, CodeKey::Of("copy", avx2, Spec(1)));
}

}  // namespace
}  // namespace burin::jit
