// Finds out which dimensions of a body's values are one axis.
//
// Use it while a body is walked (snippets/lowering/body_graph.h): each access to memory brings dimensions of its own,
// and each operation that reads several values makes classes of those it brings together. Not thread-safe.
#ifndef BURIN_SNIPPETS_LOWERING_AXIS_CLASSES_H_
#define BURIN_SNIPPETS_LOWERING_AXIS_CLASSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace burin::snippets {

// Names a dimension. kNoDim is one whose extent is 1.
using DimId = int32_t;
inline constexpr DimId kNoDim = -1;

// Holds dimensions in classes: those of a class are one axis (union-find).
class AxisClasses {
 public:
  static constexpr int64_t kUndeclared = -1;

  // Adds a dimension, alone in its class. `declared` is its extent where that is the same in every run, else
  // kUndeclared.
  DimId Add(int64_t extent, int64_t declared) {
    leader_.push_back(static_cast<DimId>(leader_.size()));
    extent_.push_back(extent);
    declared_.push_back(declared);
    is_one_.push_back(false);
    return leader_.back();
  }

  // Returns the dimension that stands for the class of `dim`, or kNoDim for a class that is none.
  DimId Leader(DimId dim) {
    if (dim == kNoDim) return kNoDim;
    const DimId leader = Find(dim);
    return is_one_[static_cast<size_t>(leader)] ? kNoDim : leader;
  }

  // Makes one class of two: both dimensions have the same extent.
  void Unite(DimId a, DimId b) {
    const DimId into = Find(a);
    const DimId from = Find(b);
    if (into == from) return;
    leader_[static_cast<size_t>(from)] = into;
    is_one_[static_cast<size_t>(into)] = is_one_[static_cast<size_t>(into)] || is_one_[static_cast<size_t>(from)];
    int64_t& declared = declared_[static_cast<size_t>(into)];
    if (declared == kUndeclared) declared = declared_[static_cast<size_t>(from)];
  }

  // Says that the class of `dim` happens to be broadcast: it is none.
  void Drop(DimId dim) { is_one_[static_cast<size_t>(Find(dim))] = true; }

  // Return the extent of a dimension, and what any of its class declares.
  int64_t extent(DimId dim) const { return extent_[static_cast<size_t>(dim)]; }
  int64_t declared(DimId dim) { return declared_[static_cast<size_t>(Find(dim))]; }

 private:
  DimId Find(DimId dim) {
    while (leader_[static_cast<size_t>(dim)] != dim) {
      dim = leader_[static_cast<size_t>(dim)] = leader_[static_cast<size_t>(leader_[static_cast<size_t>(dim)])];
    }
    return dim;
  }

  std::vector<DimId> leader_;
  std::vector<int64_t> extent_;
  std::vector<int64_t> declared_;
  std::vector<bool> is_one_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_AXIS_CLASSES_H_
