#include "jit/isa/cpu_info.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace burin::jit {
namespace {

// Sets of registers that the operating system saves or not, as bits of XCR0.
enum class XsaveState : uint64_t {
  kNone = 0,
  kYmm = 0x6,       // SSE and AVX.
  kZmm = 0xe6,      // Those, the opmasks, the upper halves of zmm0-15, and zmm16-31.
  kTile = 0x60000,  // TILECFG and TILEDATA.
};

// What the table says of where a feature is reported.
struct FeatureProbe {
  IsaFeature feature;
  uint32_t leaf;
  uint32_t subleaf;
  CpuidRegister reg;
  int bit;
  XsaveState state;
};

constexpr FeatureProbe kProbes[] = {
#define BURIN_ISA_FEATURE(enumerator, name, leaf, subleaf, reg, bit, state, implied) \
  {IsaFeature::enumerator, leaf, subleaf, CpuidRegister::reg, bit, XsaveState::state},
#include "jit/isa/isa.inc"
#undef BURIN_ISA_FEATURE
};

constexpr uint32_t kHypervisor = 1u << 31;  // Leaf 1, ECX.
constexpr uint32_t kOsxsave = 1u << 27;     // Leaf 1, ECX.
constexpr uint32_t kHybrid = 1u << 15;      // Leaf 7, EDX.

// A source that answers zeros for leaves that the processor does not have.
class CheckedCpuid {
 public:
  explicit CheckedCpuid(const CpuidSource& source)
      : source_(source),
        highest_basic_(source.cpuid(0, 0).eax),
        highest_extended_(source.cpuid(kExtended, 0).eax),
        highest_of_leaf_7_(highest_basic_ >= 7 ? source.cpuid(7, 0).eax : 0) {}

  CpuidRegisters Query(uint32_t leaf, uint32_t subleaf) const {
    // A processor without extended leaves answers something small for the first of them.
    const bool exists = leaf < kExtended ? leaf <= highest_basic_ : leaf <= highest_extended_;
    if (!exists || (leaf == 7 && subleaf > highest_of_leaf_7_)) return {};
    return source_.cpuid(leaf, subleaf);
  }

 private:
  static constexpr uint32_t kExtended = 0x80000000;

  const CpuidSource& source_;
  const uint32_t highest_basic_;
  const uint32_t highest_extended_;
  const uint32_t highest_of_leaf_7_;
};

// The characters of registers, in the order given, up to the first NUL.
template <size_t N>
std::string Characters(const uint32_t (&registers)[N]) {
  char text[sizeof(registers) + 1] = {};
  std::memcpy(text, registers, sizeof(registers));
  return text;
}

std::string Vendor(const CheckedCpuid& cpuid) {
  const CpuidRegisters leaf = cpuid.Query(0, 0);
  return Characters({leaf.ebx, leaf.edx, leaf.ecx});
}

std::string Brand(const CheckedCpuid& cpuid) {
  std::string brand;
  for (const uint32_t leaf : {0x80000002, 0x80000003, 0x80000004}) {
    const CpuidRegisters part = cpuid.Query(leaf, 0);
    brand += Characters({part.eax, part.ebx, part.ecx, part.edx});
  }
  absl::RemoveExtraAsciiWhitespace(&brand);
  return brand;
}

void DecodeSignature(uint32_t eax, CpuInfo& info) {
  const int base_family = static_cast<int>(eax >> 8 & 0xf);
  const int base_model = static_cast<int>(eax >> 4 & 0xf);
  info.stepping = static_cast<int>(eax & 0xf);
  info.family = base_family == 0xf ? base_family + static_cast<int>(eax >> 20 & 0xff) : base_family;
  const bool extended_model = base_family == 0x6 || base_family == 0xf;
  info.model = extended_model ? base_model + static_cast<int>(eax >> 16 & 0xf) * 16 : base_model;
}

// Leaf 0xB, whose first level is the core, or AMD's 0x8000001E.
int ThreadsPerCore(const CheckedCpuid& cpuid) {
  constexpr uint32_t kSmtLevel = 1;
  const CpuidRegisters topology = cpuid.Query(0xb, 0);
  const int threads = static_cast<int>(topology.ebx & 0xffff);
  if ((topology.ecx >> 8 & 0xff) == kSmtLevel && threads > 0) return threads;
  return static_cast<int>(cpuid.Query(0x8000001e, 0).ebx >> 8 & 0xff) + 1;
}

// Why the feature may not be used for itself, or "".
std::string Obstacle(const CheckedCpuid& cpuid, const FeatureProbe& probe, const CpuInfo& info) {
  if ((Get(cpuid.Query(probe.leaf, probe.subleaf), probe.reg) >> probe.bit & 1) == 0) return "CPUID does not report it";
  const uint64_t state = static_cast<uint64_t>(probe.state);
  if ((info.xcr0 & state) != state) {
    return absl::StrCat("the operating system does not save its registers (XCR0 0x", absl::Hex(info.xcr0), ")");
  }
  return "";
}

void ProbeIsa(const CheckedCpuid& cpuid, CpuInfo& info) {
  info.isa = IsaSet::All();
  for (const FeatureProbe& probe : kProbes) {
    std::string obstacle = Obstacle(cpuid, probe, info);
    if (obstacle.empty()) continue;
    info.isa = info.isa.Without(probe.feature);
    info.absent.emplace(probe.feature, std::move(obstacle));
  }
  for (const IsaFeature feature : kAllIsaFeatures) {
    if (info.isa.Has(feature) || info.absent.count(feature) > 0) continue;
    std::vector<absl::string_view> missing;
    for (const IsaFeature implied : kAllIsaFeatures) {
      const bool needed = implied != feature && IsaSet::Of({feature}).Has(implied);
      if (needed && !info.isa.Has(implied)) missing.push_back(Name(implied));
    }
    info.absent.emplace(feature, absl::StrCat("it needs what is missing: ", absl::StrJoin(missing, ", ")));
  }
}

}  // namespace

