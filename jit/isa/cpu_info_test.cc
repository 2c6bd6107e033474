#include "jit/isa/cpu_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "jit/isa/cpuid.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/processors_testlib.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

CpuInfo Probe(const Processor& processor) { return CpuInfo::Probe(processor.Source()); }

struct Expected {
  const char* name;
  Processor (*processor)();
  std::optional<IsaLevel> level;
  MicroarchClass microarch;
  const char* identity;
};

class CpuInfoProcessorTest : public ::testing::TestWithParam<Expected> {};

TEST_P(CpuInfoProcessorTest, IsDescribed) {
  const CpuInfo info = Probe(GetParam().processor());
  EXPECT_EQ(info.isa.BestLevel(), GetParam().level) << info.ToString();
  EXPECT_EQ(info.microarch, GetParam().microarch);
  EXPECT_EQ(info.Identity(), GetParam().identity);
  for (const IsaFeature feature : kAllIsaFeatures) {
    EXPECT_EQ(info.absent.count(feature) > 0, !info.isa.Has(feature)) << feature;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, CpuInfoProcessorTest,
    ::testing::Values(Expected{"Nehalem", Nehalem, std::nullopt, MicroarchClass::kUnknown,
                               "Genuine Intel(R) CPU 000 @ 3.20GHz (GenuineIntel family 6 model 26 stepping 4)"},
                      Expected{"Haswell", Haswell, IsaLevel::kAvx2, MicroarchClass::kHaswell,
                               "Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz (GenuineIntel family 6 model 60 stepping 3)"},
                      Expected{"SkylakeServer", SkylakeServer, IsaLevel::kAvx512, MicroarchClass::kSkylakeServer,
                               "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz (GenuineIntel family 6 model 85 stepping 4)"},
                      Expected{"IceLakeServer", IceLakeServer, IsaLevel::kAvx512Vnni, MicroarchClass::kIceLakeServer,
                               "Intel(R) Xeon(R) Gold 6330 CPU @ 2.00GHz (GenuineIntel family 6 model 106 stepping 6)"},
                      Expected{"SapphireRapids", SapphireRapids, IsaLevel::kAmxBf16, MicroarchClass::kSapphireRapids,
                               "Intel(R) Xeon(R) w7-2475X (GenuineIntel family 6 model 143 stepping 8)"},
                      Expected{"EmeraldRapids", EmeraldRapids, IsaLevel::kAmxBf16, MicroarchClass::kSapphireRapids,
                               "INTEL(R) XEON(R) GOLD 5520+ (GenuineIntel family 6 model 207 stepping 2)"},
                      Expected{"EmeraldRapidsGuest", EmeraldRapidsGuest, IsaLevel::kAvx512Fp16,
                               MicroarchClass::kSapphireRapids,
                               "INTEL(R) XEON(R) GOLD 5520+ (GenuineIntel family 6 model 207 stepping 2)"},
                      Expected{"GraniteRapids", GraniteRapids, IsaLevel::kAmxFp16, MicroarchClass::kSapphireRapids,
                               "Intel(R) Xeon(R) 658X (GenuineIntel family 6 model 173 stepping 1)"},
                      Expected{"AlderLake", AlderLake, IsaLevel::kAvxVnni, MicroarchClass::kIntelHybrid,
                               "12th Gen Intel(R) Core(TM) i9-12900K (GenuineIntel family 6 model 151 stepping 2)"},
                      Expected{"Zen2", Zen2, IsaLevel::kAvx2, MicroarchClass::kZen2,
                               "AMD EPYC 7742 64-Core Processor (AuthenticAMD family 23 model 49 stepping 0)"},
                      Expected{"Zen3", Zen3, IsaLevel::kAvx2, MicroarchClass::kZen3,
                               "AMD EPYC 7713 64-Core Processor (AuthenticAMD family 25 model 1 stepping 1)"},
                      Expected{"Zen4", Zen4, IsaLevel::kAvx512Bf16, MicroarchClass::kZen4,
                               "AMD EPYC 9654 96-Core Processor (AuthenticAMD family 25 model 17 stepping 1)"},
                      Expected{"Zen4Guest", Zen4Guest, IsaLevel::kAvx512Bf16, MicroarchClass::kZen4,
                               "AMD EPYC (AuthenticAMD family 25 model 17 stepping 1)"},
                      Expected{"Zen4WithoutOsxsave", Zen4WithoutOsxsave, std::nullopt, MicroarchClass::kZen4,
                               "AMD EPYC 9654 96-Core Processor (AuthenticAMD family 25 model 17 stepping 1)"},
                      Expected{"Zen5", Zen5, IsaLevel::kAvx512Bf16, MicroarchClass::kZen5,
                               "AMD EPYC 9655 96-Core Processor (AuthenticAMD family 26 model 2 stepping 1)"}),
    [](const ::testing::TestParamInfo<Expected>& info) { return std::string(info.param.name); });

TEST(CpuInfoTest, FeaturesBeyondTheLevel) {
  const IsaSet zen4 = Probe(Zen4()).isa;
  for (const IsaFeature feature : {IsaFeature::kAvx512Vbmi2, IsaFeature::kAvx512Ifma, IsaFeature::kAvx512Bitalg,
                                   IsaFeature::kAvx512Vpopcntdq, IsaFeature::kGfni, IsaFeature::kLzcnt}) {
    EXPECT_TRUE(zen4.Has(feature)) << feature;
  }
  EXPECT_FALSE(zen4.Has(IsaFeature::kAvxVnni));
  EXPECT_TRUE(Probe(Zen5()).isa.Has(IsaFeature::kAvxVnni));
  EXPECT_TRUE(Probe(EmeraldRapidsGuest()).isa.Has(IsaFeature::kAvxVnni));
  EXPECT_FALSE(Probe(SkylakeServer()).isa.Has(IsaFeature::kAvx512Vbmi));
  EXPECT_FALSE(Probe(IceLakeServer()).isa.Has(IsaFeature::kAvx512Bf16));
  EXPECT_TRUE(Probe(Nehalem()).isa.Has(IsaFeature::kSse42));
  EXPECT_FALSE(Probe(Nehalem()).isa.Has(IsaFeature::kAvx));
}

TEST(CpuInfoTest, SaysWhyAFeatureIsAbsent) {
  EXPECT_EQ(Probe(Zen4()).absent.at(IsaFeature::kAmxTile), "CPUID does not report it");
  const CpuInfo disabled = Probe(Zen4WithoutOsxsave());
  EXPECT_EQ(disabled.xcr0, 0u);
  EXPECT_EQ(disabled.absent.at(IsaFeature::kAvx2), "the operating system does not save its registers (XCR0 0x0)");
  EXPECT_TRUE(disabled.isa.Has(IsaFeature::kBmi2));
}

TEST(CpuInfoTest, AnOperatingSystemThatSavesLessOffersLess) {
  Processor processor = SapphireRapids();
  processor.xcr0 = 0x602e7 & ~0x40000u;  // TILECFG alone is not enough.
  EXPECT_EQ(Probe(processor).isa.BestLevel(), IsaLevel::kAvx512Fp16);
  processor.xcr0 = 0xe7 & ~0x40u;  // Nor are some of the 512-bit states.
  const CpuInfo avx = Probe(processor);
  EXPECT_EQ(avx.isa.BestLevel(), IsaLevel::kAvxVnni);
  EXPECT_EQ(avx.absent.at(IsaFeature::kAvx512F), "the operating system does not save its registers (XCR0 0xa7)");
  processor.xcr0 = 0x3;
  EXPECT_FALSE(Probe(processor).isa.Has(IsaFeature::kAvx));
}

TEST(CpuInfoTest, WhatImpliesAHiddenFeatureIsAbsentToo) {
  Processor processor = Zen4();
  processor.At(1).ecx &= ~(1u << 12);  // A hypervisor hides FMA alone.
  const CpuInfo info = Probe(processor);
  EXPECT_FALSE(info.isa.Has(IsaFeature::kAvx512F));
  EXPECT_TRUE(info.isa.Has(IsaFeature::kAvx2));
  EXPECT_EQ(info.absent.at(IsaFeature::kFma), "CPUID does not report it");
  EXPECT_EQ(info.absent.at(IsaFeature::kAvx512F), "it needs what is missing: fma");
  EXPECT_EQ(info.absent.at(IsaFeature::kAvx512Vnni), "it needs what is missing: avx512f, fma");
}

TEST(CpuInfoTest, LeavesThatDoNotExistAreNotRead) {
  // An Intel processor repeats its last basic leaf, which must not be taken for leaf 7.
  Processor processor = Haswell();
  processor.At(0).eax = 4;
  processor.At(4) = {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  const CpuInfo info = Probe(processor);
  EXPECT_FALSE(info.isa.Has(IsaFeature::kAvx2));
  EXPECT_TRUE(info.isa.Has(IsaFeature::kFma));
  // Subleaf 1 of leaf 7, where leaf 7 says that it ends at subleaf 0.
  Processor ice_lake = IceLakeServer();
  ice_lake.At(7, 1).eax = 0xffffffff;
  EXPECT_FALSE(Probe(ice_lake).isa.Has(IsaFeature::kAvxVnni));
  // No extended leaves: no brand, and no feature of them.
  Processor bare = Haswell();
  bare.At(0x80000000).eax = 0;
  EXPECT_EQ(Probe(bare).Identity(), "unnamed processor (GenuineIntel family 6 model 60 stepping 3)");
  EXPECT_FALSE(Probe(bare).isa.Has(IsaFeature::kLzcnt));
}

TEST(CpuInfoTest, Topology) {
  EXPECT_EQ(Probe(Haswell()).threads_per_core, 2);
  EXPECT_EQ(Probe(Zen4()).threads_per_core, 2);
  EXPECT_EQ(Probe(Zen4Guest()).threads_per_core, 1);
  EXPECT_TRUE(Probe(Zen4Guest()).hypervisor);
  EXPECT_FALSE(Probe(Zen4()).hypervisor);
  EXPECT_TRUE(Probe(AlderLake()).hybrid);
  EXPECT_FALSE(Probe(SapphireRapids()).hybrid);
  Processor older = Zen2();
  older.At(0xb) = {};
  EXPECT_EQ(Probe(older).threads_per_core, 2);
}

TEST(CpuInfoTest, PrintsWhatItKnows) {
  const std::string text = Probe(EmeraldRapidsGuest()).ToString();
  EXPECT_THAT(text, HasSubstr("cpu: INTEL(R) XEON(R) GOLD 5520+ (GenuineIntel family 6 model 207 stepping 2)\n"));
  EXPECT_THAT(text, HasSubstr("under a hypervisor"));
  EXPECT_THAT(text, HasSubstr("xcr0: 0xe7\n"));
  EXPECT_THAT(text, HasSubstr("cache: L2 unified 2 MiB"));
  EXPECT_THAT(text, HasSubstr("class: sapphire_rapids: "));
  EXPECT_THAT(text, HasSubstr("absent: amx_int8: CPUID does not report it\n"));
}

TEST(CpuInfoTest, TheHostIsProbedOnce) {
  const CpuInfo& host = CpuInfo::Host();
  EXPECT_EQ(&host, &CpuInfo::Host());
  EXPECT_FALSE(host.vendor.empty());
  EXPECT_GE(host.threads_per_core, 1);
  // x86-64 with SSE3 is as old as this project's tests run on; what is not absent is there.
  EXPECT_TRUE(host.isa.Has(IsaFeature::kSse3));
}

}  // namespace
}  // namespace burin::jit
