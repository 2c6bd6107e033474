// Layers with weights: what the networks of this folder are made of, above single operations.
//
// Each call takes the next weights of the network's seed, so the order of calls is part of the network. `name` becomes
// the layer's scope and so part of its constants' names; a network gives each layer another one. Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_LAYERS_H_
#define BURIN_TOOLS_MODELS_LAYERS_H_

#include <cstdint>
#include <string>

#include "ir/shape.h"
#include "tools/models/network_builder.h"
#include "tools/models/weights.h"

namespace burin::models {

class Layers {
 public:
  Layers(NetworkBuilder* builder, int64_t seed) : builder_(*builder), weights_(static_cast<uint64_t>(seed)) {}

  NetworkBuilder& builder() { return builder_; }
  WeightSource& weights() { return weights_; }

  // Convolution with bias. `gain` as in WeightSource::Scaled.
  Value Convolution(const std::string& name, Value x, int64_t in, int64_t out, const Window& window, int64_t groups,
                    double gain);

  // x[..., in] times weight[in, out], with a bias or without.
  Value Linear(const std::string& name, Value x, int64_t in, int64_t out, double gain = 1);
  Value LinearWithoutBias(const std::string& name, Value x, int64_t in, int64_t out, double gain = 1);

  // Normalises the last axis of `width` elements; scale around 1.
  Value LayerNorm(const std::string& name, Value x, int64_t width, float epsilon);
  // Divides by the root mean square of the last axis; scale around 1 (Zhang, Sennrich, 2019).
  Value RmsNorm(const std::string& name, Value x, int64_t width, float epsilon);

  // x * Phi(x), written with the error function as exporters do.
  Value Gelu(Value x);

  // A trained table, such as embeddings: elements of variance 1.
  Value Table(const std::string& name, const ir::Shape& shape);

 private:
  // A vector around 1.
  Value Scale(int64_t width);
  // A vector around 0.
  Value Bias(int64_t width);

  NetworkBuilder& builder_;
  WeightSource weights_;
};

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_LAYERS_H_