CpuInfo CpuInfo::Probe(const CpuidSource& source) {
  const CheckedCpuid cpuid(source);
  CpuInfo info;
  info.vendor = Vendor(cpuid);
  info.brand = Brand(cpuid);
  const CpuidRegisters signature = cpuid.Query(1, 0);
  DecodeSignature(signature.eax, info);
  info.hypervisor = (signature.ecx & kHypervisor) != 0;
  info.hybrid = (cpuid.Query(7, 0).edx & kHybrid) != 0;
  info.threads_per_core = ThreadsPerCore(cpuid);
  info.xcr0 = (signature.ecx & kOsxsave) != 0 ? source.xcr0() : 0;
  ProbeIsa(cpuid, info);
  info.caches = DecodeCaches([&cpuid](uint32_t leaf, uint32_t subleaf) { return cpuid.Query(leaf, subleaf); });
  info.microarch = Microarch::ForCpu(info.vendor, info.family, info.model).id;
  return info;
}

const CpuInfo& CpuInfo::Host() {
  // Never destroyed: threads may still generate code while the process exits.
  static const CpuInfo& host = *new CpuInfo(Probe(CpuidSource::Host()));
  return host;
}

std::string CpuInfo::Identity() const {
  return absl::StrCat(brand.empty() ? "unnamed processor" : brand, " (", vendor, " family ", family, " model ", model,
                      " stepping ", stepping, ")");
}

std::string CpuInfo::ToString() const {
  const Microarch parameters = Microarch::Of(microarch);
  std::string text = absl::StrCat("cpu: ", Identity(), "\n", "threads per core: ", threads_per_core,
                                  hybrid ? ", cores of unlike kinds" : "", hypervisor ? ", under a hypervisor" : "",
                                  "\n", "xcr0: 0x", absl::Hex(xcr0), "\n", "isa: ", isa.ToString(), "\n");
  for (const CacheInfo& cache : caches) absl::StrAppend(&text, "cache: ", cache.ToString(), "\n");
  absl::StrAppend(&text, "class: ", parameters.ToString(), "\n");
  for (const auto& [feature, reason] : absent) absl::StrAppend(&text, "absent: ", Name(feature), ": ", reason, "\n");
  return text;
}

}  // namespace burin::jit
