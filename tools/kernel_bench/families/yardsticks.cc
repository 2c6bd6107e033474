#include "tools/kernel_bench/families/yardsticks.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/limits/loops.h"

namespace burin::kernel_bench {

absl::StatusOr<Entrant> CopyYardstick(const jit::IsaSet& isa, const std::shared_ptr<CaseBuffers>& buffers,
                                      int64_t bytes, double units) {
  constexpr int64_t kBlockBytes = static_cast<int64_t>(jit::CopyLoop::kBlockBytes);
  BURIN_CHECK(bytes > 0 && bytes % kBlockBytes == 0) << "bytes: " << bytes;
  BURIN_ASSIGN_OR_RETURN(jit::CopyLoop created, jit::CopyLoop::Create(isa));
  const auto loop = std::make_shared<const jit::CopyLoop>(std::move(created));
  Entrant entrant;
  entrant.role = Role::kYardstick;
  entrant.name = "copy loop";
  entrant.implementation = "aligned loads and stores of whole vectors";
  entrant.timed = "the loop alone";
  entrant.units_per_repeat = units;
  entrant.bytes_per_repeat = 2 * bytes;
  const int64_t blocks = bytes / kBlockBytes;
  entrant.run = Rotating(buffers->copies(), [loop, buffers, blocks](int copy) {
    loop->Run(buffers->In<const char>(copy, 0), buffers->Out<char>(copy), blocks, 1);
  });
  return entrant;
}

absl::StatusOr<Entrant> FmaYardstick(const jit::IsaSet& isa) {
  jit::LoopSpec spec;
  spec.op = jit::LoopOp::kFma;
  spec.bits = isa.Supports(jit::IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(jit::RegisterLoop created, jit::RegisterLoop::Create(isa, spec));
  const auto loop = std::make_shared<const jit::RegisterLoop>(std::move(created));
  Entrant entrant;
  entrant.role = Role::kYardstick;
  entrant.name = "FMA loop";
  entrant.implementation = absl::StrCat(spec.Name(), ", in registers alone");
  entrant.timed = "the loop alone";
  entrant.units_per_repeat = loop->instructions_per_iteration() * spec.bits / 32.0;
  entrant.run = [loop](int64_t repeats) { loop->Run(repeats); };
  return entrant;
}

}  // namespace burin::kernel_bench
