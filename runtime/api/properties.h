// Public header "burin/properties.h": the names of properties, with their types.
#ifndef BURIN_RUNTIME_API_PROPERTIES_H_
#define BURIN_RUNTIME_API_PROPERTIES_H_

#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"

#endif  // BURIN_RUNTIME_API_PROPERTIES_H_
