// Makes entrants of loops that show what the core and its memory can do at best, beside what is compared with them.
//
// Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_YARDSTICKS_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_YARDSTICKS_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"

namespace burin::kernel_bench {

// Returns an entrant that copies the first `bytes` bytes of input 0 to the output, in the copies in turn: reading and
// writing over the same working set. `units` is what as many bytes stand for; `bytes` is a multiple of
// jit::CopyLoop::kBlockBytes (BURIN_CHECK) and not beyond a buffer. Fails as code generation does.
absl::StatusOr<Entrant> CopyYardstick(const jit::IsaSet& isa, const std::shared_ptr<CaseBuffers>& buffers,
                                      int64_t bytes, double units);

// Returns an entrant that multiplies and adds in registers, as fast as the core does: one unit for each float.
absl::StatusOr<Entrant> FmaYardstick(const jit::IsaSet& isa);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_YARDSTICKS_H_
