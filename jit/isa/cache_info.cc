#include "jit/isa/cache_info.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

using Query = std::function<CpuidRegisters(uint32_t leaf, uint32_t subleaf)>;

constexpr int64_t kKiB = 1 << 10;

// The most that one thread under a hypervisor may count on.
constexpr int64_t kGuestL3Share = 32 << 20;

// No processor has more caches a core; it bounds the enumeration where a hypervisor never says the end.
constexpr uint32_t kMaxCaches = 16;

constexpr uint32_t Field(uint32_t value, int low, int width) { return value >> low & ((uint32_t{1} << width) - 1); }

// Leaf 4 and 0x8000001D, which have one layout.
std::vector<CacheInfo> DecodeEnumerated(const Query& query, uint32_t leaf) {
  std::vector<CacheInfo> caches;
  for (uint32_t subleaf = 0; subleaf < kMaxCaches; ++subleaf) {
    const CpuidRegisters registers = query(leaf, subleaf);
    const uint32_t type = Field(registers.eax, 0, 5);
    if (type == 0 || type > 3) break;
    CacheInfo cache;
    cache.level = static_cast<int>(Field(registers.eax, 5, 3));
    cache.kind = type == 1 ? CacheKind::kData : type == 2 ? CacheKind::kInstruction : CacheKind::kUnified;
    cache.sharing_threads = static_cast<int>(Field(registers.eax, 14, 12)) + 1;
    cache.line_bytes = static_cast<int>(Field(registers.ebx, 0, 12)) + 1;
    cache.ways = static_cast<int>(Field(registers.ebx, 22, 10)) + 1;
    const int64_t partitions = Field(registers.ebx, 12, 10) + 1;
    cache.size_bytes = partitions * cache.line_bytes * cache.ways * (int64_t{registers.ecx} + 1);
    caches.push_back(cache);
  }
  return caches;
}

// 0x80000005 and 0x80000006. Associativity is in a code of its own there, and nothing is said of sharing.
std::vector<CacheInfo> DecodeLegacyAmd(const Query& query) {
  const CpuidRegisters l1 = query(0x80000005, 0);
  const CpuidRegisters l2 = query(0x80000006, 0);
  const auto line = [](uint32_t value) { return static_cast<int>(Field(value, 0, 8)); };
  const CacheInfo candidates[] = {
      {1, CacheKind::kData, Field(l1.ecx, 24, 8) * kKiB, line(l1.ecx), 0, 0},
      {1, CacheKind::kInstruction, Field(l1.edx, 24, 8) * kKiB, line(l1.edx), 0, 0},
      {2, CacheKind::kUnified, Field(l2.ecx, 16, 16) * kKiB, line(l2.ecx), 0, 0},
      {3, CacheKind::kUnified, Field(l2.edx, 18, 14) * 512 * kKiB, line(l2.edx), 0, 0},
  };
  std::vector<CacheInfo> caches;
  for (const CacheInfo& cache : candidates) {
    if (cache.size_bytes > 0 && cache.line_bytes > 0) caches.push_back(cache);
  }
  return caches;
}

std::string SizeText(int64_t bytes) {
  if (bytes >= kKiB * kKiB && bytes % (kKiB * kKiB) == 0) return absl::StrCat(bytes / (kKiB * kKiB), " MiB");
  if (bytes % kKiB == 0) return absl::StrCat(bytes / kKiB, " KiB");
  return absl::StrCat(bytes, " bytes");
}

}  // namespace

std::string CacheInfo::ToString() const {
  std::string text = absl::StrCat("L", level, " ", EnumName(kind), " ", SizeText(size_bytes));
  if (ways > 0) absl::StrAppend(&text, ", ", ways, "-way");
  absl::StrAppend(&text, ", ", line_bytes, "-byte lines");
  if (sharing_threads > 0) absl::StrAppend(&text, ", shared by ", sharing_threads);
  return text;
}

std::vector<CacheInfo> DecodeCaches(const Query& query) {
  constexpr uint32_t kTopologyExtensions = 1u << 22;
  std::vector<CacheInfo> caches = DecodeEnumerated(query, 4);
  if (caches.empty() && (query(0x80000001, 0).ecx & kTopologyExtensions) != 0) {
    caches = DecodeEnumerated(query, 0x8000001d);
  }
  if (caches.empty()) caches = DecodeLegacyAmd(query);
  std::stable_sort(caches.begin(), caches.end(),
                   [](const CacheInfo& a, const CacheInfo& b) { return a.level < b.level; });
  return caches;
}

CacheSizes CacheSizes::From(const std::vector<CacheInfo>& caches, bool hypervisor) {
  CacheSizes sizes;
  if (!caches.empty()) sizes.l3 = 0;
  for (const CacheInfo& cache : caches) {
    if (cache.kind == CacheKind::kInstruction) continue;
    if (cache.level == 1) {
      sizes.l1_data = cache.size_bytes;
      sizes.line = cache.line_bytes;
    } else if (cache.level == 2) {
      sizes.l2 = cache.size_bytes;
    } else if (cache.level == 3) {
      sizes.l3 = cache.size_bytes;
    }
  }
  sizes.l3_share = hypervisor ? std::min(sizes.l3, kGuestL3Share) : sizes.l3;
  return sizes;
}

std::string CacheSizes::ToString() const {
  return absl::StrCat("L1 data ", SizeText(l1_data), ", L2 ", SizeText(l2), ", L3 ", SizeText(l3),
                      " (one thread's share ", SizeText(l3_share), "), line ", line, " bytes");
}

void CacheSizes::AppendTo(Hasher& hasher) const {
  hasher.UpdateInt(l1_data);
  hasher.UpdateInt(l2);
  hasher.UpdateInt(l3);
  hasher.UpdateInt(l3_share);
  hasher.UpdateInt(line);
}

}  // namespace burin::jit
