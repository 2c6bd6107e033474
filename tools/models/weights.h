// Makes the weights of built-in networks: the same bits on every machine, compiler and library, from one seed.
//
// Element i of tensor t is a pure function of (seed, t, i): a counter goes through SplitMix64's mixing function
// (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014), whose upper 53 bits become a double.
// Values are uniform, as IEEE arithmetic gives the same everywhere; normal ones would need logarithms, which differ
// between libraries. Not for test inputs (tools/check/data_set.h makes those). Belongs to one thread.
#ifndef BURIN_TOOLS_MODELS_WEIGHTS_H_
#define BURIN_TOOLS_MODELS_WEIGHTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::models {

class WeightSource {
 public:
  explicit WeightSource(uint64_t seed) : seed_(seed) {}

  // Returns the next f32 tensor, with elements uniform in [mean - spread, mean + spread). Errors as Tensor::Create's.
  absl::StatusOr<ir::Tensor> Uniform(const ir::Shape& shape, double mean, double spread);

  // Returns the next f32 tensor, with mean 0 and variance gain / fan_in: gain 2 keeps the variance of activations
  // through a layer followed by a ReLU (He et al., "Delving Deep into Rectifiers", 2015), gain 1 through a linear one.
  absl::StatusOr<ir::Tensor> Scaled(const ir::Shape& shape, int64_t fan_in, double gain);

 private:
  const uint64_t seed_;
  uint64_t tensors_ = 0;
};

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_WEIGHTS_H_
