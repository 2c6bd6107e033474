// Says what a plan must know of a processor beyond its instructions: how fast they are, and how fast its memory is.
//
// Plans of kernels take a `Microarch` from jit/isa/target.h and read its fields; they never ask for the class by name,
// so that a new processor is a line of jit/isa/microarch.inc. Not for what instructions exist: that is jit/isa/isa.h.
// Value types and pure functions, hence thread-safe.
#ifndef BURIN_JIT_ISA_MICROARCH_H_
#define BURIN_JIT_ISA_MICROARCH_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "base/hash.h"

namespace burin::jit {

// Names a class of processors that the same plans suit.
enum class MicroarchClass : uint8_t {
#define BURIN_MICROARCH(enumerator, name, fma256, fma512, fma_latency, dpbf16, broadcast, adds, l2, l3, dram, \
                        one_core)                                                                             \
  enumerator,
#define BURIN_MICROARCH_MODELS(enumerator, first_model, last_model, vendor, family)
#include "jit/isa/microarch.inc"
#undef BURIN_MICROARCH
#undef BURIN_MICROARCH_MODELS
};

// Lists every class, in the order of jit/isa/microarch.inc.
inline constexpr MicroarchClass kAllMicroarchClasses[] = {
#define BURIN_MICROARCH(enumerator, name, fma256, fma512, fma_latency, dpbf16, broadcast, adds, l2, l3, dram, \
                        one_core)                                                                             \
  MicroarchClass::enumerator,
#define BURIN_MICROARCH_MODELS(enumerator, first_model, last_model, vendor, family)
#include "jit/isa/microarch.inc"
#undef BURIN_MICROARCH
#undef BURIN_MICROARCH_MODELS
};

// Names how the scalar operand of a register tile's FMA is best broadcast: by the FMA itself from memory, which saves a
// register and costs a load for each FMA, or into a register, which costs one load for each row.
enum class BroadcastForm : uint8_t { kEmbedded, kRegister };

// Holds the parameters of a class, or of a processor that was measured. Rates are instructions per cycle of one core,
// at full speed; bandwidths are bytes per cycle that one core reads in sequence.
struct Microarch {
  MicroarchClass id = MicroarchClass::kUnknown;
  int fma256_per_cycle = 2;
  // 0 where the class has no 512-bit registers.
  int fma512_per_cycle = 2;
  // Cycles from an FMA's addend to its result. A tile has at least this many times the rate of accumulators.
  int fma_latency = 4;
  // vdpbf16ps on 512 bits, each of which multiplies twice as much as an FMA: it pays where the double of this exceeds
  // `fma512_per_cycle`; elsewhere bf16 is widened and multiplied by FMA.
  double dpbf16_512_per_cycle = 0.5;
  BroadcastForm broadcast = BroadcastForm::kRegister;
  // Whether additions run on other ports than FMAs do, so that some of them are free beside a full FMA loop.
  bool adds_beside_fma = false;
  double l2_bytes_per_cycle = 32;
  double l3_bytes_per_cycle = 9.7;
  double dram_bytes_per_cycle = 5.4;
  // Whether one core reads nearly as fast from memory as all of them: sharing such work over threads gains nothing
  // there.
  bool one_core_saturates_dram = false;

  // Returns the parameters of a class.
  static Microarch Of(MicroarchClass id);

  // Returns those of the class of a processor, by its vendor (as CPUID leaf 0 spells it), family and model.
  static Microarch ForCpu(absl::string_view vendor, int family, int model);

  // Returns one line: the class and each parameter.
  std::string ToString() const;

  // Appends every field to a fingerprint, the class by its name.
  void AppendTo(Hasher& hasher) const;
};

// Returns the name, such as "zen4".
absl::string_view Name(MicroarchClass id);

// Prints the name.
std::ostream& operator<<(std::ostream& out, MicroarchClass id);

// Returns the class of that name. InvalidArgument, listing all of them, where there is none.
absl::StatusOr<MicroarchClass> ParseMicroarchClass(absl::string_view name);

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::MicroarchClass> {
  static constexpr EnumEntry<jit::MicroarchClass> kEntries[] = {
#define BURIN_MICROARCH(enumerator, name, fma256, fma512, fma_latency, dpbf16, broadcast, adds, l2, l3, dram, \
                        one_core)                                                                             \
  {jit::MicroarchClass::enumerator, name},
#define BURIN_MICROARCH_MODELS(enumerator, first_model, last_model, vendor, family)
#include "jit/isa/microarch.inc"
#undef BURIN_MICROARCH
#undef BURIN_MICROARCH_MODELS
  };
};

template <>
struct EnumNames<jit::BroadcastForm> {
  static constexpr EnumEntry<jit::BroadcastForm> kEntries[] = {{jit::BroadcastForm::kEmbedded, "embedded"},
                                                               {jit::BroadcastForm::kRegister, "register"}};
};

}  // namespace burin

#endif  // BURIN_JIT_ISA_MICROARCH_H_
