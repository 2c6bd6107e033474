// Public header "burin/properties.h": the names of properties, with their types.
#ifndef BURIN_RUNTIME_API_PROPERTIES_H_
#define BURIN_RUNTIME_API_PROPERTIES_H_

#include <string>
#include <type_traits>
#include <utility>

#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"

namespace burin {

// An entry of a PropertyMap, as `perf_count(true)` makes it.
using PropertyEntry = std::pair<const std::string, std::string>;

// Enables an overload for one or more entries in the place of a PropertyMap.
template <class... Entries>
using EnableIfProperties =
    std::enable_if_t<(sizeof...(Entries) > 0) && (std::is_convertible_v<Entries, PropertyEntry> && ...), bool>;

}  // namespace burin

#endif  // BURIN_RUNTIME_API_PROPERTIES_H_
