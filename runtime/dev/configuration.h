// The configurable properties of one device, as values that have been checked.
//
// A plugin holds one with its defaults, applies a compilation's properties to a copy, and keeps that copy in the
// compiled model, so that what took effect can be read back. Use Value() where something is set up, not while it runs:
// it parses. Value type; as thread-safe as a std::map.
#ifndef BURIN_RUNTIME_DEV_CONFIGURATION_H_
#define BURIN_RUNTIME_DEV_CONFIGURATION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"

namespace burin {

class Configuration {
 public:
  // Starts with the rows' defaults. `owner` begins the messages ("Device REFERENCE"). The rows of scope kConfig and
  // kCore can be set; the read-only ones are what Read() answers besides.
  Configuration(std::string owner, absl::Span<const PropertyInfo> rows);

  // Changes what `properties` name: all of it, or nothing. NotFound, listing what can be set, for an unknown or
  // read-only name; InvalidArgument, naming what is allowed, for a bad value.
  absl::Status Apply(const PropertyMap& properties);

  // Returns the value of a property that can be set, in its canonical text. NotFound, listing those, for any other.
  absl::StatusOr<std::string> Get(const std::string& name) const;

  // Returns the value of a property that can be set. One of the rows must have its name and type.
  template <class T>
  T Value(const Property<T>& property) const {
    const absl::StatusOr<std::string> text = Get(property.name);
    BURIN_CHECK_OK(text.status());
    absl::StatusOr<T> value = property.Parse(*text);
    BURIN_CHECK_OK(value.status());
    return *std::move(value);
  }

  // Returns whether somebody gave the property a value, be it the default one.
  bool IsSet(const std::string& name) const;
  // Returns what was given: canonical texts.
  const PropertyMap& given() const { return given_; }

  // Returns the value of SUPPORTED_PROPERTIES as seen from the Core (kCore), a device (kDevice) or a compiled model
  // (kModel), sorted: "NAME:RW" for what can be set there, "NAME:RO" for the rest. On a compiled model all is fixed.
  std::vector<std::string> Supported(PropertyScope seen_from) const;

  // Returns what the Core (kCore), a device (kDevice) or a compiled model (kModel) answers for a property: its
  // configured value, SUPPORTED_PROPERTIES, or its entry in `facts`, which holds the other read-only rows. NotFound,
  // listing what can be read, for any other name.
  absl::StatusOr<std::string> Read(PropertyScope seen_from, const std::string& name, const PropertyMap& facts) const;

 private:
  // Returns the row, or null.
  const PropertyInfo* Find(const std::string& name) const;

  std::string owner_;
  std::shared_ptr<const std::vector<PropertyInfo>> rows_;  // Sorted by name; copies share them.
  PropertyMap given_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_CONFIGURATION_H_
