#include "runtime/plugins/reference/usable_cores.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace burin::reference {

int64_t UsableCores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0) return std::max(CPU_COUNT(&usable), 1);
  // More processors than the set has room for.
  return std::max<int64_t>(std::thread::hardware_concurrency(), 1);
}

}  // namespace burin::reference
