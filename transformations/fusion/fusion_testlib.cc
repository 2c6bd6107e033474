#include "transformations/fusion/fusion_testlib.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

RewriteTestOptions OptionsFor(const FormulaInput& input) {
  RewriteTestOptions options;
  options.equivalence = Equivalence::kByTolerances;
  options.special_floats = input.special_floats;
  return options;
}

}  // namespace

std::string FormulaModel(const FormulaInput& input, absl::string_view formula) {
  std::string constants;
  std::string body;
  int next = 100;
  for (size_t at = 0; at < formula.size();) {
    const size_t open = formula.find('<', at);
    absl::StrAppend(&body, formula.substr(at, open == absl::string_view::npos ? open : open - at));
    if (open == absl::string_view::npos) break;
    const size_t close = formula.find('>', open);
    const std::pair<std::string, std::string> number =
        absl::StrSplit(formula.substr(open + 1, close - open - 1), absl::MaxSplits(':', 1));
    const std::string shape = number.second.empty() ? "[]" : number.second;
    absl::StrAppend(&constants, "  %", next, " = Constant() {value = ", input.type, shape, "{", number.first, "}}\n");
    absl::StrAppend(&body, "%", next++);
    at = close + 1;
  }
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", input.type, ", shape = ", input.shape,
                      "}\n", constants, body, "\n  %10 \"out\" = Result(%9)\n}");
}

void ExpectFuses(ir::Rule rule, const FormulaInput& input, absl::string_view formula, absl::string_view after) {
  SCOPED_TRACE(absl::StrCat(input.type, input.shape, "\n", formula));
  ExpectRewrites(rule, FormulaModel(input, formula), FormulaModel(input, after), OptionsFor(input));
}

void ExpectKept(ir::Rule rule, const FormulaInput& input, absl::string_view formula) {
  SCOPED_TRACE(absl::StrCat(input.type, input.shape, "\n", formula));
  ExpectUnchanged(rule, FormulaModel(input, formula), OptionsFor(input));
}

}  // namespace burin::transformations
