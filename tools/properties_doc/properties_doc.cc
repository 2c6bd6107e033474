// //tools:properties_doc: prints docs/properties.md.
#include <cstdio>

#include "runtime/dev/property_table.h"
#include "tools/properties_doc/document.h"

int main() {
  return std::fputs(burin::properties_doc::PropertiesDocument(burin::AllProperties()).c_str(), stdout) < 0 ? 1 : 0;
}
