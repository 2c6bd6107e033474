// What operators are covered, as a document: what docs/coverage.md is printed from. Stateless, thread-safe.
#ifndef BURIN_TOOLS_COVERAGE_DOC_DOCUMENT_H_
#define BURIN_TOOLS_COVERAGE_DOC_DOCUMENT_H_

#include <string>
#include <vector>

#include "base/element_type.h"
#include "tools/coverage_doc/operator_coverage.h"

namespace burin::coverage_doc {

// Returns a Markdown document of the operators; of the operations of the model, with the operators that become each;
// and of the operators of the standard that are not among these.
std::string CoverageDocument(const std::vector<OperatorCoverage>& operators);

// Prints element types: F, I and U stand for the whole classes that the document names.
std::string TypesText(const std::vector<ElementType>& types);

}  // namespace burin::coverage_doc

#endif  // BURIN_TOOLS_COVERAGE_DOC_DOCUMENT_H_
