#include "jit/isa/microarch.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

constexpr Microarch kClasses[] = {
#define BURIN_MICROARCH(enumerator, name, fma256, fma512, fma_latency, dpbf16, broadcast, adds, l2, l3, dram, \
                        one_core)                                                                             \
  {MicroarchClass::enumerator,                                                                                \
   fma256,                                                                                                    \
   fma512,                                                                                                    \
   fma_latency,                                                                                               \
   dpbf16,                                                                                                    \
   BroadcastForm::broadcast,                                                                                  \
   adds,                                                                                                      \
   l2,                                                                                                        \
   l3,                                                                                                        \
   dram,                                                                                                      \
   one_core},
#define BURIN_MICROARCH_MODELS(enumerator, first_model, last_model, vendor, family)
#include "jit/isa/microarch.inc"
#undef BURIN_MICROARCH
#undef BURIN_MICROARCH_MODELS
};

struct Models {
  MicroarchClass id;
  absl::string_view vendor;
  int family;
  int first_model;
  int last_model;
};

constexpr Models kModels[] = {
#define BURIN_MICROARCH(enumerator, name, fma256, fma512, fma_latency, dpbf16, broadcast, adds, l2, l3, dram, one_core)
#define BURIN_MICROARCH_MODELS(enumerator, first_model, last_model, vendor, family) \
  {MicroarchClass::enumerator, vendor, family, first_model, last_model},
#include "jit/isa/microarch.inc"
#undef BURIN_MICROARCH
#undef BURIN_MICROARCH_MODELS
};

}  // namespace

Microarch Microarch::Of(MicroarchClass id) { return kClasses[static_cast<size_t>(id)]; }

Microarch Microarch::ForCpu(absl::string_view vendor, int family, int model) {
  for (const Models& models : kModels) {
    const bool in_range = model >= models.first_model && model <= models.last_model;
    if (in_range && family == models.family && vendor == models.vendor) return Of(models.id);
  }
  return Of(MicroarchClass::kUnknown);
}

std::string Microarch::ToString() const {
  return absl::StrCat(Name(id), ": FMA/cycle 256-bit ", fma256_per_cycle, ", 512-bit ", fma512_per_cycle, ", latency ",
                      fma_latency, "; vdpbf16ps/cycle ", dpbf16_512_per_cycle, "; broadcast ", EnumName(broadcast),
                      adds_beside_fma ? "; adds beside FMA" : "; adds share the FMA ports", "; bytes/cycle L2 ",
                      l2_bytes_per_cycle, ", L3 ", l3_bytes_per_cycle, ", DRAM ", dram_bytes_per_cycle,
                      one_core_saturates_dram ? " (one core saturates it)" : "");
}

void Microarch::AppendTo(Hasher& hasher) const {
  hasher.UpdateString(Name(id));
  hasher.UpdateInt(fma256_per_cycle);
  hasher.UpdateInt(fma512_per_cycle);
  hasher.UpdateInt(fma_latency);
  hasher.UpdateDouble(dpbf16_512_per_cycle);
  hasher.UpdateString(EnumName(broadcast));
  hasher.UpdateInt(adds_beside_fma);
  hasher.UpdateDouble(l2_bytes_per_cycle);
  hasher.UpdateDouble(l3_bytes_per_cycle);
  hasher.UpdateDouble(dram_bytes_per_cycle);
  hasher.UpdateInt(one_core_saturates_dram);
}

absl::string_view Name(MicroarchClass id) { return EnumName(id); }

std::ostream& operator<<(std::ostream& out, MicroarchClass id) { return out << Name(id); }

absl::StatusOr<MicroarchClass> ParseMicroarchClass(absl::string_view name) { return ParseEnum<MicroarchClass>(name); }

}  // namespace burin::jit
