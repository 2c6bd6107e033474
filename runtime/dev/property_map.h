// Configuration as users give it: property name to value, both text.
//
// Every value has a text form (command lines, JSON, XML and environments carry nothing else); typed names are in
// burin/properties.h. Plugins parse values once, at the edge. Value type.
#ifndef BURIN_RUNTIME_DEV_PROPERTY_MAP_H_
#define BURIN_RUNTIME_DEV_PROPERTY_MAP_H_

#include <map>
#include <string>

namespace burin {

using PropertyMap = std::map<std::string, std::string>;

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROPERTY_MAP_H_
