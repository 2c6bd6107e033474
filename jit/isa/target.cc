#include "jit/isa/target.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "jit/isa/amx_permission.h"

namespace burin::jit {
namespace {

constexpr char kMaxIsa[] = "BURIN_MAX_ISA";
constexpr char kMicroarch[] = "BURIN_MICROARCH";
constexpr char kIsaOverride[] = "BURIN_ISA_OVERRIDE";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The value, or its error with the variable's name.
template <class T>
absl::StatusOr<T> ValueOf(const char* variable, absl::StatusOr<T> parsed) {
  if (!parsed.ok()) return WithContext(parsed.status(), variable);
  return parsed;
}

// Each feature of `needed` that is not in `isa`, with its reason.
std::vector<std::string> Missing(const IsaSet& needed, const IsaSet& isa,
                                 const std::map<IsaFeature, std::string>& reasons) {
  std::vector<std::string> missing;
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (!needed.Has(feature) || isa.Has(feature)) continue;
    const auto reason = reasons.find(feature);
    missing.push_back(
        absl::StrCat(Name(feature), " (", reason == reasons.end() ? "not in this description" : reason->second, ")"));
  }
  return missing;
}

}  // namespace

TargetOptions TargetOptions::FromEnvironment() {
  TargetOptions options;
  options.max_isa = Variable(kMaxIsa);
  options.microarch = Variable(kMicroarch);
  options.isa_override = Variable(kIsaOverride);
  options.request_amx = RequestAmxPermission;
  return options;
}

absl::StatusOr<Target> Target::Host() { return Create(CpuInfo::Host(), TargetOptions::FromEnvironment()); }

absl::StatusOr<Target> Target::Host(IsaLevel cap) {
  TargetOptions options = TargetOptions::FromEnvironment();
  options.cap = cap;
  return Create(CpuInfo::Host(), options);
}

absl::StatusOr<Target> Target::Create(const CpuInfo& cpu, const TargetOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const IsaSet forced, ValueOf(kIsaOverride, IsaSet::Parse(options.isa_override)));
  MicroarchClass microarch = cpu.microarch;
  if (!options.microarch.empty()) {
    BURIN_ASSIGN_OR_RETURN(microarch, ValueOf(kMicroarch, ParseMicroarchClass(options.microarch)));
  }
  Target target(cpu.isa.Union(forced), CacheSizes::From(cpu.caches, cpu.hypervisor), Microarch::Of(microarch));
  target.native_ = cpu.isa;
  target.identity_ = cpu.Identity();
  target.absent_ = cpu.absent;
  if (!options.max_isa.empty()) {
    BURIN_ASSIGN_OR_RETURN(const IsaLevel level, ValueOf(kMaxIsa, ParseIsaLevel(options.max_isa)));
    target.Cap(level, kMaxIsa);
  }
  if (options.cap.has_value()) target.Cap(*options.cap, "the configuration");
  if (!target.Supports(IsaLevel::kAvx2)) {
    const IsaSet needed = IsaSet::From(IsaLevel::kAvx2);
    return absl::FailedPreconditionError(
        absl::StrCat("Burin needs a processor with AVX2, FMA, F16C, BMI1 and BMI2; this one lacks ",
                     absl::StrJoin(Missing(needed, target.isa_, target.absent_), ", "), ": ", target.identity_));
  }
  if (target.Has(IsaFeature::kAmxTile)) {
    const absl::Status permission = options.request_amx();
    // Whoever forces AMX has it, granted or not: an emulator need not answer for the operating system.
    if (!permission.ok()) target.Deny(IsaFeature::kAmxTile, forced, std::string(permission.message()));
  }
  for (const IsaFeature feature : target.Forced()) target.absent_.erase(feature);
  return target;
}

absl::StatusOr<Target> Target::ForTesting(const IsaSet& isa, const Microarch& microarch, const CacheSizes& caches) {
  const Target target(isa, caches, microarch);
  const absl::Status complete = target.Require(IsaLevel::kAvx2);
  if (!complete.ok()) return absl::FailedPreconditionError(complete.message());
  return target;
}

void Target::Cap(IsaLevel level, const std::string& source) {
  const IsaSet before = isa_;
  isa_ = isa_.CappedAt(level);
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (!before.Has(feature) || isa_.Has(feature)) continue;
    absent_[feature] = absl::StrCat("capped at ", Name(level), " by ", source);
  }
}

void Target::Deny(IsaFeature feature, const IsaSet& kept, const std::string& reason) {
  const IsaSet before = isa_;
  isa_ = before.Without(feature).Union(before.Intersect(kept));
  for (const IsaFeature lost : kAllIsaFeatures) {
    if (before.Has(lost) && !isa_.Has(lost)) absent_[lost] = reason;
  }
}

Target Target::WithCap(IsaLevel level) const {
  Target capped = *this;
  capped.Cap(level, "the caller");
  return capped;
}

Target Target::WithMicroarch(const Microarch& microarch) const {
  Target changed = *this;
  changed.microarch_ = microarch;
  return changed;
}

IsaLevel Target::level() const { return isa_.BestLevel().value_or(IsaLevel::kAvx2); }

std::vector<IsaFeature> Target::Forced() const {
  std::vector<IsaFeature> forced;
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (Has(feature) && !native_.Has(feature)) forced.push_back(feature);
  }
  return forced;
}

absl::Status Target::RequireAll(const IsaSet& needed, const std::string& purpose) const {
  if (isa_.Contains(needed)) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("The target has not all of ", purpose, ": ", absl::StrJoin(Missing(needed, isa_, absent_), ", ")));
}

absl::Status Target::Require(IsaFeature feature) const {
  return RequireAll(IsaSet::Of({feature}), absl::StrCat("feature ", Name(feature)));
}

absl::Status Target::Require(IsaLevel level) const {
  return RequireAll(IsaSet::From(level), absl::StrCat("level ", Name(level)));
}

std::string Target::ToString() const {
  std::string text = absl::StrCat("target: ", identity_.empty() ? "described by a test" : identity_, "\n",
                                  "level: ", Name(level()), "\n", "isa: ", isa_.ToString(), "\n");
  for (const IsaFeature feature : Forced()) absl::StrAppend(&text, "forced: ", Name(feature), "\n");
  absl::StrAppend(&text, "caches: ", caches_.ToString(), "\n", "class: ", microarch_.ToString(), "\n");
  for (const auto& [feature, reason] : absent_) absl::StrAppend(&text, "absent: ", Name(feature), ": ", reason, "\n");
  absl::StrAppend(&text, "key: ", ContentKey().ToHex(), "\n");
  return text;
}

Hash128 Target::ContentKey() const {
  Hasher hasher;
  isa_.AppendTo(hasher);
  caches_.AppendTo(hasher);
  microarch_.AppendTo(hasher);
  return hasher.Finish();
}

}  // namespace burin::jit
