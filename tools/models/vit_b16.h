// The vision transformer, base size with patches of 16 x 16.
//
// Source: Dosovitskiy et al., "An Image is Worth 16x16 Words", 2020. Stateless, thread-safe.
#ifndef BURIN_TOOLS_MODELS_VIT_B16_H_
#define BURIN_TOOLS_MODELS_VIT_B16_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

struct VitB16Parameters final : Parameters {
  int64_t image = 224;  // Height and width; a multiple of `patch`.
  int64_t patch = 16;
  int64_t layers = 12;
  int64_t hidden = 768;
  int64_t heads = 12;
  int64_t intermediate = 3072;
  int64_t classes = 1000;

  void VisitParameters(ParameterVisitor& visitor) override {
    Parameters::VisitParameters(visitor);
    visitor.Visit("image", image, 1, 2048);
    visitor.Visit("patch", patch, 1, 256);
    visitor.Visit("layers", layers, 0, 256);
    visitor.Visit("hidden", hidden, 1, 16384);
    visitor.Visit("heads", heads, 1, 256);
    visitor.Visit("intermediate", intermediate, 1, 65536);
    visitor.Visit("classes", classes, 1, 1000000);
  }
};

// Input "data" f32[batch,3,image,image]; output "logits" f32[batch,classes]. InvalidArgument where heads does not
// divide hidden, or patch does not divide image.
absl::Status BuildVitB16(const VitB16Parameters& parameters, NetworkBuilder* builder);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_VIT_B16_H_
