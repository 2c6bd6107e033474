#include "runtime/dev/version.h"

namespace burin {

Version BuildVersion(const std::string& description) { return Version{BURIN_BUILD_VERSION, description}; }

}  // namespace burin
