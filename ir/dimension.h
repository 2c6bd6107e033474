// One dimension of a shape, or one element of a shape-like tensor, as far as it is known.
//
// A Dimension is an interval of int64_t plus an optional symbol: two dimensions that carry the same symbol are equal in
// every run of the model, whatever their value. The interval of a *dimension* lies in [0, kInfinite]; the elements of a
// propagated value (`PartialValue`) use the same type and may be negative. Value type; thread-compatible.
#ifndef BURIN_IR_DIMENSION_H_
#define BURIN_IR_DIMENSION_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace burin::ir {

class Dimension {
 public:
  // Bounds saturate here: a bound at kInfinite (or -kInfinite) means "no bound".
  static constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max();

  // Constructs an unknown size: [0, infinite), no symbol.
  Dimension() : min_(0), max_(kInfinite) {}
  // Constructs an exactly known value. Implicit, so that `{1, 3, 224, 224}` is a shape.
  Dimension(int64_t value) : min_(value), max_(value) {}  // NOLINT(google-explicit-constructor)
  // Constructs an interval, both ends included; requires min <= max.
  Dimension(int64_t min, int64_t max) : min_(min), max_(max) {}
  Dimension(int64_t min, int64_t max, std::string symbol) : min_(min), max_(max), symbol_(std::move(symbol)) {}

  // Returns an unknown size named `symbol`.
  static Dimension Symbol(std::string symbol) { return Dimension(0, kInfinite, std::move(symbol)); }
  // Returns a value about which nothing is known, negative ones included (for elements of a PartialValue).
  static Dimension AnyValue() { return Dimension(-kInfinite, kInfinite); }

  int64_t min() const { return min_; }
  int64_t max() const { return max_; }
  const std::string& symbol() const { return symbol_; }
  bool is_static() const { return min_ == max_; }
  bool is_dynamic() const { return min_ != max_; }
  // Returns the exact value; requires is_static().
  int64_t value() const { return min_; }

  // Compares interval and symbol. A static dimension's symbol is not compared: the value says more.
  friend bool operator==(const Dimension& a, const Dimension& b) {
    return a.min_ == b.min_ && a.max_ == b.max_ && (a.is_static() || a.symbol_ == b.symbol_);
  }
  friend bool operator!=(const Dimension& a, const Dimension& b) { return !(a == b); }

  // Returns whether the two are certainly equal in every run: both static with one value, or one shared symbol.
  bool MustEqual(const Dimension& other) const;
  // Returns whether some value lies in both intervals.
  bool MayEqual(const Dimension& other) const;
  // Returns whether `value` lies in the interval.
  bool Contains(int64_t value) const;

  // Prints `7`, `?`, `2..8`, `2..`, `batch`, `batch:2..8`; `..8` and `..` where there is no lower bound. A symbol that
  // is not a word of letters, digits and `_` prints as a C string: `"batch size"`.
  std::string ToString() const;

 private:
  int64_t min_;
  int64_t max_;
  std::string symbol_;
};

// Interval arithmetic with saturating bounds: the result holds every value that operands in the intervals can give. The
// symbol survives only where the result provably equals an operand (x+0, x-0, x*1, x/1, and max/min decided by the
// intervals or by one symbol); x-x is 0. Where every result passes the range of int64_t, nothing is known of it.
Dimension operator+(const Dimension& a, const Dimension& b);
Dimension operator-(const Dimension& a, const Dimension& b);
Dimension operator*(const Dimension& a, const Dimension& b);
// Rounds towards zero, as integer division of tensors does; an interval containing zero as divisor gives AnyValue().
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension FloorDiv(const Dimension& a, int64_t divisor);  // divisor > 0
Dimension CeilDiv(const Dimension& a, int64_t divisor);   // divisor > 0
Dimension Min(const Dimension& a, const Dimension& b);
Dimension Max(const Dimension& a, const Dimension& b);

// Narrows `target` to what both allow, keeping whichever symbol exists (the target's if both). Returns false, leaving
// `target` as it is, where the intervals do not meet.
bool Intersect(const Dimension& other, Dimension* target);

// Returns the smallest interval holding both; keeps the symbol only if both have the same (for merging branches).
Dimension Hull(const Dimension& a, const Dimension& b);

// Applies NumPy's broadcasting rule to one pair of dimensions: returns false where no sizes could broadcast.
bool BroadcastDimension(const Dimension& a, const Dimension& b, Dimension* result);

// The elements of a small rank-0 or rank-1 integer tensor as far as they are known, in order.
using PartialValue = std::vector<Dimension>;

}  // namespace burin::ir

#endif  // BURIN_IR_DIMENSION_H_
