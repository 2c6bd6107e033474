// Says along which axes the values of a group of operations vary, and what of it is reduced: enough to tell whether two
// groups can be one, and what that costs, without looking at their operations again.
//
// Use it while groups grow; the space of a single operation comes from its primitive body, that of two groups from
// theirs. It says what snippets/lowering would find in the joint body, but for views of memory, about which it is
// careful. Thread-compatible.
#ifndef BURIN_SNIPPETS_TOKENIZE_ITERATION_SPACE_H_
#define BURIN_SNIPPETS_TOKENIZE_ITERATION_SPACE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "snippets/tokenize/body_space.h"

namespace burin::snippets {

// Returns the axes that those of `mask` become, axis i becoming to[i].
AxisMask MappedAxes(AxisMask mask, const std::vector<int>& to);

// Is the space of a group.
class IterationSpace {
 public:
  // Is why two spaces are not one.
  enum class Conflict : uint8_t {
    kNone,
    kTwiceAlongAxis,  // A value would vary twice along one axis.
    kMemory,          // A view is read of, or made of, what would not be memory; looking at the body may say otherwise.
    kTooManyAxes,
  };

  // Says how two spaces become one.
  struct Join {
    Conflict conflict = Conflict::kNone;
    std::vector<SpaceAxis> axes;
    std::vector<SpaceWork> work;
    // Of each axis of either space.
    std::vector<int> from_left;
    std::vector<int> from_right;
  };

  IterationSpace() = default;
  // The space of a body whose parameters and results are these values of a model.
  IterationSpace(const BodySpace& body, absl::Span<const ir::Value> inputs, absl::Span<const ir::Value> outputs);

  const std::vector<SpaceAxis>& axes() const { return axes_; }
  const std::vector<SpaceWork>& work() const { return work_; }

  // Returns the axes along which a value that is made here varies.
  AxisMask AxesOf(ir::Value made) const;

  // Returns how `left` and `right` are joined; the time follows the values of the one that has fewer.
  static Join Plan(const IterationSpace& left, const IterationSpace& right);
  // Returns the values that one of them makes and the other reads, in order.
  static std::vector<ir::Value> Between(const IterationSpace& left, const IterationSpace& right);
  // Joins them as planned; `other` is used up.
  void Apply(const Join& join, IterationSpace&& other, bool this_is_left);

 private:
  using Key = std::pair<int32_t, int32_t>;
  using Pairs = std::vector<std::pair<int, int>>;

  static Key KeyOf(ir::Value value) { return {ir::Index(value.node), value.output}; }
  // Adds to `pairs` the axes that two accesses to one value bring together. Returns false where that cannot be.
  bool Match(const ValueAccess& mine, const IterationSpace& other, const ValueAccess& theirs, Pairs* pairs) const;
  void MatchDims(const std::vector<int>& mine, const IterationSpace& other, const std::vector<int>& theirs,
                 Pairs* pairs) const;
  int AxisOf(int handle) const { return handle < 0 ? -1 : axis_of_[static_cast<size_t>(handle)]; }
  void Merge(ValueAccess access, int shift, ValueAccess* into);

  std::vector<SpaceAxis> axes_;
  std::vector<SpaceWork> work_;
  // What values name instead of axes, so that joining leaves them as they are: the axis of each.
  std::vector<int> axis_of_;
  absl::btree_map<Key, ValueAccess> values_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_ITERATION_SPACE_H_
