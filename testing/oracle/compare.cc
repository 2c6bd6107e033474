#include "testing/oracle/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"

namespace burin::oracle {

namespace {

double ElementError(double actual, double expected) {
  if (actual == expected) return 0;
  if (std::isnan(actual) && std::isnan(expected)) return 0;
  if (!std::isfinite(actual) || !std::isfinite(expected)) return std::numeric_limits<double>::infinity();
  return std::fabs(actual - expected);
}

// The difference of integers, without a rounding of the operands.
double IntegerError(int64_t actual, int64_t expected) {
  if (actual == expected) return 0;
  const uint64_t distance = actual > expected ? static_cast<uint64_t>(actual) - static_cast<uint64_t>(expected)
                                              : static_cast<uint64_t>(expected) - static_cast<uint64_t>(actual);
  return static_cast<double>(distance);
}

class Accumulator {
 public:
  void Add(int64_t index, double actual, double expected, double error) {
    if (error > 0) ++result_.differing;
    if (error > result_.max_abs_error) {
      result_.max_abs_error = error;
      result_.worst_index = index;
      result_.worst_actual = actual;
      result_.worst_expected = expected;
    }
    if (std::isfinite(expected)) {
      largest_ = std::max(largest_, std::fabs(expected));
      if (expected != 0) result_.max_element_error = std::max(result_.max_element_error, error / std::fabs(expected));
    }
    if (std::isfinite(actual) && std::isfinite(expected)) {
      dot_ += actual * expected;
      actual_norm_ += actual * actual;
      expected_norm_ += expected * expected;
    }
  }

  Comparison Finish(int64_t elements) {
    result_.elements = elements;
    result_.scale = largest_ > 0 ? largest_ : 1;
    result_.max_scaled_error = result_.max_abs_error / result_.scale;
    if (actual_norm_ > 0 && expected_norm_ > 0) {
      result_.cosine = dot_ / (std::sqrt(actual_norm_) * std::sqrt(expected_norm_));
    } else {
      result_.cosine = actual_norm_ == expected_norm_ ? 1 : 0;
    }
    return result_;
  }

 private:
  Comparison result_;
  double largest_ = 0;
  double dot_ = 0;
  double actual_norm_ = 0;
  double expected_norm_ = 0;
};

}  // namespace

std::string Comparison::ToString() const {
  return absl::StrFormat(
      "max error %.3g (%.3g of the largest magnitude %.6g) at element %d: %.9g, expected %.9g; %d of %d differ; "
      "cosine %.9f",
      max_abs_error, max_scaled_error, scale, worst_index, worst_actual, worst_expected, differing, elements, cosine);
}

absl::StatusOr<Comparison> Compare(const ir::Tensor& actual, const ir::Tensor& expected) {
  if (actual.element_type() != expected.element_type()) {
    return absl::InvalidArgumentError(absl::StrCat("Element types differ: ", Name(actual.element_type()), ", expected ",
                                                   Name(expected.element_type())));
  }
  if (actual.shape() != expected.shape()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Shapes differ: ", ir::ToString(actual.shape()), ", expected ", ir::ToString(expected.shape())));
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor a, actual.ToDense());
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor e, expected.ToDense());
  const ElementType type = a.element_type();
  const int64_t count = a.element_count();
  Accumulator accumulator;
  if (IsInteger(type)) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t got = LoadAsInt64(type, a.data(), i);
      const int64_t want = LoadAsInt64(type, e.data(), i);
      accumulator.Add(i, static_cast<double>(got), static_cast<double>(want), IntegerError(got, want));
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const double got = LoadAsDouble(type, a.data(), i);
      const double want = LoadAsDouble(type, e.data(), i);
      accumulator.Add(i, got, want, ElementError(got, want));
    }
  }
  return accumulator.Finish(count);
}

}  // namespace burin::oracle
