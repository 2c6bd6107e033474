#include "snippets/tokenize/iteration_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "snippets/tokenize/body_space.h"

namespace burin::snippets {
namespace {

// Makes of `axis` one axis with `other`.
void Absorb(const SpaceAxis& other, SpaceAxis* axis) {
  // What is known of one holds for the other; a static extent that differs is one that is broadcast.
  if (axis->is_dynamic != other.is_dynamic) {
    axis->extent = axis->is_dynamic ? other.extent : axis->extent;
    axis->is_dynamic = false;
  } else {
    axis->extent = std::max(axis->extent, other.extent);
  }
  axis->depth = std::max(axis->depth, other.depth);
  axis->is_reduced = axis->is_reduced || other.is_reduced;
}

void AddWork(const SpaceWork& work, std::vector<SpaceWork>* all) {
  const auto it =
      std::find_if(all->begin(), all->end(), [&work](const SpaceWork& other) { return other.axes == work.axes; });
  if (it == all->end()) {
    all->push_back(work);
    return;
  }
  it->cheap += work.cheap;
  it->dear += work.dear;
  it->reducing += work.reducing;
}

// Holds numbers in classes.
class Classes {
 public:
  explicit Classes(size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), 0); }

  int Find(int i) {
    while (leader_[static_cast<size_t>(i)] != i) i = leader_[static_cast<size_t>(i)];
    return i;
  }

  void Unite(int a, int b) {
    const int into = std::min(Find(a), Find(b));
    leader_[static_cast<size_t>(std::max(Find(a), Find(b)))] = into;
  }

 private:
  std::vector<int> leader_;
};

// Returns whether two axes of one class belong to one value, which would vary twice along it.
bool VariesTwice(const std::vector<SpaceAxis>& axes, const std::vector<int>& to) {
  for (size_t i = 0; i < axes.size(); ++i) {
    for (size_t k = i + 1; k < axes.size(); ++k) {
      if (to[i] == to[k] && (axes[i].together >> k & 1) != 0) return true;
    }
  }
  return false;
}

}  // namespace

AxisMask MappedAxes(AxisMask mask, const std::vector<int>& to) {
  AxisMask mapped = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if ((mask >> i & 1) != 0) mapped |= AxisMask{1} << to[i];
  }
  return mapped;
}

IterationSpace::IterationSpace(const BodySpace& body, absl::Span<const ir::Value> inputs,
                               absl::Span<const ir::Value> outputs)
    : axes_(body.axes), work_(body.work) {
  axis_of_.resize(axes_.size());
  std::iota(axis_of_.begin(), axis_of_.end(), 0);
  for (size_t i = 0; i < inputs.size(); ++i) Merge(body.parameters[i], 0, &values_[KeyOf(inputs[i])]);
  for (size_t i = 0; i < outputs.size(); ++i) Merge(body.results[i], 0, &values_[KeyOf(outputs[i])]);
}

AxisMask IterationSpace::AxesOf(ir::Value made) const {
  AxisMask axes = 0;
  const auto it = values_.find(KeyOf(made));
  if (it == values_.end() || !it->second.made.has_value()) return axes;
  for (const int handle : *it->second.made) {
    if (handle >= 0) axes |= AxisMask{1} << AxisOf(handle);
  }
  return axes;
}

void IterationSpace::Merge(ValueAccess access, int shift, ValueAccess* into) {
  const auto shifted = [shift](std::vector<int> dims) {
    for (int& dim : dims) dim = dim < 0 ? -1 : dim + shift;
    return dims;
  };
  if (access.made.has_value()) into->made = shifted(*std::move(access.made));
  if (access.read.has_value() && !into->read.has_value()) into->read = shifted(*std::move(access.read));
  for (std::vector<int>& dims : access.renamed) into->renamed.push_back(shifted(std::move(dims)));
  into->made_in_memory = into->made_in_memory || access.made_in_memory;
  into->read_in_memory = into->read_in_memory || access.read_in_memory;
}

void IterationSpace::MatchDims(const std::vector<int>& mine, const IterationSpace& other,
                               const std::vector<int>& theirs, Pairs* pairs) const {
  for (size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    const int a = AxisOf(mine[i]);
    const int b = other.AxisOf(theirs[i]);
    if (a >= 0 && b >= 0) pairs->emplace_back(a, b);
  }
}

