// Describes the caches of one core, as CPUID reports them.
//
// Use `CacheSizes` for blocking: it has a figure for every level even where the processor or its hypervisor says
// nothing. Not for which cores share a cache: under a hypervisor CPUID's sharing is often invented, and the executor
// reads the system's topology. Value types and pure functions, hence thread-safe.
#ifndef BURIN_JIT_ISA_CACHE_INFO_H_
#define BURIN_JIT_ISA_CACHE_INFO_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/hash.h"
#include "jit/isa/cpuid.h"

namespace burin::jit {

// Names what a cache holds.
enum class CacheKind : uint8_t { kData, kInstruction, kUnified };

// Describes one cache.
struct CacheInfo {
  int level = 0;
  CacheKind kind = CacheKind::kUnified;
  int64_t size_bytes = 0;
  int line_bytes = 0;
  // 0 where unknown.
  int ways = 0;
  // The number of logical processors that CPUID says may share it, rounded up as it likes; 0 where unknown.
  int sharing_threads = 0;

  // Returns a phrase such as "L2 unified 1 MiB, 8-way, 64-byte lines, shared by 1".
  std::string ToString() const;
};

// Returns the caches that leaf 4 (Intel), 0x8000001D (AMD with topology extensions) or 0x80000005-6 (older AMD)
// reports, by level. `query` answers zeros for a leaf that does not exist. Empty where none is reported.
std::vector<CacheInfo> DecodeCaches(const std::function<CpuidRegisters(uint32_t leaf, uint32_t subleaf)>& query);

// Holds the sizes that blocking is computed from, in bytes.
struct CacheSizes {
  int64_t l1_data = 32 << 10;
  int64_t l2 = 512 << 10;
  // The whole last-level cache; 0 where there is no level 3.
  int64_t l3 = 4 << 20;
  // What one thread may count on of it: all of it on a machine of our own; at most 32 MiB under a hypervisor, whose
  // other guests share the cache that CPUID reports.
  int64_t l3_share = 4 << 20;
  int line = 64;

  // Returns the sizes of `caches`; a level 1 or 2 that is not among them keeps the default above, and so does level 3
  // where `caches` is empty.
  static CacheSizes From(const std::vector<CacheInfo>& caches, bool hypervisor);

  // Returns one line with the sizes.
  std::string ToString() const;

  // Appends every field to a fingerprint.
  void AppendTo(Hasher& hasher) const;
};

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::CacheKind> {
  static constexpr EnumEntry<jit::CacheKind> kEntries[] = {{jit::CacheKind::kData, "data"},
                                                           {jit::CacheKind::kInstruction, "instruction"},
                                                           {jit::CacheKind::kUnified, "unified"}};
};

}  // namespace burin

#endif  // BURIN_JIT_ISA_CACHE_INFO_H_
