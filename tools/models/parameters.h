// The sizes of a built-in network: how it names them, and how they are read from text.
//
// A network's parameters are a struct with defaults that visits each member once, with the range it may have; parsing,
// listing and checking go through that. Value types.
#ifndef BURIN_TOOLS_MODELS_PARAMETERS_H_
#define BURIN_TOOLS_MODELS_PARAMETERS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace burin::models {

// Receives each parameter: name, value and inclusive range.
class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;
  virtual void Visit(const char* name, int64_t& value, int64_t min, int64_t max) = 0;
  virtual void Visit(const char* name, double& value, double min, double max) = 0;
};

// What every network has.
class Parameters {
 public:
  virtual ~Parameters() = default;
  virtual void VisitParameters(ParameterVisitor& visitor) {
    visitor.Visit("batch", batch, 1, 1024);
    visitor.Visit("seed", seed, 0, INT64_MAX);
  }

  int64_t batch = 1;
  int64_t seed = 1;  // Of the weights.
};

// Sets what `text` ("image=96,width=0.5"; may be empty) names. InvalidArgument, listing the names, for an unknown one;
// for one given twice, or a value that is no number in its range.
absl::Status ParseParameters(absl::string_view text, Parameters* parameters);

// Prints all of them in that form.
std::string ToString(Parameters& parameters);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_PARAMETERS_H_
