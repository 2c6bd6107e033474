// Describes the machine that code is generated for: instructions, cache sizes and micro-architecture parameters.
//
// Every generator, plan and kernel table takes a `Target` and asks nobody else, so that code for any machine can be
// made, cached and inspected on any other. Not for placing threads: the executor knows the topology. A Target is an
// immutable value; all functions may be called from any thread, `Host` as long as none changes the environment
// meanwhile.
//
// Three environment variables change what `Target::Host()` returns; a value that makes no sense is an error:
//
//   BURIN_MAX_ISA=LEVEL          the machine is taken for one of at most that level (jit/isa/isa_levels.inc)
//   BURIN_MICROARCH=CLASS        its class is taken to be that one (jit/isa/microarch.inc)
//   BURIN_ISA_OVERRIDE=FEATURES  these features (jit/isa/isa.inc) are taken to exist, whatever the processor says. Only
//                                for runs under an emulator that executes them: anywhere else the generated code kills
//                                the process with SIGILL, or computes something else where an older processor reads
//                                the encoding as another instruction (lzcnt as bsr). The cap applies to them too.
#ifndef BURIN_JIT_ISA_TARGET_H_
#define BURIN_JIT_ISA_TARGET_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {

// Says how a target differs from the machine that it is made of.
struct TargetOptions {
  // What the caller's own configuration allows at most.
  std::optional<IsaLevel> cap;
  // The values of the three variables above; "" where unset.
  std::string max_isa;
  std::string microarch;
  std::string isa_override;
  // Asks for AMX's tile registers; called at most once, and only where the target would have them.
  std::function<absl::Status()> request_amx;

  // Returns options of this process: its environment, and RequestAmxPermission. No cap of the caller's.
  static TargetOptions FromEnvironment();
};

// Holds the description. Every target has the level avx2.
class Target {
 public:
  // Returns the machine at hand, as the environment changes it. FailedPrecondition, naming the processor and what it
  // lacks, on a machine below avx2; InvalidArgument, listing the allowed names, for a variable with another value.
  static absl::StatusOr<Target> Host();

  // Returns the same, as a machine of at most `cap`.
  static absl::StatusOr<Target> Host(IsaLevel cap);

  // Returns the target that `cpu` is under `options`. A pure function of both, but for `request_amx`. Errors as of
  // `Host`.
  static absl::StatusOr<Target> Create(const CpuInfo& cpu, const TargetOptions& options);

  // Returns a target of any description, to generate code that may not run here: for tests of encodings, plans and
  // keys. FailedPrecondition where `isa` lacks the level avx2. Asks nothing of the operating system.
  static absl::StatusOr<Target> ForTesting(const IsaSet& isa, const Microarch& microarch = Microarch(),
                                           const CacheSizes& caches = CacheSizes());

  // Returns this target as a machine of at most `level`.
  Target WithCap(IsaLevel level) const;

  // Returns this target with other parameters, such as measured ones.
  Target WithMicroarch(const Microarch& microarch) const;

  // Return the instructions, the cache sizes and the parameters.
  const IsaSet& isa() const { return isa_; }
  const CacheSizes& caches() const { return caches_; }
  const Microarch& microarch() const { return microarch_; }

  // Return whether the target has the feature, or all that the level needs.
  bool Has(IsaFeature feature) const { return isa_.Has(feature); }
  bool Supports(IsaLevel level) const { return isa_.Supports(level); }

  // Returns the supported level of the highest rank.
  IsaLevel level() const;

  // Returns the features that BURIN_ISA_OVERRIDE added: those of the target that the processor itself does not offer.
  std::vector<IsaFeature> Forced() const;

  // Returns OK where the target has the feature, or all that the level needs; else Unimplemented with each missing
  // feature and the reason: not reported, not enabled, refused, or capped.
  absl::Status Require(IsaFeature feature) const;
  absl::Status Require(IsaLevel level) const;

  // Returns a description of several lines, each ending in a newline.
  std::string ToString() const;

  // Returns a fingerprint of all that generated code may depend on: instructions, cache sizes and parameters. Stable
  // across processes and builds; equal for targets that are described alike, on whatever machine.
  Hash128 ContentKey() const;

 private:
  Target(const IsaSet& isa, const CacheSizes& caches, const Microarch& microarch)
      : isa_(isa), caches_(caches), microarch_(microarch), native_(isa) {}

  // Lowers the instructions to those of at most `level`; `source` names who asks.
  void Cap(IsaLevel level, const std::string& source);

  // Takes away `feature` and all that implies it, but for what is in `kept`.
  void Deny(IsaFeature feature, const IsaSet& kept, const std::string& reason);

  absl::Status RequireAll(const IsaSet& needed, const std::string& purpose) const;

  IsaSet isa_;
  CacheSizes caches_;
  Microarch microarch_;
  // What the processor offers by itself.
  IsaSet native_;
  // The processor's identity; "" for a target of ForTesting.
  std::string identity_;
  // Of features that are not in `isa_`, why; a feature without an entry is none of this description.
  std::map<IsaFeature, std::string> absent_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ISA_TARGET_H_