bool IterationSpace::Match(const ValueAccess& mine, const IterationSpace& other, const ValueAccess& theirs,
                           Pairs* pairs) const {
  const auto is_read = [](const ValueAccess& access) {
    return access.read.has_value() || !access.renamed.empty() || access.read_in_memory;
  };
  if (mine.made.has_value() && theirs.read_in_memory) return false;
  if (theirs.made.has_value() && mine.read_in_memory) return false;
  if ((mine.made_in_memory && is_read(theirs)) || (theirs.made_in_memory && is_read(mine))) return false;
  if (mine.made.has_value()) {
    if (theirs.read.has_value()) MatchDims(*mine.made, other, *theirs.read, pairs);
    for (const std::vector<int>& dims : theirs.renamed) MatchDims(*mine.made, other, dims, pairs);
  } else if (theirs.made.has_value()) {
    if (mine.read.has_value()) MatchDims(*mine.read, other, *theirs.made, pairs);
    for (const std::vector<int>& dims : mine.renamed) MatchDims(dims, other, *theirs.made, pairs);
  } else if (mine.read.has_value() && theirs.read.has_value()) {
    MatchDims(*mine.read, other, *theirs.read, pairs);
  }
  return true;
}

IterationSpace::Join IterationSpace::Plan(const IterationSpace& left, const IterationSpace& right) {
  Join join;
  Pairs pairs;
  const bool left_is_small = left.values_.size() < right.values_.size();
  const IterationSpace& small = left_is_small ? left : right;
  const IterationSpace& large = left_is_small ? right : left;
  for (const auto& [key, access] : small.values_) {
    const auto it = large.values_.find(key);
    if (it == large.values_.end() || small.Match(access, large, it->second, &pairs)) continue;
    join.conflict = Conflict::kMemory;
    return join;
  }
  const size_t count = left.axes_.size();
  Classes classes(count + right.axes_.size());
  for (const auto& [of_small, of_large] : pairs) {
    const int shift = static_cast<int>(count);
    classes.Unite(left_is_small ? of_small : of_large, (left_is_small ? of_large : of_small) + shift);
  }
  std::vector<int> to(count + right.axes_.size(), -1);
  for (size_t i = 0; i < to.size(); ++i) {
    const SpaceAxis& axis = i < count ? left.axes_[i] : right.axes_[i - count];
    const auto leader = static_cast<size_t>(classes.Find(static_cast<int>(i)));
    if (leader == i) {
      to[i] = static_cast<int>(join.axes.size());
      join.axes.push_back(axis);
    } else {
      to[i] = to[leader];
      Absorb(axis, &join.axes[static_cast<size_t>(to[i])]);
    }
  }
  if (join.axes.size() > kMaxSpaceAxes) {
    join.conflict = Conflict::kTooManyAxes;
    return join;
  }
  join.from_left.assign(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(count));
  join.from_right.assign(to.begin() + static_cast<std::ptrdiff_t>(count), to.end());
  if (VariesTwice(left.axes_, join.from_left) || VariesTwice(right.axes_, join.from_right)) {
    join.conflict = Conflict::kTwiceAlongAxis;
    return join;
  }
  for (SpaceAxis& axis : join.axes) axis.together = 0;
  const auto add = [&join](const IterationSpace& space, const std::vector<int>& map) {
    for (size_t i = 0; i < space.axes_.size(); ++i) {
      join.axes[static_cast<size_t>(map[i])].together |= MappedAxes(space.axes_[i].together, map);
    }
    for (SpaceWork work : space.work_) {
      work.axes = MappedAxes(work.axes, map);
      AddWork(work, &join.work);
    }
  };
  add(left, join.from_left);
  add(right, join.from_right);
  return join;
}

std::vector<ir::Value> IterationSpace::Between(const IterationSpace& left, const IterationSpace& right) {
  std::vector<ir::Value> values;
  const bool left_is_small = left.values_.size() < right.values_.size();
  const IterationSpace& small = left_is_small ? left : right;
  const IterationSpace& large = left_is_small ? right : left;
  for (const auto& [key, access] : small.values_) {
    const auto it = large.values_.find(key);
    if (it == large.values_.end() || access.made.has_value() == it->second.made.has_value()) continue;
    values.push_back({static_cast<ir::NodeId>(key.first), key.second});
  }
  return values;
}

void IterationSpace::Apply(const Join& join, IterationSpace&& other, bool this_is_left) {
  axes_ = join.axes;
  work_ = join.work;
  const std::vector<int>& mine = this_is_left ? join.from_left : join.from_right;
  const std::vector<int>& theirs = this_is_left ? join.from_right : join.from_left;
  for (int& axis : axis_of_) axis = mine[static_cast<size_t>(axis)];
  const int shift = static_cast<int>(axis_of_.size());
  for (const int axis : other.axis_of_) axis_of_.push_back(theirs[static_cast<size_t>(axis)]);
  for (auto& [key, access] : other.values_) Merge(std::move(access), shift, &values_[key]);
}

}  // namespace burin::snippets
