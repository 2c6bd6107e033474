#include "jit/kernels/cumulative/cumulative.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/cumulative/cumulative_args.h"
#include "jit/kernels/cumulative/cumulative_code.h"

namespace burin::jit {
namespace {

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

}  // namespace

absl::StatusOr<CumulativeKernel> CumulativeKernel::Create(const CumulativeSpec& spec, const Target& target,
                                                          CodeCache& cache, const EpilogueEmitter* epilogue) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  if (epilogue != nullptr && spec.type != ElementType::kF32) {
    return absl::UnimplementedError(
        absl::StrCat("Running sums with an epilogue of elements of type ", Name(spec.type)));
  }
  CumulativeKernel kernel(spec);
  kernel.plan_ = CumulativePlan::Make(spec, target);
  kernel.work_items_ = kernel.plan_.WorkItems(spec);
  if (kernel.work_items_ == 0) return kernel;
  const int64_t bits = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kBits : VecAvx2::kBits;
  kernel.lanes_ = bits / BitWidth(spec.type);
  const CumulativeCodeSpec& code = kernel.plan_.code;
  Hasher hasher;
  hasher.Update(code.ContentKey());
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) hasher.Update(epilogue->content_key());
  BURIN_ASSIGN_OR_RETURN(kernel.code_, cache.GetOrGenerate(CodeKey::Of("cumulative", target, hasher.Finish()),
                                                           [&] { return GenerateCumulative(code, target, epilogue); }));
  return kernel;
}

absl::string_view CumulativeKernel::kernel_name() const { return code_ ? code_->name() : absl::string_view(); }

void CumulativeKernel::Run(const void* source, void* destination, const EpiloguePlace* places, int64_t begin,
                           int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= work_items_);
  const int64_t bytes = BitWidth(spec_.type) / 8;
  const int64_t inner_pieces = CeilDiv(std::max<int64_t>(1, spec_.inner), plan_.inner_per_item);
  // Of sums side by side, which begin at either end.
  const int64_t first = spec_.reverse && !plan_.code.along_row ? spec_.length - 1 : 0;
  const int64_t sign = first > 0 ? -1 : 1;
  CumulativeArgs args = {};
  args.places = places;
  args.length = spec_.length;
  args.source_stride = sign * spec_.source_stride;
  args.destination_stride = sign * spec_.destination_stride;
  args.row_step = sign;
  for (int64_t item = begin; item < end; ++item) {
    args.column = item % inner_pieces * plan_.inner_per_item;
    const int64_t first_outer = item / inner_pieces * plan_.outer_per_item;
    const int64_t last_outer = std::min(spec_.outer, first_outer + plan_.outer_per_item);
    // Along a row, its elements are the columns.
    const int64_t columns =
        plan_.code.along_row ? spec_.length : std::min(spec_.inner - args.column, plan_.inner_per_item);
    args.vectors = columns / lanes_;
    args.rest = columns % lanes_;
    for (int64_t outer = first_outer; outer < last_outer; ++outer) {
      args.source = static_cast<const uint8_t*>(source) + outer * spec_.source_outer_stride +
                    first * spec_.source_stride + args.column * bytes;
      // With an epilogue there is none.
      if (destination != nullptr) {
        args.destination = static_cast<uint8_t*>(destination) + outer * spec_.destination_outer_stride +
                           first * spec_.destination_stride + args.column * bytes;
      }
      args.row = plan_.code.along_row ? outer : outer * spec_.length + first;
      code_->entry<void (*)(const CumulativeArgs*)>()(&args);
    }
  }
}

}  // namespace burin::jit
