#include "jit/isa/isa.h"

#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr size_t kFeatureCount = std::size(kAllIsaFeatures);
constexpr size_t kLevelCount = std::size(kAllIsaLevels);
static_assert(kFeatureCount < 64, "a set is one 64-bit mask");

constexpr uint64_t MaskOf(std::initializer_list<IsaFeature> features) {
  uint64_t mask = 0;
  for (const IsaFeature feature : features) mask |= uint64_t{1} << static_cast<int>(feature);
  return mask;
}

constexpr uint32_t MaskOf(std::initializer_list<IsaLevel> levels) {
  uint32_t mask = 0;
  for (const IsaLevel level : levels) mask |= uint32_t{1} << static_cast<int>(level);
  return mask;
}

// What the table says of one feature or level, as masks.
struct FeatureRow {
  uint64_t self = 0;
  uint64_t implied = 0;
};
struct LevelRow {
  uint32_t self = 0;
  uint32_t parents = 0;
};
struct LevelFeatures {
  uint32_t level = 0;
  uint64_t needs = 0;
  uint64_t admits = 0;
};

// The tables name features and levels without their enum; in here those names mean features.
namespace feature_names {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) \
  [[maybe_unused]] constexpr IsaFeature enumerator = IsaFeature::enumerator;
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE

#define BURIN_FEATURES(...) MaskOf(std::initializer_list<IsaFeature>{__VA_ARGS__})

constexpr FeatureRow kRows[] = {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) \
  {MaskOf({IsaFeature::enumerator}), BURIN_FEATURES implied},
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
};

constexpr LevelFeatures kLevelFeatures[] = {
#define BURIN_ISA_LEVEL(enumerator, name, rank, parents, needs, admits) \
  {MaskOf({IsaLevel::enumerator}), BURIN_FEATURES needs, BURIN_FEATURES admits},
#include "jit/isa/isa_levels.inc"
#undef BURIN_ISA_LEVEL
};
#undef BURIN_FEATURES
}  // namespace feature_names

// In here they mean levels.
namespace level_names {
#define BURIN_ISA_LEVEL(enumerator, name, rank, parents, needs, admits) \
  [[maybe_unused]] constexpr IsaLevel enumerator = IsaLevel::enumerator;
#include "jit/isa/isa_levels.inc"
#undef BURIN_ISA_LEVEL

#define BURIN_LEVELS(...) MaskOf(std::initializer_list<IsaLevel>{__VA_ARGS__})

constexpr LevelRow kRows[] = {
#define BURIN_ISA_LEVEL(enumerator, name, rank, parents, needs, admits) \
  {MaskOf({IsaLevel::enumerator}), BURIN_LEVELS parents},
#include "jit/isa/isa_levels.inc"
#undef BURIN_ISA_LEVEL
};
#undef BURIN_LEVELS
}  // namespace level_names

static_assert(std::size(level_names::kRows) == kLevelCount, "kAllIsaLevels lists each level of isa_levels.inc");

constexpr bool RanksAscend() {
  for (size_t i = 0; i < kLevelCount; ++i) {
    if (static_cast<size_t>(kAllIsaLevels[i]) != i) return false;
  }
  for (const LevelRow& row : level_names::kRows) {
    // The parents are the lower bits of the mask.
    if (row.parents >= row.self) return false;
  }
  return true;
}
static_assert(RanksAscend(), "ranks count from 0, and a level's is above those of its parents");

// The least closed mask that has all of `mask`.
constexpr uint64_t ClosureOf(uint64_t mask) {
  for (uint64_t previous = 0; previous != mask;) {
    previous = mask;
    for (const FeatureRow& row : feature_names::kRows) {
      if ((mask & row.self) != 0) mask |= row.implied;
    }
  }
  return mask;
}

// `level` and the levels that it implies.
constexpr uint32_t ImpliedBy(IsaLevel level) {
  uint32_t mask = MaskOf({level});
  for (uint32_t previous = 0; previous != mask;) {
    previous = mask;
    for (const LevelRow& row : level_names::kRows) {
      if ((mask & row.self) != 0) mask |= row.parents;
    }
  }
  return mask;
}

