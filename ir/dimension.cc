#include "ir/dimension.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace burin::ir {
namespace {

// Bounds are computed in 128 bits, where no sum, difference or product of two 64-bit numbers overflows. Infinities are
// values of their own, of a magnitude that no finite result passes.
__extension__ typedef __int128 Wide;
constexpr Wide kWideInfinite = Wide{1} << 126;
constexpr int64_t kInfinite = Dimension::kInfinite;
constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

struct Interval {
  Wide min;
  Wide max;
};

Interval ToInterval(const Dimension& d) {
  if (d.is_static()) return {d.min(), d.max()};
  return {d.min() <= -kInfinite ? -kWideInfinite : Wide{d.min()}, d.max() == kInfinite ? kWideInfinite : Wide{d.max()}};
}

// Returns the dimension with these bounds; one about which nothing is known where no int64_t lies between them.
Dimension ToDimension(const Interval& interval) {
  if (interval.min > kInfinite || interval.max < kLowest) return Dimension::AnyValue();
  if (interval.min == interval.max) return Dimension(static_cast<int64_t>(interval.min));
  const Wide min = std::max(interval.min, Wide{-kInfinite});
  Wide max = std::min(interval.max, Wide{kInfinite});
  // -kInfinite alone would be an exact value; with its neighbour it is "no lower bound" and still holds all of them.
  if (min == -kInfinite) max = std::max(max, min + 1);
  return Dimension(static_cast<int64_t>(min), static_cast<int64_t>(max));
}

bool IsInfinite(Wide x) { return x >= kWideInfinite || x <= -kWideInfinite; }

Wide Add(Wide a, Wide b) {
  // Bounds of one side never have infinities of both signs.
  if (IsInfinite(a)) return a;
  if (IsInfinite(b)) return b;
  return a + b;
}

Wide Multiply(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  if (IsInfinite(a) || IsInfinite(b)) return (a < 0) == (b < 0) ? kWideInfinite : -kWideInfinite;
  return a * b;
}

// Divides, rounding towards zero; anything over an infinite divisor tends to zero.
Wide Divide(Wide a, Wide b) {
  if (IsInfinite(b)) return 0;
  if (IsInfinite(a)) return (a < 0) == (b < 0) ? kWideInfinite : -kWideInfinite;
  return a / b;
}

// Divides, rounding down; divisor > 0.
Wide DivideDown(Wide a, Wide divisor) {
  if (IsInfinite(a)) return a;
  const Wide quotient = a / divisor;
  return a % divisor < 0 ? quotient - 1 : quotient;
}

// Returns the hull of f over the corners of both intervals: exact where f is monotone in each argument.
template <class F>
Interval Corners(const Interval& a, const Interval& b, F f) {
  const Wide values[] = {f(a.min, b.min), f(a.min, b.max), f(a.max, b.min), f(a.max, b.max)};
  return {*std::min_element(std::begin(values), std::end(values)),
          *std::max_element(std::begin(values), std::end(values))};
}

bool IsExactly(const Dimension& d, int64_t value) { return d.is_static() && d.value() == value; }

bool SameSymbol(const Dimension& a, const Dimension& b) { return !a.symbol().empty() && a.symbol() == b.symbol(); }

bool IsIdentifier(const std::string& text) {
  if (text.empty() || !(absl::ascii_isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

}  // namespace

bool Dimension::MustEqual(const Dimension& other) const {
  if (is_static() && other.is_static()) return value() == other.value();
  return SameSymbol(*this, other);
}

bool Dimension::MayEqual(const Dimension& other) const {
  const Interval a = ToInterval(*this);
  const Interval b = ToInterval(other);
  return a.min <= b.max && b.min <= a.max;
}

bool Dimension::Contains(int64_t value) const { return MayEqual(Dimension(value)); }

std::string Dimension::ToString() const {
  if (is_static()) return absl::StrCat(min_);
  const bool bounded_below = min_ > -kInfinite;
  const bool bounded_above = max_ < kInfinite;
  const bool any_size = min_ == 0 && !bounded_above;
  std::string interval;
  if (bounded_below) absl::StrAppend(&interval, min_);
  interval += "..";
  if (bounded_above) absl::StrAppend(&interval, max_);
  if (symbol_.empty()) return any_size ? "?" : interval;
  std::string name = IsIdentifier(symbol_) ? symbol_ : absl::StrCat("\"", absl::CEscape(symbol_), "\"");
  return any_size ? name : absl::StrCat(name, ":", interval);
}

Dimension operator+(const Dimension& a, const Dimension& b) {
  if (IsExactly(b, 0)) return a;
  if (IsExactly(a, 0)) return b;
  const Interval x = ToInterval(a);
  const Interval y = ToInterval(b);
  return ToDimension({Add(x.min, y.min), Add(x.max, y.max)});
}

Dimension operator-(const Dimension& a, const Dimension& b) {
  if (IsExactly(b, 0)) return a;
  if (SameSymbol(a, b)) return Dimension(0);
  const Interval x = ToInterval(a);
  const Interval y = ToInterval(b);
  return ToDimension({Add(x.min, -y.max), Add(x.max, -y.min)});
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  if (IsExactly(b, 1)) return a;
  if (IsExactly(a, 1)) return b;
  return ToDimension(Corners(ToInterval(a), ToInterval(b), Multiply));
}

Dimension operator/(const Dimension& a, const Dimension& b) {
  if (IsExactly(b, 1)) return a;
  if (b.Contains(0)) return Dimension::AnyValue();
  return ToDimension(Corners(ToInterval(a), ToInterval(b), Divide));
}

Dimension FloorDiv(const Dimension& a, int64_t divisor) {
  if (divisor == 1) return a;
  const Interval x = ToInterval(a);
  return ToDimension({DivideDown(x.min, divisor), DivideDown(x.max, divisor)});
}

Dimension CeilDiv(const Dimension& a, int64_t divisor) {
  if (divisor == 1) return a;
  const Interval x = ToInterval(a);
  return ToDimension({-DivideDown(-x.min, divisor), -DivideDown(-x.max, divisor)});
}

Dimension Min(const Dimension& a, const Dimension& b) {
  const Interval x = ToInterval(a);
  const Interval y = ToInterval(b);
  if (SameSymbol(a, b) || a.max() <= y.min) return a;
  if (b.max() <= x.min) return b;
  return ToDimension({std::min(x.min, y.min), std::min(x.max, y.max)});
}

Dimension Max(const Dimension& a, const Dimension& b) {
  const Interval x = ToInterval(a);
  const Interval y = ToInterval(b);
  if (SameSymbol(a, b) || b.max() <= x.min) return a;
  if (a.max() <= y.min) return b;
  return ToDimension({std::max(x.min, y.min), std::max(x.max, y.max)});
}

bool Intersect(const Dimension& other, Dimension* target) {
  if (!target->MayEqual(other)) return false;
  const std::string& symbol = target->symbol().empty() ? other.symbol() : target->symbol();
  if (target->is_static() || other.is_static()) {
    const int64_t value = target->is_static() ? target->value() : other.value();
    *target = Dimension(value, value, symbol);
  } else {
    *target = Dimension(std::max(target->min(), other.min()), std::min(target->max(), other.max()), symbol);
  }
  return true;
}

Dimension Hull(const Dimension& a, const Dimension& b) {
  if (a.is_static() && b.is_static() && a.value() == b.value()) return a;
  const Interval x = ToInterval(a);
  const Interval y = ToInterval(b);
  const Dimension hull = ToDimension({std::min(x.min, y.min), std::max(x.max, y.max)});
  return SameSymbol(a, b) ? Dimension(hull.min(), hull.max(), a.symbol()) : hull;
}

bool BroadcastDimension(const Dimension& a, const Dimension& b, Dimension* result) {
  if (IsExactly(a, 1) || IsExactly(b, 1)) {
    *result = IsExactly(a, 1) ? b : a;
    return true;
  }
  const bool a_may_be_one = a.Contains(1);
  const bool b_may_be_one = b.Contains(1);
  if (SameSymbol(a, b) || (!a_may_be_one && !b_may_be_one)) {
    Dimension both = a;
    if (!Intersect(b, &both)) return false;
    *result = both;
  } else if (a_may_be_one && b_may_be_one) {
    // Either stretches, so the result may be any size of the other.
    *result = Hull(a, b);
  } else {
    // The one that cannot be 1 decides: the other is 1, or equal to it.
    *result = a_may_be_one ? b : a;
  }
  return true;
}

}  // namespace burin::ir
