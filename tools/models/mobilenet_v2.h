// MobileNetV2, with batch normalisation folded into the convolutions.
//
// Source: Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018. Stateless, thread-safe.
#ifndef BURIN_TOOLS_MODELS_MOBILENET_V2_H_
#define BURIN_TOOLS_MODELS_MOBILENET_V2_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

struct MobilenetV2Parameters final : Parameters {
  int64_t image = 224;  // Height and width.
  double width = 1;     // Multiplies all channel numbers, which are then rounded to multiples of 8.
  int64_t classes = 1000;

  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("image", image, 32, 2048);
    visitor.Visit("width", width, 0.01, 4);
    visitor.Visit("classes", classes, 1, 1000000);
  }
};

// Input "data" f32[batch,3,image,image]; output "logits" f32[batch,classes].
absl::Status BuildMobilenetV2(const MobilenetV2Parameters& parameters, NetworkBuilder* builder);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_MOBILENET_V2_H_
