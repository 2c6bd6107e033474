// The property table as a document: what docs/properties.md is printed from.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_PROPERTIES_DOC_DOCUMENT_H_
#define BURIN_TOOLS_PROPERTIES_DOC_DOCUMENT_H_

#include <string>

#include "absl/types/span.h"
#include "runtime/dev/property_table.h"

namespace burin::properties_doc {

// Returns a Markdown document of the rows: what holds of all properties, then one section per scope that has rows.
std::string PropertiesDocument(absl::Span<const PropertyInfo> rows);

}  // namespace burin::properties_doc

#endif  // BURIN_TOOLS_PROPERTIES_DOC_DOCUMENT_H_
