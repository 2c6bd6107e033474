// The networks that tools run by name: `builtin:NAME` or `builtin:NAME(key=value,...)`.
//
// Weights come from a seed, so nothing has to be downloaded to measure or to compare. The table of networks is in
// builtin.cc. Not thread-safe.
#ifndef BURIN_TOOLS_MODELS_BUILTIN_H_
#define BURIN_TOOLS_MODELS_BUILTIN_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "tools/models/network_builder.h"
#include "tools/models/parameters.h"

namespace burin::models {

// Returns whether the text names a built-in network rather than a file.
bool IsBuiltin(absl::string_view text);

// Prints each network with its parameters and their defaults, one a line.
std::string ListBuiltins();

class Builtin {
 public:
  // Reads `builtin:NAME(key=value,...)`, with or without the "builtin:". InvalidArgument, listing what there is, for an
  // unknown name or parameter; for a value outside its range.
  static absl::StatusOr<Builtin> Parse(absl::string_view text);

  const std::string& name() const { return name_; }
  // Prints the name with all parameters.
  std::string ToString() const;

  // Makes the calls that describe the network. InvalidArgument where parameters do not fit together, and the builder's
  // errors.
  absl::Status Build(NetworkBuilder* builder) const { return build_(*parameters_, builder); }

 private:
  using BuildFunction = absl::Status (*)(const Parameters& parameters, NetworkBuilder* builder);
  Builtin(const char* name, std::unique_ptr<Parameters> parameters, BuildFunction build);

  std::string name_;
  std::unique_ptr<Parameters> parameters_;
  BuildFunction build_;
};

// Builds the model that `text` names. Errors as Parse's and Build's.
absl::StatusOr<std::unique_ptr<ir::Model>> BuildBuiltinModel(absl::string_view text);

}  // namespace burin::models

#endif  // BURIN_TOOLS_MODELS_BUILTIN_H_
