// How many processors this process may use.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_USABLE_CORES_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_USABLE_CORES_H_

#include <cstdint>

namespace burin::reference {

// Returns the number of processors in this process's affinity mask, at least 1: as many requests run at once, one
// thread each. A quota of processor time is not looked at.
int64_t UsableCores();

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_USABLE_CORES_H_
