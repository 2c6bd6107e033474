#include "jit/isa/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/processors_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Answers requests for AMX, and counts them.
struct Permission {
  absl::Status answer;
  int requests = 0;
};

absl::StatusOr<Target> Create(const Processor& processor, TargetOptions options = {},
                              Permission* permission = nullptr) {
  Permission granted;
  if (permission == nullptr) permission = &granted;
  options.request_amx = [permission] {
    ++permission->requests;
    return permission->answer;
  };
  return Target::Create(CpuInfo::Probe(processor.Source()), options);
}

TargetOptions MaxIsa(const std::string& level) {
  TargetOptions options;
  options.max_isa = level;
  return options;
}

// Sets a variable for the length of a scope; unsets it for nullopt.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
    const char* before = std::getenv(name);
    if (before != nullptr) before_ = before;
    Set(value);
  }
  ~ScopedVariable() { Set(before_); }

 private:
  void Set(const std::optional<std::string>& value) const {
    if (value.has_value()) {
      setenv(name_, value->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

TEST(TargetTest, IsWhatTheProcessorOffers) {
  ASSERT_OK_AND_ASSIGN(const Target zen4, Create(Zen4()));
  EXPECT_EQ(zen4.level(), IsaLevel::kAvx512Bf16);
  EXPECT_TRUE(zen4.Supports(IsaLevel::kAvx512Vnni));
  EXPECT_FALSE(zen4.Supports(IsaLevel::kAvxVnni));
  EXPECT_TRUE(zen4.Has(IsaFeature::kAvx512Vbmi));
  EXPECT_EQ(zen4.microarch().id, MicroarchClass::kZen4);
  EXPECT_EQ(zen4.caches().l2, 1 << 20);
  EXPECT_THAT(zen4.Forced(), IsEmpty());
}

TEST(TargetTest, BelowAvx2ThereIsNone) {
  EXPECT_THAT(Create(Nehalem()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("avx2 (CPUID does not report it)"), HasSubstr("fma (CPUID"),
                             HasSubstr("f16c (CPUID"), HasSubstr("bmi2 (CPUID"), HasSubstr("000 @ 3.20GHz"))));
  EXPECT_THAT(Create(Zen4WithoutOsxsave()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("avx2 (the operating system does not save its registers (XCR0 0x0))"),
                             Not(HasSubstr("bmi2 (")))));
  Processor no_f16c = Haswell();
  no_f16c.At(1).ecx &= ~(1u << 29);
  EXPECT_THAT(Create(no_f16c), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("lacks f16c (CPUID")));
}

TEST(TargetTest, TheVariableCaps) {
  for (const IsaLevel level : kAllIsaLevels) {
    SCOPED_TRACE(Name(level));
    ASSERT_OK_AND_ASSIGN(const Target full, Create(GraniteRapids()));
    ASSERT_OK_AND_ASSIGN(const Target capped, Create(GraniteRapids(), MaxIsa(std::string(Name(level)))));
    EXPECT_EQ(capped.isa(), full.isa().CappedAt(level));
    EXPECT_EQ(capped.level(), level);
  }
  ASSERT_OK_AND_ASSIGN(const Target capped, Create(Zen4(), MaxIsa("avx512")));
  EXPECT_THAT(capped.Require(IsaLevel::kAvx512Vnni),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("level avx512_vnni: avx512_vnni (capped at avx512 by BURIN_MAX_ISA)")));
  // A cap above what there is changes nothing.
  ASSERT_OK_AND_ASSIGN(const Target above, Create(Haswell(), MaxIsa("amx_fp16")));
  EXPECT_EQ(above.level(), IsaLevel::kAvx2);
}

TEST(TargetTest, TheCallersCapAndTheVariablesBothHold) {
  TargetOptions options = MaxIsa("avx512_vnni");
  options.cap = IsaLevel::kAvx512Fp16;
  ASSERT_OK_AND_ASSIGN(const Target by_variable, Create(EmeraldRapidsGuest(), options));
  EXPECT_EQ(by_variable.level(), IsaLevel::kAvx512Vnni);
  options.cap = IsaLevel::kAvx2;
  ASSERT_OK_AND_ASSIGN(const Target by_caller, Create(EmeraldRapidsGuest(), options));
  EXPECT_EQ(by_caller.level(), IsaLevel::kAvx2);
  EXPECT_THAT(by_caller.Require(IsaFeature::kAvx512F),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("capped at avx2 by the configuration")));
}

TEST(TargetTest, RefusesVariablesThatMakeNoSense) {
  EXPECT_THAT(Create(Zen4(), MaxIsa("avx1024")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("BURIN_MAX_ISA"), HasSubstr("avx512_bf16"), HasSubstr("\"avx1024\""))));
  TargetOptions microarch;
  microarch.microarch = "zen9";
  EXPECT_THAT(Create(Zen4(), microarch), StatusIs(absl::StatusCode::kInvalidArgument,
                                                  AllOf(HasSubstr("BURIN_MICROARCH"), HasSubstr("sapphire_rapids"))));
  TargetOptions isa_override;
  isa_override.isa_override = "amx_int8,amx";
  EXPECT_THAT(Create(Zen4(), isa_override),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("BURIN_ISA_OVERRIDE"), HasSubstr("amx_tile"), HasSubstr("\"amx\""))));
}

