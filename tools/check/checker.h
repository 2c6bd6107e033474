// Runs a compiled model on a data set and judges each output.
//
// What //tools:check does, as a library for it and for tests. Thread-safe as far as the compiled model is.
#ifndef BURIN_TOOLS_CHECK_CHECKER_H_
#define BURIN_TOOLS_CHECK_CHECKER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/dev/port.h"
#include "testing/oracle/compare.h"
#include "tools/check/data_set.h"

namespace burin::check {

// When an output holds. Integers and booleans must be equal unless a bound is given explicitly.
struct Bound {
  // |actual - expected| <= absolute + relative * (largest magnitude of the expected output).
  double relative = 0;
  double absolute = 0;
  // Whether `relative` or `absolute` was asked for by the user, and so holds for integers too.
  bool is_explicit = false;
  // If set, the cosine similarity alone decides.
  std::optional<double> min_cosine;
};

struct Verdict {
  Port port;
  oracle::Comparison comparison;  // Meaningful unless `problem` says why there is none.
  std::string problem;
  std::string bound;  // The bound in words.
  bool holds = false;

  // Prints port, figures, bound and OK or FAILED on one line.
  std::string ToString() const;
};

// Runs once on the inputs of a data set; returns the outputs. InvalidArgument where the number, a type or a shape of
// the inputs is not the model's.
absl::StatusOr<std::vector<ir::Tensor>> RunOnce(const CompiledModel& compiled, const std::vector<ir::Tensor>& inputs);

// Judges outputs against the expected ones, port by port. InvalidArgument where their number differs.
absl::StatusOr<std::vector<Verdict>> Judge(const std::vector<Port>& ports, const std::vector<ir::Tensor>& actual,
                                           const std::vector<ir::Tensor>& expected, const Bound& bound);

// Returns the bound that holds for the model by default: its arithmetic's tolerance, or three times the sensitivity
// that a meta.json in any of `folders` states where that is larger (tools/check/tolerance.h).
absl::StatusOr<Bound> DefaultBound(const ir::Model& model, const std::vector<std::string>& folders);

}  // namespace burin::check

#endif  // BURIN_TOOLS_CHECK_CHECKER_H_
