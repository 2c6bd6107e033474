// Packs B into panels (jit/kernels/panels/panel_layout.h), from any strides.
//
// Use it once for each constant, over as many threads as there are, and for B that is packed on the fly. Immutable; any
// number of threads may run it at once.
//
//   BURIN_ASSIGN_OR_RETURN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, depth, columns));
//   BURIN_ASSIGN_OR_RETURN(const PanelPacker packer, PanelPacker::Create(layout, depth_stride, 4, target, cache));
//   packer.Run(weights, packed, 0, packer.work_items());
#ifndef BURIN_JIT_KERNELS_PANELS_PANEL_PACKER_H_
#define BURIN_JIT_KERNELS_PANELS_PANEL_PACKER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy.h"
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {

// Is a dimension of the steps of the sum: bytes from one to the next in the source.
struct PanelDim {
  int64_t extent = 1;
  int64_t stride = 0;
};

// Holds how B is packed.
class PanelPacker {
 public:
  // Plans for B whose element (k, n) lies at k * depth_stride + n * column_stride bytes from its start. Strides of any
  // sign. Fails as CopyPlan::Create() does.
  static absl::StatusOr<PanelPacker> Create(const PanelLayout& layout, int64_t depth_stride, int64_t column_stride,
                                            const Target& target, CodeCache& cache);

  // Plans for B whose steps of the sum have several dimensions, the outermost first: the window and the channels of a
  // convolution's weights. InvalidArgument where they are not as many steps as those of the layout.
  static absl::StatusOr<PanelPacker> Create(const PanelLayout& layout, absl::Span<const PanelDim> depth_dims,
                                            int64_t column_stride, const Target& target, CodeCache& cache);

  // Returns the number of work items; 0 where there is nothing to pack.
  int64_t work_items() const;

  // Packs what belongs to the items from `begin` up to `end`. `packed` has PanelLayout::bytes() bytes.
  void Run(const void* source, void* packed, int64_t begin, int64_t end) const;

 private:
  // Is a movement, or the zeros beside it.
  struct Part {
    CopyPlan plan;
    int64_t source_offset = 0;
    int64_t packed_offset = 0;
    bool zeros = false;
  };

  PanelPacker() = default;

  std::vector<Part> parts_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_PANELS_PANEL_PACKER_H_
