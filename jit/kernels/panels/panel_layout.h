// Lays out a matrix B, [depth, columns], in panels of 64 columns for product kernels: [columns / 64][depth][64].
//
// Use it for constants (weights), packed once when a model is compiled, and for B that is packed on the fly. Machines
// of all widths read the same layout: 256-bit kernels by slices of 16 or 32 columns, whose steps are a whole panel row
// (256 bytes) apart. Narrower elements follow with several steps of the sum in the 4 bytes of a column
// ([depth / g][64][g], g = 2 for 16 bits and 4 for 8), which is also what tile registers take. The last panel is filled
// up with zeros, so that kernels read whole vectors. A value; pure functions, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_PANELS_PANEL_LAYOUT_H_
#define BURIN_JIT_KERNELS_PANELS_PANEL_LAYOUT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/element_type.h"

namespace burin::jit {

// Describes packed B.
class PanelLayout {
 public:
  // Columns of a panel.
  static constexpr int kColumns = 64;
  // Bytes from a step of the sum to the next: 4 bytes of each column.
  static constexpr int64_t kStepBytes = 4 * kColumns;

  // Is empty.
  PanelLayout() = default;

  // Returns the layout of `depth` x `columns` elements, both at least 0. Unimplemented, naming it, for a type other
  // than f32; InvalidArgument where a size is negative or all of it is 2^62 bytes or more.
  static absl::StatusOr<PanelLayout> Create(ElementType type, int64_t depth, int64_t columns);

  // Return what was given.
  ElementType type() const { return type_; }
  int64_t depth() const { return depth_; }
  int64_t columns() const { return columns_; }

  // Returns the number of steps of the sum that a column has: `depth` in groups of 4 bytes.
  int64_t steps() const { return depth_; }

  // Returns the number of panels, and of columns of panel `index` that are there: 64, but for the last.
  int64_t panels() const { return (columns_ + kColumns - 1) / kColumns; }
  int64_t ColumnsOf(int64_t index) const {
    const int64_t left = columns_ - index * kColumns;
    return left < kColumns ? left : kColumns;
  }

  // Return bytes: of a panel, and of all. Packed B is best aligned to 64 bytes.
  int64_t panel_bytes() const { return steps() * kStepBytes; }
  int64_t bytes() const { return panels() * panel_bytes(); }

  // Returns the byte at which panel `index` begins, at step `step` of the sum.
  int64_t Offset(int64_t index, int64_t step) const { return index * panel_bytes() + step * kStepBytes; }

 private:
  PanelLayout(ElementType type, int64_t depth, int64_t columns) : type_(type), depth_(depth), columns_(columns) {}

  ElementType type_ = ElementType::kF32;
  int64_t depth_ = 0;
  int64_t columns_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_PANELS_PANEL_LAYOUT_H_
