#include "jit/kernels/dot/dot.h"

#include <utility>

#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/asm/assembler.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/kernels/dot/dot_generator.h"

namespace burin::jit {

absl::StatusOr<CodeBlob> GenerateDot(const DotSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa) {
  BURIN_RETURN_IF_ERROR(spec.Validate(isa));
  Assembler code(spec.Name(), isa);
  if (isa.Supports(IsaLevel::kAvx512)) {
    EmitDot<VecAvx512>(spec, epilogue, code);
  } else {
    EmitDot<VecAvx2>(spec, epilogue, code);
  }
  return std::move(code).Finalize();
}

absl::StatusOr<DotKernel> DotKernel::Create(const DotSpec& spec, const EpilogueEmitter* epilogue, const IsaSet& isa,
                                            CodeCache& cache) {
  Hasher hasher;
  hasher.Update(spec.ContentKey());
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) hasher.Update(epilogue->content_key());
  BURIN_ASSIGN_OR_RETURN(CachedCode code, cache.GetOrGenerate(CodeKey::Of("dot", isa, hasher.Finish()),
                                                              [&] { return GenerateDot(spec, epilogue, isa); }));
  return DotKernel(std::move(code));
}

}  // namespace burin::jit
