#include "jit/kernels/brgemm/brgemm.h"

#include <utility>

#include "absl/status/status.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/asm/assembler.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/brgemm/brgemm_generator.h"

namespace burin::jit {

absl::StatusOr<CodeBlob> GenerateBrgemm(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa) {
  BURIN_RETURN_IF_ERROR(spec.Validate(isa));
  if (spec.repeated && epilogue != nullptr) {
    return absl::InvalidArgumentError("Repeated tiles have no epilogue");
  }
  Assembler code(spec.Name(), isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    EmitBrgemm<VecAvx512>(spec, epilogue, code);
  } else {
    EmitBrgemm<VecAvx2>(spec, epilogue, code);
  }
  return std::move(code).Finalize();
}

absl::StatusOr<Brgemm> Brgemm::Create(const BrgemmSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa,
                                      CodeCache& cache) {
  Hasher hasher;
  hasher.Update(spec.ContentKey());
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) hasher.Update(epilogue->content_key());
  BURIN_ASSIGN_OR_RETURN(CachedCode code, cache.GetOrGenerate(CodeKey::Of("brgemm", isa, hasher.Finish()),
                                                              [&] { return GenerateBrgemm(spec, epilogue, isa); }));
  return Brgemm(std::move(code));
}

}  // namespace burin::jit
