// Makes a wrong case small, and finds the rewrite that makes it wrong.
//
// Whatever of the model can be left out while the case stays wrong is left out: samples, results, what a value is
// computed from (an input takes its place), operations that can be bypassed. Deterministic; stateless.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_SHRINK_H_
#define BURIN_TRANSFORMATIONS_FUZZ_SHRINK_H_

#include <string>

#include "transformations/fuzz/case_check.h"
#include "transformations/fuzz/fuzz_case.h"

namespace burin::transformations {

// Returns a smaller case that is wrong too; the same one where `fuzz_case` is not wrong.
FuzzCase Shrink(const FuzzCase& fuzz_case, const CheckOptions& options = {});

// Says which rewrite it is, by its number, pass and node, after which the case is wrong. Empty where it is not wrong,
// or the passes fail by themselves, with an error that names the pass.
std::string FirstWrongRewrite(const FuzzCase& fuzz_case, const CheckOptions& options = {});

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_SHRINK_H_
