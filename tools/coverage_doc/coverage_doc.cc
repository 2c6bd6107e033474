// //tools:coverage_doc: prints docs/coverage.md.
#include <cstdio>
#include <cstdlib>

#include "burin/core.h"
#include "tools/coverage_doc/document.h"
#include "tools/coverage_doc/operator_coverage.h"

int main() {
  // What every machine has: the document is the same wherever it is printed.
  if (setenv("BURIN_MAX_ISA", "avx2", /*overwrite=*/1) != 0) return 1;
  burin::Core core;
  const std::string text = burin::coverage_doc::CoverageDocument(burin::coverage_doc::CoverOperators(core));
  return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
}
