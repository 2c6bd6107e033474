// Describes a processor as it reports itself: its instructions as the operating system enables them, its caches, its
// name and its micro-architecture class.
//
// Use `CpuInfo::Host()` to print what the machine is. Not for generating code: that takes a jit::Target, which applies
// caps, overrides and the permission that AMX needs. A `CpuInfo` is a value; all functions may be called from any
// thread. Everything here is baseline x86-64 code, so that it runs wherever the program starts.
#ifndef BURIN_JIT_ISA_CPU_INFO_H_
#define BURIN_JIT_ISA_CPU_INFO_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "jit/isa/cache_info.h"
#include "jit/isa/cpuid.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {

// Holds what was probed. Of a processor with unlike cores it describes the one that the probe ran on.
struct CpuInfo {
  // The 12 characters of CPUID leaf 0, such as "GenuineIntel".
  std::string vendor;
  // The name that the processor or its hypervisor gives; "" where it gives none.
  std::string brand;
  // Display family and model: with the extended parts of leaf 1, as vendors print them.
  int family = 0;
  int model = 0;
  int stepping = 0;
  // Whether a hypervisor says that it is there.
  bool hypervisor = false;
  // Whether the processor has cores of unlike kinds.
  bool hybrid = false;
  // The logical processors of one core as reported; 1 where nothing is.
  int threads_per_core = 1;
  // What the operating system saves of the registers; 0 where it does not say (no OSXSAVE).
  uint64_t xcr0 = 0;
  // What the processor reports and the operating system enables. AMX is in it before anyone was asked for permission.
  IsaSet isa;
  // Of every feature that is not in `isa`, the reason in words.
  std::map<IsaFeature, std::string> absent;
  // By level; empty where nothing is reported.
  std::vector<CacheInfo> caches;
  // The class by vendor, family and model; `unknown` where the table has no such processor.
  MicroarchClass microarch = MicroarchClass::kUnknown;

  // Probes the processor that `source` answers for.
  static CpuInfo Probe(const CpuidSource& source);

  // Returns the machine at hand, probed at the first call.
  static const CpuInfo& Host();

  // Returns one line that names the processor: brand, vendor, family, model, stepping.
  std::string Identity() const;

  // Returns a description of several lines, each ending in a newline.
  std::string ToString() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ISA_CPU_INFO_H_
