#include "tools/models/weights.h"

#include <cmath>

#include "base/element_type.h"
#include "base/status_macros.h"

namespace burin::models {

namespace {

// The odd number nearest to 2^64 / golden ratio, by which SplitMix64 steps.
constexpr uint64_t kStep = 0x9E3779B97F4A7C15;

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace

absl::StatusOr<ir::Tensor> WeightSource::Uniform(const ir::Shape& shape, double mean, double spread) {
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(ElementType::kF32, shape));
  const uint64_t key = Mix(Mix(seed_ + kStep) + ++tensors_ * kStep);
  float* values = tensor.mutable_data_as<float>();
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t bits = Mix(key + static_cast<uint64_t>(i + 1) * kStep);
    const double unit = static_cast<double>(bits >> 11) * 0x1.0p-53;  // [0, 1)
    values[i] = static_cast<float>(mean + spread * (2 * unit - 1));
  }
  return tensor;
}

absl::StatusOr<ir::Tensor> WeightSource::Scaled(const ir::Shape& shape, int64_t fan_in, double gain) {
  // A uniform distribution of that spread has variance spread^2 / 3.
  return Uniform(shape, 0, std::sqrt(3 * gain / static_cast<double>(fan_in)));
}

}  // namespace burin::models