struct LevelMasks {
  uint64_t needs[kLevelCount] = {};
  uint64_t admits[kLevelCount] = {};
};

constexpr LevelMasks AllLevelMasks() {
  LevelMasks masks;
  for (size_t i = 0; i < kLevelCount; ++i) {
    const uint32_t implied = ImpliedBy(kAllIsaLevels[i]);
    for (const LevelFeatures& features : feature_names::kLevelFeatures) {
      if ((implied & features.level) == 0) continue;
      masks.needs[i] |= features.needs;
      masks.admits[i] |= features.needs | features.admits;
    }
    masks.needs[i] = ClosureOf(masks.needs[i]);
    masks.admits[i] = ClosureOf(masks.admits[i]);
  }
  return masks;
}

constexpr LevelMasks kLevelMasks = AllLevelMasks();

constexpr bool EachIsAdmittedSomewhere() {
  uint64_t admitted = 0;
  for (const uint64_t mask : kLevelMasks.admits) admitted |= mask;
  return admitted == (uint64_t{1} << kFeatureCount) - 1;
}
static_assert(EachIsAdmittedSomewhere(), "a feature that no level admits would be lost under every cap");

}  // namespace

absl::string_view Name(IsaFeature feature) { return EnumName(feature); }
absl::string_view Name(IsaLevel level) { return EnumName(level); }

std::ostream& operator<<(std::ostream& out, IsaFeature feature) { return out << Name(feature); }
std::ostream& operator<<(std::ostream& out, IsaLevel level) { return out << Name(level); }

absl::StatusOr<IsaFeature> ParseIsaFeature(absl::string_view name) { return ParseEnum<IsaFeature>(name); }
absl::StatusOr<IsaLevel> ParseIsaLevel(absl::string_view name) { return ParseEnum<IsaLevel>(name); }

bool Implies(IsaLevel level, IsaLevel other) { return (ImpliedBy(level) & MaskOf({other})) != 0; }

IsaSet IsaSet::Of(std::initializer_list<IsaFeature> features) { return IsaSet(ClosureOf(MaskOf(features))); }

IsaSet IsaSet::From(IsaLevel level) { return IsaSet(kLevelMasks.needs[static_cast<size_t>(level)]); }

IsaSet IsaSet::AdmittedBy(IsaLevel level) { return IsaSet(kLevelMasks.admits[static_cast<size_t>(level)]); }

IsaSet IsaSet::All() { return IsaSet((uint64_t{1} << kFeatureCount) - 1); }

absl::StatusOr<IsaSet> IsaSet::Parse(absl::string_view names) {
  uint64_t mask = 0;
  names = absl::StripAsciiWhitespace(names);
  if (names.empty()) return IsaSet();
  for (const absl::string_view name : absl::StrSplit(names, ',')) {
    BURIN_ASSIGN_OR_RETURN(const IsaFeature feature, ParseIsaFeature(absl::StripAsciiWhitespace(name)));
    mask |= Bit(feature);
  }
  return IsaSet(ClosureOf(mask));
}

IsaSet IsaSet::Without(IsaFeature feature) const { return Without(IsaSet(Bit(feature))); }

IsaSet IsaSet::Without(const IsaSet& other) const {
  uint64_t mask = bits_;
  for (const FeatureRow& row : feature_names::kRows) {
    if ((ClosureOf(row.self) & other.bits_) != 0) mask &= ~row.self;
  }
  return IsaSet(mask);
}

std::optional<IsaLevel> IsaSet::BestLevel() const {
  for (size_t i = kLevelCount; i > 0; --i) {
    if (Supports(kAllIsaLevels[i - 1])) return kAllIsaLevels[i - 1];
  }
  return std::nullopt;
}

std::string IsaSet::ToString() const {
  std::vector<absl::string_view> names;
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (Has(feature)) names.push_back(Name(feature));
  }
  return absl::StrJoin(names, ",");
}

void IsaSet::AppendTo(Hasher& hasher) const { hasher.UpdateString(ToString()); }

}  // namespace burin::jit
