#include "jit/isa/cache_info.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "jit/isa/cpuid.h"
#include "jit/isa/processors_testlib.h"

namespace burin::jit {
namespace {

std::vector<CacheInfo> CachesOf(const Processor& processor) { return DecodeCaches(processor.Source().cpuid); }

std::string TextOf(const Processor& processor) {
  std::string text;
  for (const CacheInfo& cache : CachesOf(processor)) text += cache.ToString() + '\n';
  return text;
}

TEST(CacheInfoTest, DecodesLeaf4) {
  EXPECT_EQ(TextOf(Haswell()),
            "L1 data 32 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L1 instruction 32 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L2 unified 256 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L3 unified 8 MiB, 16-way, 64-byte lines, shared by 16\n");
  EXPECT_EQ(TextOf(EmeraldRapids()),
            "L1 data 48 KiB, 12-way, 64-byte lines, shared by 2\n"
            "L1 instruction 32 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L2 unified 2 MiB, 16-way, 64-byte lines, shared by 2\n"
            "L3 unified 53760 KiB, 15-way, 64-byte lines, shared by 128\n");
}

TEST(CacheInfoTest, DecodesLeaf8000001D) {
  EXPECT_EQ(TextOf(Zen4()),
            "L1 data 32 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L1 instruction 32 KiB, 8-way, 64-byte lines, shared by 2\n"
            "L2 unified 1 MiB, 8-way, 64-byte lines, shared by 2\n"
            "L3 unified 32 MiB, 16-way, 64-byte lines, shared by 16\n");
}

TEST(CacheInfoTest, DecodesTheLegacyLeavesWhereThereIsNoEnumeration) {
  Processor processor = Zen2();
  processor.At(0x80000001).ecx &= ~(1u << 22);
  EXPECT_EQ(TextOf(processor),
            "L1 data 32 KiB, 64-byte lines\n"
            "L1 instruction 32 KiB, 64-byte lines\n"
            "L2 unified 512 KiB, 64-byte lines\n"
            "L3 unified 256 MiB, 64-byte lines\n");
}

TEST(CacheInfoTest, AHypervisorThatNeverEndsTheListIsCutOff) {
  const CpuidRegisters endless = {0x121, 0x01c0003f, 0x3f, 0};
  const auto query = [&](uint32_t leaf, uint32_t) { return leaf == 4 ? endless : CpuidRegisters(); };
  EXPECT_EQ(DecodeCaches(query).size(), 16u);
}

TEST(CacheInfoTest, AKindThatIsNotKnownEndsTheList) {
  const CpuidRegisters unknown = {0x124, 0x01c0003f, 0x3f, 0};
  EXPECT_TRUE(DecodeCaches([&](uint32_t leaf, uint32_t) { return leaf == 4 ? unknown : CpuidRegisters(); }).empty());
}

TEST(CacheInfoTest, SizesOfAMachineOfOurOwn) {
  const CacheSizes sizes = CacheSizes::From(CachesOf(Zen2()), /*hypervisor=*/false);
  EXPECT_EQ(sizes.l1_data, 32 << 10);
  EXPECT_EQ(sizes.l2, 512 << 10);
  EXPECT_EQ(sizes.l3, 16 << 20);
  EXPECT_EQ(sizes.l3_share, 16 << 20);
  EXPECT_EQ(sizes.line, 64);
  EXPECT_EQ(CacheSizes::From(CachesOf(IceLakeServer()), false).l1_data, 48 << 10);
}

TEST(CacheInfoTest, AGuestCountsOnAShareOfTheLastLevel) {
  EXPECT_EQ(CacheSizes::From(CachesOf(EmeraldRapids()), /*hypervisor=*/false).l3_share, 53760 << 10);
  EXPECT_EQ(CacheSizes::From(CachesOf(EmeraldRapids()), /*hypervisor=*/true).l3_share, 32 << 20);
  EXPECT_EQ(CacheSizes::From(CachesOf(Zen2()), /*hypervisor=*/true).l3_share, 16 << 20);
}

TEST(CacheInfoTest, DefaultsStandForWhatIsNotReported) {
  const CacheSizes nothing = CacheSizes::From({}, false);
  EXPECT_EQ(nothing.l1_data, 32 << 10);
  EXPECT_EQ(nothing.l2, 512 << 10);
  EXPECT_EQ(nothing.l3, 4 << 20);
  // A processor that lists its caches and has no third level has none.
  const CacheSizes two = CacheSizes::From({{1, CacheKind::kData, 24 << 10, 64, 6, 1}}, false);
  EXPECT_EQ(two.l1_data, 24 << 10);
  EXPECT_EQ(two.l3, 0);
  EXPECT_EQ(two.l3_share, 0);
}

TEST(CacheInfoTest, EachFieldChangesTheFingerprint) {
  const auto fingerprint = [](const CacheSizes& sizes) {
    Hasher hasher;
    sizes.AppendTo(hasher);
    return hasher.Finish();
  };
  const CacheSizes base;
  EXPECT_EQ(fingerprint(base), fingerprint(CacheSizes()));
  CacheSizes changed[5];
  changed[0].l1_data = 1;
  changed[1].l2 = 1;
  changed[2].l3 = 1;
  changed[3].l3_share = 1;
  changed[4].line = 1;
  for (const CacheSizes& sizes : changed) EXPECT_NE(fingerprint(base), fingerprint(sizes)) << sizes.ToString();
}

TEST(CacheInfoTest, Prints) {
  EXPECT_EQ(CacheSizes().ToString(), "L1 data 32 KiB, L2 512 KiB, L3 4 MiB (one thread's share 4 MiB), line 64 bytes");
  EXPECT_EQ((CacheInfo{2, CacheKind::kUnified, 1000, 32, 0, 0}).ToString(), "L2 unified 1000 bytes, 32-byte lines");
}

}  // namespace
}  // namespace burin::jit
