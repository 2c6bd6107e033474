#include "snippets/testing/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/partial_shape.h"

namespace burin::snippets {
namespace {

// One element in so many is picked by hand.
constexpr uint64_t kEveryPicked = 16;

double Picked(const InputRange& range, std::mt19937_64& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const uint64_t choice = random() % (range.special ? 9 : 6);
  switch (choice) {
    case 0:
      return range.low;
    case 1:
      return range.high;
    case 6:
      return kInfinity;
    case 7:
      return -kInfinity;
    case 8:
      return std::numeric_limits<double>::quiet_NaN();
    default:
      break;
  }
  const double small = choice == 2 ? 0.0 : choice == 3 ? -0.0 : choice == 4 ? 1e-40 : -3e-8;
  return std::clamp(small, range.low, range.high);
}

absl::StatusOr<ir::Tensor> RandomTensor(ElementType type, const ir::Shape& shape, const InputRange& range,
                                        std::mt19937_64& random) {
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(type, shape));
  std::uniform_real_distribution<double> uniform(range.low, range.high);
  std::vector<double> values(static_cast<size_t>(tensor.element_count()));
  for (double& value : values) {
    value = random() % kEveryPicked == 0 ? Picked(range, random) : uniform(random);
    if (type == ElementType::kBoolean) {
      value = static_cast<double>(random() % 2);
    } else if (!IsFloat(type)) {
      // Integers between the ends are as likely as the ends.
      value = std::clamp(std::floor(value + 0.5), std::ceil(range.low), std::floor(range.high));
    }
  }
  StoreRangeFromDouble(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

}  // namespace

absl::StatusOr<std::vector<ir::Tensor>> RandomInputs(const ir::Model& body, absl::Span<const InputRange> ranges,
                                                     std::mt19937_64& random) {
  std::vector<ir::Tensor> inputs;
  for (size_t i = 0; i < body.parameters().size(); ++i) {
    const ir::ValueInfo& info = body.info({body.parameters()[i], 0});
    if (!info.shape.is_static()) {
      return absl::InvalidArgumentError(absl::StrCat("The shape is not static: parameter ", i));
    }
    const InputRange range = i < ranges.size() ? ranges[i] : InputRange{};
    BURIN_ASSIGN_OR_RETURN(ir::Tensor input, RandomTensor(info.type, info.shape.ToShape(), range, random));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace burin::snippets