TEST(TargetTest, TheClassCanBeOverridden) {
  TargetOptions options;
  options.microarch = "sapphire_rapids";
  ASSERT_OK_AND_ASSIGN(const Target target, Create(Zen4(), options));
  EXPECT_EQ(target.microarch().id, MicroarchClass::kSapphireRapids);
  EXPECT_EQ(target.caches().l2, 1 << 20);
}

TEST(TargetTest, AmxNeedsPermission) {
  Permission granted;
  ASSERT_OK_AND_ASSIGN(const Target with, Create(SapphireRapids(), {}, &granted));
  EXPECT_EQ(granted.requests, 1);
  EXPECT_EQ(with.level(), IsaLevel::kAmxBf16);

  Permission denied{absl::PermissionDeniedError("not today")};
  ASSERT_OK_AND_ASSIGN(const Target without, Create(SapphireRapids(), {}, &denied));
  EXPECT_EQ(without.level(), IsaLevel::kAvx512Fp16);
  EXPECT_FALSE(without.Has(IsaFeature::kAmxTile));
  EXPECT_THAT(without.Require(IsaFeature::kAmxInt8),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("feature amx_int8: amx_int8 (not today), amx_tile (not today)")));
}

TEST(TargetTest, PermissionIsAskedForOnlyWhereItIsUsed) {
  Permission permission;
  ASSERT_OK(Create(SapphireRapids(), MaxIsa("avx512_fp16"), &permission));
  ASSERT_OK(Create(EmeraldRapidsGuest(), {}, &permission));
  ASSERT_OK(Create(Zen4(), {}, &permission));
  EXPECT_EQ(permission.requests, 0);
}

TEST(TargetTest, AnOverrideForcesFeatures) {
  TargetOptions options;
  options.isa_override = "amx_int8, avx_vnni";
  Permission denied{absl::UnimplementedError("no such state")};
  ASSERT_OK_AND_ASSIGN(const Target target, Create(Zen4(), options, &denied));
  EXPECT_EQ(denied.requests, 1);
  EXPECT_TRUE(target.Supports(IsaLevel::kAmxInt8));
  EXPECT_TRUE(target.Supports(IsaLevel::kAvxVnni));
  EXPECT_FALSE(target.Supports(IsaLevel::kAmxBf16));
  // What the processor has by itself, such as AVX2, is not forced.
  EXPECT_THAT(target.Forced(), ElementsAre(IsaFeature::kAmxInt8, IsaFeature::kAmxTile, IsaFeature::kAvxVnni));
  EXPECT_OK(target.Require(IsaFeature::kAmxInt8));

  options.max_isa = "avx_vnni";
  ASSERT_OK_AND_ASSIGN(const Target capped, Create(Zen4(), options, &denied));
  EXPECT_EQ(denied.requests, 1);
  EXPECT_EQ(capped.level(), IsaLevel::kAvxVnni);
  EXPECT_FALSE(capped.Has(IsaFeature::kAmxTile));
  EXPECT_THAT(capped.Forced(), ElementsAre(IsaFeature::kAvxVnni));
}

TEST(TargetTest, AnOverrideOfSomeTilesKeepsThoseAlone) {
  TargetOptions options;
  options.isa_override = "amx_int8";
  Permission denied{absl::PermissionDeniedError("no")};
  ASSERT_OK_AND_ASSIGN(const Target target, Create(SapphireRapids(), options, &denied));
  EXPECT_TRUE(target.Supports(IsaLevel::kAmxInt8));
  EXPECT_FALSE(target.Has(IsaFeature::kAmxBf16));
}

TEST(TargetTest, AnOverrideCanMakeATargetOfAnOldMachine) {
  TargetOptions options;
  options.isa_override = "avx2,fma,f16c,bmi1,bmi2";
  ASSERT_OK_AND_ASSIGN(const Target target, Create(Nehalem(), options));
  EXPECT_EQ(target.level(), IsaLevel::kAvx2);
  EXPECT_THAT(target.Forced(), AllOf(Contains(IsaFeature::kAvx2), Not(Contains(IsaFeature::kSse42))));
}

TEST(TargetTest, WithCapLowers) {
  ASSERT_OK_AND_ASSIGN(const Target full, Create(GraniteRapids()));
  for (const IsaLevel level : kAllIsaLevels) {
    const Target capped = full.WithCap(level);
    EXPECT_EQ(capped.isa(), full.isa().CappedAt(level)) << level;
    EXPECT_EQ(capped.level(), level);
    EXPECT_EQ(capped.microarch().id, full.microarch().id);
  }
  EXPECT_THAT(full.WithCap(IsaLevel::kAvxVnni).Require(IsaLevel::kAvx512),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("avx512f (capped at avx_vnni by the caller)")));
}

