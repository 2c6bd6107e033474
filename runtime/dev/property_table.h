// What is known of every property: runtime/dev/properties.inc as data.
//
// For who checks, lists or documents properties. Who uses one property takes its typed name from properties.h; a device
// keeps its values in a Configuration. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_PROPERTY_TABLE_H_
#define BURIN_RUNTIME_DEV_PROPERTY_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin {

// Who holds a property, and who may set it.
enum class PropertyScope {
  kCore,            // The Core acts on it, before a device is asked: set on it, for one device, or for one call.
  kConfig,          // Set on a device or for a compilation; read from the device and from the compiled model.
  kDevice,          // A fact about a device: read-only.
  kModel,           // A fact about a compiled model: read-only.
  kDeviceAndModel,  // A fact that both have: read-only.
};

struct PropertyInfo {
  const char* name;
  // "boolean", "integer", "number", "text", "list" or "enumeration".
  const char* type;
  // Text of the value where nobody set one. Empty for a read-only property.
  const char* default_value;
  // What a value may be, for people: "YES, NO", "0..3600000", "any".
  std::string allowed;
  PropertyScope scope;
  // Whether another value makes another compiled model.
  bool cache_relevant;
  // Names of devices, and "core", separated by spaces.
  const char* readers;
  const char* documentation;
  // Checks type and range. InvalidArgument naming the property, what is expected and what was given. A device that
  // allows less than the table replaces it, and `allowed`, in its own copy of the row.
  absl::Status (*check)(const std::string& name, const std::string& text);
  // Returns the one text form of a value that `check` accepts: "YES" for "true".
  std::string (*canonical)(const std::string& text);

  // Returns whether users may set it: the scopes kCore and kConfig.
  bool settable() const { return scope == PropertyScope::kCore || scope == PropertyScope::kConfig; }
  // Returns whether `reader` is one of the readers.
  bool ReadBy(absl::string_view reader) const;
};

// Returns all rows, sorted by name.
absl::Span<const PropertyInfo> AllProperties();

// Returns the row called `name` (case matters), or null.
const PropertyInfo* FindProperty(absl::string_view name);

// Returns the rows that `reader` ("REFERENCE", "core") is a reader of, sorted by name.
std::vector<PropertyInfo> PropertiesReadBy(absl::string_view reader);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROPERTY_TABLE_H_
