#include "ir/ops/family/slicing.h"

#include <algorithm>
#include <limits>

namespace burin::ir {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max();

// Clamps `bound`, counted from the end where negative, to [low, high].
int64_t Clamp(int64_t bound, int64_t size, int64_t low, int64_t high) {
  if (bound < 0) bound += size;
  return std::min(std::max(bound, low), high);
}

int64_t CeilOfQuotient(int64_t dividend, int64_t divisor) { return dividend == 0 ? 0 : (dividend - 1) / divisor + 1; }

// Returns the number of elements of start:stop for exact bounds and step > 0. The count as a function of the size rises
// unless start counts from the end and stop from the front.
Dimension CountOfExactBounds(const Dimension& size, int64_t start, int64_t stop, int64_t step) {
  const int64_t at_min = ResolveSlice(start, stop, step, size.min()).count;
  if (size.is_static()) return Dimension(at_min);
  if (start < 0 && stop >= 0 && stop != Dimension::kInfinite) {
    const int64_t longest = std::min({stop, start == kLowest ? Dimension::kInfinite : -start, size.max()});
    return Dimension(0, CeilOfQuotient(longest, step));
  }
  const bool unbounded = size.max() == Dimension::kInfinite && start >= 0 && (stop < 0 || stop == Dimension::kInfinite);
  return Dimension(at_min, unbounded ? Dimension::kInfinite : ResolveSlice(start, stop, step, size.max()).count);
}

// Returns -1 - x, which turns an index counted from one end into the same place counted from the other.
int64_t Mirror(int64_t x) { return x == Dimension::kInfinite ? kLowest : -1 - x; }

}  // namespace

SliceRange ResolveSlice(int64_t start, int64_t stop, int64_t step, int64_t size) {
  SliceRange range;
  range.step = step;
  if (step > 0) {
    range.first = Clamp(start, size, 0, size);
    range.count =
        std::max<int64_t>(CeilOfQuotient(std::max<int64_t>(Clamp(stop, size, 0, size) - range.first, 0), step), 0);
  } else {
    range.first = Clamp(start, size, -1, size - 1);
    const int64_t length = std::max<int64_t>(range.first - Clamp(stop, size, -1, size - 1), 0);
    range.count = CeilOfQuotient(length, step == kLowest ? Dimension::kInfinite : -step);
  }
  return range;
}

Dimension SliceDimension(const Dimension& size, const Dimension& start, const Dimension& stop, const Dimension& step) {
  if (!step.is_static()) return Dimension(0, size.max());
  if (step.value() < 0) {
    // Walking backwards from start to stop is walking forwards in the mirrored dimension.
    const int64_t forward = step.value() == kLowest ? Dimension::kInfinite : -step.value();
    return SliceDimension(size, Dimension(Mirror(start.max()), Mirror(start.min())),
                          Dimension(Mirror(stop.max()), Mirror(stop.min())), Dimension(forward));
  }
  const bool to_the_end = stop.min() >= size.max() || (size.is_dynamic() && stop.min() >= kToTheEnd) ||
                          (stop.min() >= 0 && stop.MustEqual(size));
  const bool from_the_front = start == Dimension(0) || (size.is_dynamic() && start.max() <= -kToTheEnd) ||
                              (size.max() != Dimension::kInfinite && start.max() <= -size.max());
  if (from_the_front && to_the_end) return step.value() == 1 ? size : CeilDiv(size, step.value());
  if (start.is_static() && (stop.is_static() || to_the_end)) {
    const int64_t last = to_the_end ? Dimension::kInfinite : stop.value();
    return CountOfExactBounds(size, start.value(), last, step.value());
  }
  if (from_the_front && stop.min() >= 0) return CeilDiv(Min(stop, size), step.value());
  return Dimension(0, CeilDiv(size, step.value()).max());
}

}  // namespace burin::ir