TEST(TargetTest, ForTestingIsWhatItIsTold) {
  CacheSizes caches;
  caches.l2 = 2 << 20;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(IsaLevel::kAmxFp16),
                                                               Microarch::Of(MicroarchClass::kZen5), caches));
  EXPECT_EQ(target.isa(), IsaSet::From(IsaLevel::kAmxFp16));
  EXPECT_EQ(target.microarch().id, MicroarchClass::kZen5);
  EXPECT_EQ(target.caches().l2, 2 << 20);
  EXPECT_THAT(target.Require(IsaLevel::kAvxVnni),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("avx_vnni (not in this description)")));
  EXPECT_THAT(Target::ForTesting(IsaSet::Of({IsaFeature::kAvx2})),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("fma (not in this description)")));
}

TEST(TargetTest, TheKeyCoversWhatCodeDependsOn) {
  ASSERT_OK_AND_ASSIGN(const Target base, Target::ForTesting(IsaSet::From(IsaLevel::kAvx512)));
  ASSERT_OK_AND_ASSIGN(const Target same, Target::ForTesting(IsaSet::From(IsaLevel::kAvx512)));
  EXPECT_EQ(base.ContentKey(), same.ContentKey());
  EXPECT_NE(base.ContentKey(), base.WithCap(IsaLevel::kAvx2).ContentKey());
  EXPECT_NE(base.ContentKey(), base.WithMicroarch(Microarch::Of(MicroarchClass::kZen4)).ContentKey());
  CacheSizes caches;
  caches.l1_data = 48 << 10;
  ASSERT_OK_AND_ASSIGN(const Target other, Target::ForTesting(IsaSet::From(IsaLevel::kAvx512), Microarch(), caches));
  EXPECT_NE(base.ContentKey(), other.ContentKey());
  // How a target came to be does not count: a capped machine and one that has no more are one target.
  ASSERT_OK_AND_ASSIGN(const Target capped, Create(Zen4(), MaxIsa("avx512")));
  ASSERT_OK_AND_ASSIGN(const Target described,
                       Target::ForTesting(capped.isa(), Microarch::Of(MicroarchClass::kZen4), capped.caches()));
  EXPECT_EQ(capped.ContentKey(), described.ContentKey());
}

TEST(TargetTest, Prints) {
  TargetOptions options = MaxIsa("avx_vnni");
  options.isa_override = "avx_vnni";
  ASSERT_OK_AND_ASSIGN(const Target target, Create(Haswell(), options));
  EXPECT_EQ(target.ToString().find("target: Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz (GenuineIntel family 6 model 60 "
                                   "stepping 3)\nlevel: avx_vnni\nisa: avx,avx2,avx_vnni,bmi1,"),
            0u)
      << target.ToString();
  EXPECT_THAT(target.ToString(), HasSubstr("\nforced: avx_vnni\ncaches: L1 data 32 KiB, L2 256 KiB, L3 8 MiB"));
  EXPECT_THAT(target.ToString(), HasSubstr("\nclass: haswell: FMA/cycle 256-bit 2"));
  EXPECT_THAT(target.ToString(), HasSubstr("\nabsent: avx512f: CPUID does not report it\n"));
  EXPECT_THAT(target.ToString(), HasSubstr(absl::StrCat("\nkey: ", target.ContentKey().ToHex(), "\n")));
}

TEST(TargetTest, TheHostFollowsTheEnvironment) {
  const ScopedVariable no_cap("BURIN_MAX_ISA", std::nullopt);
  const ScopedVariable no_override("BURIN_ISA_OVERRIDE", std::nullopt);
  const ScopedVariable no_class("BURIN_MICROARCH", std::nullopt);
  const absl::StatusOr<Target> full = Target::Host();
  if (!full.ok()) GTEST_SKIP() << full.status().message();
  {
    const ScopedVariable cap("BURIN_MAX_ISA", "avx2");
    ASSERT_OK_AND_ASSIGN(const Target capped, Target::Host());
    EXPECT_EQ(capped.isa(), full->isa().CappedAt(IsaLevel::kAvx2));
    ASSERT_OK_AND_ASSIGN(const Target twice, Target::Host(IsaLevel::kAmxFp16));
    EXPECT_EQ(twice.isa(), capped.isa());
  }
  {
    const ScopedVariable microarch("BURIN_MICROARCH", "zen2");
    ASSERT_OK_AND_ASSIGN(const Target other, Target::Host());
    EXPECT_EQ(other.microarch().id, MicroarchClass::kZen2);
  }
  {
    const ScopedVariable cap("BURIN_MAX_ISA", "best");
    EXPECT_THAT(Target::Host(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("BURIN_MAX_ISA")));
  }
  {
    const ScopedVariable forced("BURIN_ISA_OVERRIDE", "avx_vnni_int16");
    ASSERT_OK_AND_ASSIGN(const Target more, Target::Host());
    EXPECT_TRUE(more.Has(IsaFeature::kAvxVnniInt16));
  }
  ASSERT_OK_AND_ASSIGN(const Target capped, Target::Host(IsaLevel::kAvx2));
  EXPECT_EQ(capped.isa(), full->isa().CappedAt(IsaLevel::kAvx2));
}

}  // namespace
}  // namespace burin::jit
