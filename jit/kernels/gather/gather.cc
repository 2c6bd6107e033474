#include "jit/kernels/gather/gather.h"

#include <algorithm>

#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/kernels/gather/gather_args.h"
#include "jit/kernels/gather/gather_code.h"

namespace burin::jit {
namespace {

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

}  // namespace

absl::StatusOr<GatherKernel> GatherKernel::Create(const GatherSpec& spec, const Target& target, CodeCache& cache) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  GatherKernel kernel(spec);
  kernel.plan_ = GatherPlan::Make(spec, target);
  kernel.work_items_ = kernel.plan_.WorkItems(spec);
  if (kernel.work_items_ == 0) return kernel;
  const GatherCodeSpec& code = kernel.plan_.code;
  BURIN_ASSIGN_OR_RETURN(kernel.code_, cache.GetOrGenerate(CodeKey::Of("gather", target.isa(), code.ContentKey()),
                                                           [&] { return GenerateGather(code, target.isa()); }));
  return kernel;
}

absl::string_view GatherKernel::kernel_name() const { return code_ ? code_->name() : absl::string_view(); }

int64_t GatherKernel::Run(const void* source, const void* indices, void* destination, int64_t begin,
                          int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= work_items_);
  const int64_t count_pieces = spec_.count > 0 ? CeilDiv(spec_.count, plan_.count_per_item) : 1;
  const int64_t outer_pieces = spec_.outer > 0 ? CeilDiv(spec_.outer, plan_.outer_per_item) : 1;
  int64_t missing = 0;
  GatherArgs args = {};
  args.extent = spec_.extent;
  args.source_stride = spec_.source_stride;
  args.destination_stride = spec_.destination_stride;
  args.source_outer_stride = spec_.source_outer_stride;
  args.destination_outer_stride = spec_.destination_outer_stride;
  args.missing = &missing;
  for (int64_t item = begin; item < end; ++item) {
    const int64_t first = item % count_pieces * plan_.count_per_item;
    const int64_t outer = item / count_pieces % outer_pieces * plan_.outer_per_item;
    const int64_t batch = item / count_pieces / outer_pieces;
    args.count = std::min(plan_.count_per_item, spec_.count - first);
    args.outer = std::min(plan_.outer_per_item, spec_.outer - outer);
    args.source =
        static_cast<const uint8_t*>(source) + batch * spec_.source_batch_stride + outer * spec_.source_outer_stride;
    args.destination = static_cast<uint8_t*>(destination) + batch * spec_.destination_batch_stride +
                       outer * spec_.destination_outer_stride + first * spec_.destination_stride;
    args.indices =
        static_cast<const uint8_t*>(indices) + batch * spec_.index_batch_stride + first * plan_.code.index_bytes;
    code_->entry<void (*)(const GatherArgs*)>()(&args);
  }
  return missing;
}

}  // namespace burin::jit
