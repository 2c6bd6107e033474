// The configuration that a plugin keeps: its defaults, which users change, and the facts that it answers besides.
//
// What every plugin with properties does in SetProperties, GetProperty and at the start of Compile. Thread-safe.
#ifndef BURIN_RUNTIME_DEV_DEVICE_CONFIGURATION_H_
#define BURIN_RUNTIME_DEV_DEVICE_CONFIGURATION_H_

#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"

namespace burin {

class DeviceConfiguration {
 public:
  // `facts` holds the values of the read-only rows that a device has, but SUPPORTED_PROPERTIES.
  DeviceConfiguration(Configuration defaults, PropertyMap facts)
      : facts_(std::move(facts)), defaults_(std::move(defaults)) {}

  // Changes the defaults; as Configuration::Apply.
  absl::Status Apply(const PropertyMap& properties) {
    std::lock_guard<std::mutex> lock(mutex_);
    return defaults_.Apply(properties);
  }

  // Returns what the device answers for a property; as Configuration::Read.
  absl::StatusOr<std::string> Read(const std::string& name) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return defaults_.Read(PropertyScope::kDevice, name, facts_);
  }

  // Returns the configuration of one compilation: the defaults of now, with what the call gives on top. Errors of
  // Configuration::Apply.
  absl::StatusOr<Configuration> With(const PropertyMap& properties) const {
    std::unique_lock<std::mutex> lock(mutex_);
    Configuration configuration = defaults_;
    lock.unlock();
    BURIN_RETURN_IF_ERROR(configuration.Apply(properties));
    return configuration;
  }

 private:
  const PropertyMap facts_;
  mutable std::mutex mutex_;
  Configuration defaults_;  // Guarded by mutex_.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_DEVICE_CONFIGURATION_H_
