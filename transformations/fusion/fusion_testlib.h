// Texts of formulas for the tests of this folder.
//
// A formula is a few lines of text (ir/text.h) that read the parameter %0 "x" and give %9. `<0.5>` in it stands for a
// constant number of x's type of rank 0, `<0.5:[1,1]>` for one of that shape; ids from %100 on are those of constants.
// For tests of fusions only. Not thread-safe (GoogleTest expectations).
#ifndef BURIN_TRANSFORMATIONS_FUSION_FUSION_TESTLIB_H_
#define BURIN_TRANSFORMATIONS_FUSION_FUSION_TESTLIB_H_

#include <string>

#include "absl/strings/string_view.h"
#include "ir/rewrite.h"

namespace burin::transformations {

// What x is, and what it may hold.
struct FormulaInput {
  std::string type = "f32";
  std::string shape = "[?,4]";
  // Infinities, NaN and extreme magnitudes: off where the parts overflow and the operation does not.
  bool special_floats = true;
};

// Returns the text of the model.
std::string FormulaModel(const FormulaInput& input, absl::string_view formula);

// Expects that the rule turns the formula into `after` and computes the same within the operations' tolerances.
void ExpectFuses(ir::Rule rule, const FormulaInput& input, absl::string_view formula, absl::string_view after);

// Expects that the rule leaves the formula alone.
void ExpectKept(ir::Rule rule, const FormulaInput& input, absl::string_view formula);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUSION_FUSION_TESTLIB_H_
