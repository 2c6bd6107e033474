#include "transformations/fuzz/result_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "base/element_access.h"

namespace burin::transformations {
namespace {

bool SameNumber(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

bool SameElements(const ir::Tensor& a, const ir::Tensor& b) {
  const ElementType type = a.element_type();
  if (type != b.element_type() || a.shape() != b.shape()) return false;
  const absl::StatusOr<ir::Tensor> left = a.ToDense();
  const absl::StatusOr<ir::Tensor> right = b.ToDense();
  if (!left.ok() || !right.ok()) return false;
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const bool same = IsFloat(type)
                          ? SameNumber(LoadAsDouble(type, left->data(), i), LoadAsDouble(type, right->data(), i))
                          : LoadAsInt64(type, left->data(), i) == LoadAsInt64(type, right->data(), i);
    if (!same) return false;
  }
  return true;
}

double DistanceInUnits(const ir::Tensor& actual, const ir::Tensor& expected) {
  if (SameElements(actual, expected)) return 0;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const ElementType type = expected.element_type();
  if (type != actual.element_type() || actual.shape() != expected.shape() || !IsFloat(type)) return kFar;
  const absl::StatusOr<ir::Tensor> left = actual.ToDense();
  const absl::StatusOr<ir::Tensor> right = expected.ToDense();
  if (!left.ok() || !right.ok()) return kFar;
  double largest = 0;
  double distance = 0;
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    const double a = LoadAsDouble(type, left->data(), i);
    const double e = LoadAsDouble(type, right->data(), i);
    if (std::isfinite(e)) largest = std::max(largest, std::fabs(e));
    if (a == e || SameNumber(a, e)) continue;
    if (!std::isfinite(a) || !std::isfinite(e)) return kFar;
    distance = std::max(distance, std::fabs(a - e));
  }
  if (distance == 0) return 0;
  return largest > 0 ? distance / largest / UnitOf(type) : kFar;
}

double UnitOf(ElementType type) {
  double unit = 1;
  for (;;) {
    double stored = 0;
    StoreFromDouble(type, &stored, 0, 1 + unit / 2);
    if (LoadAsDouble(type, &stored, 0) == 1) return unit;
    unit /= 2;
  }
}

}  // namespace burin::transformations
