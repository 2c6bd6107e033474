// Which build of Burin a library comes from.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_VERSION_H_
#define BURIN_RUNTIME_DEV_VERSION_H_

#include <string>

// The version of the source that is being compiled. A macro, because a plugin library must not find its host's.
#define BURIN_BUILD_VERSION "0.1.0"

namespace burin {

struct Version {
  std::string build;        // "0.1.0"
  std::string description;  // "Burin REFERENCE plugin"
};

// Returns the version of this build, described as `description`.
Version BuildVersion(const std::string& description);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_VERSION_H_
