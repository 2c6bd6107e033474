// Names the instruction set features and levels of x86-64, and holds a set of features as a value.
//
// Use it wherever code depends on what instructions exist: an `IsaSet` is passed, compared, capped and hashed like a
// number. It says nothing about the machine at hand: jit/isa/cpu_info.h probes that, and jit/isa/target.h is what
// generators take. The lists are jit/isa/isa.inc and jit/isa/isa_levels.inc. Value types and pure functions, hence
// thread-safe.
#ifndef BURIN_JIT_ISA_ISA_H_
#define BURIN_JIT_ISA_ISA_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "base/hash.h"

namespace burin::jit {

// Names one feature. The numeric values are those of this build alone: names go into files and keys.
enum class IsaFeature : uint8_t {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) enumerator,
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
};

// Lists every feature, in the order of jit/isa/isa.inc.
inline constexpr IsaFeature kAllIsaFeatures[] = {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) IsaFeature::enumerator,
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
};

// Names a level: the features that one generation of machines has in common. A level's value is its rank.
//
//   avx2 <- avx_vnni
//   avx2 <- avx512 <- avx512_vnni <- avx512_bf16 <- avx512_fp16
//                     avx512_vnni <- amx_int8 <- amx_bf16 (also <- avx512_bf16) <- amx_fp16
enum class IsaLevel : uint8_t {
#define BURIN_ISA_LEVEL(enumerator, name, rank, parents, needs, admits) enumerator = (rank),
#include "jit/isa/isa_levels.inc"
#undef BURIN_ISA_LEVEL
};

// Lists every level by ascending rank: each comes after those that it implies.
inline constexpr IsaLevel kAllIsaLevels[] = {
    IsaLevel::kAvx2,       IsaLevel::kAvxVnni, IsaLevel::kAvx512,  IsaLevel::kAvx512Vnni, IsaLevel::kAvx512Bf16,
    IsaLevel::kAvx512Fp16, IsaLevel::kAmxInt8, IsaLevel::kAmxBf16, IsaLevel::kAmxFp16,
};

// Returns the name, such as "avx512_vnni".
absl::string_view Name(IsaFeature feature);
absl::string_view Name(IsaLevel level);

// Prints the name.
std::ostream& operator<<(std::ostream& out, IsaFeature feature);
std::ostream& operator<<(std::ostream& out, IsaLevel level);

// Returns the feature or level of that name (case matters). InvalidArgument, listing all of them, where there is none.
absl::StatusOr<IsaFeature> ParseIsaFeature(absl::string_view name);
absl::StatusOr<IsaLevel> ParseIsaLevel(absl::string_view name);

// Returns whether whatever offers `level` offers `other` too (a level implies itself). A partial order.
bool Implies(IsaLevel level, IsaLevel other);

// Holds a set of features.
//
// Invariant:
//   I1  Closed: with a feature, all that it implies is in the set. Every function below keeps it.
class IsaSet {
 public:
  // Creates the empty set, which is what every x86-64 machine has.
  constexpr IsaSet() = default;

  // Returns the least set with these features, hence with what they imply.
  static IsaSet Of(std::initializer_list<IsaFeature> features);

  // Returns what every machine of `level` offers.
  static IsaSet From(IsaLevel level);

  // Returns the most that a machine of `level` may offer: what `level` and the levels that it implies need and admit.
  static IsaSet AdmittedBy(IsaLevel level);

  // Returns every feature of the table.
  static IsaSet All();

  // Parses names of features separated by commas, with spaces around them ignored, and adds what they imply. The empty
  // text is the empty set. InvalidArgument, listing the names there are, for any other name. Names are those of
  // features: "avx2" is the feature alone, without the FMA and F16C of the level.
  static absl::StatusOr<IsaSet> Parse(absl::string_view names);

  // Returns whether the feature is in the set.
  constexpr bool Has(IsaFeature feature) const { return (bits_ & Bit(feature)) != 0; }

  // Returns whether each feature of `other` is in the set.
  constexpr bool Contains(const IsaSet& other) const { return (other.bits_ & ~bits_) == 0; }

  // Returns whether the set has all that `level` needs.
  bool Supports(IsaLevel level) const { return Contains(From(level)); }

  // Returns whether there is no feature in the set.
  constexpr bool empty() const { return bits_ == 0; }

  // Return what is in either set, or in both.
  constexpr IsaSet Union(const IsaSet& other) const { return IsaSet(bits_ | other.bits_); }
  constexpr IsaSet Intersect(const IsaSet& other) const { return IsaSet(bits_ & other.bits_); }

  // Returns the set without `feature` and without everything that implies it.
  IsaSet Without(IsaFeature feature) const;

  // Returns what of the set is not in `other`, less what implies a feature of `other`: the greatest set that has none
  // of `other`.
  IsaSet Without(const IsaSet& other) const;

  // Returns the set as a machine of at most `level` would offer it: its intersection with `AdmittedBy(level)`. Hence
  // caps commute, and the same one twice is the same. Caps are ordered by what they admit, which grows along the
  // implications of levels; two caps neither of which implies the other, such as avx_vnni and avx512, leave what both
  // admit.
  IsaSet CappedAt(IsaLevel level) const { return Intersect(AdmittedBy(level)); }

  // Returns the level of the highest rank that the set supports; nullopt below avx2.
  std::optional<IsaLevel> BestLevel() const;

  // Returns the names in the table's order, separated by commas; "" for the empty set. `Parse` inverts it.
  std::string ToString() const;

  // Appends the set to a fingerprint, by names: equal for equal sets, in every build.
  void AppendTo(Hasher& hasher) const;

  friend constexpr bool operator==(const IsaSet& a, const IsaSet& b) { return a.bits_ == b.bits_; }
  friend constexpr bool operator!=(const IsaSet& a, const IsaSet& b) { return !(a == b); }
  template <class H>
  friend H AbslHashValue(H state, const IsaSet& set) {
    return H::combine(std::move(state), set.bits_);
  }
  friend std::ostream& operator<<(std::ostream& out, const IsaSet& set) { return out << set.ToString(); }

 private:
  explicit constexpr IsaSet(uint64_t bits) : bits_(bits) {}

  static constexpr uint64_t Bit(IsaFeature feature) { return uint64_t{1} << static_cast<int>(feature); }

  // Bit k is the feature whose value is k.
  uint64_t bits_ = 0;
};

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::IsaFeature> {
  static constexpr EnumEntry<jit::IsaFeature> kEntries[] = {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) \
  {jit::IsaFeature::enumerator, name},
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
  };
};

template <>
struct EnumNames<jit::IsaLevel> {
  static constexpr EnumEntry<jit::IsaLevel> kEntries[] = {
#define BURIN_ISA_LEVEL(enumerator, name, rank, parents, needs, admits) {jit::IsaLevel::enumerator, name},
#include "jit/isa/isa_levels.inc"
#undef BURIN_ISA_LEVEL
  };
};

}  // namespace burin

#endif  // BURIN_JIT_ISA_ISA_H_
