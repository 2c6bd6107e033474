// ResNet-50, version 1.5 (stride in the 3x3 convolution), with batch normalisation folded into the convolutions.
//
// Source: He et al., "Deep Residual Learning for Image Recognition", 2015. Stateless, thread-safe.
#ifndef BURIN_TOOLS_MODELS_RESNET50_H_
#define BURIN_TOOLS_MODELS_RESNET50_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

struct Resnet50Parameters final : Parameters {
  int64_t image = 224;  // Height and width.
  double width = 1;     // Multiplies all channel numbers.
  int64_t classes = 1000;

  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("image", image, 32, 2048);
    visitor.Visit("width", width, 0.01, 4);
    visitor.Visit("classes", classes, 1, 1000000);
  }
};

// Input "data" f32[batch,3,image,image]; output "logits" f32[batch,classes].
absl::Status BuildResnet50(const Resnet50Parameters& parameters, NetworkBuilder* builder);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_RESNET50_H_
