// Holds what the element-wise functions of the emitters' catalogue should give, in double, and on which inputs a
// benchmark runs them.
//
// Use it to check results beside their speed: a wrong kernel has no speed. Not for the errors in units of the last
// place, which the emitters' own tests measure over all inputs. Thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_REFERENCES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_REFERENCES_H_

#include <functional>
#include <optional>

#include "absl/strings/string_view.h"

namespace burin::kernel_bench {

// Describes one function of the catalogue.
struct FunctionReference {
  // Computes it; reads as many inputs as the function has. Integers and truth values are numbers too.
  std::function<double(const double* inputs)> function;
  // The inputs are drawn from this range, truth values apart.
  double low = -6;
  double high = 6;
  // How far a result may be off, times max(1, |result|): greater for functions that round to one of two levels by the
  // last bit of an intermediate result.
  double tolerance = 1e-5;
};

// Returns the description of that name, such as "Exp" or, with its parameters, "Elu(1)"; nullopt where there is none.
std::optional<FunctionReference> FindReference(absl::string_view name);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_REFERENCES_H_
