// A shape as far as it is known at compile time: dynamic rank, or a list of `Dimension`s.
//
// Value type; thread-compatible.
#ifndef BURIN_IR_PARTIAL_SHAPE_H_
#define BURIN_IR_PARTIAL_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/dimension.h"
#include "ir/shape.h"

namespace burin::ir {

class PartialShape {
 public:
  // Constructs the shape of a scalar.
  PartialShape() = default;
  PartialShape(std::initializer_list<Dimension> dims) : dims_(dims) {}
  explicit PartialShape(std::vector<Dimension> dims) : dims_(std::move(dims)) {}
  // Constructs a static shape. Implicit, so that a Shape can stand wherever a PartialShape is asked for.
  PartialShape(const Shape& shape) : dims_(shape.begin(), shape.end()) {}  // NOLINT(google-explicit-constructor)

  // Returns a shape about which nothing is known, not even its rank.
  static PartialShape DynamicRank();
  // Returns a shape of `rank` unknown dimensions.
  static PartialShape OfRank(int64_t rank) { return PartialShape(std::vector<Dimension>(rank)); }

  bool has_rank() const { return has_rank_; }
  // Returns the rank; requires has_rank().
  int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
  // Returns whether the rank and every dimension are known exactly.
  bool is_static() const;
  bool is_dynamic() const { return !is_static(); }

  const std::vector<Dimension>& dims() const { return dims_; }
  const Dimension& operator[](int64_t i) const { return dims_[static_cast<size_t>(i)]; }
  Dimension& operator[](int64_t i) { return dims_[static_cast<size_t>(i)]; }
  void Append(Dimension dim) { dims_.push_back(std::move(dim)); }

  // Returns the static shape; requires is_static().
  Shape ToShape() const;
  // Returns the number of elements as an interval (dynamic rank: unknown).
  Dimension ElementCount() const;
  // Returns whether a tensor of shape `shape` satisfies this.
  bool Accepts(const Shape& shape) const;
  // Returns whether some static shape satisfies both.
  bool MayEqual(const PartialShape& other) const;

  // Prints `[?,3,height,2..8]`, a scalar as `[]`, and dynamic rank as `[...]`.
  std::string ToString() const;
  // Parses what ToString prints, and the benchmark tool's forms: `[1,3,?,-1,1..10]`; brackets are optional.
  // InvalidArgument with the offending piece.
  static absl::StatusOr<PartialShape> Parse(const std::string& text);

  friend bool operator==(const PartialShape& a, const PartialShape& b) {
    return a.has_rank_ == b.has_rank_ && a.dims_ == b.dims_;
  }
  friend bool operator!=(const PartialShape& a, const PartialShape& b) { return !(a == b); }

 private:
  bool has_rank_ = true;
  std::vector<Dimension> dims_;
};

// Returns the shape to which the two broadcast under NumPy's rule, as far as known. InvalidArgument where no sizes
// could broadcast.
absl::StatusOr<PartialShape> Broadcast(const PartialShape& a, const PartialShape& b);

// Returns the shape holding what both say about one and the same tensor. InvalidArgument where they contradict.
absl::StatusOr<PartialShape> Merge(const PartialShape& a, const PartialShape& b);

// Returns the tightest shape that covers both (for joining branches).
PartialShape Hull(const PartialShape& a, const PartialShape& b);

}  // namespace burin::ir

#endif  // BURIN_IR_PARTIAL_SHAPE_H_
